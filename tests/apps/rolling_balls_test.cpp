// Balls that slide, begin to roll and meet, against closed forms: by stepping with errors that fall like h^2, and by
// events to the tolerance of the integrator. All through the command.
//
// A ball of radius R with I = 2/5 m R^2 on a plane with normal z slips with u = v - R omega x z. While it slips,
// friction mu g along -u changes v by -mu g e and R omega x z by 5/2 mu g e (e = u/|u|), so that u keeps its direction
// and vanishes at t_s = 2 |u| / (7 mu g): the path is a parabola, then a straight line at v - 2/7 u.
#include "cardan/math/vector.hpp"
#include "tests/apps/scene_runs.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <random>

namespace cardan::rolling_balls_test {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.0286, kMass = 0.17;
const double kSteps[] = {0.004, 0.002, 0.001, 0.0005};

using Plane = std::array<double, 2>;  // along the table

Plane operator+(Plane a, Plane b) { return {a[0] + b[0], a[1] + b[1]}; }
Plane operator*(double s, Plane a) { return {s * a[0], s * a[1]}; }
double length(Plane a) { return std::hypot(a[0], a[1]); }

/// A ball on a table whose surface moves: its place, its velocity and its slip against the surface.
struct Ball {
  Plane x{}, v{}, u{};

  /// Moves on for t with friction mu g.
  void roll(double t, double friction) {
    const double slip = length(u), sliding = std::min(t, 2.0 * slip / (7.0 * friction));
    if (slip > 0.0) {
      const Plane push = (-friction / slip) * u;
      x = x + sliding * v + (0.5 * sliding * sliding) * push;
      v = v + sliding * push;
      u = u + (3.5 * sliding) * push;
    }
    if (t > sliding) u = {};
    x = x + (t - sliding) * v;
  }
};

std::string ball(const std::string& name, Plane x, Plane v, const Vec3<double>& omega, double height = kRadius) {
  return fmt::format(R"([[body]]
name = "{}"
mass = {}
inertia = [{:.17g}, {:.17g}, {:.17g}, 0, 0, 0]
[[body.shape]]
sphere = {}
[body.joint]
type = "free"
q = [1, 0, 0, 0, {:.17g}, {:.17g}, {:.17g}]
v = [{:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, 0]
)",
                     name, kMass, 0.4 * kMass * kRadius * kRadius, 0.4 * kMass * kRadius * kRadius,
                     0.4 * kMass * kRadius * kRadius, kRadius, x[0], x[1], height, omega[0], omega[1], omega[2], v[0],
                     v[1]);
}
/// Slip of a ball that turns: v + omega x (-R z).
Plane slip(Plane v, const Vec3<double>& omega) { return v + kRadius * Plane{-omega[1], omega[0]}; }

class RollingBalls : public test::SceneRuns {
 protected:
  struct Goal {
    std::string name;
    Plane x;
  };
  /// Runs by stepping at each step, and by events: each ball must end where it should. The change from slip to rolling
  /// lies anywhere within a step, in which positions then are off by up to 1/8 of the change of acceleration times h^2.
  void expect_ends(const std::string& scene, const std::vector<Goal>& goals, double way, double acceleration) const {
    for (const double h : kSteps) {
      const double error = farthest(scene + fmt::format("contact = \"stepping\"\nstep = {}\n", h), goals);
      EXPECT_LT(error, acceleration * h * h + 1e-9) << h << "\n" << scene;
      if (h == 0.001) {
        EXPECT_LT(error, 2e-3 * way) << scene;
      }
    }
    EXPECT_LT(farthest(scene + "contact = \"events\"\ntolerance = 1e-11\n", goals), 1e-8) << scene;
  }

  double farthest(const std::string& scene, const std::vector<Goal>& goals) const {
    const CsvTable run = motion(scene);
    double out = 0.0;
    for (const Goal& goal : goals)
      out = std::max(out, std::hypot(value(run, "q." + goal.name + ".4", run.rows.size() - 1) - goal.x[0],
                                     value(run, "q." + goal.name + ".5", run.rows.size() - 1) - goal.x[1]));
    return out;
  }
};

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
Vec3<double> any_spin(std::mt19937& random) {
  const double x = uniform(random, -60, 60), y = uniform(random, -60, 60), z = uniform(random, -60, 60);
  return {x, y, z};
}

std::string table(double mu, const std::string& more = "") {
  return fmt::format("cardan = 1\ngravity = [0, 0, -{}]\n[ground]\nfriction = {:.17g}\n{}", kGravity, mu, more);
}
std::string duration(double t) { return fmt::format("[simulation]\nduration = {:.17g}\noutput_every = 0.1\n", t); }

TEST_F(RollingBalls, SideSpinBendsThePathUntilItRolls) {
  std::mt19937 random(11);
  for (int i = 0; i < test::repetitions(3, 40); ++i) {
    const double mu = uniform(random, 0.1, 0.4);
    const Plane v{uniform(random, 0.5, 3), uniform(random, -1, 1)};
    const Vec3<double> omega = any_spin(random);
    Ball known{{}, v, slip(v, omega)};
    known.roll(1.5, mu * kGravity);
    expect_ends(table(mu) + ball("cue", {}, v, omega) + duration(1.5), {{"cue", known.x}}, length(known.x),
                mu * kGravity);
  }
}

TEST_F(RollingBalls, ABeltCarriesABallOff) {
  std::mt19937 random(12);
  for (int i = 0; i < test::repetitions(2, 20); ++i) {
    const double mu = uniform(random, 0.1, 0.4);
    const Plane belt{uniform(random, -2, 2), uniform(random, -2, 2)}, v{uniform(random, -1, 1), 0.3};
    const Vec3<double> omega = any_spin(random);
    Ball known{{}, v, slip(v, omega) + (-1.0) * belt};
    known.roll(1.2, mu * kGravity);
    expect_ends(table(mu, fmt::format("surface_velocity = [{:.17g}, {:.17g}, 0]\n", belt[0], belt[1])) +
                    ball("cue", {}, v, omega) + duration(1.2),
                {{"cue", known.x}}, length(known.x) + length(belt), mu * kGravity);
  }
}

TEST_F(RollingBalls, BallsThatMeetSlideAndRollOn) {
  // smooth and elastic: the velocities along the line of centers are exchanged, spins stay
  std::mt19937 random(13);
  const double mu = 0.2;
  for (int i = 0; i < test::repetitions(2, 20); ++i) {
    const Plane v{uniform(random, 1, 2), 0.0};
    const double aside = uniform(random, -1.2, 1.2) * kRadius, before = 0.3;
    const Vec3<double> rolling{0.0, v[0] / kRadius, 0.0};
    // they meet where the cue ball's center is at 0, after it has rolled for `before`
    const Plane n{std::sqrt(4.0 * kRadius * kRadius - aside * aside) / (2.0 * kRadius), aside / (2.0 * kRadius)};
    const double along = v[0] * n[0];
    Ball cue{{}, v + (-along) * n, {}}, other{(2.0 * kRadius) * n, along * n, along * n};
    cue.u = (-along) * n;
    const double t = 1.0;
    cue.roll(t - before, mu * kGravity);
    other.roll(t - before, mu * kGravity);
    const std::string scene = table(mu) + "[[contact]]\na = \"cue\"\nb = \"other\"\nfriction = 0\nrestitution = 1\n" +
                              ball("cue", (-before) * v, v, rolling) + ball("other", (2.0 * kRadius) * n, {}, {}) +
                              duration(t) + "penetration = 1e-8\n";  // where they meet is known to that only
    expect_ends(scene, {{"cue", cue.x}, {"other", other.x}}, v[0], 4.0 * mu * kGravity);
  }
}

TEST_F(RollingBalls, SlopesBeginToRollABall) {
  // from rest it rolls at 5/7 g sin a where mu >= 2/7 tan a, and slides at g (sin a - mu cos a) where not
  for (const double mu : {0.05, 0.1, 0.3}) {
    const double a = 0.4, t = 0.8;
    const double rate = mu >= 2.0 / 7.0 * std::tan(a) ? 5.0 / 7.0 * std::sin(a) : std::sin(a) - mu * std::cos(a);
    const double x = 0.5 * kGravity * rate * t * t;
    const std::string scene = fmt::format("cardan = 1\ngravity = [{:.17g}, 0, {:.17g}]\n[ground]\nfriction = {}\n",
                                          kGravity * std::sin(a), -kGravity * std::cos(a), mu) +
                              ball("cue", {}, {}, {}) + duration(t);
    expect_ends(scene, {{"cue", {x, 0.0}}}, x, kGravity);
  }
}

TEST_F(RollingBalls, SpinOnASlopeFollowsItsEquations) {
  // x'' = g_t - mu g_n e, u' = g_t - 7/2 mu g_n e while it slips; the slip turns, and does not end in this time
  const double a = 0.35, mu = 0.15, t = 0.5, g_t = kGravity * std::sin(a), friction = mu * kGravity * std::cos(a);
  const Plane v{-0.5, 1.0};
  const Vec3<double> omega{40.0, 70.0, 20.0};
  const Plane u = slip(v, omega);
  const auto end = test::integrated<6>(
      {0, 0, v[0], v[1], u[0], u[1]}, t, 20000, [&](double, const std::array<double, 6>& s) -> std::array<double, 6> {
        const double size = std::hypot(s[4], s[5]);
        const double ex = s[4] / size, ey = s[5] / size;
        return {s[2], s[3], g_t - friction * ex, -friction * ey, g_t - 3.5 * friction * ex, -3.5 * friction * ey};
      });
  ASSERT_GT(std::hypot(end[4], end[5]), 0.1);
  const std::string scene = fmt::format("cardan = 1\ngravity = [{:.17g}, 0, {:.17g}]\n[ground]\nfriction = {}\n", g_t,
                                        -kGravity * std::cos(a), mu) +
                            ball("cue", {}, v, omega) + duration(t);
  // friction opposes the slip at the middle of a step: of second order
  const std::vector<Goal> goals{{"cue", {end[0], end[1]}}};
  double last = 1.0;
  for (const double h : kSteps) {
    const double error = farthest(scene + fmt::format("contact = \"stepping\"\nstep = {}\n", h), goals);
    EXPECT_LT(error, kGravity * h * h);
    EXPECT_LT(error, 0.3 * last);
    last = error;
  }
  EXPECT_LT(farthest(scene + "contact = \"events\"\ntolerance = 1e-11\n", goals), 1e-8);
}

TEST_F(RollingBalls, OnATurntableTheyCircle) {
  // v' = 2/7 Omega z x v: a circle at 2/7 of the table's rate, wherever it lies
  const double rate = 3.0, t = 2.0, top = 0.05, turn = 2.0 / 7.0 * rate * t;
  const Plane x{0.3, 0.0}, v{0.1, 0.4};
  // rolling: v - R omega x z = Omega z x x
  const Vec3<double> omega{(rate * x[0] - v[1]) / kRadius, (v[0] + rate * x[1]) / kRadius, 0.0};
  const double s = std::sin(turn) / (2.0 / 7.0 * rate), c = (1.0 - std::cos(turn)) / (2.0 / 7.0 * rate);
  const Plane known = x + Plane{s * v[0] - c * v[1], s * v[1] + c * v[0]};
  const std::string scene = fmt::format(R"(cardan = 1
gravity = [0, 0, -{}]
[[contact]]
friction = 0.8
[[body]]
name = "table"
mass = 5
inertia = [1, 1, 1, 0, 0, 0]
[[body.shape]]
cylinder = {{ radius = 2, length = {} }}
[body.joint]
type = "revolute"
[[motion]]
joint = "table"
position = "{}*t"
)",
                                        kGravity, 2.0 * top, rate) +
                            ball("cue", x, v, omega, top + kRadius) + duration(t);
  expect_ends(scene, {{"cue", known}}, length(known), kGravity);
}

}  // namespace
}  // namespace cardan::rolling_balls_test
