"""Gradients of runs and searches against the command, closed forms and differences."""

import json
import os
import subprocess

import pytest

import cardan

COMMAND = os.environ.get("CARDAN_COMMAND", "cardan")
CART = "examples/cart_pole.toml"

FALL = """cardan = 1
gravity = [0, 0, "-g"]
[parameters]
g = 9.81
[[body]]
name = "ball"
mass = 1
[body.joint]
name = "z"
type = "prismatic"
axis = [0, 0, 1]
q = [3]
[simulation]
duration = 1
step = 0.1
"""


def by_command(*arguments):
    done = subprocess.run([COMMAND, *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def fall(tmp_path):
    path = tmp_path / "fall.toml"
    path.write_text(FALL)
    return str(path)


def test_gradient_is_that_of_the_command():
    value, slopes = cardan.gradient(CART, of="q.pole.final", by=["length", "initial.v.pole"], duration=0.3)
    said = by_command("gradient", CART, "--of", "q.pole.final", "--by", "length,initial.v.pole", "--duration", "0.3")
    assert value == said["q.pole.final"]["value"]
    assert slopes == said["q.pole.final"]["by"]


def test_gradient_in_closed_form(tmp_path):
    found = cardan.gradient(fall(tmp_path), of=["q.z.final", "v.z.final"], by="g")
    assert found["q.z.final"][1]["g"] == pytest.approx(-0.5, abs=1e-11)
    assert found["v.z.final"][1]["g"] == pytest.approx(-1.0, abs=1e-11)
    value, slopes = cardan.gradient(fall(tmp_path), of="q.z.final", by=["initial.v.z"], parameters={"g": 5.0}, duration=2)
    assert value == pytest.approx(3.0 - 10.0, abs=1e-11)
    assert slopes["initial.v.z"] == pytest.approx(2.0, abs=1e-11)


def test_gradient_refuses_with_the_reason(tmp_path):
    with pytest.raises(cardan.Error, match="contacts"):
        cardan.gradient("examples/stack.toml", of="energy.final", by="body.box0.mass")
    with pytest.raises(ValueError, match='did you mean "q.z"'):
        cardan.gradient(fall(tmp_path), of="q.x.final", by="g")
    with pytest.raises(TypeError, match="durations"):
        cardan.gradient(fall(tmp_path), of="q.z.final", by="g", durations=2)


def test_optimize_finds_what_is_known(tmp_path):
    scene = cardan.Scene(fall(tmp_path))
    found = cardan.optimize(scene, minimize="(q.z.final - 1)^2", vary={"g": (1, 20)})
    assert found.parameters["g"] == pytest.approx(4.0, abs=1e-7)
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.scene.parameters["g"] == found.parameters["g"]
    assert scene.parameters["g"] == 9.81  # as it was
    assert "SLSQP" in found.method
    held = cardan.optimize(scene, minimize="g", vary={"g": (1, 20)}, subject_to=["1 - q.z.final"])
    assert held.parameters["g"] == pytest.approx(4.0, abs=1e-7)
    assert held.constraints == pytest.approx([0.0], abs=1e-7)
    plain = cardan.optimize(scene, minimize="(z - 1)^2", vary={"g": (1, 20)}, words={"z": "q.z.final"}, gradients=False)
    assert plain.parameters["g"] == pytest.approx(4.0, abs=1e-4)
    assert "COBYLA" in plain.method
    with pytest.raises(cardan.Error, match="no numbers within their ranges"):
        cardan.optimize(scene, minimize="g", vary={"g": (1, 20)}, subject_to="q.z.final - 4")


def test_optimize_is_that_of_the_command():
    request = {"minimize": "miss.rms^2", "vary": {"inertia": (0.02, 0.3), "drag": (0, 0.2)}, "duration": 1}
    found = cardan.optimize("examples/swing_fit.toml", **request)
    said = by_command("optimize", "examples/swing_fit.toml", "--minimize", "miss.rms^2", "--vary", "inertia=0.02:0.3",
                      "--vary", "drag=0:0.2", "--duration", "1")
    assert found.parameters == said["parameters"]
    assert found.evaluations == said["evaluations"]
