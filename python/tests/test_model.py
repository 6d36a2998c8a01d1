"""Models: algorithms in numpy against one another, finite differences and closed forms."""

import concurrent.futures
import inspect
import os
import resource

import numpy as np
import pytest

import cardan

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")


def example(name):
    return os.path.join(EXAMPLES, name)


MODELS = ["double_pendulum.urdf", "humanoid.urdf", "quadruped.urdf", "windmill.toml", "heavy_top.toml", "flying_chain.toml"]


def random_state(model, rng, shape=()):
    v = rng.normal(size=shape + (model.nv,))
    q = model.integrate(model.neutral(), 0.5 * rng.normal(size=shape + (model.nv,)))
    return q, v


@pytest.mark.parametrize("name", MODELS)
def test_forward_and_inverse_dynamics_undo_each_other(name):
    model = cardan.load(example(name))
    q, v = random_state(model, np.random.default_rng(1), (3, 50))
    tau = np.random.default_rng(2).normal(size=v.shape)
    a = model.forward_dynamics(q, v, tau)
    assert a.shape == (3, 50, model.nv)
    np.testing.assert_allclose(model.inverse_dynamics(q, v, a), tau, atol=1e-8 * max(1, abs(a).max()))
    H, c = model.mass_matrix(q), model.bias(q, v)
    np.testing.assert_allclose((H @ a[..., None])[..., 0] + c, tau, atol=1e-8 * max(1, abs(a).max()))
    np.testing.assert_allclose(model.bias(q, 0 * v), model.gravity(q), atol=1e-10 * max(1, abs(c).max()))


@pytest.mark.parametrize("name", MODELS)
def test_batches_are_single_states(name):
    model = cardan.load(example(name))
    q, v = random_state(model, np.random.default_rng(3), (70,))
    a = model.forward_dynamics(q, v, np.zeros(model.nv))
    for i in (0, 33, 69):
        one = model.forward_dynamics(q[i], v[i], np.zeros(model.nv))
        np.testing.assert_allclose(a[i], one, rtol=1e-9, atol=1e-9 * max(1, abs(one).max()))


@pytest.mark.parametrize("name", MODELS)
def test_derivatives_are_those_of_differences(name):
    model = cardan.load(example(name))
    rng = np.random.default_rng(4)
    q, v = random_state(model, rng)
    tau = rng.normal(size=model.nv)
    forward = model.forward_dynamics_derivatives(q, v, tau)
    a = model.forward_dynamics(q, v, tau)
    inverse = model.inverse_dynamics_derivatives(q, v, a)
    h = 1e-6
    for j in range(0, model.nv, max(1, model.nv // 6)):
        e = np.zeros(model.nv)
        e[j] = h
        for found, f in [
            (forward.dq, lambda s: model.forward_dynamics(model.integrate(q, s * e), v, tau)),
            (forward.dv, lambda s: model.forward_dynamics(q, v + s * e, tau)),
            (forward.dtau, lambda s: model.forward_dynamics(q, v, tau + s * e)),
            (inverse.dq, lambda s: model.inverse_dynamics(model.integrate(q, s * e), v, a)),
            (inverse.dv, lambda s: model.inverse_dynamics(q, v + s * e, a)),
            (inverse.da, lambda s: model.inverse_dynamics(q, v, a + s * e)),
        ]:
            difference = (f(1.0) - f(-1.0)) / (2 * h)
            np.testing.assert_allclose(found[:, j], difference, atol=3e-5 * max(1, abs(found).max()))


def test_an_invented_joint_is_the_same_as_a_text():
    R, r = 1.0, 0.3

    def torus(u, v):
        c = R + r * cardan.cos(v)
        return cardan.trans(c * cardan.cos(u), c * cardan.sin(u), r * cardan.sin(v)) @ cardan.rotz(u) @ cardan.roty(-v)

    mass = dict(mass=2.0, com=[0.1, 0, 0.2], inertia=[0.3, 0.2, 0.4, 0.01, 0, 0])
    traced = cardan.ModelBuilder("t").body("ring", joint=torus, **mass).build()
    text = dict(
        type="expression",
        coordinates=["u", "v"],
        parameters={"R": R, "r": r},
        let={"c": "R + r*cos(v)"},
        transform="trans(c*cos(u), c*sin(u), r*sin(v)) * rotz(u) * roty(-v)",
    )
    written = cardan.ModelBuilder("t").body("ring", joint=text, **mass).build()
    rng = np.random.default_rng(5)
    q, v, a = rng.normal(size=(3, 20, 2))
    np.testing.assert_allclose(traced.inverse_dynamics(q, v, a), written.inverse_dynamics(q, v, a), rtol=1e-12)
    np.testing.assert_allclose(traced.mass_matrix(q), written.mass_matrix(q), rtol=1e-12, atol=1e-15)


def test_a_pendulum_has_its_closed_form():
    b = cardan.ModelBuilder("pendulum")
    b.body("rod", joint="revolute", axis=[0, 1, 0], mass=2.0, com=[0, 0, -0.5], inertia=[0.1, 0.2, 0.1, 0, 0, 0])
    model = b.build()
    q = np.linspace(-3, 3, 101)[:, None]
    inertia = 0.2 + 2.0 * 0.25
    np.testing.assert_allclose(
        model.forward_dynamics(q, [0.7], [0.3]), (0.3 - 2.0 * 9.81 * 0.5 * np.sin(q)) / inertia, atol=1e-12
    )
    np.testing.assert_allclose(model.mass_matrix([0.4]), [[inertia]])


def test_out_is_given_back_and_nan_stays_in_its_state():
    model = cardan.load(example("double_pendulum.urdf"))
    q, v, tau = np.zeros((40, 2)), np.zeros((40, 2)), np.ones((40, 2))
    q[7, 0] = np.nan
    out = np.empty((40, 2))
    assert model.forward_dynamics(q, v, tau, out=out) is out
    assert np.isnan(out[7]).all() and np.isfinite(np.delete(out, 7, axis=0)).all()
    with pytest.raises(ValueError, match="C-contiguous"):
        model.forward_dynamics(q, v, tau, out=np.empty((2, 40)).T)
    with pytest.raises(ValueError, match="C-contiguous"):
        model.forward_dynamics(q, v, tau, out=np.empty((40, 2), np.float32))
    # inputs of other kinds are converted
    np.testing.assert_allclose(
        model.mass_matrix(np.zeros((3, 2), np.float32)), model.mass_matrix(np.zeros((2, 3)).T), rtol=1e-12
    )


def test_calls_take_arguments_as_python_does():
    model = cardan.load(example("double_pendulum.urdf"))
    q, v, tau, out = np.array([0.1, 0.2]), np.array([0.3, 0.4]), np.array([0.5, 0.6]), np.empty(2)
    expected = model.forward_dynamics(q, v, tau)
    for found in (
        model.forward_dynamics(tau=tau, v=v, q=q),
        model.forward_dynamics(q, v, tau, out),
        cardan.forward_dynamics(model, q, v, tau=tau),
        cardan.forward_dynamics(model, list(q), tuple(v), tau.astype(np.float128)),
        model.forward_dynamics(q, v, tau, None),
    ):
        np.testing.assert_array_equal(found, expected)
    assert cardan.forward_dynamics(model, q, v, tau, out=tau) is tau  # over what it reads
    np.testing.assert_array_equal(tau, expected)
    for wrong in (
        lambda: model.forward_dynamics(q, v),
        lambda: model.forward_dynamics(q, v, tau, out, out),
        lambda: model.forward_dynamics(q, v, tau, q=q),
        lambda: model.forward_dynamics(q, v, tau, into=out),
        lambda: cardan.forward_dynamics(q, v, tau),
        lambda: cardan.forward_dynamics(),
    ):
        with pytest.raises(TypeError, match=r"^forward_dynamics\(\) "):
            wrong()
    frozen = np.zeros(2)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        model.forward_dynamics(q, v, q, out=frozen)
    assert "out=None" in str(inspect.signature(model.mass_matrix)) and "nv" in cardan.bias.__doc__


def test_many_calls_keep_no_memory():
    model = cardan.load(example("double_pendulum.urdf"))
    q = np.zeros(2)

    def calls(n):
        for _ in range(n):
            model.forward_dynamics(q, q, q)
            try:
                model.forward_dynamics(q, q, [0.0])
            except ValueError:
                pass
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = calls(1000)
    assert calls(100000) - before < 2000  # kB; a number lost in each call would be more


def test_threads_may_share_a_model():
    model = cardan.load(example("humanoid.urdf"))
    q, v = random_state(model, np.random.default_rng(8), (300,))
    one = model.bias(q[0], v[0])
    many = cardan.load(example("humanoid.urdf")).bias(q, v)

    def work(k):
        for _ in range(20):
            if k % 2:
                np.testing.assert_array_equal(model.bias(q, v), many)
            else:
                np.testing.assert_array_equal(model.bias(q[0], v[0]), one)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(8)))


def test_mistakes_are_one_line():
    model = cardan.load(example("double_pendulum.urdf"))
    with pytest.raises(ValueError, match=r"v: expected an array of shape \(\.\.\., 2\), found \(3,\)"):
        model.forward_dynamics([0, 0], [0, 0, 0], [0, 0])
    with pytest.raises(cardan.Error, match="expected a file, found none") as caught:
        cardan.load("nothing.urdf")
    assert isinstance(caught.value, ValueError) and "\n" not in str(caught.value)
    with pytest.raises(cardan.Error, match='did you mean "revolute"'):
        cardan.ModelBuilder("m").body("a", joint="revolut", mass=1).build()
    with pytest.raises(TypeError, match="comparison of coordinates"):
        cardan.ModelBuilder("m").body("a", joint=lambda u: cardan.rotx(u if u > 0 else -u), mass=1)
    point = cardan.ModelBuilder("m").body("a", joint="revolute", mass=1).build()  # a point mass on its axis
    with pytest.raises(cardan.Error, match="singular|inertia|nothing"):
        point.forward_dynamics([0.1], [0], [1])


def test_models_are_written_as_scenes():
    for name in ("double_pendulum.urdf", "windmill.toml"):
        model = cardan.load(example(name))
        again = cardan.Scene(text=model.to_toml(), name=example("again.toml")).model
        q, v = random_state(model, np.random.default_rng(6))
        np.testing.assert_array_equal(model.bias(q, v), again.bias(q, v))


@pytest.mark.parametrize("name", MODELS)
def test_forces_are_linear_in_inertial_parameters(name):
    model = cardan.load(example(name))
    rng = np.random.default_rng(5)
    q, v = random_state(model, rng, (2, 30))
    a = rng.normal(size=v.shape)
    Y = model.inverse_dynamics_regressor(q, v, a)
    pi = model.inertial_parameters()
    assert Y.shape == (2, 30, model.nv, 10 * len(model.body_names)) and pi.shape == (10 * len(model.body_names),)
    # rotors are the part that does not move with bodies: the same at any q, linear in a
    rotors = model.inverse_dynamics(q, v, a) - Y @ pi
    still = model.inverse_dynamics(q[0, 0], 0 * v[0, 0], a) - model.inverse_dynamics_regressor(q[0, 0], 0 * v[0, 0], a) @ pi
    np.testing.assert_allclose(rotors, still, atol=1e-9 * max(1, abs(rotors).max()))
    assert np.isclose(pi[::10].sum(), model.mass)
    columns, combination = model.base_parameters()
    np.testing.assert_allclose(Y[..., columns] @ (combination @ pi), Y @ pi, atol=1e-8 * max(1, abs(Y @ pi).max()))
    np.testing.assert_allclose(combination[:, columns], np.eye(len(columns)), atol=1e-8)


def test_regressors_say_what_they_expected():
    model = cardan.load(example("double_pendulum.urdf"))
    with pytest.raises(ValueError, match="v: expected"):
        model.inverse_dynamics_regressor([0, 0], [0, 0, 0], [0, 0])
