#!/usr/bin/env python3
"""Writes torus_chain_10.toml, torus_chain_20.toml, torus_chain_on_curve.toml and windmill.toml beside itself.

The mechanisms of Si and Guenter, "Linear-Time Dynamics for Multibody Systems with General Joint Models": bodies that
touch, with four coordinates at each contact (the point on either surface; the spin about the normal stays).
"""
import math
import pathlib

RING = "{ torus = { major = 0.8, minor = 0.2 } }"


def number(x):
    return f"{x:.17g}" if x == math.pi / 2 else f"{x:.6g}"  # quarter turns exactly: they cost less


def body(name, parent, shape, joint, color, note=""):
    comment = f"# {note}\n" if note else ""
    return (f'{comment}[[body]]\nname = "{name}"\nparent = "{parent}"\n[body.joint]\n{joint}\n'
            f'[[body.shape]]\n{shape}\ndensity = 500\ncolor = "{color}"\n')


def contact(a, b, spin, q):
    return f'type = "surface"\na = {a}\nb = {b}\nspin = {spin}\nq = [{", ".join(number(x) for x in q)}]'


def ring(i, parent, joint, note=""):
    return body(f"ring {i}", parent, "torus = { major = 0.8, minor = 0.2 }", joint,
                "#4477aa" if i % 2 else "#cc6677", note)


def linked(i, lowest=math.pi / 2):
    """A ring that hangs in the one above: inner equators touch (v = pi), the rings at right angles."""
    wiggle = 0.02 * (-1) ** i
    return contact(RING, RING, number(math.pi / 2), [lowest + wiggle, math.pi, -math.pi / 2 - wiggle, math.pi])


def chain(n):
    head = (f'# A chain of {n} linked rings (TC{n}). The first slides over a fixed point, with two coordinates; each of the others\n'
            f'# touches the ring before it, with four: {2 + 4 * (n - 1)} in all. Written by chain_scenes.py.\n'
            f'cardan = 1\nname = "torus chain of {n}"\n')
    hook = ('type = "expression"\ncoordinates = ["u", "v"]\nparameters = { R = 0.8, r = 0.2 }\n'
            'let = { c = "R + r*cos(v)" }\n'
            '# rotx(pi) turns the normal of the fixed point against that of the ring, whose frame is inverted\n'
            'transform = "rotx(pi) * inv(trans(c*cos(u), c*sin(u), r*sin(v)) * rotz(u) * roty(-v) * '
            'frame(0,0,1, 1,0,0, 0,1,0, 0,0,0))"\n'
            f'q = [{number(-math.pi / 2)}, {number(math.pi)}]')
    parts = [head, ring(1, "world", hook, "a fixed point inside the ring, normal up")]
    parts += [ring(i, f"ring {i - 1}", linked(i)) for i in range(2, n + 1)]
    return "\n".join(parts)


def chain_on_curve(n):
    head = ('# A chain of rings slides along a Bezier curve of 7 control points. The curve runs through the center of the\n'
            '# first ring, whose axis is the tangent; it may roll about it. Written by chain_scenes.py.\n'
            'cardan = 1\nname = "torus chain on a curve"\n')
    slide = ('type = "on_curve"\nroll = "free"\n'
             'curve = { bezier = [[-4, 0, 3], [-2.5, 1.5, 1], [-1, -1, 0.2], [0, 0.5, 0.8], [1, 1.5, 0], [2.5, -1, 1], [4, 0, 3]] }\n'
             'q = [0.2, 0.1]')
    parts = [head, ring(1, "world", slide, "the ring on the curve"), ring(2, "ring 1", linked(2, -math.pi / 2))]
    parts += [ring(i, f"ring {i - 1}", linked(i)) for i in range(3, n + 1)]
    return "\n".join(parts)


def windmill():
    head = ('# A windmill whose three arms are chains of bodies that touch: balls, eggs and rings in the pairs sphere-sphere,\n'
            '# sphere-ellipsoid, torus-ellipsoid, torus-torus and sphere-torus. One coordinate of the hub and four of each of\n'
            '# 18 contacts: 73. Written by chain_scenes.py.\n'
            'cardan = 1\nname = "windmill"\n')
    ball, small, egg, loop = "{ sphere = 0.4 }", "{ sphere = 0.25 }", "{ ellipsoid = [0.5, 0.3, 0.3] }", \
        "{ torus = { major = 0.4, minor = 0.1 } }"
    shapes = {ball: "sphere = 0.4", small: "sphere = 0.25", egg: "ellipsoid = [0.5, 0.3, 0.3]",
              loop: "torus = { major = 0.4, minor = 0.1 }"}
    links = [("ball", small), ("egg", egg), ("ring", loop), ("second ring", loop), ("second ball", small),
             ("tip", egg)]
    hub = 'type = "revolute"\naxis = [0, 0, 1]\nat = { rpy = [1.570796, 0, 0] }\nv = [1.0]'
    parts = [head, body("hub", "world", shapes[ball], hub, "#bbbbbb", "turns about a level axis")]
    for arm in range(3):
        parent, surface, leave = "hub", ball, 2 * math.pi * arm / 3 + 0.3
        for k, (name, own) in enumerate(links):
            # leaves the parent at one side of its equator and enters the child at the opposite one
            q = [leave, 0.1, math.pi, -0.1 if k % 2 else 0.1]
            this = f"{name} {arm + 1}"
            parts.append(body(this, parent, shapes[own], contact(surface, own, "0.0", q),
                              ["#4477aa", "#cc6677", "#ddaa33"][arm], f"arm {arm + 1}" if k == 0 else ""))
            parent, surface, leave = this, own, 0.0
    return "\n".join(parts)


def main():
    here = pathlib.Path(__file__).parent
    for name, text in [("torus_chain_10", chain(10)), ("torus_chain_20", chain(20)),
                       ("torus_chain_on_curve", chain_on_curve(5)), ("windmill", windmill())]:
        (here / f"{name}.toml").write_text(text)


if __name__ == "__main__":
    main()
