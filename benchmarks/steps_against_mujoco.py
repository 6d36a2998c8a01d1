"""Steps a second of `cardan simulate` and of MuJoCo on the same arm: RK4, 1 ms, no contacts, in turns.

usage: steps_against_mujoco.py CARDAN ARM.urdf
Run by `make bench-simulation`, which fetches MuJoCo 4.0.0 and 3.17.0. The motions are compared first: a speed means
nothing otherwise, and the sparse Cholesky factorization of 4.0.0 is said to be wrong.
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


def with_inertias_of(model, root):
    """The robot with the inertias that MuJoCo computes with: it keeps principal moments and axes, and the axes
    of old versions (3.2.7) are exact to about 1e-6 only (4.6e-7 of 0.7 kg m^2 at the panda's first link)."""
    for link in root.iter("link"):
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.get("name"))
        if body <= 0:
            continue
        axes = numpy.zeros(9)
        mujoco.mju_quat2Mat(axes, model.body_iquat[body])
        axes = axes.reshape(3, 3)
        inertia = axes @ numpy.diag(model.body_inertia[body]) @ axes.T
        values = link.find("inertial").find("inertia")
        for i, j, name in ((0, 0, "ixx"), (1, 1, "iyy"), (2, 2, "izz"), (0, 1, "ixy"), (0, 2, "ixz"), (1, 2, "iyz")):
            values.set(name, repr(float(inertia[i, j])))
    return root


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


def write(root, file):
    file.write(xml.tostring(root, encoding="unicode"))
    file.flush()


def main():
    command, path = sys.argv[1:]
    print(f"MuJoCo {mujoco.__version__}")
    model = mujoco_model(bare_arm(path))
    with tempfile.NamedTemporaryFile(suffix=".urdf", mode="w") as arm, \
            tempfile.NamedTemporaryFile(suffix=".urdf", mode="w") as theirs_exactly:
        write(bare_arm(path), arm)
        write(with_inertias_of(model, bare_arm(path)), theirs_exactly)
        expected = mujoco_run(model, COMPARED)[0]
        for file, what in (arm, "the inertias of the file"), (theirs_exactly, "the inertias that MuJoCo makes of them"):
            difference = numpy.abs(cardan_run(command, file.name, COMPARED)[0] - expected).max()
            print(f"largest difference of the state after {COMPARED} s, with {what}: {difference:.1e}")
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(TIMED / STEP / cardan_run(command, arm.name, TIMED)[1])
            theirs.append(TIMED / STEP / mujoco_run(model, TIMED)[1])
    ours, theirs = statistics.median(ours), statistics.median(theirs)
    print(f"cardan {ours:,.0f} steps/s ({ours * STEP:,.0f} x real time), MuJoCo {mujoco.__version__} {theirs:,.0f}, "
          f"ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
