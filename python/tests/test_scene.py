"""Scenes and runs: numpy beside the command, closed forms and one another."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import cardan
from test_model import example

CART = """cardan = 1
gravity = [0, 0, 0]
[parameters]
m = 2.0
[[body]]
name = "cart"
mass = "m"
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[input]]
name = "push"
joint = "cart"
[[record]]
name = "twice"
expression = "2*cart"
[simulation]
duration = 1
"""


def cart():
    return cardan.Scene(text=CART, name="cart.toml")


def test_a_run_is_that_of_the_command(tmp_path):
    command = os.environ.get("CARDAN_COMMAND")
    if not command:
        pytest.skip("CARDAN_COMMAND is not set")
    out = tmp_path / "run.csv"
    subprocess.run([command, "simulate", example("spring_pendulum.toml"), "--duration", "0.5", "--out", out], check=True,
                   capture_output=True)
    with open(out) as file:
        columns = file.readline().strip().split(",")
        rows = np.loadtxt(file, delimiter=",")
    run = cardan.simulate(example("spring_pendulum.toml"), duration=0.5)
    assert run.columns == columns
    np.testing.assert_array_equal(run.table, rows)


def test_the_command_is_inside():
    found = subprocess.run([sys.executable, "-m", "cardan", "--version"], capture_output=True, text=True)
    assert found.returncode == 0 and cardan.__version__ in found.stdout
    found = subprocess.run([sys.executable, "-m", "cardan", "info", "nothing.toml"], capture_output=True, text=True)
    assert found.returncode == 1 and "nothing.toml" in found.stderr


def test_columns_by_name():
    run = cardan.simulate(example("driven_arm.toml"), duration=0.2, inputs=example("driven_arm.csv"))
    assert len(run) == 21 and run.t[-1] == pytest.approx(0.2)
    assert run.q.shape == (21, 2) and run["hand"].shape == (21, 3)
    np.testing.assert_array_equal(run["q.elbow"], run.q[:, 1])
    np.testing.assert_allclose(run["u.shoulder motor"], -16 * run.t, atol=1e-12)
    assert "energy" in run and "nothing" not in run
    with pytest.raises(KeyError):
        run["nothing"]
    assert run._repr_html_().startswith("<iframe srcdoc=")


def test_scenes_are_changed_by_names():
    scene = cart()
    scene.parameters["m"] = 4
    assert scene.model.mass == 4
    scene["cart"].mass = "3*m"
    assert scene.model.mass == 12 and scene["cart"].mass == "3*m"
    scene["cart"].joint.q = [0.5]
    assert cardan.simulate(scene, duration=0.01).q[0, 0] == 0.5
    assert cart().model.mass == 2
    scene.add("force", type="joint", name="brake", joint="cart", force="-8*v.cart")
    scene["cart"].joint.v = [1.0]
    run = cardan.simulate(scene, duration=1, tolerance=1e-10)
    assert run["v.cart"][-1] == pytest.approx(np.exp(-8 / 12), rel=1e-8)
    scene.remove("brake")
    assert cardan.simulate(scene)["v.cart"][-1] == 1.0
    with pytest.raises(cardan.Error, match='did you mean "mass"'):
        scene._get("body.cart.mas")
    with pytest.raises(KeyError):
        scene["nobody"]
    both = cart().attach(cart(), "other")
    assert both.model.joint_names == ["cart", "other/cart"]


def test_scenes_are_written_back():
    for name in ("four_bar.toml", "arm26.toml", "arch.toml"):
        scene = cardan.Scene(example(name))
        again = pickle.loads(pickle.dumps(scene))
        assert again.to_toml() == scene.to_toml()
    scene = cardan.Scene(example("four_bar.toml"))
    again = cardan.Scene(text=scene.to_toml(), name=example("four_bar.toml"))
    np.testing.assert_array_equal(
        cardan.simulate(scene, duration=0.3).table, cardan.simulate(again, duration=0.3).table
    )


def test_mujoco_models_are_scenes(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(
        """<mujoco><worldbody><body name="rod"><joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0 0 -1"/></body></worldbody>
        <actuator><motor name="torque" joint="hinge" gear="2"/></actuator></mujoco>"""
    )
    model = cardan.load(path)
    scene = cardan.Scene(path)
    assert model.joint_names == ["hinge"] and scene.inputs == ["torque"]
    sim = cardan.Simulator(scene)
    assert sim.dt == 0.002
    expected = model.gravity([0.0]) + 2 * 1.5
    sim.u[0] = 1.5
    a = model.forward_dynamics([0.0], [0.0], [3.0])
    sim.step()
    assert sim.v[0] == pytest.approx(a[0] * 0.002, rel=1e-4) and expected.shape == (1,)
    again = cardan.Scene(text=scene.to_toml(), name="pendulum.toml")
    assert again.model.mass == model.mass


def test_inputs_hold_during_steps():
    sim = cardan.Simulator(cart(), step=0.01)
    assert sim.inputs == ["push"] and sim.dt == 0.01
    x = v = 0.0
    for k in range(60):
        push = np.sin(k)
        sim.u[0] = push
        sim.step()
        x += v * 0.01 + 0.5 * push / 2 * 1e-4
        v += push / 2 * 0.01
    assert sim.t == pytest.approx(0.6, abs=1e-12)
    assert sim.q[0] == pytest.approx(x, abs=1e-12) and sim.v[0] == pytest.approx(v, abs=1e-12)
    assert sim.record("twice") == pytest.approx(2 * x) and sim.record("u.push") == np.sin(59)
    with pytest.raises(ValueError):
        sim.q[0] = 1  # a view that only shows


def test_states_are_saved_and_set():
    sim = cardan.Simulator(example("arm26.toml"))
    sim.step(3)
    kept = pickle.loads(pickle.dumps(sim.state))
    sim.step(5)
    q = np.array(sim.q)
    sim.state = kept
    assert sim.t == kept.t
    sim.step(5)
    np.testing.assert_allclose(sim.q, q, atol=1e-7)
    sim.reset()
    assert sim.t == 0


def test_rollouts_are_runs():
    rng = np.random.default_rng(0)
    u = rng.normal(size=(20, 15, 1))
    q, v = rng.normal(size=(2, 20, 1))
    mass = np.linspace(1, 3, 20)
    found = cardan.rollout(cart(), q, v, u, parameters={"m": mass}, step=0.01)
    assert found.q.shape == (20, 15, 1) and found.ok.all()
    for i in (0, 7, 19):
        sim = cardan.Simulator(cart(), parameters={"m": mass[i]}, step=0.01)
        state = sim.state
        state.q, state.v = q[i], v[i]
        sim.state = state
        for k in range(15):
            sim.u[0] = u[i, k, 0]
            sim.step()
            assert found.q[i, k, 0] == pytest.approx(sim.q[0], abs=1e-14)
    same = cardan.rollout(cart(), [0.0], [0.0], u, threads=1, step=0.01)
    other = cardan.rollout(cart(), [0.0], [0.0], u, threads=2, step=0.01)
    np.testing.assert_array_equal(same.v, other.v)
    with pytest.raises(ValueError, match=r"u: expected an array of shape \(batch, steps, 1\)"):
        cardan.rollout(cart(), [0.0], [0.0], np.zeros((3, 1)))


def test_a_run_that_fails_keeps_what_it_has():
    text = CART.replace("[simulation]", '[[force]]\ntype = "joint"\njoint = "cart"\nforce = "1/(0.5 - t)^2"\n[simulation]')
    with pytest.raises(cardan.Error, match="t = 0"):
        cardan.simulate(cardan.Scene(text=text, name="bad.toml"), integrator="rk4", step=0.05, max_step=0.05)
    with pytest.raises(cardan.Error, match="bad.toml:3"):
        cardan.simulate(cardan.Scene(text="cardan = 1\n\n[bdy]\n", name="bad.toml"))
    with pytest.raises(TypeError, match="duration"):
        cardan.simulate(cart(), durations=1)
