#!/usr/bin/env python3
"""Writes the example scenes with contact that have many bodies: stack.toml, pyramid.toml, dominoes.toml,
newtons_cradle.toml, marbles.toml, ragdoll.toml, arch.toml (with its stone, voussoir.obj), card_house.toml, passive_walker.toml. Usage: examples/contact_scenes.py [FOLDER]"""
import math
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)


def numbers(values):
    return "[" + ", ".join(f"{x:.12g}" for x in values) + "]"


def body(name, mass, shape, q, color, v=None):
    """A free body whose inertia follows from its shape."""
    lines = ["[[body]]", f'name = "{name}"', f"mass = {mass:g}", "[[body.shape]]", shape, f'color = "{color}"',
             "[body.joint]", 'type = "free"', f"q = {numbers(q)}"]
    if v:
        lines.append(f"v = {numbers(v)}")
    return "\n".join(lines) + "\n"


def write(name, about, parts, duration, more=""):
    text = f"# {about}\ncardan = 1\nname = \"{name.replace('_', ' ')}\"\n\n" + "\n".join(parts)
    text += f"\n[simulation]\nduration = {duration:g}\n{more}"
    (FOLDER / f"{name}.toml").write_text(text)


def colors(i):
    return ["#4878a8", "#d9a441", "#6a9f58", "#b5563e", "#8268a8"][i % 5]


GROUND = "[ground]\nfriction = {mu}\n"

side = 0.1
write("stack", "Ten boxes on top of one another: they stand, and do not creep.",
      [GROUND.format(mu=0.5)] +
      [body(f"box{i}", 1.0, f"box = [{side}, {side}, {side}]", [1, 0, 0, 0, 0, 0, side * (i + 0.5)], colors(i))
       for i in range(10)], 2)

write("pyramid", "A pyramid of 21 boxes.", [GROUND.format(mu=0.5)] +
      [body(f"box{r}_{c}", 1.0, f"box = [{side}, {side}, {side}]",
            [1, 0, 0, 0, (c + 0.5 * r) * side * 1.05, 0, side * (r + 0.5)], colors(r))
       for r in range(6) for c in range(6 - r)], 1)

tilt = 0.25
push = [math.cos(tilt / 2), 0, math.sin(tilt / 2), 0]
height, thick = 0.12, 0.02
dominoes = [body("first", 0.05, f"box = [{thick}, 0.06, {height}]",
                 push + [thick / 2 * (math.cos(tilt) - 1) + height / 2 * math.sin(tilt), 0,
                         height / 2 * math.cos(tilt) + thick / 2 * math.sin(tilt)], "#b5563e")]
dominoes += [body(f"domino{i}", 0.05, f"box = [{thick}, 0.06, {height}]", [1, 0, 0, 0, 0.06 * i, 0, height / 2], colors(i))
             for i in range(1, 9)]
write("dominoes", "A line of dominoes: the first one leans over and takes the others with it.",
      [GROUND.format(mu=0.4)] + dominoes, 1)

cradle = ['[[contact]]\nrestitution = 1\nfriction = 0\nlaw = "sequential"\n']
for i in range(5):
    cradle.append("\n".join([
        "[[body]]", f'name = "ball{i}"', "mass = 0.2", "com = [0, 0, -0.5]",
        "inertia = [2e-5, 2e-5, 2e-5, 0, 0, 0]", "[[body.shape]]", "sphere = 0.02", "at = { xyz = [0, 0, -0.5] }",
        f'color = "{colors(i)}"', "[body.joint]", 'type = "revolute"', "axis = [0, 1, 0]",
        f"at = {{ xyz = [{0.04 * i:g}, 0, 0.6] }}", f"q = [{0.6 if i == 0 else 0}]"]) + "\n")
write("newtons_cradle", "Newton's cradle: impacts are passed on one after another.", cradle, 4)

marbles = [GROUND.format(mu=0.3).replace("friction", "restitution = 0.3\nfriction"),
           "[[body]]\nname = \"ring\"\nmass = 1\njoint = { type = \"fixed\", at = { xyz = [0, 0, 0.03] } }\n[[body.shape]]\n"
           "torus = { major = 0.15, minor = 0.03 }\ncolor = \"#999999\"\n"]
for i in range(12):
    a = 2.4 * i
    marbles.append(body(f"marble{i}", 0.02, "sphere = 0.015",
                        [1, 0, 0, 0, 0.02 * math.sqrt(i) * math.cos(a), 0.02 * math.sqrt(i) * math.sin(a), 0.1 + 0.035 * i],
                        colors(i)))
write("marbles", "Marbles fall into a ring.", marbles, 2)


def limb(name, parent, mass, length, radius, at, kind, color, limits, q):
    lines = ["[[body]]", f'name = "{name}"', f'parent = "{parent}"', f"mass = {mass:g}",
             "[[body.shape]]", f"capsule = {{ radius = {radius:g}, length = {length:g} }}",
             f"at = {{ xyz = [0, 0, {-length / 2:g}] }}", f'color = "{color}"', "[body.joint]"]
    lines += kind + [f"at = {{ xyz = {numbers(at)} }}", f"q = {numbers(q)}", f"limits = {limits}", "damping = 0.5"]
    return "\n".join(lines) + "\n"


universal = ['type = "universal"']
hinge = ['type = "revolute"', "axis = [0, 1, 0]"]
doll = [GROUND.format(mu=0.7),
        "[[body]]\nname = \"torso\"\nmass = 20\n[[body.shape]]\ncapsule = { radius = 0.12, length = 0.4 }\n"
        "color = \"#4878a8\"\n[body.joint]\ntype = \"free\"\nq = [0.98, 0.1, 0.17, 0, 0, 0, 1.4]\n".replace(
            "[0.98, 0.1, 0.17, 0", numbers([math.sqrt(1 - 0.1**2 - 0.17**2), 0.1, 0.17, 0])[:-1])]
doll.append(limb("head", "torso", 4, 0.08, 0.1, [0, 0, 0.45], universal, "#d9a441", "[[-0.5, 0.5], [-0.5, 0.5]]", [0, 0]))
for side_name, y in (("left", 1), ("right", -1)):
    doll.append(limb(f"{side_name} arm", "torso", 2, 0.25, 0.045, [0, 0.18 * y, 0.18], universal, "#6a9f58",
                     "[[-1.5, 1.5], [-1.5, 1.5]]", [0.3 * y, 0.2]))
    doll.append(limb(f"{side_name} forearm", f"{side_name} arm", 1.5, 0.25, 0.04, [0, 0, -0.32], hinge, "#6a9f58",
                     "[[-2.2, 0]]", [-0.3]))
    doll.append(limb(f"{side_name} thigh", "torso", 6, 0.35, 0.07, [0, 0.1 * y, -0.3], universal, "#b5563e",
                     "[[-0.8, 0.8], [-1.5, 0.8]]", [0, -0.2]))
    doll.append(limb(f"{side_name} shin", f"{side_name} thigh", 4, 0.35, 0.055, [0, 0, -0.45], hinge, "#b5563e",
                     "[[0, 2.2]]", [0.4]))
doll.append('[[contact]]\na = "left thigh"\nb = "right thigh"\nignore = true\n')
write("ragdoll", "A doll of eleven limbs falls and lies still: limits, friction and contact together.", doll, 4)

# an arch stands on friction alone where a line of thrust fits into it: thicker than 0.0962 of its mean radius for seven stones
stones, thickness, depth = 7, 0.12, 0.3
half = math.pi / (2 * stones)
corners = [(r * math.sin(a), y, r * math.cos(a) - 1) for y in (-depth / 2, depth / 2)
           for r in (1 - thickness / 2, 1 + thickness / 2) for a in (-half, half)]
faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
(FOLDER / "voussoir.obj").write_text("# a stone of arch.toml, written by contact_scenes.py\n" +
                                     "".join(f"v {x:.12g} {y:g} {z:.12g}\n" for x, y, z in corners) +
                                     "".join("f " + " ".join(map(str, face)) + "\n" for face in faces))
arch = [GROUND.format(mu=0.7), "[[contact]]\nfriction = 0.7\n"]
for i in range(stones):
    angle = math.pi * (i + 0.5) / stones  # of the middle of the stone, from the ground
    turn = math.pi / 2 - angle
    arch.append(body(f"stone{i}", 30, 'mesh = "voussoir.obj"\nhull = true',
                     [math.cos(turn / 2), 0, math.sin(turn / 2), 0, math.cos(angle), 0, math.sin(angle)], colors(i)))
write("arch", "An arch of seven stones without mortar: it stands.", arch, 3)

card, sheet, lean, apart = 0.09, 0.002, 0.3, 0.07  # cards of 90 x 60 x 2 mm lean on each other in pairs
house = [GROUND.format(mu=0.5), "[[contact]]\nfriction = 0.5\n"]


def add_card(name, x, z, angle):
    house.append(body(name, 0.01, f"box = [{sheet}, 0.06, {card}]",
                      [math.cos(angle / 2), 0, math.sin(angle / 2), 0, x, 0, z], colors(len(house))))


def add_pair(name, x, z):
    """Two cards whose upper inner edges meet above x; gives the height of what lies on them."""
    aside = card / 2 * math.sin(lean) + sheet / 2 * math.cos(lean)
    middle = z + card / 2 * math.cos(lean) + sheet / 2 * math.sin(lean)
    add_card(f"{name} left", x - aside, middle, lean)
    add_card(f"{name} right", x + aside, middle, -lean)
    return z + card * math.cos(lean) + sheet * math.sin(lean)


upper = add_pair("first", -apart / 2, 0)
add_pair("second", apart / 2, 0)
add_card("floor", 0, upper + sheet / 2, math.pi / 2)
add_pair("third", 0, upper + sheet)
write("card_house", "A house of seven cards: it stands, on friction alone.", house, 2)

# the simplest walker (Garcia, Chatterjee, Ruina, Coleman 1998): a mass at the hip, straight legs, small masses at the feet;
# the state just after a heel strike of its steady gait, here with the leg a little slower than in that gait
slope, leg, foot, stride = 0.009, 1.0, 0.02, 0.406981
hip_mass, foot_mass = 10.0, 0.2
down = lambda x, z: (x * math.cos(slope) + z * math.sin(slope), z * math.cos(slope) - x * math.sin(slope))
walker = ["[[contact]]\nfriction = 2\n", '[[contact]]\na = "left leg"\nb = "right leg"\nignore = true\n']
for k in range(-1, 13):  # each foot has stones of its own, so that it can swing past the other one
    x, z = down(k * stride, -0.04)
    walker.append(f'[[body]]\nname = "stone{k + 1}"\nmass = 5\n[[body.shape]]\nbox = [{0.7 * stride:.6g}, 0.12, 0.08]\n'
                  f'at = {{ xyz = {numbers([x, 0.1 if k % 2 == 0 else -0.1, z])}, rpy = [0, {slope}, 0] }}\n'
                  f'color = "#9a9a92"\n[body.joint]\ntype = "fixed"\n')


def walking_leg(name, y, color, mass, com, inertia, shapes, joint):
    return "\n".join(["[[body]]", f'name = "{name}"'] + (['parent = "left leg"'] if y < 0 else []) + [
        f"mass = {mass:g}", f"com = {numbers([0, 0, com])}", f"inertia = {numbers([inertia, inertia, 0, 0, 0, 0])}",
        "[[body.shape]]", f"sphere = {foot}", f"at = {{ xyz = [0, {y}, {-leg}] }}", f'color = "{color}"',
        "[[body.shape]]", f"capsule = {{ radius = 0.015, length = {leg - 0.06:g} }}",
        f"at = {{ xyz = [0, {y}, {-leg / 2}] }}", f'color = "{color}"', "collide = false"] + shapes + ["[body.joint]"] +
        joint) + "\n"


both = hip_mass + foot_mass
walker.append(walking_leg("left leg", 0.1, "#4878a8", both, -leg * foot_mass / both, leg**2 * hip_mass * foot_mass / both,
                          ["[[body.shape]]", "capsule = { radius = 0.05, length = 0.2 }",
                           f"at = {{ rpy = [{math.pi / 2:.12g}, 0, 0] }}", 'color = "#d9a441"', "collide = false"],
                          ['type = "composite"', f"at = {{ rpy = [0, {slope}, 0] }}",
                           'joints = [{ type = "prismatic", axis = [1, 0, 0] }, { type = "prismatic", axis = [0, 0, 1] },'
                           ' { type = "revolute", axis = [0, 1, 0] }]',
                           "q = [-0.199474164, 0.999903086, -0.200821271]", "v = [0.625, 0.124683, 0.625061]"]))
walker.append(walking_leg("right leg", -0.1, "#b5563e", foot_mass, -leg, 0, [],
                          ['type = "revolute"', "axis = [0, 1, 0]", "q = [0.401642544]", "v = [-0.051326]"]))
write("passive_walker", "Two legs walk down a slope of half a degree, driven by gravity alone, and find their steady gait.",
      walker, 15, 'contact = "events"\n')
