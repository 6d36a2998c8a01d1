#!/usr/bin/env python3
"""Times contact stepping against MuJoCo and PyBullet: the same mechanism, the same step, one thread, stepping alone.

  contact_steps.py --cardan build/bin/cardan --peer PYTHON [--peer PYTHON ...] [--models NAME,...] [--merge bench.json]

Each PYTHON is an interpreter with the wheel `mujoco` or `pybullet`; the first is the peer of the rows in bench.json, the
others follow it as rows of their own. Models: humanoid_contact; boxes that settle, bin_20_contact, bin_60_contact,
bin_150_contact, bin_300_contact; boxes that tumble, pile_20_contact, pile_50_contact, pile_200_contact, pile_1000_contact. Prints
for each the nanoseconds a step of both (the least of five runs in turns, one of the largest pile, which takes minutes), the residual of Cardan's laws, and of
both the deepest penetration and the creep: how far the middle body (the torso; of boxes the median) moves in the last tenth of the
run. What rests costs little: the steps in which things still move, and the others, are printed apart."""
import argparse
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace

import contact_bin
import contact_humanoid as humanoid
import contact_pile

os.environ["OMP_NUM_THREADS"] = "1"
COUNTS, PILES, RUNS = (20, 60, 150, 300), (20, 50, 200, 1000), 5


def models():
    out = {humanoid.NAME: SimpleNamespace(name=humanoid.NAME, step=humanoid.STEP, seconds=humanoid.SECONDS,
                                          moving=humanoid.MOVING, followed=humanoid.FOLLOWED, scene=humanoid.scene, mjcf=humanoid.mjcf)}
    for count in COUNTS:
        out[f"bin_{count}_contact"] = contact_bin.Bin(count)
    for count in PILES:
        out[f"pile_{count}_contact"] = contact_pile.Pile(count)
    return out


def creep(before, after):
    return statistics.median(math.dist(a, b) for a, b in zip(before, after))


def run_cardan_for(command, model, seconds):
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder) / "scene.toml", pathlib.Path(folder) / "run.csv"
        path.write_text(model.scene() + f"[simulation]\ncontact = \"stepping\"\nduration = {seconds}\nstep = {model.step}\n"
                        f"output_every = {model.seconds / 10}\n")
        done = subprocess.run([command, "simulate", str(path), "--json", "--out", str(out)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        rows = [[[float(row[f"q.{name}.{k}"]) for k in (4, 5, 6)] for name in model.followed] for row in csv.DictReader(out.open())]
    return json.loads(done.stdout), rows


def run_cardan(command, model):
    summary, rows = run_cardan_for(command, model, model.seconds)
    moving = summary if model.moving == model.seconds else run_cardan_for(command, model, model.moving)[0]
    return {"ns": 1e9 * summary["wall_time"] / summary["steps"], "moving_ns": 1e9 * moving["wall_time"] / moving["steps"],
            "creep": creep(rows[-2], rows[-1]),
            **{key: summary["contact"][key] for key in ("residual", "unsolved", "penetration", "contacts")}}


def run_mujoco(model):
    import mujoco
    compiled = mujoco.MjModel.from_xml_string(model.mjcf())
    data = mujoco.MjData(compiled)
    bodies = [compiled.body(name).id for name in model.followed]
    steps, deepest, spent, moving, before = round(model.seconds / model.step), 0.0, 0.0, 0.0, None
    moving_steps = round(model.moving / model.step)
    for i in range(steps):
        start = time.perf_counter()
        mujoco.mj_step(compiled, data)
        spent += time.perf_counter() - start
        if i == moving_steps - 1:
            moving = spent
        if data.ncon:
            deepest = max(deepest, -data.contact.dist.min())
        if i == round(0.9 * steps) - 1:
            before = data.xpos[bodies].copy()
    return {"peer": "mujoco", "version": mujoco.__version__, "ns": 1e9 * spent / steps,
            "moving_ns": 1e9 * moving / moving_steps, "penetration": float(deepest),
            "creep": creep(before, data.xpos[bodies])}


def run_bullet(model):
    import pybullet as bullet
    if not hasattr(model, "build_in_bullet"):
        return None
    bullet.connect(bullet.DIRECT)
    bullet.setGravity(0, 0, -9.81)
    bullet.setTimeStep(model.step)
    bodies = model.build_in_bullet(bullet)
    places = lambda: [bullet.getBasePositionAndOrientation(body)[0] for body in bodies]
    steps, deepest, spent, before = round(model.seconds / model.step), 0.0, 0.0, None
    for i in range(steps):
        start = time.perf_counter()
        bullet.stepSimulation()
        spent += time.perf_counter() - start
        deepest = max([deepest] + [-point[8] for point in bullet.getContactPoints()])
        if i == round(0.9 * steps) - 1:
            before = places()
    out = {"peer": "pybullet", "version": str(bullet.getAPIVersion()), "ns": 1e9 * spent / steps, "penetration": deepest,
           "creep": creep(before, places())}
    bullet.disconnect()
    return out


def run_peer(python, name):
    """Runs this script in another interpreter."""
    done = subprocess.run([python, __file__, "--run", name], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"contact_steps: {python}: {done.stderr.strip()}")
    return json.loads(done.stdout.splitlines()[-1])


def resting(model, result):
    """Nanoseconds a step after the moving part."""
    steps, moving = round(model.seconds / model.step), round(model.moving / model.step)
    return (steps * result["ns"] - moving * result["moving_ns"]) / (steps - moving)


def apart(model, own, peer):
    """Ratios of the steps in which things move, and of the others."""
    if "moving_ns" not in peer or model.moving == model.seconds:
        return {}
    return {"moving_ratio": peer["moving_ns"] / own["moving_ns"],
            "resting_ratio": resting(model, peer) / max(resting(model, own), 1.0)}


def row_of(name, own, peer):
    return {"model": name, "quantity": "step", "backend": "generic", "cardan_ns": own["ns"], "peer": peer["peer"],
            "peer_version": peer["version"], "peer_ns": peer["ns"], "ratio": peer["ns"] / own["ns"], "residual": own["residual"],
            "unsolved": own["unsolved"], "penetration": own["penetration"], "peer_penetration": peer["penetration"],
            "creep": own["creep"], "peer_creep": peer["creep"], **apart(models()[name], own, peer)}


def compare(command, pythons, model):
    owns, peers = [], [[] for _ in pythons]
    for _ in range(1 if model.name == "pile_1000_contact" else RUNS):
        owns.append(run_cardan(command, model))
        for python, results in zip(pythons, peers):
            results.append(run_peer(python, model.name))
    return [row_of(model.name, least(owns), least(results)) for results in peers if results[0]]


def least(results):
    """The quickest run, with the least of its moving part in all runs."""
    best = dict(min(results, key=lambda result: result["ns"]))
    if "moving_ns" in best:
        best["moving_ns"] = min(result["moving_ns"] for result in results)
    return best


def merge(path, rows):
    path = pathlib.Path(path)
    old = json.loads(path.read_text()) if path.exists() else []
    names = {row["model"] for row in rows}
    path.write_text(json.dumps([row for row in old if row["model"] not in names] + rows, indent=2) + "\n")


parser = argparse.ArgumentParser()
parser.add_argument("--cardan", default="build/bin/cardan")
parser.add_argument("--peer", action="append", default=[])
parser.add_argument("--models", default=",".join(models()))
parser.add_argument("--merge")
parser.add_argument("--run", help="runs one model in this interpreter's peer and prints JSON")
arguments = parser.parse_args()
if arguments.run:
    try:
        import mujoco  # noqa: F401
        run = run_mujoco
    except ImportError:
        run = run_bullet
    print(json.dumps(run(models()[arguments.run])))
    sys.exit()
rows = []
for name in arguments.models.split(","):
    if name not in models():
        sys.exit(f'contact_steps: expected one of {", ".join(models())}, found "{name}"')
    for row in compare(arguments.cardan, arguments.peer, models()[name]):
        rows.append(row)
        print(f'{name}: cardan {row["cardan_ns"] / 1e3:.1f} us a step (residual {row["residual"]:.1e} m/s, {row["unsolved"]} unsolved, '
              f'penetration {row["penetration"]:.1e} m, creep {row["creep"]:.1e} m), {row["peer"]} {row["peer_version"]} '
              f'{row["peer_ns"] / 1e3:.1f} us (penetration {row["peer_penetration"]:.1e} m, creep {row["peer_creep"]:.1e} m), '
              f'ratio {row["ratio"]:.2f}' +
          (f' (while things move {row["moving_ratio"]:.2f}, at rest {row["resting_ratio"]:.2f})' if "moving_ratio" in row else ""),
          flush=True)
if arguments.merge:
    merge(arguments.merge, rows)
