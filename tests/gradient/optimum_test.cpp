// Searches whose optimum is known: in closed form, or because a known mechanism made what is to be found again.
#include "tests/gradient/gradients.hpp"

#include "tests/io/temporary_folder.hpp"

namespace cardan::test {
namespace {

Optimum optimum_of(const std::string& text, const Names& names, const Search& search,
                   const SearchOptions& options = {}) {
  return optimize(family_of(text, names), search, options);
}

/// A rod that hangs from a point at a distance from its middle: it swings fastest where this is the radius of gyration.
const std::string kRod = R"toml(cardan = 1
[parameters]
length = 1.2
d = 0.55
[[body]]
name = "rod"
mass = 2
com = [0, 0, "-d"]
inertia = ["2*length^2/12", "2*length^2/12", 1e-4, 0, 0, 0]
[body.joint]
name = "swing"
type = "revolute"
axis = [0, 1, 0]
q = [0.5]
[simulation]
duration = 0.5
step = 0.005
)toml";

TEST(Optimum, OfTheShortestPeriodIsTheRadiusOfGyration) {
  const double known = 1.2 / std::sqrt(12.0);
  const Search search{"q.swing.final", {}, {{0.1, 0.6}}};
  const Optimum found = optimum_of(kRod, {"d"}, search);
  EXPECT_NEAR(found.found.numbers[0], known, 1e-5 * known);
  EXPECT_NE(found.method.find("SLSQP"), std::string::npos);
  EXPECT_LT(found.found.value, found.start.value);
  EXPECT_EQ(found.start.numbers[0], 0.55);
  EXPECT_LE(found.evaluations, 30);
  // by values alone: as exact as the root of rounding allows
  const Optimum plain = optimum_of(kRod, {"d"}, search, {.by_values = true});
  EXPECT_NEAR(plain.found.numbers[0], known, 1e-5 * known);
  EXPECT_NE(plain.method.find("COBYLA"), std::string::npos);
}

/// Struck at l = I/(m d) from the pin, a body pulls at the pin along itself only.
TEST(Optimum, OfTheReactionAtThePinIsTheCenterOfPercussion) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, 0]
[parameters]
strike = 0.3
[[body]]
name = "bat"
mass = 0.9
com = [0, 0, -0.5]
inertia = [0.06, 0.05, 0.001, 0, 0, 0]
[body.joint]
name = "pin"
type = "revolute"
axis = [0, 1, 0]
[[force]]
type = "point"
body = "bat"
at = [0, 0, "-strike"]
force = [1, 0, 0]
[[record]]
name = "load"
joint = "pin"
quantity = "force"
[simulation]
duration = 1e-4
step = 1e-5
output_every = 1e-5
)toml";
  const double known = (0.05 + 0.9 * 0.25) / (0.9 * 0.5);
  const Optimum found = optimum_of(scene, {"strike"}, {"1e3*load.x.rms^2", {}, {{0.1, 0.9}}});
  EXPECT_NEAR(found.found.numbers[0], known, 1e-5 * known);
}

/// The slowest throw that reaches a place: v^2 = g (z + sqrt(x^2 + z^2)), at 45 degrees and half the slope to it. Time
/// is measured in flights, so that how long it flies is a number like others.
const std::string kThrow = R"toml(cardan = 1
gravity = [0, 0, "-9.81*flight^2"]
[parameters]
speed = 14
angle = 0.7
flight = 1
[[body]]
name = "ball"
mass = 0.3
[body.joint]
name = "place"
type = "translational"
v = ["flight*speed*cos(angle)", 0, "flight*speed*sin(angle)"]
[simulation]
duration = 1
step = 0.02
)toml";

TEST(Optimum, OfAThrowAtATarget) {
  const double x = 9.0, z = 2.0, far = std::sqrt(x * x + z * z);
  const Search search{"speed", {"q.place.0.final - 9", "q.place.2.final - 2"}, {{2.0, 30.0}, {0.1, 1.5}, {0.2, 3.0}}};
  const Optimum found = optimum_of(kThrow, {"speed", "angle", "flight"}, search);
  EXPECT_NEAR(found.found.value, std::sqrt(9.81 * (z + far)), 1e-5);
  EXPECT_NEAR(found.found.numbers[1], std::numbers::pi / 4.0 + std::atan(z / x) / 2.0, 1e-5);
  ASSERT_EQ(found.found.constraints.size(), 2u);
  for (const double constraint : found.found.constraints) EXPECT_NEAR(constraint, 0.0, 1e-6);
  EXPECT_EQ(found.failed, 0);
}

/// Where the optimum lies at an end of a range it is that end.
TEST(Optimum, MayLieAtTheEndOfARange) {
  const Optimum found = optimum_of(kRod, {"d"}, {"q.swing.final", {}, {{0.4, 0.6}}});
  EXPECT_NEAR(found.found.numbers[0], 0.4, 1e-9);
}

/// Freudenstein's synthesis of a four-bar linkage (1955): link lengths by which the rocker stands at given angles for
/// three of the crank. K1 cos(psi) - K2 cos(phi) + K3 = cos(phi - psi) is linear in K1 = d/a, K2 = d/c and
/// K3 = (a^2 - b^2 + c^2 + d^2)/(2 a c), which here are known beforehand.
TEST(Optimum, OfAFourBarIsThatOfFreudensteinsEquations) {
  const double phi[] = {0.9, 1.3, 1.75}, psi[] = {1.15, 1.32, 1.57};
  Eigen::Matrix3d A;
  Eigen::Vector3d b;
  for (int i = 0; i < 3; ++i) {
    A.row(i) << std::cos(psi[i]), -std::cos(phi[i]), 1.0;
    b[i] = std::cos(phi[i] - psi[i]);
  }
  const Eigen::Vector3d K = A.partialPivLu().solve(b);
  const double d = 1.0, crank = d / K[0], rocker = d / K[1],
               coupler = std::sqrt(crank * crank + rocker * rocker + d * d - 2.0 * crank * rocker * K[2]);
  ASSERT_TRUE(crank > 0.0 && rocker > 0.0 && coupler > 0.0) << crank << " " << rocker << " " << coupler;
  const auto number = [](double x) { return std::to_string(x); };
  const std::string scene = "cardan = 1\ngravity = [0, 0, 0]\n[parameters]\na = " + number(1.15 * crank) +
                            "\nb = " + number(0.9 * coupler) + "\nc = " + number(1.1 * rocker) + R"toml(
[tables.phi]
x = [0, 1, 2]
y = [0.9, 1.3, 1.75]
[tables.psi]
x = [0, 1, 2]
y = [1.15, 1.32, 1.57]
[[body]]
name = "crank"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
q = [0.9]
[[body]]
name = "coupler"
parent = "crank"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
at = { xyz = ["a", 0, 0] }
q = [-0.8]
[[body]]
name = "rocker"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
at = { xyz = [1, 0, 0] }
q = [1.15]
[[loop]]
name = "pin"
a = "coupler"
b = "rocker"
at_a = { xyz = ["b", 0, 0] }
at_b = { xyz = ["c", 0, 0] }
type = "revolute"
axis = [0, 0, 1]
[[motion]]
joint = "crank"
position = "phi(t)"
[[record]]
name = "error"
expression = "rocker - psi(t)"
[simulation]
duration = 2
step = 0.05
output_every = 1
)toml";
  const Search search{
      "error.rms^2", {}, {{0.6 * crank, 1.5 * crank}, {0.6 * coupler, 1.5 * coupler}, {0.6 * rocker, 1.5 * rocker}}};
  const Optimum found = optimum_of(scene, {"a", "b", "c"}, search);
  EXPECT_NEAR(found.found.numbers[0], crank, 1e-5);
  EXPECT_NEAR(found.found.numbers[1], coupler, 1e-5);
  EXPECT_NEAR(found.found.numbers[2], rocker, 1e-5);
  EXPECT_LT(found.found.value, 1e-12);
}

/// Inertia and damping of a pendulum from its recorded swing.
TEST(Optimum, OfAFitIsWhatMadeTheRecording) {
  const TemporaryFolder folder;
  const auto scene = [](const std::string& numbers, const std::string& more) {
    return "cardan = 1\n[parameters]\n" + numbers + R"toml(
[[body]]
name = "rod"
mass = 1.1
com = [0, 0, -0.4]
inertia = [0.1, "I", 0.1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = [1.2]
damping = ["c"]
)toml" + more +
           "[simulation]\nduration = 3\nstep = 0.01\noutput_every = 0.05\n";
  };
  const std::string truth = scene("I = 0.0712\nc = 0.0345", "");
  folder.write("swing.csv", trajectory_csv(simulate(SceneSpec::parse(truth, "truth.toml").bind())));
  const std::string fit = scene("I = 0.12\nc = 0.01",
                                "[tables.seen]\nfile = \"swing.csv\"\ncolumn = \"q.rod\"\n"
                                "[[record]]\nname = \"miss\"\nexpression = \"rod - seen(t)\"\n");
  const SceneFamily family = scene_family(SceneSpec::parse(fit, folder.path("fit.toml")), {"I", "c"}, {});
  const Optimum found = optimize(family, {"miss.rms^2", {}, {{0.02, 0.3}, {0.0, 0.2}}});
  EXPECT_NEAR(found.found.numbers[0], 0.0712, 1e-5 * 0.0712);
  EXPECT_NEAR(found.found.numbers[1], 0.0345, 1e-5 * 0.0345);
}

/// Runs with contact have no derivative here: what bounces furthest is found by values, and the reason is told.
TEST(Optimum, OfABounceIsFoundByValues) {
  const std::string scene = R"toml(cardan = 1
[parameters]
speed = 3
[[body]]
name = "ball"
[body.joint]
name = "place"
type = "translational"
q = [0, 0, 1]
v = ["speed", 0, 0]
[[body.shape]]
sphere = 0.05
density = 1000
[ground]
friction = 0
restitution = 0.6
[simulation]
duration = 0.7
contact = "events"
)toml";
  const Optimum found = optimum_of(scene, {"speed"}, {"(q.place.0.final - 1.4)^2", {}, {{0.5, 5.0}}});
  EXPECT_NEAR(found.found.numbers[0], 2.0, 1e-5);
  EXPECT_NE(found.method.find("COBYLA"), std::string::npos);
  ASSERT_FALSE(found.notes.empty());
  EXPECT_NE(found.notes[0].find("no gradients"), std::string::npos) << found.notes[0];
}

/// A linkage that does not close in a part of the range is stepped back from.
TEST(Optimum, StepsBackFromRunsThatFail) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, 0]
[parameters]
b = 1.8
[[body]]
name = "crank"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
q = [1.0]
[[body]]
name = "coupler"
parent = "crank"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
at = { xyz = [0.8, 0, 0] }
[[body]]
name = "rocker"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
at = { xyz = [2, 0, 0] }
[[loop]]
name = "pin"
a = "coupler"
b = "rocker"
at_a = { xyz = ["b", 0, 0] }
at_b = { xyz = [1.5, 0, 0] }
type = "revolute"
axis = [0, 0, 1]
[[motion]]
joint = "crank"
position = "1 + 2*pi*t"
[simulation]
duration = 1
step = 0.01
)toml";
  // it turns over as long as 0.8 + 2 <= b + 1.5: below 1.3 it locks, where the first step of the search leads
  const Optimum found = optimum_of(scene, {"b"}, {"(b - 1.4)^2", {"q.rocker.max"}, {{0.5, 2.5}}});
  EXPECT_GT(found.failed, 0);
  EXPECT_NEAR(found.found.numbers[0], 1.4, 1e-5);
  bool told = false;
  for (const std::string& note : found.notes)
    told = told || note.find("failed and were stepped back") != std::string::npos;
  EXPECT_TRUE(told);
}

TEST(Optimum, IsTheSameToTheBit) {
  const Search search{"speed", {"q.place.0.final - 9", "q.place.2.final - 2"}, {{2.0, 30.0}, {0.1, 1.5}, {0.2, 3.0}}};
  for (const bool by_values : {false, true}) {
    const SearchOptions options{.most_evaluations = 80, .by_values = by_values};
    const Optimum a = optimum_of(kThrow, {"speed", "angle", "flight"}, search, options),
                  b = optimum_of(kThrow, {"speed", "angle", "flight"}, search, options);
    EXPECT_EQ(a.found.numbers, b.found.numbers);
    EXPECT_EQ(a.found.value, b.found.value);
    EXPECT_EQ(a.evaluations, b.evaluations);
  }
}

}  // namespace
}  // namespace cardan::test
