"""A humanoid of 27 freedoms that falls on the ground and lies there: described once, written as a scene and as MJCF.

Parts touch only the ground: which of them may touch one another is decided differently in different programs."""
import math

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
START = (math.sqrt(1 - 0.05 ** 2 - 0.19 ** 2), 0.05, 0.19, 0.0)  # quaternion

NAME, STEP, SECONDS, FOLLOWED = "humanoid_contact", 0.005, 10.0, ["torso"]
MOVING = 4.0  # s, until it lies


def add(a, b, f=1.0):
    return tuple(x + f * y for x, y in zip(a, b))


def inertia(a, b, r, m):
    """Center, direction, length and inertia (about the center, body axes) of a capsule taken as a round rod."""
    d = add(b, a, -1)
    length = math.sqrt(sum(x * x for x in d))
    e = tuple(x / length for x in d)
    along, across = m * r * r / 2, m * ((length + r) ** 2 / 12 + r * r / 4)
    I = [[(across if i == j else 0) + (along - across) * e[i] * e[j] for j in range(3)] for i in range(3)]
    return add(a, d, 0.5), e, length, (I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2])


def scene():
    out = ['cardan = 1', 'name = "humanoid"', '[ground]', f'friction = {FRICTION}', '[[contact]]', f'friction = {FRICTION}']
    for name, parent, at, axes, a, b, r, m in PARTS:
        com, e, length, I = inertia(a, b, r, m)
        pitch, yaw = math.acos(max(-1, min(1, e[2]))), math.atan2(e[1], e[0])
        out += ['[[body]]', f'name = "{name}"'] + ([f'parent = "{parent}"'] if parent else [])
        out += [f'mass = {m}', f'com = {list(com)}', f'inertia = {list(I)}', '[[body.shape]]',
                f'capsule = {{ radius = {r}, length = {length:.17g} }}',
                f'at = {{ xyz = {list(com)}, rpy = [0, {pitch:.17g}, {yaw:.17g}] }}', '[body.joint]']
        if not parent:
            out += ['type = "free"', f'q = {[*START, *at]}']
            continue
        joints = [f'{{ type = "revolute", axis = {list(axis)} }}' for axis, _, _ in axes]
        if len(joints) == 1:
            out += ['type = "revolute"', f'axis = {list(axes[0][0])}']
        else:
            out += ['type = "composite"', f'joints = [{", ".join(joints)}]']
        out += [f'at = {{ xyz = {list(at)} }}', f'damping = {DAMPING}', f'armature = {ARMATURE}',
                f'limits = {[[math.radians(lo), math.radians(hi)] for _, lo, hi in axes]}']
    for i, p in enumerate(PARTS):
        for q in PARTS[:i]:
            out += ['[[contact]]', f'a = "{q[0]}"', f'b = "{p[0]}"', 'ignore = true']
    return '\n'.join(out) + '\n'


def mjcf():
    children = {}
    for p in PARTS:
        children.setdefault(p[1], []).append(p)

    def numbers(values):
        return ' '.join(repr(float(x)) for x in values)

    def body(p):
        name, parent, at, axes, a, b, r, m = p
        com, _, _, I = inertia(a, b, r, m)
        t = f'<body name="{name}" pos="{numbers(at)}"' + ('' if parent else f' quat="{numbers(START)}"') + '>'
        t += f'<inertial pos="{numbers(com)}" mass="{m}" fullinertia="{numbers(I)}"/>'
        t += '' if parent else '<freejoint/>'
        for axis, lo, hi in axes:
            t += f'<joint type="hinge" axis="{numbers(axis)}" range="{lo} {hi}" limited="true" damping="{DAMPING}" armature="{ARMATURE}"/>'
        t += f'<geom type="capsule" fromto="{numbers(a)} {numbers(b)}" size="{r}" contype="1" conaffinity="2" friction="{FRICTION}"/>'
        return t + ''.join(body(c) for c in children.get(name, [])) + '</body>'

    return (f'<mujoco><option timestep="{STEP}" cone="elliptic"/><worldbody>'
            f'<geom type="plane" size="10 10 1" contype="2" conaffinity="1" friction="{FRICTION}"/>{body(PARTS[0])}</worldbody></mujoco>')
