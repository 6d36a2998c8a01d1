"""Steps a second of `cardan simulate` and of MuJoCo on the same arm: RK4, 1 ms, no contacts, in turns.

usage: steps_against_mujoco.py CARDAN ARM.urdf
Run by `make bench-simulation`, which fetches MuJoCo. The motions are compared first: a speed means nothing otherwise.
"""
import json
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

import mujoco
import numpy

STEP, COMPARED, TIMED, ROUNDS = 1e-3, 0.5, 20.0, 5


def bare_arm(path):
    """The robot without its pictures, as both programs read it."""
    root = xml.parse(path).getroot()
    for link in root.iter("link"):
        for part in link.findall("visual") + link.findall("collision"):
            link.remove(part)
    return root


def mujoco_model(root):
    options = xml.SubElement(root, "mujoco")
    xml.SubElement(options, "compiler", balanceinertia="false", discardvisual="true", fusestatic="true")
    model = mujoco.MjModel.from_xml_string(xml.tostring(root, encoding="unicode"))
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = STEP
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.dof_frictionloss[:] = 0
    return model


def mujoco_run(model, duration):
    """State at the end and seconds; many steps a call, so that Python costs nothing."""
    data = mujoco.MjData(model)
    steps = round(duration / STEP)
    start = time.perf_counter()
    mujoco.mj_step(model, data, nstep=steps)
    return numpy.concatenate([data.qpos, data.qvel]), time.perf_counter() - start


def cardan_run(command, urdf, duration):
    with tempfile.NamedTemporaryFile(suffix=".csv") as table:
        arguments = [command, "simulate", urdf, "--integrator", "rk4", "--step", str(STEP), "--duration",
                     str(duration), "--output-every", str(duration), "--json", "--out", table.name]
        summary = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
        rows = numpy.genfromtxt(table.name, delimiter=",", names=True)
    names = [n for n in rows.dtype.names if n.startswith(("q", "v"))]
    return numpy.array([rows[n][-1] for n in names]), summary["wall_time"]


def main():
    command, path = sys.argv[1:]
    root = bare_arm(path)
    with tempfile.NamedTemporaryFile(suffix=".urdf", mode="w") as arm:
        arm.write(xml.tostring(root, encoding="unicode"))
        arm.flush()
        model = mujoco_model(bare_arm(path))
        difference = numpy.abs(cardan_run(command, arm.name, COMPARED)[0] - mujoco_run(model, COMPARED)[0]).max()
        print(f"largest difference of the state after {COMPARED} s: {difference:.1e}")
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(TIMED / STEP / cardan_run(command, arm.name, TIMED)[1])
            theirs.append(TIMED / STEP / mujoco_run(model, TIMED)[1])
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    print(f"cardan {ours:,.0f} steps/s ({ours * STEP:,.0f} x real time), MuJoCo {mujoco.__version__} {theirs:,.0f}, "
          f"ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
