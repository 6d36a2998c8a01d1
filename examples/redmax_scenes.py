#!/usr/bin/env python3
"""Writes suspension_bridge.toml, umbrella.toml and spring_tree.toml beside itself, or one of them of another size:

    redmax_scenes.py bridge 100      # planks
    redmax_scenes.py umbrella 16     # ribs
    redmax_scenes.py tree 10000      # bodies
    redmax_scenes.py chain 10000     # links

to the standard output. After the scenes of Wang, Weidner, Baxter, Hwang, Kaufman and Sueda, "REDMAX: Efficient and
Flexible Approach for Articulated Dynamics": many bodies, stiff springs, implicit steps.
"""
import math
import pathlib
import sys

LIGHT, DARK, RED = "#e0c9a0", "#4477aa", "#cc6677"


def shape(text, color, at=None):
    place = f"at = {{ xyz = {at} }}\n" if at else ""
    return f'[[body.shape]]\n{text}\n{place}color = "{color}"\n'


def end_points(a, at_a, b, at_b):
    return f'points = [{{ body = "{a}", at = {at_a} }}, {{ body = "{b}", at = {at_b} }}]'


def spring(kind, points, stiffness, damping, rest=None):
    length = f"rest = {rest:.6g}\n" if rest is not None else ""
    return f'[[force]]\ntype = "{kind}"\n{points}\nstiffness = {stiffness}\ndamping = {damping}\n{length}\n'


def simulation(integrator, step, duration, formulation):
    return (f'[simulation]\nduration = {duration}\nstep = {step}\nintegrator = "{integrator}"\n'
            f'formulation = "{formulation}"\noutput_every = 0.05\n')


def bridge(planks):
    """A deck of planks on hinges from bank to bank, hung from two ropes of mass points by cables that only pull."""
    length, width = 1.0, 2.0
    out = [f'# A suspension bridge: {planks} planks on hinges from bank to bank, hung by cables from two ropes of mass points that\n'
           '# run over the towers. A load of 3 kN stands on a quarter of it and walks on. Written by redmax_scenes.py.\n'
           'cardan = 1\nname = "suspension bridge"\n']
    half = planks * length / 2

    def sag(x):  # of the ropes above the deck
        return 1.0 + 4.0 * (x / half) ** 2

    for i in range(planks):
        parent, at = ("world", f"[{-half:.6g}, 0, 0]") if i == 0 else (f"plank {i - 1}", f"[{length}, 0, 0]")
        out.append(f'[[body]]\nname = "plank {i}"\nparent = "{parent}"\nmass = 60\ncom = [{length / 2}, 0, 0]\n'
                   f'inertia = [20, 5.2, 25, 0, 0, 0]\n[body.joint]\ntype = "revolute"\naxis = [0, 1, 0]\n'
                   f'at = {{ xyz = {at} }}\ndamping = 50\n'
                   + shape(f"box = [{0.92 * length}, {width}, 0.08]", LIGHT, f"[{length / 2}, 0, 0]"))
    # the far bank: a ball in a slot along the bridge holds it up and in its plane only where the hinges do not
    out.append(f'[[loop]]\nname = "far bank"\na = "plank {planks - 1}"\nb = "world"\nat_a = {{ xyz = [{length}, 0, 0] }}\n'
               f'at_b = {{ xyz = [{half:.6g}, 0, 0] }}\ntype = "composite"\n'
               'joints = [{ type = "prismatic", axis = [1, 0, 0] }, { type = "spherical" }]\n')
    for side, y in (("left", width / 2), ("right", -width / 2)):
        previous = ("world", f"[{-half:.6g}, {y}, {sag(half):.6g}]")
        for i in range(1, planks):
            x = -half + i * length
            name = f"{side} rope {i}"
            out.append(f'[[body]]\nname = "{name}"\nmass = 3\n[body.joint]\ntype = "translational"\n'
                       f'q = [{x:.6g}, {y}, {sag(x):.6g}]\n' + shape("sphere = 0.07", DARK))
            out.append(spring("spring", end_points(*previous, name, "[0, 0, 0]"), 4e6, 2e3))
            out.append(spring("cable", end_points(name, "[0, 0, 0]", f"plank {i}", f"[0, {y}, 0]"), 2e6, 2e3, sag(x)))
            previous = (name, "[0, 0, 0]")
        out.append(spring("spring", end_points(*previous, "world", f"[{half:.6g}, {y}, {sag(half):.6g}]"), 4e6, 2e3))
    quarter = planks // 4
    out.append(f'[[force]]\ntype = "point"\nbody = "plank {quarter}"\nat = [0.5, 0, 0]\nforce = ["0", "0", "if(t < 2, -3000, 0)"]\n'
               f'[[force]]\ntype = "point"\nbody = "plank {planks // 2}"\nat = [0.5, 0, 0]\nforce = ["0", "0", "if(t < 2, 0, -3000)"]\n')
    out.append(simulation("linearly_implicit_euler", 0.01, 4, "maximal"))
    return "\n".join(out)


def umbrella(ribs):
    """Ribs on hinges at the top, stretchers from a runner on the pole, cloth as springs from rib to rib."""
    out = [f'# An umbrella of {ribs} ribs opens: a runner slides up the pole and pushes the ribs out by stretchers that close {ribs} loops;\n'
           '# the cloth is springs from tip to tip and from middle to middle. Written by redmax_scenes.py.\n'
           'cardan = 1\nname = "umbrella"\n']
    top, rib, reach, strut = 1.0, 0.6, 0.3, 0.32
    angle = 0.35  # of the ribs from the pole at the start

    def runner_height(a):
        return top - reach * math.cos(a) - math.sqrt(strut ** 2 - (reach * math.sin(a)) ** 2)

    start = runner_height(angle)
    lean = math.asin(reach * math.sin(angle) / strut)  # of the stretchers
    out.append('[[body]]\nname = "pole"\nmass = 0.3\n[body.joint]\ntype = "fixed"\n'
               + shape("capsule = { radius = 0.012, length = 1.1 }", DARK, "[0, 0, 0.5]"))
    out.append(f'[[body]]\nname = "runner"\nmass = 0.05\ninertia = [1e-5, 1e-5, 1e-5, 0, 0, 0]\n[body.joint]\ntype = "prismatic"\n'
               f'axis = [0, 0, 1]\nq = [{start:.17g}]\n' + shape("cylinder = { radius = 0.03, length = 0.06 }", RED))
    for i in range(ribs):
        turn = 2 * math.pi * i / ribs
        # x of a rib's joint frame points out from the pole; its z runs down along the rib
        for name, parent, height, at0, length, q, mass in (
                (f"rib {i}", "world", top, 0.0, rib, -angle, 0.04),
                (f"stretcher {i}", "runner", 0.0, 0.0, strut, lean, 0.02)):
            sign = -1 if name.startswith("rib") else 1
            out.append(f'[[body]]\nname = "{name}"\nparent = "{parent}"\nmass = {mass}\ncom = [0, 0, {sign * length / 2:.6g}]\n'
                       f'inertia = [{mass * length ** 2 / 12:.6g}, {mass * length ** 2 / 12:.6g}, 1e-6, 0, 0, 0]\n'
                       f'[body.joint]\ntype = "revolute"\naxis = [0, 1, 0]\nat = {{ xyz = [0, 0, {height}], rpy = [0, 0, {turn:.17g}] }}\n'
                       f'q = [{q:.17g}]\ndamping = 0.0005\n'
                       + shape(f"capsule = {{ radius = 0.006, length = {length:.6g} }}", LIGHT if sign < 0 else DARK,
                               f"[0, 0, {sign * length / 2:.6g}]"))
        out.append(f'[[loop]]\nname = "pin {i}"\na = "stretcher {i}"\nb = "rib {i}"\nat_a = {{ xyz = [0, 0, {strut}] }}\n'
                   f'at_b = {{ xyz = [0, 0, {-reach}] }}\ntype = "spherical"\n')
        following = (i + 1) % ribs
        for where in (-rib, -rib / 2):
            wide = 2 * math.sin(math.pi / ribs) * -where * math.sin(1.2)
            out.append(spring("cable", end_points(f"rib {i}", f"[0, 0, {where}]", f"rib {following}", f"[0, 0, {where}]"),
                              400, 0.5, wide))
    end = runner_height(1.25)
    out.append(f'[[motion]]\njoint = "runner"\nposition = "{start:.17g} + {end - start:.17g}*(if(t < 1.5, t/1.5 - sin(2*pi*t/1.5)/(2*pi), 1))"\n')
    out.append(simulation("linearly_implicit_euler", 0.005, 3, "maximal"))
    return "\n".join(out)


def tree(bodies):
    """A binary tree of sticks on hinges about y and z in turn, stiff joints, springs between neighboring leaves: as stiff
    for the mass of a leaf in a large tree as in a small one."""
    out = [f'# A tree of {bodies} sticks on stiff hinges, about y and z in turn, with springs from leaf to leaf, let go in the wind.\n'
           '# Written by redmax_scenes.py.\ncardan = 1\nname = "tree of springs"\n']
    depth = [0] * bodies
    for i in range(1, bodies):
        depth[i] = depth[(i - 1) // 2] + 1
    size = [0.8 ** d for d in depth]
    for i in range(bodies):
        parent, at = ("world", "[0, 0, 0]") if i == 0 else (f"stick {(i - 1) // 2}", f"[0, 0, {size[(i - 1) // 2]:.6g}]")
        lean = 0 if i == 0 else 0.5 if i % 2 else -0.5
        turn = f"[0, {lean}, 0]" if depth[i] % 2 else f"[{lean}, 0, 0]"
        mass, length = 2 * size[i] ** 3, size[i]
        inertia = mass * length ** 2 / 12
        out.append(f'[[body]]\nname = "stick {i}"\nparent = "{parent}"\nmass = {mass:.6g}\ncom = [0, 0, {length / 2:.6g}]\n'
                   f'inertia = [{inertia:.6g}, {inertia:.6g}, {inertia / 20:.6g}, 0, 0, 0]\n[body.joint]\ntype = "revolute"\n'
                   f'axis = {"[0, 1, 0]" if depth[i] % 2 == 0 else "[1, 0, 0]"}\nat = {{ xyz = {at}, rpy = {turn} }}\n'
                   f'stiffness = {400 * size[i] ** 4:.6g}\ndamping = {4 * size[i] ** 4:.6g}\nv = [{0.6 if depth[i] % 2 == 0 else -0.3}]\n'
                   + shape(f"capsule = {{ radius = {0.06 * length:.4g}, length = {0.9 * length:.6g} }}",
                           LIGHT if 2 * i + 1 < bodies else "#5b8c5a", f"[0, 0, {length / 2:.6g}]"))
    leaves = [i for i in range(bodies) if 2 * i + 1 >= bodies]
    for a, b in zip(leaves, leaves[1:]):
        if depth[a] == depth[b]:
            out.append(spring("spring", end_points(f"stick {a}", f"[0, 0, {size[a]:.6g}]", f"stick {b}", f"[0, 0, {size[b]:.6g}]"),
                              f"{200 * size[a] ** 3:.6g}", f"{size[a] ** 3:.6g}"))
    out.append(simulation("linearly_implicit_euler", 0.01, 3, "redmax"))
    return "\n".join(out)


def chain(links):
    """A chain of links on hinges with a stiff spring between all neighbors."""
    out = [f'# A chain of {links} links on hinges, held straight by a stiff spring between all neighbors. Written by redmax_scenes.py.\n'
           'cardan = 1\nname = "stiff chain"\n']
    for i in range(links):
        parent, at = ("world", "[0, 0, 0]") if i == 0 else (f"link {i - 1}", "[0.1, 0, 0]")
        out.append(f'[[body]]\nname = "link {i}"\nparent = "{parent}"\nmass = 0.1\ncom = [0.05, 0, 0]\n'
                   f'inertia = [1e-5, 1e-4, 1e-4, 0, 0, 0]\n[body.joint]\ntype = "revolute"\naxis = [0, 1, 0]\n'
                   f'at = {{ xyz = {at} }}\ndamping = 0.001\n' + shape("box = [0.09, 0.03, 0.02]", LIGHT, "[0.05, 0, 0]"))
    for i in range(1, links):
        out.append(spring("spring", end_points(f"link {i - 1}", "[0.05, 0, 0.03]", f"link {i}", "[0.05, 0, 0.03]"), 1e5, 10))
    out.append(simulation("linearly_implicit_euler", 0.01, 1, "redmax"))
    return "\n".join(out)


KINDS = {"bridge": (bridge, 20, "suspension_bridge"), "umbrella": (umbrella, 8, "umbrella"), "tree": (tree, 127, "spring_tree"), "chain": (chain, 100, None)}

if len(sys.argv) == 3:
    print(KINDS[sys.argv[1]][0](int(sys.argv[2])))
else:
    for make, size, name in KINDS.values():
        if name:
            (pathlib.Path(__file__).parent / f"{name}.toml").write_text(make(size))
