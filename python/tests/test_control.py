"""Linearizations and gains against closed forms, the command and closed loops."""

import json
import subprocess
import sys

import numpy as np
import pytest

import cardan

CART = """cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 1
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[input]]
name = "push"
joint = "cart"
"""

POLE = """cardan = 1
[[body]]
name = "pole"
mass = 1
com = [0, 0, 0.5]
inertia = [0.1, 0.1, 0.01, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
damping = 0.1
[[input]]
name = "motor"
joint = "pole"
[simulation]
step = 0.01
"""


def test_double_integrator():
    near = cardan.linearization(cardan.Scene(text=CART))
    assert near.states == ["q.cart", "v.cart"] and near.inputs == ["push"]
    np.testing.assert_allclose(near.A, [[0, 1], [0, 0]], atol=1e-15)
    np.testing.assert_allclose(near.B, [[0], [1]], atol=1e-15)
    np.testing.assert_allclose(cardan.lqr(near, 1.0, 1.0), [[1, np.sqrt(3)]], rtol=1e-10)


def test_same_as_the_command(tmp_path):
    scene, request = tmp_path / "pole.toml", tmp_path / "request.json"
    scene.write_text(POLE)
    request.write_text(json.dumps({"quantities": ["linearization"], "states": [{"q": [0.3], "v": [0.2], "u": {"motor": 1.5}}]}))
    shown = subprocess.run([sys.executable, "-m", "cardan", "eval", scene, request], capture_output=True, text=True, check=True)
    theirs = json.loads(shown.stdout)["results"][0]["linearization"]
    ours = cardan.linearization(scene, q=[0.3], v=[0.2], u=[1.5])
    np.testing.assert_array_equal(ours.A, theirs["A"])
    np.testing.assert_array_equal(ours.B, theirs["B"])


def test_gain_holds_a_pole():
    scene = cardan.Scene(text=POLE)
    near = cardan.linearization(scene)
    assert np.linalg.eigvals(near.A).real.max() > 1  # it falls
    K = cardan.lqr(near, np.diag([10.0, 1.0]), 0.1)
    assert np.linalg.eigvals(near.A - near.B @ K).real.max() < 0
    sim = cardan.Simulator(scene)
    sim.state = cardan.State(t=0.0, q=np.array([0.4]), v=np.array([0.0]), z=np.array([]), u=np.array([0.0]))
    for _ in range(500):
        sim.u[:] = -K @ np.concatenate([sim.q, sim.v])
        sim.step()
    assert abs(sim.q[0]) < 1e-3


def test_what_no_gain_holds_and_wrong_shapes():
    no_input = cardan.linearization(cardan.Scene(text=CART.split("[[input]]")[0]))
    with pytest.raises(cardan.Error, match="no input"):
        cardan.lqr(no_input, 1.0, 1.0)
    near = cardan.linearization(cardan.Scene(text=CART))
    with pytest.raises(cardan.Error, match="no gain holds"):
        cardan.lqr(near, 0.0, 1.0)
    with pytest.raises(ValueError, match=r"Q: expected shape \(2, 2\)"):
        cardan.lqr(near, np.eye(3), 1.0)
    with pytest.raises(ValueError, match="q: expected 1 numbers, found 2"):
        cardan.linearization(cardan.Scene(text=CART), q=[1, 2])
