// Gradients of runs against differences of whole runs by `simulate`, over everything that a scene may have.
#include "tests/gradient/gradients.hpp"

namespace cardan::test {
namespace {

const std::string kFixed = "[simulation]\nduration = 0.5\nstep = 0.005\n";

const std::string kPendulum = R"toml(cardan = 1
[parameters]
length = 1.0
mass = 0.8
drag = 0.05
[[body]]
name = "upper"
mass = 1.0
com = [0, 0, -0.5]
inertia = [0.08, 0.08, 0.001, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = [0.9]
[[body]]
name = "lower"
parent = "upper"
mass = "mass"
com = [0.02, 0, "-length/2"]
inertia = ["mass*length^2/12", "mass*length^2/12", 0.002, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0, 0, -1] }
q = [0.4]
v = [0.7]
damping = ["drag"]
[[record]]
name = "tip"
frame = "lower"
quantity = "position"
at = [0, 0, "-length"]
[[record]]
name = "pin"
joint = "upper"
quantity = "force"
)toml";

TEST(GradientByDifferences, OfADoublePendulumByEveryExplicitMethod) {
  for (const char* method : {"euler", "symplectic_euler", "rk4", "munthe_kaas_1", "munthe_kaas_2", "munthe_kaas_4"})
    expect_differences(kPendulum + kFixed + "integrator = \"" + method + "\"\n",
                       {"q.lower.final", "tip.x.integral", "energy.rms", "pin.z.final"},
                       {"length", "mass", "drag", "initial.q.upper", "initial.v.lower", "body.upper.com.2"}, 1e-9);
}

/// Steps that the method chose are differentiated as they are; finer ones come nearer to the motion's derivative.
TEST(GradientByDifferences, OfAdaptiveMethods) {
  for (const char* method : {"munthe_kaas_54", "dopri5"})
    expect_differences(kPendulum + "[simulation]\nduration = 0.5\ntolerance = 1e-12\nintegrator = \"" + method + "\"\n",
                       {"q.lower.final", "tip.z.integral"}, {"length", "drag", "initial.v.upper"}, 1e-8);
}

/// A body that floats and one on a ball joint of it: coordinates that are no numbers to be added to.
TEST(GradientByDifferences, OfQuaternions) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0.5, -9.81]
[parameters]
mass = 2
[[body]]
name = "hull"
mass = "mass"
com = [0.1, 0.02, 0]
inertia = [0.1, 0.2, 0.25, 0.01, 0, 0]
[body.joint]
type = "free"
q = [0.8, 0.6, 0, 0, 0.1, 0.2, 0.3]
v = [1, 2, -1.5, 0.3, 0, 0.2]
[[body]]
name = "arm"
parent = "hull"
mass = 0.5
com = [0, 0, 0.3]
inertia = [0.02, 0.02, 0.003, 0, 0, 0]
[body.joint]
type = "spherical"
at = { xyz = [0.2, 0, 0] }
v = [0.5, -2, 1]
damping = 0.02
[[force]]
type = "spring"
points = [{ body = "world", at = [0, 0, 2] }, { body = "arm", at = [0, 0, 0.5] }]
stiffness = 30
rest = 1.2
damping = 0.4
)toml";
  expect_differences(
      scene + kFixed,
      {"q.hull.0.final", "q.hull.2.integral", "q.hull.6.final", "q.arm.1.rms", "v.arm.2.final", "energy.final"},
      {"mass", "initial.v.hull.1", "initial.v.hull.5", "initial.v.arm.0", "body.arm.com.2"}, 1e-8);
  expect_differences(scene + kFixed + "integrator = \"rk4\"\n", {"q.hull.0.final", "q.arm.3.final"},
                     {"mass", "initial.v.arm.1"}, 1e-8);
}

const std::string kFourBar = R"toml(cardan = 1
gravity = [0, -9.81, 0]
[parameters]
crank = 0.8
coupler = 1.8
rocker = 1.5
[[body]]
name = "crank"
mass = 1.0
com = ["crank/2", 0, 0]
inertia = [0, 0.05, 0.05, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
q = [1.0]
v = [1.0]
[[body]]
name = "coupler"
parent = "crank"
mass = 2.0
com = ["coupler/2", 0, 0]
inertia = [0, 0.5, 0.5, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
at = { xyz = ["crank", 0, 0] }
[[body]]
name = "rocker"
mass = 1.5
com = [0.75, 0, 0]
inertia = [0, 0.3, 0.3, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
at = { xyz = [2, 0, 0] }
[[loop]]
name = "pin"
a = "coupler"
b = "rocker"
at_a = { xyz = ["coupler", 0, 0] }
at_b = { xyz = ["rocker", 0, 0] }
type = "revolute"
axis = [0, 0, 1]
[[record]]
name = "load"
loop = "pin"
quantity = "force"
)toml";

/// A loop: where it closes at the start and how it stays closed depend on the lengths as well.
TEST(GradientByDifferences, OfALoop) {
  expect_differences(kFourBar + kFixed, {"q.rocker.final", "q.crank.integral", "load.x.final", "energy.rms"},
                     {"crank", "coupler", "rocker", "body.rocker.mass", "initial.v.crank"}, 2e-7);
  expect_differences(kFourBar + kFixed + "stabilization = \"baumgarte\"\n", {"q.rocker.final", "v.crank.final"},
                     {"coupler", "initial.q.crank"}, 2e-6);
}

/// A crank that is driven: nothing but geometry is left, and what the drive takes.
TEST(GradientByDifferences, OfDrivenJoints) {
  const std::string drive = R"toml([[motion]]
joint = "crank"
position = "1 + speed*t + 0.2*sin(3*t)"
[[record]]
name = "moment"
motion = "crank"
quantity = "effort"
)toml";
  std::string scene = kFourBar;
  scene.replace(scene.find("rocker = 1.5"), 12, "rocker = 1.5\nspeed = 2");
  scene.replace(scene.find("v = [1.0]\n"), 10, "");
  expect_differences(scene + drive + kFixed, {"q.rocker.final", "v.rocker.rms", "moment.integral"},
                     {"speed", "crank", "coupler"}, 2e-6);
}

/// Motions of joints in a tree, at the level of positions, velocities and accelerations.
TEST(GradientByDifferences, OfMotionsInATree) {
  for (const char* motion :
       {"position = \"0.9 + 0.5*sin(length*3*t)\"", "velocity = \"length*cos(2*t)\"", "acceleration = \"-length*t\""})
    expect_differences(kPendulum + "[[motion]]\njoint = \"upper\"\n" + motion + "\n" + kFixed,
                       {"q.upper.final", "v.upper.final", "q.lower.final", "tip.x.rms"}, {"length", "mass"}, 1e-7);
}

/// States of their own: a controller with an integral, and a muscle with an elastic tendon.
TEST(GradientByDifferences, OfElementStates) {
  const std::string controller = R"toml([[controller]]
name = "hold"
type = "text"
joints = ["upper"]
state = ["sum"]
rate = ["upper - 0.2*length"]
force = "-20*(upper - 0.2*length) - 3*v.upper - 8*sum"
)toml";
  expect_differences(kPendulum + controller + kFixed, {"q.upper.final", "q.lower.rms"},
                     {"length", "mass", "initial.v.upper"}, 1e-8);
  const std::string muscle = R"toml([[force]]
type = "muscle"
name = "flexor"
points = [{ body = "world", at = [0.1, 0, 0.1] }, { body = "upper", at = [0.05, 0, -0.3] }]
max_force = 80
optimal_length = 0.1
slack_length = 0.33
tendon = "elastic"
excitation = "0.2 + 0.3*drag*t"
[[record]]
name = "tension"
muscle = "flexor"
quantity = "tension"
)toml";
  expect_differences(kPendulum + muscle + "[simulation]\nduration = 0.15\nstep = 0.0005\n",
                     {"q.upper.final", "tension.final"},
                     {"drag", "mass", "force.flexor.max_force", "force.flexor.slack_length", "initial.q.upper"}, 1e-6);
}

/// Joints that rules tie together, wheels that roll, joints that are invented.
TEST(GradientByDifferences, OfCouplingsRollingAndInventedJoints) {
  const std::string gears = kPendulum + R"toml([[body]]
name = "wheel"
mass = 0.3
inertia = [0.01, 0.02, 0.01, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0, 1, 0] }
[[coupling]]
joint = "wheel"
equals = "2*length*upper"
)toml";
  expect_differences(gears + kFixed, {"q.wheel.final", "q.lower.final"}, {"length", "mass"}, 1e-7);
  const std::string coin = R"toml(cardan = 1
[parameters]
r = 0.1
tilt = "65 deg"
[[body]]
name = "coin"
mass = 0.05
inertia = ["0.25*0.05*r^2", "0.25*0.05*r^2", "0.5*0.05*r^2", 0, 0, 0]
[body.joint]
type = "free"
q = ["cos(tilt/2)", "sin(tilt/2)", 0, 0, 0, 0, "r*sin(tilt)"]
v = [0, 0, -18, 0, 0, 0]
[[rolling]]
a = "world"
b = "coin"
shape_a = { plane = true }
shape_b = { disc = "r" }
[[record]]
name = "center"
frame = "coin"
quantity = "position"
)toml";
  expect_differences(coin + "[simulation]\nduration = 0.3\nstep = 0.001\n",
                     {"center.x.final", "center.y.final", "center.z.rms"}, {"r", "tilt"}, 1e-6);
  const std::string invented = R"toml(cardan = 1
[parameters]
back = 0.3
[[body]]
name = "shin"
mass = 2
com = [0, 0, -0.2]
inertia = [0.05, 0.05, 0.01, 0, 0, 0]
[body.joint]
name = "knee"
type = "expression"
coordinates = ["bend"]
let = { x = "-back*tanh(1.5*bend)" }
transform = "trans(x, 0, 0.1*bend^2) * roty(bend)"
q = [0.8]
)toml";
  expect_differences(invented + kFixed, {"q.knee.final", "energy.rms"}, {"back", "initial.q.knee"}, 1e-8);
}

/// Two numbers at once give what each gives alone.
TEST(GradientByDifferences, DoNotDependOnWhatElseIsVaried) {
  const RunGradient both = gradient_of(kPendulum + kFixed, {"q.lower.final"}, {"length", "mass"}),
                    one = gradient_of(kPendulum + kFixed, {"q.lower.final"}, {"mass"});
  EXPECT_DOUBLE_EQ(both.outcomes[0].by[1], one.outcomes[0].by[0]);
}

}  // namespace
}  // namespace cardan::test
