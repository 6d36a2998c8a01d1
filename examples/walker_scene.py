#!/usr/bin/env python3
"""Writes walking_linkage.toml: legs of Theo Jansen's walking linkage on one crank.

A leg is six rods and plates between the crank's pin P, a fixed pivot B and the foot F, closed by three loops. All
coordinates are zero in the pose that is written, which closes the loops exactly."""
import cmath
import math
import os

# Jansen's numbers, as centimeters
A, B, C, D, E, F, G, H, I, J, K, L, M = (x / 100 for x in (38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15))
COLORS = ["#4477aa", "#cc6677", "#ddaa33", "#228833"]


def meet(p, r, q, s, better):
    """Of the two points at distance r from p and s from q, the one that `better` prefers."""
    d = abs(q - p)
    along = (d * d + r * r - s * s) / (2 * d)
    height = math.sqrt(r * r - along * along)
    unit = (q - p) / d
    return max((p + unit * complex(along, side * height) for side in (1, -1)), key=better)


def leg_points(phase):
    """Joints of a leg that faces left, as complex numbers x + i z."""
    p = cmath.rect(M, phase)
    b = complex(-A, -L)
    q = meet(p, J, b, B, lambda x: x.imag)
    r = meet(b, D, q, E, lambda x: -x.real)
    s = meet(p, K, b, C, lambda x: -x.imag)
    t = meet(r, F, s, G, lambda x: -x.real)
    f = meet(t, H, s, I, lambda x: -x.imag)
    return {"P": p, "B": b, "Q": q, "R": r, "S": s, "T": t, "F": f}


def xyz(v, y=0.0):
    return f"[{v.real:.15g}, {y:.15g}, {v.imag:.15g}]"


def rod(a, b, color, radius, y=0.0):
    """A capsule between two points of the body."""
    v, middle = b - a, (a + b) / 2
    pitch = math.atan2(v.real, v.imag)
    return f"""[[body.shape]]
capsule = {{ radius = {radius}, length = {abs(v):.15g} }}
at = {{ xyz = {xyz(middle, y)}, rpy = [0, {pitch:.15g}, 0] }}
density = 800
color = "{color}"
"""


def body(name, parent, at, y, shapes):
    return f"""
[[body]]
name = "{name}"
parent = "{parent}"
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = {{ xyz = {xyz(at, y)} }}
{shapes}"""


def loop(name, a, at_a, b, at_b):
    return f"""
[[loop]]
name = "{name}"
a = "{a}"
b = "{b}"
at_a = {{ xyz = {xyz(at_a)} }}
at_b = {{ xyz = {xyz(at_b)} }}
type = "revolute"
axis = [0, 1, 0]
"""


def leg(name, phase, mirrored, y, color):
    x = leg_points(math.pi - phase if mirrored else phase)
    if mirrored:
        x = {key: complex(-v.real, v.imag) for key, v in x.items()}
    thick, thin = 0.016, 0.011
    plate = lambda o, p, q: "".join(rod(x[i] - x[o], x[j] - x[o], color, thick) for i, j in ((o, p), (p, q), (q, o)))
    n = lambda part: f"{name} {part}"
    out = body(n("upper"), "world", x["B"], y, plate("B", "Q", "R"))
    out += body(n("link"), "world", x["B"], y, rod(0, x["S"] - x["B"], color, thin))
    out += body(n("top rod"), "crank", x["P"], y, rod(0, x["Q"] - x["P"], color, thin))
    out += body(n("low rod"), "crank", x["P"], y, rod(0, x["S"] - x["P"], color, thin))
    out += body(n("back rod"), n("upper"), x["R"] - x["B"], 0, rod(0, x["T"] - x["R"], color, thin))
    out += body(n("foot"), n("link"), x["S"] - x["B"], 0, plate("S", "T", "F"))
    loops = loop(n("Q"), n("top rod"), x["Q"] - x["P"], n("upper"), x["Q"] - x["B"])
    loops += loop(n("S"), n("low rod"), x["S"] - x["P"], n("link"), x["S"] - x["B"])
    loops += loop(n("T"), n("back rod"), x["T"] - x["R"], n("foot"), x["T"] - x["S"])
    record = f'\n[[record]]\nname = "{name} toe"\nframe = "{n("foot")}"\nat = {xyz(x["F"] - x["S"])}\nquantity = "position"\n'
    return out, loops + record, x["P"]


def scene():
    legs = [("left", 0.0, False, -0.12), ("right", 0.0, True, -0.12), ("far left", math.pi, False, 0.12), ("far right", math.pi, True, 0.12)]
    parts = [leg(name, phase, mirrored, y, COLORS[i]) for i, (name, phase, mirrored, y) in enumerate(legs)]
    crank = "".join(rod(0, parts[i][2], "#888888", 0.02, y) for i, y in ((0, -0.12), (2, 0.12)))
    crank += """[[body.shape]]
cylinder = { radius = 0.02, length = 0.24 }
at = { rpy = [1.5707963267948966, 0, 0] }
density = 800
color = "#888888"
"""
    return ('# Four legs of Theo Jansen\'s walking linkage on a crank that is driven. Each leg has six moving parts and three\n'
            '# loops; lengths are his numbers in centimeters. Written by walker_scene.py.\ncardan = 1\nname = "walking linkage"\n'
            + body("crank", "world", 0, 0, crank) + "".join(p[0] for p in parts) + "".join(p[1] for p in parts)
            + '\n[[motion]]\njoint = "crank"\nposition = "-2.5*t"\n\n[simulation]\nduration = 5.026548245743669  # two turns of the crank\nstep = 0.005\noutput_every = 0.02\n')


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "walking_linkage.toml"), "w") as file:
    file.write(scene())
