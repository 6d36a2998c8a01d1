#!/usr/bin/env python3
"""Times contact against MuJoCo: a humanoid of 27 freedoms falls on the ground and lies there, with the same step in both.

The mechanism is described once and written as a scene and as MJCF. Prints steps a second of both, the residual of
Cardan's laws, and of both the deepest penetration and the creep: how far the torso moves in the last second.

  benchmarks/contact_humanoid.py build/bin/cardan [STEP] [SECONDS]        (needs the wheel `mujoco`)"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
# name, parent, where its joint is in the parent, axes and limits (degrees), capsule from, to, radius, mass
PARTS = [
    ("torso", None, (0, 0, 1.3), [], (0, -0.07, 0), (0, 0.07, 0), 0.09, 9.0),
    ("pelvis", "torso", (0, 0, -0.2), [(Z, -45, 45), (Y, -75, 30), (X, -35, 35)], (0, -0.07, -0.1), (0, 0.07, -0.1), 0.09, 6.5),
]
for side, s in (("right", -1), ("left", 1)):
    PARTS += [
        (f"{side}_thigh", "pelvis", (0, 0.1 * s, -0.14), [(X, -25, 25), (Z, -60, 35), (Y, -110, 20)], (0, 0, 0), (0, 0, -0.34), 0.06, 4.5),
        (f"{side}_shin", f"{side}_thigh", (0, 0, -0.4), [(Y, -2, 160)], (0, 0, -0.05), (0, 0, -0.3), 0.049, 2.6),
        (f"{side}_foot", f"{side}_shin", (0, 0, -0.39), [(Y, -50, 50), (X, -50, 50)], (-0.06, 0, -0.02), (0.13, 0, -0.02), 0.027, 1.1),
        (f"{side}_arm", "torso", (0, 0.18 * s, 0.06), [(X, -60, 60), (Y, -85, 60)], (0, 0.03 * s, -0.03), (0.1, 0.12 * s, -0.14), 0.04, 1.6),
        (f"{side}_forearm", f"{side}_arm", (0.13, 0.15 * s, -0.18), [(Y, -90, 50)], (0.03, 0, 0.03), (0.15, -0.05 * s, 0.15), 0.031, 1.2),
    ]
FRICTION, DAMPING, ARMATURE = 0.7, 1.0, 0.01


def add(a, b, f=1.0):
    return tuple(x + f * y for x, y in zip(a, b))


def inertia(part):
    """Center and inertia (about it, body axes) of a capsule taken as a rod with a round cross-section."""
    a, b, r, m = part[4:]
    d = add(b, a, -1)
    length = math.sqrt(sum(x * x for x in d))
    e = tuple(x / length for x in d)
    along, across = m * r * r / 2, m * ((length + r) ** 2 / 12 + r * r / 4)
    I = [[(across if i == j else 0) + (along - across) * e[i] * e[j] for j in range(3)] for i in range(3)]
    return add(a, d, 0.5), e, length, I


def scene(step, seconds):
    out = ['cardan = 1', 'name = "humanoid"', '[ground]', f'friction = {FRICTION}', '[[contact]]', f'friction = {FRICTION}']
    for name, parent, at, axes, a, b, r, m in PARTS:
        com, e, length, I = inertia((name, parent, at, axes, a, b, r, m))
        pitch, yaw = math.acos(max(-1, min(1, e[2]))), math.atan2(e[1], e[0])
        out += ['[[body]]', f'name = "{name}"'] + ([f'parent = "{parent}"'] if parent else [])
        out += [f'mass = {m}', f'com = {list(com)}',
                f'inertia = {[I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]]}', '[[body.shape]]',
                f'capsule = {{ radius = {r}, length = {length:.17g} }}',
                f'at = {{ xyz = {list(com)}, rpy = [0, {pitch:.17g}, {yaw:.17g}] }}', '[body.joint]']
        if not parent:
            out += ['type = "free"', f'q = [0.98, 0.05, 0.19262, 0, {at[0]}, {at[1]}, {at[2]}]'.replace(
                '0.98, 0.05, 0.19262', ', '.join(f'{x:.17g}' for x in START))]
            continue
        joints = [f'{{ type = "revolute", axis = {list(axis)} }}' for axis, _, _ in axes]
        if len(joints) == 1:
            out += ['type = "revolute"', f'axis = {list(axes[0][0])}']
        else:
            out += ['type = "composite"', f'joints = [{", ".join(joints)}]']
        out += [f'at = {{ xyz = {list(at)} }}', f'damping = {DAMPING}', f'armature = {ARMATURE}',
                f'limits = {[[math.radians(lo), math.radians(hi)] for _, lo, hi in axes]}']
    for i, p in enumerate(PARTS):  # as MuJoCo: parts that share a joint's neighborhood do not touch
        for q in PARTS[:i]:
            if q[0] not in pairs_that_touch(p):
                out += ['[[contact]]', f'a = "{q[0]}"', f'b = "{p[0]}"', 'ignore = true']
    out += ['[simulation]', f'duration = {seconds}', f'step = {step}', 'output_every = 0.5']
    return '\n'.join(out) + '\n'


def pairs_that_touch(part):
    """Only the ground in both: which parts touch one another is decided differently elsewhere."""
    return []


_q = (0.05, 0.19)
START = (math.sqrt(1 - _q[0] ** 2 - _q[1] ** 2), _q[0], _q[1])


def mjcf(step):
    children = {}
    for p in PARTS:
        children.setdefault(p[1], []).append(p)

    def body(p):
        name, parent, at, axes, a, b, r, m = p
        com, e, length, I = inertia(p)
        t = f'<body name="{name}" pos="{at[0]} {at[1]} {at[2]}"' + ('' if parent else f' quat="{START[0]} {START[1]} {START[2]} 0"') + '>'
        t += f'<inertial pos="{com[0]} {com[1]} {com[2]}" mass="{m}" fullinertia="{I[0][0]} {I[1][1]} {I[2][2]} {I[0][1]} {I[0][2]} {I[1][2]}"/>'
        t += '' if parent else '<freejoint/>'
        for axis, lo, hi in axes:
            t += f'<joint type="hinge" axis="{axis[0]} {axis[1]} {axis[2]}" range="{lo} {hi}" limited="true" damping="{DAMPING}" armature="{ARMATURE}"/>'
        t += f'<geom type="capsule" fromto="{a[0]} {a[1]} {a[2]} {b[0]} {b[1]} {b[2]}" size="{r}" contype="1" conaffinity="2" friction="{FRICTION}"/>'
        return t + ''.join(body(c) for c in children.get(name, [])) + '</body>'

    return (f'<mujoco><option timestep="{step}" cone="elliptic"/><worldbody>'
            f'<geom type="plane" size="10 10 1" contype="2" conaffinity="1" friction="{FRICTION}"/>{body(PARTS[0])}</worldbody></mujoco>')


def run_cardan(command, step, seconds):
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder) / "humanoid.toml", pathlib.Path(folder) / "run.csv"
        path.write_text(scene(step, seconds))
        done = subprocess.run([command, "simulate", str(path), "--json", "--out", str(out)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        summary = json.loads(done.stdout)
        rows = [[float(row[f"q.torso.{k}"]) for k in (4, 5, 6)] for row in csv.DictReader(out.open())]
    creep = math.dist(rows[-1], rows[-3])
    return summary["wall_time"] / summary["steps"], summary["contact"], creep


def run_mujoco(step, seconds):
    import mujoco
    model = mujoco.MjModel.from_xml_string(mjcf(step))
    data = mujoco.MjData(model)
    steps, deepest, before = round(seconds / step), 0.0, None
    spent = 0.0
    for i in range(steps):
        start = time.perf_counter()
        mujoco.mj_step(model, data)
        spent += time.perf_counter() - start
        if data.ncon:
            deepest = max(deepest, -data.contact.dist.min())
        if i == steps - round(1 / step):
            before = data.qpos[:3].copy()
    return mujoco.__version__, model.nv, spent / steps, deepest, math.dist(before, data.qpos[:3])


command = sys.argv[1] if len(sys.argv) > 1 else "build/bin/cardan"
step, seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.005, float(sys.argv[3]) if len(sys.argv) > 3 else 10.0
for turn in range(3):
    own, contact, creep = run_cardan(command, step, seconds)
    version, nv, peer, deepest, peer_creep = run_mujoco(step, seconds)
    print(f"{nv} freedoms, h = {step * 1e3:g} ms: cardan {own * 1e6:.1f} us a step (residual {contact['residual']:.1e} m/s, "
          f"{contact['unsolved']} unsolved, penetration {contact['penetration']:.1e} m, creep {creep:.1e} m), mujoco {version} "
          f"{peer * 1e6:.1f} us (penetration {deepest:.1e} m, creep {peer_creep:.1e} m), ratio {peer / own:.2f}")
