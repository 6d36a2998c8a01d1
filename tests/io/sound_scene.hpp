// A sound scene, and how one thing in it is broken.
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

/// The sound scene with something wrong added at its end; the complaint is due so many lines below the first of that.
inline BrokenScene extra(const std::string& added, std::vector<std::string> says, int further = 0) {
  const auto lines = std::count(kSoundScene.begin(), kSoundScene.end(), '\n');
  return {kSoundScene + added, static_cast<int>(lines) + 1 + further, std::move(says)};
}

}  // namespace cardan::test
