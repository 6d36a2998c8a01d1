// Scene files, each with one thing wrong, and what the complaint must say. Read by the library (tests/io) and through
// the command (tests/apps).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cardan::test {

/// A sound scene that the broken ones are made of.
inline const std::string kSoundScene = R"toml(cardan = 1
name = "bench"
gravity = [0, 0, -9.81]

[[body]]
name = "arm"
mass = 1.0
com = [0, 0, -0.5]
inertia = [0.08, 0.08, 0.01, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0, 0, 1], rpy = [0, 0, 0] }
q = [0.3]
limits = [[-3, 3]]
damping = 0.1
[[body.shape]]
capsule = { radius = 0.05, length = 1.0 }
at = { xyz = [0, 0, -0.5] }
density = 1000
color = "#4477aa"
collide = true

[[body]]
name = "cam"
parent = "arm"
mass = 0.5
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[body.joint]
type = "expression"
coordinates = ["u", "w"]
parameters = { R = 1.0, r = 0.25 }
let = { c = "R + r*cos(w)" }
transform = "trans(c*cos(u), c*sin(u), r*sin(w)) * rotz(u)"

[[body]]
name = "bead"
parent = "cam"
mass = 0.1
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[body.joint]
type = "on_curve"
curve = { bezier = [[0, 0, 0], [1, 0, 0], [1, 1, 0]] }
roll = "free"
q = [0.5, 0.1]

[[body]]
name = "ball"
parent = "arm"
mass = 0.1
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[body.joint]
type = "surface"
a = { sphere = 0.5 }
b = { torus = { major = 0.8, minor = 0.2 } }
spin = 0.0

[[force]]
type = "point"
body = "bead"
at = [0, 0, 0.1]
force = ["0", "k*sin(3*t)", 1]
parameters = { k = 2.0 }

[[force]]
type = "wrench"
body = "arm"
frame = "body"
moment = ["0", "exp(-t)", "0"]

[[motion]]
joint = "arm"
position = "0.5*sin(2*t)"

[[motion]]
joint = "cam"
acceleration = ["t", 0.1]

[simulation]
duration = 2
integrator = "rk4"

[[record]]
name = "tip"
frame = "bead"
quantity = "position"
at = [0, 0, 0.1]

[[record]]
name = "spread"
expression = "k*(tip.z - arm) + w + energy"
with = { w = "v.cam.1" }
parameters = { k = 0.5 }
unit = "m"
)toml";

struct BrokenScene {
  std::string text;
  int line;                       // that the message must name
  std::vector<std::string> says;  // parts of the message
};

/// The sound scene with one part replaced; the complaint is due at the line of the replacement, or so many below it.
inline BrokenScene scene(const std::string& part, const std::string& by, std::vector<std::string> says,
                         int further = 0) {
  const auto at = kSoundScene.find(part);
  if (at == std::string::npos) throw std::logic_error("not in the scene: " + part);
  const auto line = 1 + std::count(kSoundScene.begin(), kSoundScene.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  std::string text = kSoundScene;
  return {text.replace(at, part.size(), by), static_cast<int>(line) + further, std::move(says)};
}

inline std::vector<BrokenScene> broken_structures() {
  return {
      scene("cardan = 1\n", "\n", {"expected the key \"cardan\", found none"}),
      scene("cardan = 1", "cardan = 2", {"cardan: expected the format version 1, found the number 2"}),
      scene("cardan = 1", "cardan = \"1\"", {"expected the format version 1, found the text \"1\""}),
      scene("cardan = 1", "cardan = ", {"TOML"}),
      scene("cardan = 1", "cardan == 1", {"TOML"}),
      scene("name = \"bench\"", "name = \"bench", {"TOML"}),
      scene("name = \"bench\"", "name = 7", {"name: expected a text, found the number 7"}),
      scene("name = \"bench\"", "name = \"a\\u0007b\"", {"without control characters"}),
      scene("name = \"bench\"", "name = \"bench\"\nname = \"b\"", {"TOML"}, 1),
      scene("gravity", "gravty", {"unknown key \"gravty\": did you mean \"gravity\"?"}),
      scene("[0, 0, -9.81]", "[0, -9.81]", {"gravity: expected 3 numbers, found 2"}),
      scene("[0, 0, -9.81]", "-9.81", {"gravity: expected a list of 3 numbers, found the number -9.81"}),
      scene("[0, 0, -9.81]", "[0, 0, nan]", {"gravity entry 2: expected a finite number, found the number nan"}),
      scene("[0, 0, -9.81]", "[0, 0, inf]", {"gravity entry 2: expected a finite number, found the number inf"}),
      scene("[0, 0, -9.81]", "[0, 0, 1e400]", {""}),
      scene("[0, 0, -9.81]", "[0, 0, 2020-01-01]", {"found a date or time"}),
      scene("[[body]]\nname = \"arm\"", "[body]\nname = \"arm\"", {"TOML"}, 19),
      scene("name = \"arm\"\n", "", {"body entry 0: expected the key \"name\", found none"}, -1),
      scene("name = \"arm\"", "name = \"\"", {"expected a name, found an empty text"}),
      scene("name = \"cam\"", "name = \"arm\"", {"body \"arm\": name", "twice"}),
      scene("name = \"cam\"", "name = \"world\"", {"\"world\" is the fixed frame of reference"}),
      scene("name = \"cam\"", "name = \"cam\"\nmas = 3", {"body \"cam\": unknown key \"mas\": did you mean \"mass\"?"},
            1),
      scene("parent = \"cam\"", "parent = \"cams\"",
            {"body \"bead\": parent", "found \"cams\": did you mean \"cam\"?"}),
      scene("parent = \"cam\"", "parent = \"bead\"", {"bead"}, 3),
      scene("parent = \"cam\"", "parent = 3", {"parent: expected a text, found the number 3"}),
      scene("mass = 1.0", "mass = -1.0", {"body \"arm\": mass: expected a mass that is not negative, found -1"}),
      scene("mass = 1.0", "mass = \"heavy\"", {"mass: expected a finite number, found the text \"heavy\""}),
      scene("mass = 0.5\n", "", {"body \"cam\": expected a mass with the inertia, found none"}),
      scene("com = [0, 0, -0.5]", "com = [0, 0]", {"com: expected 3 numbers, found 2"}),
      scene("[0.08, 0.08, 0.01, 0, 0, 0]", "[0.08, 0.08, 0.01]", {"inertia: expected 6 numbers, found 3"}),
      scene("[0.08, 0.08, 0.01, 0, 0, 0]", "[0.08, 0.08, -0.01, 0, 0, 0]", {"body \"arm\"", "positive semidefinite"}),
      scene("[body.joint]\ntype = \"revolute\"\n", "[body.join]\ntype = \"revolute\"\n",
            {"body \"arm\": unknown key \"join\": did you mean \"joint\"?"}),
      scene("[[body.shape]]", "[body.shape]", {"shape: expected a list, found a table"}),
      scene("[simulation]", "[[strand]]\n[simulation]", {"\"strand\"", "not available yet"}),
      scene("[simulation]", "[ground]\n[simulation]", {"\"ground\"", "not available yet"}),
      scene("[simulation]", "[[contact]]\n[simulation]", {"\"contact\"", "not available yet"}),
      scene("[simulation]", "[simulations]", {"unknown key \"simulations\": did you mean \"simulation\"?"}),
      scene("[simulation]", "[[robot]]\nfile = \"none.urdf\"\n[simulation]", {"none.urdf: expected a file, found none"},
            1),
      scene("[simulation]", "[[robot]]\nfile = \"none.mjcf\"\n[simulation]", {"expected a URDF file"}, 1),
      scene("[simulation]", "[[robot]]\nname = \"left\"\n[simulation]", {"robot entry 0: expected the key \"file\""}),
      scene("[simulation]", "[[robot]]\nfile = \"a.urdf\"\nbase = \"flying\"\n[simulation]",
            {"base: expected fixed or free, found \"flying\""}, 2),
  };
}

inline std::vector<BrokenScene> broken_joints() {
  const std::string touch =
      "type = \"surface\"\na = { sphere = 0.5 }\nb = { torus = { major = 0.8, minor = 0.2 } }\nspin = 0.0";
  const std::string bead = "body \"bead\": joint", cam = "body \"cam\": joint", ball = "body \"ball\": joint";
  return {
      scene("\"revolute\"", "\"revolut\"", {"unknown joint type \"revolut\": did you mean \"revolute\"?"}),
      scene("type = \"revolute\"\n", "", {"body \"arm\": joint: expected the key \"type\", found none"}, -1),
      scene("axis = [0, 1, 0]", "axis = [0, 0, 0]", {"axis: expected a direction, found a vector of zero length"}),
      scene("axis = [0, 1, 0]", "axs = [0, 1, 0]", {"unknown key \"axs\": did you mean \"axis\"?"}),
      scene("axis = [0, 1, 0]", "pitch = 1", {"unknown key \"pitch\""}),
      scene("rpy = [0, 0, 0]", "ypr = [0, 0, 0]", {"joint: at: unknown key \"ypr\""}),
      scene("q = [0.3]", "q = [0.3, 0.1]", {"body \"arm\": joint: q: expected 1 number, found 2"}),
      scene("q = [0.3]", "q = 0.3", {"q: expected a list of 1 number, found the number 0.3"}),
      scene("q = [0.3]", "v = [\"fast\"]", {"v entry 0: expected a finite number, found the text \"fast\""}),
      scene("limits = [[-3, 3]]", "limits = [[3, -3]]", {"expected the lower limit first, found 3 and -3"}),
      scene("limits = [[-3, 3]]", "limits = [-3, 3]", {"limits: expected 1 pair of limits, found 2"}),
      scene("limits = [[-3, 3]]", "limits = [[-3]]", {"limits entry 0: expected 2 numbers, found 1"}),
      scene("damping = 0.1", "damping = -0.1", {"damping: expected a number that is not negative, found -0.1"}),
      scene("damping = 0.1", "damping = [0.1, 0.2]", {"damping: expected 1 number, found 2"}),
      scene("coordinates = [\"u\", \"w\"]", "coordinates = []", {cam, "expected 1 to 6 names, found 0"}),
      scene("[\"u\", \"w\"]", "[\"u\", \"w\", \"a\", \"b\", \"d\", \"e\", \"f\"]", {"expected 1 to 6 names, found 7"}),
      scene("[\"u\", \"w\"]", "[\"u\", \"u\"]", {"expected names that differ, found \"u\" twice"}),
      scene("[\"u\", \"w\"]", "[\"u\", \"sin\"]", {"found \"sin\", which has a meaning"}),
      scene("[\"u\", \"w\"]", "[\"u\", \"w w\"]", {"letters, digits and _, found \"w w\""}),
      scene("[\"u\", \"w\"]", "[\"u\", 3]", {"coordinates entry 1: expected a text, found the number 3"}),
      scene("R = 1.0", "R = \"one\"", {"parameters: R: expected a finite number, found the text \"one\""}),
      scene("R = 1.0", "u = 1.0", {"found \"u\" twice"}),
      scene("cos(w)\"", "cos(c)\"", {"let: c: helpers must not use one another in a cycle: c uses c"}),
      scene("let = { c = \"R + r*cos(w)\" }", "let = { c = \"d\", d = \"c + w\" }", {"c uses d uses c"}),
      scene("let = { c = \"R + r*cos(w)\" }", "let = { d = \"R + r*cos(w)\" }", {"unknown name \"c\""}, 1),
      scene("R + r*cos(w)\"", "R + r*cos(w\"", {":25: ", "let: c: expected \")\", found the end"}),
      scene("rotz(u)\"", "rotz(y)\"", {":57: ", "transform: unknown name \"y\""}),
      scene("rotz(u)\"", "rotw(u)\"", {":52: ", "unknown transform \"rotw\": did you mean \"rotx\"?"}),
      scene("rotz(u)\"", "rotz(u))\"", {"expected an operator or the end, found \")\""}),
      scene("rotz(u)\"", "rotz(u/0)\"", {":59: ", "division by zero"}),
      scene("rotz(u)\"", "rotz(u/(R - 4*r))\"", {"division by zero"}),
      scene("rotz(u)\"", "rotz(log(0))\"", {"not a finite number"}),
      scene("rotz(u)\"", "rotz(u, w)\"", {"\"rotz\" takes 1 argument, found 2"}),
      scene("rotz(u)\"", "rotz(t)\"", {"unknown name \"t\""}),
      scene("rotz(u)\"", "frame(2,0,0, 0,1,0, 0,0,1, 0,0,0)\"", {"no rigid motion"}),
      scene("rotz(u)\"", "frame(-1,0,0, 0,1,0, 0,0,1, 0,0,0)\"", {"no rigid motion", "reflection"}),
      scene("rotz(u)\"", "rotz(system(u))\"", {"unknown function \"system\""}),
      scene("type = \"on_curve\"", "type = \"on_curv\"", {"did you mean \"on_curve\"?"}),
      scene("curve = { bezier = [[0, 0, 0], [1, 0, 0], [1, 1, 0]] }\n", "",
            {bead, "expected the key \"curve\", found none"}, -2),
      scene("{ bezier = [[0, 0, 0], [1, 0, 0], [1, 1, 0]] }", "{ besier = [[0, 0, 0], [1, 0, 0]] }",
            {"did you mean \"bezier\"?"}),
      scene("[[0, 0, 0], [1, 0, 0], [1, 1, 0]]", "[[0, 0, 0]]", {"expected 2 to 24 control points, found 1"}),
      scene("[1, 1, 0]]", "[1, 1]]", {"bezier entry 2: expected 3 numbers, found 2"}),
      scene("{ bezier = [[0, 0, 0], [1, 0, 0], [1, 1, 0]] }", "{ coordinate = \"s\", point = [\"s\", \"s^2\", \"x\"] }",
            {":51: ", "point entry 2: unknown name \"x\""}),
      scene("{ bezier = [[0, 0, 0], [1, 0, 0], [1, 1, 0]] }", "{ point = [\"1\", \"2\", \"3\"] }",
            {"curve: expected the key \"coordinate\", found none"}),
      scene("roll = \"free\"", "roll = \"loose\"", {"roll: expected \"free\" or an angle, found the text \"loose\""}),
      scene("q = [0.5, 0.1]", "q = [0.5]", {"q: expected 2 numbers, found 1"}),
      scene("a = { sphere = 0.5 }", "a = { sphere = -0.5 }", {ball, "sphere: expected a positive number, found -0.5"}),
      scene("a = { sphere = 0.5 }", "a = { sphere = 0.5, torus = 1 }", {"expected one kind of surface"}),
      scene("a = { sphere = 0.5 }", "a = { spere = 0.5 }", {"did you mean \"sphere\"?"}),
      scene("a = { sphere = 0.5 }", "a = { ellipsoid = [1, 2] }", {"ellipsoid: expected 3 numbers, found 2"}),
      scene("a = { sphere = 0.5 }", "a = { bezier = [[[0,0,0], [1,0,0]], [[0,1,0]]] }", {"bezier entry 1"}),
      scene("a = { sphere = 0.5 }", "a = { coordinates = [\"u\"], point = [\"u\", \"0\", \"0\"] }",
            {"coordinates: expected 2 names, found 1"}),
      scene("minor = 0.2", "minor = 0.9", {"expected minor below major 0.8, found 0.9"}),
      scene("spin = 0.0", "spin = true", {"spin: expected \"free\" or an angle, found true"}),
      scene(touch, "type = \"spherical_euler\"\norder = \"XXY\"", {"order: expected three axes", "found \"XXY\""}, 1),
      scene(touch, "type = \"composite\"\njoints = [{ type = \"free\" }, { type = \"revolute\" }]",
            {"at most 6 degrees of freedom together, found 7"}, 1),
      scene(touch, "type = \"composite\"\njoints = [{ type = \"planar\", q = [0, 0] }]",
            {"joints entry 0: unknown key \"q\""}, 1),
      scene(touch, "type = \"free\"\nq = [1, 1, 0, 0, 0, 0, 0]", {"expected a quaternion", "length 1.41421356"}, 1),
      scene(touch, "type = \"helical\"", {"expected the key \"pitch\", found none"}, -1),
      scene(touch, "type = \"spline_curve\"\nframes = [{}, {}, {}]", {"frames: expected at least 4 frames, found 3"},
            1),
      scene(touch, "type = \"spline_surface\"\ncontrols = [1, 2, 3]", {"controls: expected 4 rows, found 3"}, 1),
  };
}

inline std::vector<BrokenScene> broken_shapes() {
  const std::string capsule = "capsule = { radius = 0.05, length = 1.0 }";
  return {
      scene(capsule, "capsul = { radius = 0.05, length = 1.0 }", {"unknown key \"capsul\": did you mean \"capsule\"?"}),
      scene(capsule, "capsule = { radius = 0.05 }", {"capsule: expected the key \"length\", found none"}),
      scene(capsule, "capsule = { radius = 0, length = 1 }", {"radius: expected a positive number, found 0"}),
      scene(capsule, "capsule = { radius = 1, length = 1, width = 2 }", {"capsule: unknown key \"width\""}),
      scene(capsule, "box = [1, 2]", {"box: expected 3 numbers, found 2"}),
      scene(capsule, "box = [1, 2, 3]\nsphere = 1", {"expected one kind of shape, found \"box\" and \"sphere\""}, 1),
      scene(capsule + "\n", "", {"shape entry 0: expected a shape: box,"}, -1),
      scene(capsule, "torus = { major = 1, minor = 2 }", {"expected minor not above major 1, found 2"}),
      scene(capsule, "mesh = \"none.obj\"", {"mesh:", "none.obj"}),
      scene(capsule, "mesh = \"none.dae\"", {"mesh:", "none.dae"}),
      scene("density = 1000", "density = -1", {"expected a density that is not negative, found -1"}),
      scene("\"#4477aa\"", "\"blueish\"", {"expected a colour such as \"#4477aa\", found \"blueish\""}),
      scene("collide = true", "collide = 1", {"collide: expected true or false, found the number 1"}),
      scene("collide = true", "colide = true", {"unknown key \"colide\": did you mean \"collide\"?"}),
  };
}

inline std::vector<BrokenScene> broken_forces() {
  const std::string point = "type = \"point\"", bead = "body = \"bead\"", push = "force = [\"0\", \"k*sin(3*t)\", 1]";
  const std::string turn = "moment = [\"0\", \"exp(-t)\", \"0\"]";
  return {
      scene("[[force]]\n" + point, "[force]\n" + point, {"TOML"}, 7),
      scene("[[force]]\n" + point, "[[forces]]\n" + point, {"unknown key \"forces\": did you mean \"force\"?"}),
      scene(point + "\n", "", {"force entry 0: expected the key \"type\", found none"}, -1),
      scene(point, "type = \"pont\"", {"expected point or wrench, found \"pont\": did you mean \"point\"?"}),
      scene(point, "type = 3", {"force entry 0: type: expected point or wrench, found the number 3"}),
      scene(point, "type = \"spring\"", {"found \"spring\": not available yet"}),
      scene(point, "type = \"spring_damper\"", {"found \"spring_damper\": not available yet"}),
      scene(point, "type = \"muscle\"", {"found \"muscle\": not available yet"}),
      scene(bead + "\n", "", {"force entry 0: expected the key \"body\", found none"}, -2),
      scene(bead, "body = \"beads\"", {"expected a body of this scene, found \"beads\": did you mean \"bead\"?"}),
      scene(bead, "body = \"world\"", {"expected a body that moves, found \"world\", which is fixed"}),
      scene(bead, "body = 1", {"body: expected a text, found the number 1"}),
      scene("at = [0, 0, 0.1]", "at = [0, 0.1]", {"force entry 0: at: expected 3 numbers, found 2"}),
      scene("at = [0, 0, 0.1]", "point = [0, 0, 0.1]", {"force entry 0: unknown key \"point\""}),
      scene("at = [0, 0, 0.1]", "moment = [0, 0, 1]", {"force entry 0: unknown key \"moment\""}),
      scene(push + "\n", "", {"force entry 0: expected the key \"force\", found none"}, -4),
      scene(push, "force = [0, 1]", {"force: expected 3 expressions, found 2"}),
      scene(push, "force = \"2*t\"", {"force: expected a list of 3 expressions, found the text \"2*t\""}),
      scene("k*sin(3*t)", "k*sin(3*x)", {":24: ", "force entry 1: unknown name \"x\""}),
      scene("k*sin(3*t)", "k*sin(3*t", {"force entry 1: expected \")\", found the end"}),
      scene("k*sin(3*t)", "k/0", {"division by zero"}),
      scene("k = 2.0", "t = 2.0", {"expected names that differ, found \"t\" twice"}),
      scene("k = 2.0", "k = \"2\"", {"parameters: k: expected a finite number"}),
      scene("frame = \"body\"", "frame = \"arm\"", {"force entry 1: frame: expected world or body, found \"arm\""}),
      scene(turn + "\n", "", {"force entry 1: expected the key \"moment\" or \"force\", found neither"}, -4),
      scene(turn, "momnet = [0, 1, 0]", {"unknown key \"momnet\": did you mean \"moment\"?"}),
  };
}

inline std::vector<BrokenScene> broken_motions() {
  const std::string joint = "joint = \"arm\"", swing = "position = \"0.5*sin(2*t)\"";
  return {
      scene("[[motion]]\n" + joint, "[[motions]]\n" + joint, {"unknown key \"motions\": did you mean \"motion\"?"}),
      scene(joint + "\n", "", {"motion entry 0: expected the key \"joint\", found none"}, -1),
      scene(joint, "joint = \"arms\"", {"expected a joint that moves, found \"arms\": did you mean \"arm\"?"}),
      scene(joint, "joint = \"cam\"", {"position: expected a list of 2 expressions"}, 1),
      scene(joint, "joint = \"bead\"", {"position: expected a list of 2 expressions"}, 1),
      scene("joint = \"cam\"", "joint = \"arm\"", {"acceleration: expected 1 expression, found 2"}, 1),
      scene("joint = \"cam\"\nacceleration = [\"t\", 0.1]", joint + "\nacceleration = \"t\"",
            {"expected one motion for each joint, found \"arm\" twice"}),
      scene(swing + "\n", "", {"motion entry 0: expected a motion: position or acceleration"}, -2),
      scene(swing, swing + "\nacceleration = 0", {"found \"position\" and \"acceleration\""}, 1),
      scene(swing, "velocity = \"t\"", {"motion entry 0: unknown key \"velocity\""}),
      scene(swing, "positon = \"t\"", {"unknown key \"positon\": did you mean \"position\"?"}),
      scene(swing, "position = \"0.5*sin(2*q)\"", {":23: ", "position: unknown name \"q\""}),
      scene(swing, "position = true", {"position: expected a text, found true"}),
      scene("[\"t\", 0.1]", "[\"t\"]", {"motion entry 1: acceleration: expected 2 expressions, found 1"}),
      scene("[[motion]]\n" + joint, "[[motion]]\nlet = { a = \"b\", b = \"a\" }\n" + joint, {"a uses b uses a"}, 1),
      scene("type = \"revolute\"\naxis = [0, 1, 0]\nat = { xyz = [0, 0, 1], rpy = [0, 0, 0] }\nq = [0.3]\nlimits = "
            "[[-3, 3]]",
            "type = \"spherical\"", {"expected a joint with as many coordinates as velocities, found \"arm\""}, 57),
      scene("duration = 2", "duration = 0", {"simulation: duration: expected a positive number, found 0"}),
      scene("duration = 2", "duration = \"long\"", {"duration: expected a finite number, found the text \"long\""}),
      scene("duration = 2", "duraton = 2", {"unknown key \"duraton\": did you mean \"duration\"?"}),
      scene("duration = 2", "step = -0.1", {"simulation: step: expected a positive number, found -0.1"}),
      scene("duration = 2", "output_every = inf", {"output_every: expected a finite number"}),
      scene("duration = 2", "tolerance = 0", {"tolerance: expected a positive number, found 0"}),
      scene("\"rk4\"", "\"rk5\"", {"integrator: expected euler,", "found \"rk5\": did you mean \"rk4\"?"}),
      scene("integrator", "formulation", {"formulation: expected recursive, redmax or maximal, found \"rk4\""}),
  };
}

inline std::vector<BrokenScene> broken_records() {
  const std::string frame = "frame = \"bead\"", spread = "expression = \"k*(tip.z - arm) + w + energy\"";
  return {
      scene("[[record]]\nname = \"tip\"", "[[recrod]]\nname = \"tip\"",
            {"unknown key \"recrod\": did you mean \"record\"?"}),
      scene(frame, "frame = \"beed\"",
            {"record entry 0: frame: expected a body or frame of this scene, found \"beed\": did you mean \"bead\"?"}),
      scene(frame, "body = \"bead\"", {"record entry 0: expected a record: frame or expression"}, -2),
      scene("quantity = \"position\"\n", "", {"record entry 0: expected the key \"quantity\", found none"}, -3),
      scene("quantity = \"position\"", "quantity = \"postion\"",
            {"quantity: expected position, orientation,", "found \"postion\": did you mean \"position\"?"}),
      scene("quantity = \"position\"", "quantity = \"orientation\"", {"at: expected no point, found one"}, 1),
      scene("at = [0, 0, 0.1]\n\n", "at = [0, 0]\n\n", {"record entry 0: at: expected 3 numbers, found 2"}),
      scene("name = \"tip\"", "name = \"tip\"\nunit = \"m\"", {"record entry 0: unknown key \"unit\""}, 1),
      scene("name = \"spread\"", "name = \"energy\"", {"expected another name", "\"energy\" is there already"}),
      scene("name = \"spread\"\n", "", {"record entry 1: expected the key \"name\", found none"}, -1),
      scene(spread, "expression = \"tip.y*v.arn + k + w\"", {"found \"v.arn\": did you mean \"v.arm\"?"}),
      scene(spread, "expression = \"cam + k + w\"", {"expression: expected a column", "found \"cam\""}),
      scene(spread, "expression = \"k*(arm + w\"", {"expression: expected \")\", found the end"}),
      scene(spread, "expression = \"k*arm\"", {"with: expected a name that the expression uses, found \"w\""}, 1),
      scene("v.cam.1", "v.cam.2", {"with: w: expected a column", "found \"v.cam.2\""}),
      scene("k = 0.5", "k = 0.5, w = 1", {"with: expected a name that the expression uses, found \"w\""}, -1),
  };
}

inline std::vector<BrokenScene> broken_constraints() {
  const auto with = [](const std::string& table, std::vector<std::string> says, int line) {
    return scene("[simulation]", table + "\n[simulation]", std::move(says), line);
  };
  const std::string loop = "[[loop]]\na = \"arm\"\nb = \"bead\"\n";
  return {
      with("[[loop]]\na = \"arm\"", {"expected the key \"type\", found none"}, 0),
      with(loop + "type = \"spherial\"", {"unknown joint type \"spherial\": did you mean \"spherical\"?"}, 3),
      with(loop + "type = \"free\"", {"expected a joint that holds something"}, 3),
      with("[[loop]]\na = \"arm\"\nb = \"arm\"\ntype = \"fixed\"", {"a loop from it to itself"}, 2),
      with("[[loop]]\na = \"arm\"\nb = \"beads\"\ntype = \"fixed\"",
           {"expected a body of this scene, found \"beads\": did you mean \"bead\"?"}, 2),
      with("[[loop]]\nb = \"arm\"\ntype = \"fixed\"", {"expected the key \"a\", found none"}, 0),
      with(loop + "type = \"fixed\"\nat_c = { xyz = [0, 0, 0] }", {"unknown key \"at_c\": did you mean"}, 4),
      with("[[loop]]\nname = \"far\"\na = \"arm\"\nb = \"world\"\ntype = \"spherical\"\nat_b = { xyz = [9, 0, 0] }",
           {"loop \"far\" cannot be closed: its ends stay"}, 0),
      with("[[loop]]\nname = \"x\"\na = \"arm\"\nb = \"world\"\ntype = \"planar\"\n" + loop +
               "type = \"planar\"\nname = \"x\"",
           {"expected names that differ, found this one twice"}, 9),
      with("[[coupling]]\njoint = \"arm\"", {"expected the key \"equals\", found none"}, 0),
      with("[[coupling]]\nequals = \"arm\"", {"expected the key \"joint\", found none"}, 0),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"2*arms\"", {"coupling of \"bead.0\": unknown joint \"arms\""},
           0),
      with("[[coupling]]\njoint = \"beads\"\nequals = \"2*arm\"", {"coupling of \"beads\": unknown joint \"beads\""},
           0),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"2*(arm\"", {"expected \")\", found the end"}, 2),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"2*x\"\nwith = { y = \"arm\" }",
           {"expected a name that equals uses"}, 3),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"x\"\nwith = { x = \"cam.0\" }\n[[coupling]]\njoint = "
           "\"cam.0\"\nequals = \"x\"\nwith = { x = \"bead.0\" }",
           {"coupling of \"cam.0\": follows itself"}, 4),
      with("[[coupling]]\njoint = \"arm\"\nequals = \"0\"",
           {"expected a joint that is free to be moved, found \"arm\""}, -7),
      with("[[motion]]\nbody = \"bead\"", {"expected the key \"position\" or \"rpy\", found neither"}, 0),
      with("[[motion]]\nbody = \"bead\"\nposition = [0, 1]", {"position: expected 3 expressions, found 2"}, 2),
      with("[[motion]]\nbody = \"bead\"\nrpy = [0, 1, 0]\nat = [0, 0, 1]", {"expected a position for this point"}, 3),
  };
}

inline std::vector<BrokenScene> broken_scenes() {
  std::vector<BrokenScene> all = broken_structures();
  for (auto* more :
       {&broken_joints, &broken_shapes, &broken_forces, &broken_motions, &broken_constraints, &broken_records})
    for (BrokenScene& broken : (*more)()) all.push_back(std::move(broken));
  return all;
}

}  // namespace cardan::test
