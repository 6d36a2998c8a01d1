#!/usr/bin/env python3
"""Writes two robots as URDF, humanoid.urdf and quadruped.urdf, with hinges that have limits, dampers and dry friction, and bodies that are
capsules and boxes. Usage: examples/robot_files.py [FOLDER]"""
import math
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
DENSITY = 900.0  # kg/m^3


def xyz(v):
    return " ".join(f"{x:g}" for x in v)


def capsule(radius, length, at, rpy=(0, 0, 0)):
    """A cylinder with round ends, as URDF has it: a cylinder and two balls. Mass and inertia are those of the cylinder."""
    mass = DENSITY * math.pi * radius ** 2 * length
    across, along = mass * (3 * radius ** 2 + length ** 2) / 12, mass * radius ** 2 / 2
    ends = [tuple(a + s * length / 2 * d for a, d in zip(at, axis_of(rpy))) for s in (-1, 1)]
    shapes = [(f'<cylinder radius="{radius:g}" length="{length:g}"/>', at, rpy)]
    shapes += [(f'<sphere radius="{radius:g}"/>', end, (0, 0, 0)) for end in ends]
    return mass, at, rpy, (across, across, along), shapes


def box(size, at):
    mass = DENSITY * size[0] * size[1] * size[2] / 2
    moments = tuple(mass * (size[i] ** 2 + size[j] ** 2) / 12 for i, j in ((1, 2), (0, 2), (0, 1)))
    return mass, at, (0, 0, 0), moments, [(f'<box size="{xyz(size)}"/>', at, (0, 0, 0))]


def axis_of(rpy):
    """Where z goes under roll and pitch."""
    roll, pitch, _ = rpy
    return math.sin(pitch) * math.cos(roll), -math.sin(roll), math.cos(pitch) * math.cos(roll)


def link(name, part, color):
    mass, at, rpy, (ixx, iyy, izz), shapes = part
    out = [f'  <link name="{name}">', "    <inertial>", f'      <origin xyz="{xyz(at)}" rpy="{xyz(rpy)}"/>',
           f'      <mass value="{mass:.6g}"/>',
           f'      <inertia ixx="{ixx:.6g}" iyy="{iyy:.6g}" izz="{izz:.6g}" ixy="0" ixz="0" iyz="0"/>', "    </inertial>"]
    for kind in ("visual", "collision"):
        for geometry, place, turn in shapes:
            look = f'<material name="{name}"><color rgba="{color}"/></material>' if kind == "visual" else ""
            out.append(f'    <{kind}><origin xyz="{xyz(place)}" rpy="{xyz(turn)}"/><geometry>{geometry}</geometry>{look}</{kind}>')
    return "\n".join(out + ["  </link>"])


def hinge(name, parent, child, at, axis, low, high):
    return (f'  <joint name="{name}" type="revolute">\n    <parent link="{parent}"/><child link="{child}"/>\n'
            f'    <origin xyz="{xyz(at)}"/><axis xyz="{xyz(axis)}"/>\n'
            f'    <limit lower="{math.radians(low):.6g}" upper="{math.radians(high):.6g}" effort="100" velocity="20"/>\n'
            f'    <dynamics damping="0.5" friction="0.3"/>\n  </joint>')


def write(name, about, parts):
    text = f'<?xml version="1.0"?>\n<!-- {about} Written by robot_files.py. -->\n<robot name="{name}">\n'
    (FOLDER / f"{name}.urdf").write_text(text + "\n".join(parts) + "\n</robot>\n")


X, Y = (1, 0, 0), (0, 1, 0)
BLUE, SAND, RED, GREEN = "0.28 0.47 0.66 1", "0.88 0.79 0.63 1", "0.71 0.34 0.24 1", "0.42 0.62 0.35 1"

parts = [link("torso", box((0.18, 0.3, 0.5), (0, 0, 0.25)), BLUE),
         link("head", capsule(0.09, 0.06, (0, 0, 0.12)), SAND),
         hinge("neck", "torso", "head", (0, 0, 0.5), Y, -40, 40)]
for side, s in (("left", 1), ("right", -1)):
    out = 30 if s > 0 else -30
    parts += [
        link(f"{side}_shoulder", capsule(0.05, 0.02, (0, 0, 0)), BLUE),
        link(f"{side}_arm", capsule(0.045, 0.24, (0, 0, -0.15)), SAND),
        link(f"{side}_forearm", capsule(0.04, 0.22, (0, 0, -0.14)), SAND),
        hinge(f"{side}_shoulder_swing", "torso", f"{side}_shoulder", (0, 0.21 * s, 0.44), Y, -150, 60),
        hinge(f"{side}_shoulder_lift", f"{side}_shoulder", f"{side}_arm", (0, 0, 0), X, *sorted((-10 * s, 100 * s))),
        hinge(f"{side}_elbow", f"{side}_arm", f"{side}_forearm", (0, 0, -0.3), Y, -140, 0),
        link(f"{side}_hip", capsule(0.06, 0.02, (0, 0, 0)), BLUE),
        link(f"{side}_thigh", capsule(0.07, 0.34, (0, 0, -0.2)), GREEN),
        link(f"{side}_shin", capsule(0.05, 0.34, (0, 0, -0.2)), GREEN),
        link(f"{side}_foot", box((0.24, 0.1, 0.05), (0.05, 0, -0.045)), RED),
        hinge(f"{side}_hip_spread", "torso", f"{side}_hip", (0, 0.09 * s, -0.07), X, *sorted((-15 * s, 45 * s))),
        hinge(f"{side}_hip_swing", f"{side}_hip", f"{side}_thigh", (0, 0, 0), Y, -110, 30),
        hinge(f"{side}_knee", f"{side}_thigh", f"{side}_shin", (0, 0, -0.42), Y, 0, 140),
        hinge(f"{side}_ankle", f"{side}_shin", f"{side}_foot", (0, 0, -0.42), Y, -45, 30)]
write("humanoid", "A body with arms and legs: 15 hinges.", parts)

parts = [link("trunk", box((0.5, 0.2, 0.12), (0, 0, 0)), BLUE)]
for end, x in (("front", 1), ("hind", -1)):
    for side, s in (("left", 1), ("right", -1)):
        leg = f"{end}_{side}"
        parts += [
            link(f"{leg}_hip", capsule(0.035, 0.02, (0, 0, 0)), BLUE),
            link(f"{leg}_thigh", capsule(0.03, 0.17, (0, 0, -0.11)), SAND),
            link(f"{leg}_shank", capsule(0.02, 0.19, (0, 0, -0.11)), RED),
            hinge(f"{leg}_spread", "trunk", f"{leg}_hip", (0.2 * x, 0.14 * s, 0), X, -40, 40),
            hinge(f"{leg}_swing", f"{leg}_hip", f"{leg}_thigh", (0, 0.05 * s, 0), Y, -60, 100),
            hinge(f"{leg}_knee", f"{leg}_thigh", f"{leg}_shank", (0, 0, -0.22), Y, -150, 0)]
write("quadruped", "A trunk on four legs: 12 hinges.", parts)
