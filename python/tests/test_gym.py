"""Environments: Gymnasium's own checks, one run beside many, and the mechanics behind them."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import cardan  # noqa: E402
import cardan.gym  # noqa: E402
from test_model import example  # noqa: E402
from test_scene import cart  # noqa: E402


def reward(q, v, u):
    return 1.0 - (q**2).sum(axis=-1) - 0.1 * (u**2).sum(axis=-1)


def far(q, v):
    return abs(q[:, 0]) > 0.05


def test_gymnasium_checks_pass():
    from gymnasium.utils.env_checker import check_env

    env = cardan.gym.Env(cart(), reward, far, steps=20, step=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on ranges of observations
        check_env(env, skip_render_check=True)


def test_many_are_single_ones():
    n, rng = 6, np.random.default_rng(0)
    many = cardan.gym.VectorEnv(example("driven_arm.toml"), n, reward, action_limit=5.0, spread=0.0, steps=8)
    ones = [cardan.gym.Env(example("driven_arm.toml"), reward, action_limit=5.0, spread=0.0, steps=8) for _ in range(n)]
    observations, _ = many.reset(seed=1)
    assert observations in many.observation_space and observations.dtype == np.float64
    np.testing.assert_array_equal(observations, [env.reset()[0] for env in ones])
    for k in range(8):
        actions = rng.uniform(-5, 5, many.action_space.shape)
        observations, rewards, ended, late, _ = many.step(actions)
        for i, env in enumerate(ones):
            one = env.step(actions[i])
            np.testing.assert_array_equal(observations[i], one[0])
            assert (rewards[i], ended[i], late[i]) == one[1:4] and late[i] == (k == 7)
    observations, rewards, ended, late, _ = many.step(actions)  # begins again
    assert not late.any() and not rewards.any()
    np.testing.assert_array_equal(observations, [env.reset()[0] for env in ones])


def test_a_cart_moves_as_it_must_and_seeds_repeat():
    env = cardan.gym.VectorEnv(cart(), 3, reward, far, spread=0.01, action_limit=2.0, repeat=5, step=0.01)
    first, _ = env.reset(seed=3)
    u = np.array([[2.0], [-1.0], [9.0]])  # the last is clipped
    found, rewards, ended, _, _ = env.step(u)
    a = np.array([1.0, -0.5, 1.0])
    np.testing.assert_allclose(found[:, 0], first[:, 0] + 0.05 * first[:, 1] + 0.5 * a * 0.05**2, atol=1e-13)
    np.testing.assert_allclose(rewards, reward(found[:, :1], None, np.clip(u, -2, 2)))
    for _ in range(12):
        found, _, ended, _, _ = env.step(u)
        if ended.any():
            break
    assert ended.any() and (abs(found[ended, 0]) > 0.05).all()
    np.testing.assert_array_equal(env.reset(seed=3)[0], first)
    with pytest.raises(ValueError, match="reward: expected an array of shape"):
        cardan.gym.VectorEnv(cart(), 3, lambda q, v, u: 1.0).step(u)
    with pytest.raises(ValueError, match="input"):
        cardan.gym.VectorEnv(example("pendulum.toml"), 3, reward)
