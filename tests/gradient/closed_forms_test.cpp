// Gradients of runs against motions whose derivatives are known in closed form.
#include "tests/gradient/gradients.hpp"

namespace cardan::test {
namespace {

/// A weight that falls from z0 with v0.
const std::string kFalling = R"toml(cardan = 1
gravity = [0, 0, "-g"]
[parameters]
g = 9.81
[[body]]
name = "ball"
mass = 2
[body.joint]
name = "z"
type = "prismatic"
axis = [0, 0, 1]
q = [3]
v = [1.5]
[simulation]
duration = 1.2
step = 0.01
)toml";

TEST(GradientInClosedForm, OfAFallingBody) {
  for (const char* integrator : {"munthe_kaas_4", "rk4", "munthe_kaas_2"}) {
    const std::string scene = kFalling + "integrator = \"" + integrator + "\"\n";
    const RunGradient found = gradient_of(scene, {"q.z.final", "v.z.final", "q.z.max", "energy.final"},
                                          {"g", "initial.q.z", "initial.v.z", "body.ball.mass"});
    const double T = 1.2, g = 9.81, m = 2.0, z = 3.0, v = 1.5;
    const double top = 0.15;  // the output at which it is highest: v/g = 0.153
    const std::vector<std::vector<double>> expected{{-T * T / 2.0, 1.0, T, 0.0},
                                                    {-T, 0.0, 1.0, 0.0},
                                                    {-top * top / 2.0, 1.0, top, 0.0},
                                                    {m * z, m * g, m * v, g * z + v * v / 2.0}};
    for (std::size_t k = 0; k < expected.size(); ++k)
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(found.outcomes[k].by[i], expected[k][i], 1e-10)
            << found.outcomes[k].name << " " << i << " " << integrator;
  }
}

/// A weight on a spring: x = x0 cos(w t) + v0/w sin(w t), w = sqrt(k/m).
const std::string kOscillator = R"toml(cardan = 1
gravity = [0, 0, 0]
[parameters]
k = 50
m = 2
[[body]]
name = "weight"
mass = "m"
[body.joint]
name = "x"
type = "prismatic"
axis = [1, 0, 0]
stiffness = ["k"]
q = [0.1]
v = [0.3]
[simulation]
duration = 1
)toml";

TEST(GradientInClosedForm, OfAWeightOnASpring) {
  const double k = 50.0, m = 2.0, x0 = 0.1, v0 = 0.3, T = 1.0, w = std::sqrt(k / m);
  const double c = std::cos(w * T), s = std::sin(w * T);
  const double by_w = -x0 * T * s - v0 / (w * w) * s + v0 / w * T * c;
  const std::vector<double> expected{by_w * 0.5 * w / k, by_w * -0.5 * w / m, c, s / w};
  for (const char* method : {"step = 0.001\nintegrator = \"munthe_kaas_4\"\n", "step = 0.001\nintegrator = \"rk4\"\n",
                             "tolerance = 1e-11\n", "integrator = \"dopri5\"\ntolerance = 1e-11\n"}) {
    const RunGradient found =
        gradient_of(kOscillator + method, {"q.x.final"}, {"k", "m", "initial.q.x", "initial.v.x"});
    EXPECT_NEAR(found.outcomes[0].value, x0 * c + v0 / w * s, 1e-9) << method;
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found.outcomes[0].by[i], expected[i], 2e-9) << i << " " << method;
  }
}

/// Euler's method is differentiated as it is: (1 + h A)^n, not the exponential that it approximates.
TEST(GradientInClosedForm, IsThatOfTheStepsThatWereMade) {
  const double h = 0.05;
  const RunGradient found =
      gradient_of(kOscillator + "step = 0.05\nintegrator = \"euler\"\n", {"q.x.final"}, {"initial.q.x", "k"});
  Eigen::Matrix2d step, by_k;
  step << 1.0, h, -h * 25.0, 1.0;
  by_k << 0.0, 0.0, -h / 2.0, 0.0;
  Eigen::Matrix2d power = Eigen::Matrix2d::Identity();
  Eigen::Vector2d x(0.1, 0.3), slope = Eigen::Vector2d::Zero();
  for (int i = 0; i < 20; ++i) {
    slope = step * slope + by_k * x;
    x = step * x;
    power = step * power;
  }
  EXPECT_NEAR(found.outcomes[0].value, x[0], 1e-13);
  EXPECT_NEAR(found.outcomes[0].by[0], power(0, 0), 1e-11);
  EXPECT_NEAR(found.outcomes[0].by[1], slope[0], 1e-11);
}

/// Small swings of a point on a string: cos(sqrt(g/l) T).
TEST(GradientInClosedForm, OfAPendulumThatSwingsLittle) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, -9.81]
[parameters]
l = 0.7
[[body]]
name = "bob"
mass = 1
com = [0, 0, "-l"]
[body.joint]
name = "swing"
type = "revolute"
axis = [0, 1, 0]
q = [1e-4]
[simulation]
duration = 2
step = 0.002
)toml";
  const double l = 0.7, T = 2.0, w = std::sqrt(9.81 / l);
  const RunGradient found = gradient_of(scene, {"q.swing.final"}, {"l", "initial.q.swing"});
  EXPECT_NEAR(found.outcomes[0].by[0], 1e-4 * -T * std::sin(w * T) * -0.5 * w / l, 1e-11);
  EXPECT_NEAR(found.outcomes[0].by[1], std::cos(w * T), 1e-7);
}

/// A throw as a free body, whose coordinates are a quaternion and a place: range and height by speed and angle.
TEST(GradientInClosedForm, OfAThrow) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, -9.81]
[parameters]
speed = 8
angle = "40 deg"
[[body]]
name = "ball"
mass = 0.5
inertia = [0.01, 0.02, 0.03, 0, 0, 0]
[body.joint]
name = "flight"
type = "free"
v = [0, 0, 0, "speed*cos(angle)", 0, "speed*sin(angle)"]
[[record]]
name = "place"
frame = "ball"
quantity = "position"
[simulation]
duration = 0.9
step = 0.01
)toml";
  const double T = 0.9, v = 8.0, a = 40.0 * std::numbers::pi / 180.0;
  const RunGradient found = gradient_of(scene, {"place.x.final", "place.z.final"}, {"speed", "angle"});
  EXPECT_NEAR(found.outcomes[0].by[0], T * std::cos(a), 1e-10);
  EXPECT_NEAR(found.outcomes[0].by[1], -T * v * std::sin(a), 1e-10);
  EXPECT_NEAR(found.outcomes[1].by[0], T * std::sin(a), 1e-10);
  EXPECT_NEAR(found.outcomes[1].by[1], T * v * std::cos(a), 1e-10);
}

/// Sums over outputs: x = v t at 0, 0.25, 0.5, 0.75, 1.
TEST(GradientInClosedForm, OfSumsOverOutputs) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 1
[body.joint]
name = "x"
type = "prismatic"
axis = [1, 0, 0]
v = [-2]
[simulation]
duration = 1
step = 0.05
output_every = 0.25
)toml";
  const RunGradient found =
      gradient_of(scene, {"q.x.rms", "q.x.integral", "q.x.min", "q.x.max"}, {"initial.v.x", "initial.q.x"});
  const double squares = (0.0625 + 0.25 + 0.5625 + 1.0) / 5.0, mean = 2.5 / 5.0;
  EXPECT_NEAR(found.outcomes[0].value, 2.0 * std::sqrt(squares), 1e-12);
  EXPECT_NEAR(found.outcomes[0].by[0], -std::sqrt(squares), 1e-11);
  EXPECT_NEAR(found.outcomes[0].by[1], -mean / std::sqrt(squares), 1e-11);
  EXPECT_NEAR(found.outcomes[1].by[0], 0.5, 1e-11);
  EXPECT_NEAR(found.outcomes[1].by[1], 1.0, 1e-11);
  EXPECT_NEAR(found.outcomes[2].by[0], 1.0, 1e-11);
  EXPECT_NEAR(found.outcomes[3].by[0], 0.0, 1e-11);
  EXPECT_NEAR(found.outcomes[3].by[1], 1.0, 1e-11);
}

/// A force that acts until x = d: v = sqrt(2 F d/m) after t = sqrt(2 d m/F), and the time of the jump moves.
TEST(GradientInClosedForm, OfATextThatJumpsByTheState) {
  const std::string scene = R"toml(cardan = 1
gravity = [0, 0, 0]
[parameters]
push = 3
far = 0.4
m = 1.5
[[body]]
name = "cart"
mass = "m"
[body.joint]
name = "x"
type = "prismatic"
axis = [1, 0, 0]
[[force]]
type = "joint"
joint = "x"
force = "if(x < far, push, 0)"
[simulation]
duration = 1
)toml";
  const double F = 3.0, d = 0.4, m = 1.5, T = 1.0, v = std::sqrt(2.0 * F * d / m), t = std::sqrt(2.0 * d * m / F);
  for (const char* method : {"step = 0.01\n", "tolerance = 1e-10\n"}) {
    const RunGradient found = gradient_of(scene + method, {"v.x.final", "q.x.final"}, {"push", "far", "m"});
    const std::vector<double> of_v{v / (2.0 * F), v / (2.0 * d), -v / (2.0 * m)},
        of_t{-t / (2.0 * F), t / (2.0 * d), t / (2.0 * m)}, of_d{0.0, 1.0, 0.0};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.outcomes[0].by[i], of_v[i], 1e-8) << i << " " << method;
      EXPECT_NEAR(found.outcomes[1].by[i], of_d[i] + of_v[i] * (T - t) - v * of_t[i], 1e-8) << i << " " << method;
    }
  }
}

}  // namespace
}  // namespace cardan::test
