// Friction over an area: `patch = "area"` against its closed form, and an even pressure made of many springs against
// the ratio at which a disc that slides and spins comes to rest (Farkas et al. 2003; golden/contact_more.json).
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

namespace cardan::test {
namespace {

constexpr const char* kAreaForms = "golden/contact_more.json";
constexpr double kMu = 0.3, kGravity = 9.81;

/// A disc that lies on the ground, or is a box of the same radius of gyration.
std::string slider(const std::string& shape, double spin_radius, double v, double omega, const std::string& patch,
                   double duration) {
  const double I = spin_radius * spin_radius;
  return fmt::format(
      "[ground]\nfriction = {}\n[[body]]\nname = \"slider\"\nmass = 1\ncom = [0, 0, -0.01]\n"
      "inertia = [{}, {}, {}, 0, 0, 0]\n[[body.shape]]\n{}\n{}\n[body.joint]\ntype = \"free\"\n"
      "q = [1, 0, 0, 0, 0, 0, 0.01]\nv = [0, 0, {:.17g}, {:.17g}, 0, 0]\n"
      "[[record]]\nname = \"push\"\ncontact = \"ground|slider\"\nquantity = \"force\"\n[simulation]\nduration = "
      "{:.17g}\n",
      kMu, I / 2.0, I / 2.0, I, shape, patch, omega, v, duration);
}

constexpr const char* kArea = "patch = \"area\"";

/// Of a disc with arm^2 = R^2/2 = I/m: sqrt(v^2 + (arm omega)^2) falls by mu g, and v/omega stays as it was.
TEST(ContactArea, ADiscSlowsDownAsTheEllipsoidSays) {
  const double R = 0.1, arm = R / std::numbers::sqrt2;
  Worst speed("speeds of a disc with an area patch", 1e-3);
  for (const double v : {0.0, 0.3, 0.5})
    for (const double omega : {0.0, 6.0, -9.0}) {
      const double s0 = std::hypot(v, arm * omega);
      if (s0 == 0.0) continue;
      const double t = 0.5 * s0 / (kMu * kGravity);
      const Trajectory run =
          run_contact(slider(fmt::format("cylinder = {{ radius = {}, length = 0.02 }}", R), arm, v, omega, kArea, t));
      speed.add(std::abs(std::hypot(last_v(run, 3), last_v(run, 4)) - 0.5 * v),
                fmt::format("v = {}, omega = {}", v, omega));
      speed.add(arm * std::abs(last_v(run, 2) - 0.5 * omega), fmt::format("v = {}, omega = {}", v, omega));
      const std::span<const double> push = run.recorded(run.size() - 1);
      const double friction = kMu * kGravity * v / s0;  // the force's part of the bound
      EXPECT_NEAR(std::hypot(push[0], push[1]), friction, 0.02) << "v = " << v << ", omega = " << omega;
      EXPECT_NEAR(std::abs(push[2]), kGravity, 1e-6);
      const Trajectory after = run_contact(
          slider(fmt::format("cylinder = {{ radius = {}, length = 0.02 }}", R), arm, v, omega, kArea, 2.1 * t));
      EXPECT_LT(std::abs(last_v(after, 2)) + std::abs(last_v(after, 3)), 1e-9) << "at rest";
    }
}

/// A box that spins in place: mu N arm with arm^2 = (a^2 + b^2)/12, where its corners alone would hold mu N/2 |(a, b)|.
TEST(ContactArea, ABoxSpinsAgainstItsAreaAndNotItsCorners) {
  const double a = 0.2, b = 0.1, arm = std::hypot(a, b) / std::sqrt(12.0), omega = 8.0, t = 0.05;
  const std::string box = fmt::format("box = [{}, {}, 0.02]", a, b);
  const Trajectory area = run_contact(slider(box, arm, 0.0, omega, kArea, t));
  EXPECT_NEAR(last_v(area, 2), omega - kMu * kGravity / arm * t, 1e-9);
  const Trajectory corners = run_contact(slider(box, arm, 0.0, omega, "", t));
  // friction of the corners opposes their slip at the middle of a step, its arm is that of the end: (omega h)^2/8 less
  const double loss = kMu * kGravity * 0.5 * std::hypot(a, b) / (arm * arm) * t, turn = omega * Settings{}.steps.step;
  EXPECT_NEAR(last_v(corners, 2), omega - loss, turn * turn / 8.0 * loss);
}

/// Straight sliding does not feel the area: a box on a slope holds at the same friction.
TEST(ContactArea, ASlopeHoldsAndSlidesAsWithoutIt) {
  const Slope slope(20.0, 30.0);
  const auto way = [&](double mu) {
    std::string body = box_body("box", {0.3, 0.3, 0.1}, 1.0, slope.pose(0.05));
    body.insert(body.find("[body.joint]"), "patch = \"area\"\n");
    const Trajectory run =
        run_contact(slope.ground(fmt::format("friction = {:.17g}", mu)) + body + "[simulation]\nduration = 1\n");
    return slope.way(run, run.size() - 1);
  };
  const double tangent = std::tan(slope.angle);
  EXPECT_NEAR(way(1.0001 * tangent), 0.0, 1e-12);
  EXPECT_NEAR(way(0.3), 0.5 * kGravity * (std::sin(slope.angle) - 0.3 * std::cos(slope.angle)), 1e-12);
}

/// A disc on springs of equal stiffness, spread evenly over its face in rings: an even pressure. At the height of the
/// center of mass friction does not shift it.
std::string even_pressure(int rings, double R, double v, double omega, double duration) {
  std::string feet;
  int count = 0;
  for (int j = 1; j <= rings; ++j) {
    const int points = 4 * (2 * j - 1);  // the ring's share of the area
    const double r = R * std::sqrt(0.5 * (j * j + (j - 1) * (j - 1))) / rings;
    for (int i = 0; i < points; ++i, ++count) {
      const double angle = 2.0 * std::numbers::pi * (i + 0.5 * (j % 2)) / points;
      feet += fmt::format("[[body.shape]]\nsphere = 0.001\nat = {{ xyz = [{:.17g}, {:.17g}, 0.001] }}\n",
                          r * std::cos(angle), r * std::sin(angle));
    }
  }
  const double sinks = 1e-5, stiffness = kGravity / count / sinks;
  return fmt::format("[ground]\nfriction = {}\nstiffness = {:.17g}\ndamping = {:.17g}\n", kMu, stiffness,
                     2.0 * std::sqrt(stiffness / count)) +
         fmt::format("[[body]]\nname = \"disc\"\nmass = 1\ninertia = [{0}, {0}, {1}, 0, 0, 0]\n", R * R / 4.0,
                     R * R / 2.0) +
         feet +
         fmt::format("[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, {}]\nv = [0, 0, {:.17g}, {:.17g}, 0, 0]\n",
                     -sinks, omega, v) +
         fmt::format("[simulation]\nduration = {}\noutput_every = 0.005\n", duration);
}

TEST(ContactArea, ADiscOnAnEvenPressureStopsAtTheRatioOfFarkas) {
  const auto golden = shared_json(kAreaForms);
  if (!golden) GTEST_SKIP() << missing_data(kAreaForms);
  const double R = 0.1, omega = 10.0, ratio = (*golden)["sliding_spinning_disk"]["eps_end_uniform_pressure_disk"];
  const auto ratio_at = [&](const Trajectory& run, std::size_t row) {
    return std::hypot(v_at(run, row, 3), v_at(run, row, 4)) / (R * std::abs(v_at(run, row, 2)));
  };
  // it stays where it is until nearly all speed is lost
  Worst kept("v/(R omega) of a disc that began with the ratio of Farkas", 2e-3);
  const Trajectory run = run_contact(even_pressure(7, R, ratio * R * omega, omega, 0.35));
  for (std::size_t row = 0; row < run.size(); ++row) kept.add(std::abs(ratio_at(run, row) - ratio), "");
  EXPECT_LT(std::abs(last_v(run, 2)), 0.05 * omega);
  // the ellipsoid of `patch = "area"` would stop it a little early
  const double stops = 0.35 / (1.0 - std::abs(last_v(run, 2)) / omega);
  EXPECT_NEAR(std::hypot(ratio, std::sqrt(0.5)) * R * omega / (kMu * kGravity) / stops, 0.91, 0.01);
  // and is reached from both sides
  for (const double start : {0.5, 0.8}) {
    const Trajectory other = run_contact(even_pressure(4, R, start * R * omega, omega, start < ratio ? 0.32 : 0.39));
    EXPECT_NEAR(ratio_at(other, other.size() - 1), ratio, 0.025) << start;
  }
}

TEST(ContactArea, OtherPatchesAreRefused) {
  try {
    (void)parse_scene(
        "cardan = 1\n[ground]\n[[body]]\nname = \"a\"\nmass = 1\n[[body.shape]]\nbox = [1, 1, 1]\npatch = \"ring\"\n"
        "[body.joint]\ntype = \"free\"\n",
        "patch.toml");
    ADD_FAILURE();
  } catch (const std::runtime_error& problem) {
    EXPECT_EQ(std::string(problem.what()),
              "scene: patch.toml:8:9: body \"a\": shape entry 0: patch: expected area or points, found \"ring\"");
  }
}

}  // namespace
}  // namespace cardan::test
