"""Inverse kinematics: random reachable poses are found again, others are refused with the reason."""

import os

import numpy as np
import pytest

import cardan
from test_model import example

ROBOTS = os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared", "data", "robots")


def solved(scene, model, targets_of, configurations):
    """How many of the targets are reached, to 1e-9, within the limits and with loops closed."""
    lower, upper = model.limits
    count = 0
    for q in configurations:
        targets = targets_of(q)
        try:
            found = cardan.ik(scene, targets)
        except cardan.Error as problem:
            assert "away" in str(problem) and "\n" not in str(problem)
            continue
        for frame, target in targets.items():
            R, p = model.pose(found, frame)
            if isinstance(target, tuple):
                np.testing.assert_allclose(R, target[0], atol=1e-9)
            np.testing.assert_allclose(p, target[1] if isinstance(target, tuple) else target, atol=1e-9)
        gap, _ = model._openings(found)
        assert abs(gap).max(initial=0.0) < 1e-9
        if model.nq == model.nv:
            assert (found >= lower).all() and (found <= upper).all()
        count += 1
    return count


@pytest.mark.parametrize("name", ["panda_arm", "ur5_robot", "iiwa14"])
def test_arms_reach_what_they_can_reach(name):
    path = os.path.join(ROBOTS, name + ".urdf")
    if not os.path.exists(path):
        pytest.skip(f"no {path}")
    model = cardan.load(path)
    tip = model.body_names[-1]
    lower, upper = model.limits
    q = np.random.default_rng(1).uniform(np.maximum(lower, -np.pi), np.minimum(upper, np.pi), size=(30, model.nq))
    assert solved(model, model, lambda q: {tip: model.pose(q, tip)}, q) == 30


@pytest.mark.parametrize("name, frame, turns", [("delta_robot", "platform", False), ("stewart_platform", "plate", True)])
def test_platforms_are_moved_through_their_loops(name, frame, turns):
    scene = cardan.Scene(example(name + ".toml"))
    model = scene.model
    start = np.array(cardan.Simulator(scene).q)
    rng = np.random.default_rng(2)
    reachable = []
    while len(reachable) < 20:  # any state, put together
        try:
            reachable.append(cardan.ik(model, {}, model.integrate(start, rng.uniform(-0.3, 0.3, model.nv)), starts=1))
        except cardan.Error:
            pass

    def target(q):
        R, p = model.pose(q, frame)
        return {frame: (R, p) if turns else p}

    assert solved(scene, model, target, reachable) == 20


def test_limits_hold():
    b = cardan.ModelBuilder("arm")
    for k in range(2):
        b.body(f"link {k}", parent=f"link {k - 1}" if k else "world", joint="revolute", axis=[0, 0, 1],
               at={"xyz": [1, 0, 0]} if k else None, limits=[[-0.5, 2.0]], mass=1, inertia=[1, 1, 1, 0, 0, 0])
    b.body("tip", parent="link 1", at={"xyz": [1, 0, 0]})
    model = b.build()
    q = cardan.ik(model, {"tip": model.pose([0.3, 1.9], "tip")[1]}, [1.9, -0.4])
    np.testing.assert_allclose(q, [0.3, 1.9], atol=1e-9)  # the other way round is beyond a limit
    with pytest.raises(cardan.Error, match=r'"tip" is .* m and 0 rad away; at their limits: link 0'):
        cardan.ik(model, {"tip": model.pose([-0.9, 0.2], "tip")[1]}, starts=5)
    with pytest.raises(cardan.Error, match='"tip" is 1 m'):
        cardan.ik(model, {"tip": [3, 0, 0]}, starts=5)


def test_mistakes_of_targets_are_one_line():
    model = cardan.load(example("double_pendulum.urdf"))
    with pytest.raises(ValueError, match=r"targets: lower: expected a position \(3,\)"):
        cardan.ik(model, {"lower": [0, 0]})
    with pytest.raises(ValueError, match="expected a rotation"):
        cardan.ik(model, {"lower": (2 * np.eye(3), [0, 0, 0])})
    with pytest.raises(cardan.Error, match='found "nobody"'):
        cardan.ik(model, {"nobody": [0, 0, 0]})
    with pytest.raises(ValueError, match=r"q: expected an array of shape \(2,\)"):
        cardan.ik(model, {"lower": [0, 0, 0]}, [0.0])
