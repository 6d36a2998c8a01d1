"""Scenes as environments of Gymnasium: cardan.gym.VectorEnv steps thousands of states in one call.

Needs gymnasium (pip install gymnasium). An action is the scene's inputs, held during a step; an observation is (q, v),
or what `observe` makes of them.
"""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._cardan import _Fleet
from .choices import choices, spec_of
from .scene import Scene
from .simulator import Simulator


def _concatenated(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.concatenate([q, v], axis=-1)


class _Task:
    """What both kinds of environment do; functions get arrays with a leading axis, one row for each run."""

    def __init__(self, scene, count, reward, terminated, observe, spread, action_limit, steps, repeat, threads, options):
        scene = scene if isinstance(scene, Scene) else Scene(scene)
        self.fleet = _Fleet(spec_of(scene), choices(options), count)
        self.model = scene.model
        start = Simulator(scene, **options)
        self.q0, self.v0 = np.array(start.q), np.array(start.v)
        if not start.inputs:
            raise ValueError("scene: expected at least one [[input]], found none")
        self.reward, self.terminated, self.observe = reward, terminated, observe or _concatenated
        self.spread, self.steps, self.repeat, self.threads = spread, steps, repeat, threads
        limit = np.broadcast_to(np.asarray(action_limit, np.float64), (len(start.inputs),))
        self.action_space = gymnasium.spaces.Box(-limit, limit, dtype=np.float64)
        shape = np.asarray(self.observe(self.q0[None], self.v0[None])).shape[1:]
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        self.age = np.zeros(count, int)

    def begin(self, rows, rng: np.random.Generator) -> None:
        for i in rows:
            noise = self.spread * rng.uniform(-1, 1, (2, self.model.nv))
            self.fleet.begin(int(i), self.model.integrate(self.q0, noise[0]), self.v0 + noise[1])
            self.age[i] = 0

    def observations(self) -> np.ndarray:
        return np.ascontiguousarray(self.observe(self.fleet.q, self.fleet.v), dtype=np.float64)

    def step(self, actions):
        u = np.clip(np.asarray(actions, np.float64), self.action_space.low, self.action_space.high)
        problems = self.fleet.step(u, self.repeat, self.threads)
        q, v = self.fleet.q, self.fleet.v
        self.age += 1
        failed = np.array([bool(problem) for problem in problems])
        ended = failed if self.terminated is None else failed | np.asarray(self.terminated(q, v), bool)
        rewards = np.asarray(self.reward(q, v, u), np.float64)
        if rewards.shape != (len(u),):
            raise ValueError(f"reward: expected an array of shape ({len(u)},), found {rewards.shape}")
        late = self.age >= self.steps if self.steps else np.zeros(len(u), bool)
        return rewards, ended, late & ~ended, problems


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many runs of a scene, stepped together on all cores.

    reward(q, v, u) -> (batch,) and terminated(q, v) -> (batch,) get q (batch, nq), v (batch, nv), u (batch, inputs);
    observe(q, v) -> (batch, k). Runs begin at the scene's start, moved by up to `spread` (rad or m, and per second), and
    end after `steps`; `repeat` steps of the scene are one of the environment. A run that cannot go on is terminated.
    Ended runs begin again at the next step, as Gymnasium's NEXT_STEP says.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, scene, batch: int, reward, terminated=None, observe=None, *, spread: float = 0.05,
                 action_limit=1.0, steps: int = 0, repeat: int = 1, threads: int = 0, **options) -> None:
        self._task = _Task(scene, batch, reward, terminated, observe, spread, action_limit, steps, repeat, threads, options)
        self.num_envs = batch
        self.single_action_space, self.single_observation_space = self._task.action_space, self._task.observation_space
        self.action_space = batch_space(self.single_action_space, batch)
        self.observation_space = batch_space(self.single_observation_space, batch)
        self._ended = np.zeros(batch, bool)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._task.begin(range(self.num_envs), self.np_random)
        self._ended[:] = False
        return self._task.observations(), {}

    def step(self, actions):
        rewards, ended, late, problems = self._task.step(actions)
        begun = self._ended
        self._task.begin(np.flatnonzero(begun), self.np_random)
        rewards[begun], ended[begun], late[begun] = 0.0, False, False
        self._ended = ended | late
        failed = {i: problem for i, problem in enumerate(problems) if problem and not begun[i]}
        return self._task.observations(), rewards, ended, late, {"problems": failed} if failed else {}


class Env(gymnasium.Env):
    """One run of a scene; arguments are those of VectorEnv, with the same functions of batches."""

    metadata = {"render_modes": []}

    def __init__(self, scene, reward, terminated=None, observe=None, *, spread: float = 0.05, action_limit=1.0,
                 steps: int = 0, repeat: int = 1, **options) -> None:
        self._task = _Task(scene, 1, reward, terminated, observe, spread, action_limit, steps, repeat, 1, options)
        self.action_space, self.observation_space = self._task.action_space, self._task.observation_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._task.begin([0], self.np_random)
        return self._task.observations()[0], {}

    def step(self, action):
        rewards, ended, late, problems = self._task.step(np.asarray(action)[None])
        info = {"problem": problems[0]} if problems[0] else {}
        return self._task.observations()[0], float(rewards[0]), bool(ended[0]), bool(late[0]), info
