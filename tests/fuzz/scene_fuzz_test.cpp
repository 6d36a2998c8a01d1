// Thousands of damaged scenes: reading them gives a scene that can be used or one line of complaint, never anything
// else.
#include "cardan/io/scene.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/simulate/recorder.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/io/sound_scene.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

using test::expect_one_line;
using test::Mutator;

const std::string kSecondScene = R"toml(cardan = 1
[[body]]
name = "a"
[body.joint]
type = "spline_curve"
closed = true
frames = [{}, { xyz = [1, 0, 0] }, { xyz = [1, 1, 0], rpy = [0, 0, 1] }, { xyz = [0, 1, 0] }]
[[body.shape]]
torus = { major = 1, minor = 0.25 }
density = 10
[[body]]
name = "b"
parent = "a"
mass = 1
[body.joint]
type = "composite"
joints = [{ type = "spherical_euler", order = "XYZ" }, { type = "helical", pitch = 0.1 }, { type = "planar" }]
q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
stiffness = [1, 2, 3, 4, 5, 6]
[[body]]
name = "c"
parent = "b"
mass = 1
[body.joint]
type = "on_surface"
surface = { coordinates = ["u", "v"], parameters = { k = 0.5 }, let = { w = "k*u" }, point = ["u", "v", "w*v"] }
spin = "free"
)toml";

/// Reads, uses or complains; says whether it was read.
bool survives(const std::string& text) {
  try {
    const Scene scene = parse_scene(text, "damaged.toml");
    SystemWorkspace system{System(scene)};
    std::vector<double> a(static_cast<std::size_t>(scene.model.nv()));
    system.acceleration(0.1, scene.initial.q, scene.initial.v, a);
    Recorder(system, scene.records)(0.1, scene.initial, system.energy(scene.initial));
    for (const SingularJoint& joint : singular_joints(scene.model, scene.initial.q))
      expect_one_line(joint.what, "joint ");
    return true;
  } catch (const ModelError& error) {
    expect_one_line(error.what(), "scene: damaged.toml:");
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not a ModelError: " << error.what() << "\n" << text;
  }
  return false;
}

TEST(SceneFuzz, DamagedScenes) {
  Mutator mutate({"1e308",
                  "-1e308",
                  "nan",
                  "-inf",
                  "0",
                  "1e-320",
                  "99999999999999999999",
                  "",
                  "\n",
                  "\"",
                  "[",
                  "]",
                  "{",
                  "}",
                  "=",
                  "[[body]]",
                  "[body.joint]",
                  "world",
                  "a",
                  "cam",
                  "revolute",
                  "free",
                  "surface",
                  "u",
                  "u/0",
                  "u^u",
                  "(",
                  "sqrt(-1)",
                  "tan(u)",
                  "rotz(u)",
                  "inv(",
                  "a.b.c",
                  "\"\"\"",
                  "#",
                  "\\u0000",
                  std::string(1, '\0'),
                  "\xff\xfe",
                  "true",
                  "1979-05-27",
                  "q = [1]",
                  "type = \"free\""});
  const int files = test::repetitions(10000, 200000);
  int scenes = 0, complaints = 0;
  for (int i = 0; i < files; ++i)
    ++(survives(mutate(i % 2 == 0 ? test::kSoundScene : kSecondScene)) ? scenes : complaints);
  // the reader is strict, but damage that is always fatal, or never, would test nothing
  EXPECT_GT(scenes, files / 100);
  EXPECT_GT(complaints, files / 10);
}

TEST(SceneFuzz, DamagedExpressions) {
  const std::string transform = "trans(c*cos(u), c*sin(u), r*sin(w)) * rotz(u)";
  Mutator mutate({"u",          "w",      "c",      "r",    "+",     "-",       "*",    "/",
                  "^",          "(",      ")",      ",",    "<",     "if(u<w,", "sin(", "atan2(u,",
                  "rot(u,w,1,", "twist(", "frame(", "inv(", "1e308", "0",       "pi",   "exp(exp(exp(u)))",
                  "tan(u)^64",  ")*"});
  const int files = test::repetitions(3000, 60000);
  int scenes = 0, complaints = 0;
  for (int i = 0; i < files; ++i) {
    std::string text = mutate(transform), scene = test::kSoundScene;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '"' || c == '\\' || c < ' '; }, ' ');
    ++(survives(scene.replace(scene.find(transform), transform.size(), text)) ? scenes : complaints);
  }
  EXPECT_GT(scenes, files / 30);
  EXPECT_GT(complaints, files / 6);
}

TEST(SceneFuzz, DamagedLinkages) {
  const std::string linkage = R"toml(cardan = 1
[[body]]
name = "crank"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
q = [0.5]
[[body]]
name = "rod"
parent = "crank"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
at = { xyz = [1, 0, 0] }
[[body]]
name = "slider"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[body]]
name = "gear"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
[[loop]]
a = "rod"
b = "slider"
at_a = { xyz = [2, 0, 0] }
type = "revolute"
[[coupling]]
joint = "gear"
equals = "k*crank^2"
parameters = { k = 2 }
[[motion]]
joint = "crank"
position = "t^2"
)toml";
  Mutator mutate({"1e308",        "-1",     "0",        "nan",       "1e-320", "crank", "rod",    "slider",
                  "gear",         "world",  "revolute", "spherical", "free",   "fixed", "planar", "[[loop]]",
                  "[[coupling]]", "equals", "a",        "b",         "joint",  "body",  "0.5",    "crank/0",
                  "sqrt(-crank)", "\"",     "="});
  const int files = test::repetitions(2000, 40000);
  int scenes = 0, complaints = 0;
  for (int i = 0; i < files; ++i) ++(survives(mutate(linkage)) ? scenes : complaints);
  EXPECT_GT(scenes, 2);
  EXPECT_GT(complaints, files / 4);
}

TEST(SceneFuzz, EveryBeginningOfAFile) {
  for (std::size_t n = 0; n < kSecondScene.size(); n += 3) survives(kSecondScene.substr(0, n));
}

}  // namespace
}  // namespace cardan
