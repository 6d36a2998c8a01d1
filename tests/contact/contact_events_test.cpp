// Contact by located events against closed forms (golden/contact.json, contact_more.json), from scene files.
#include "tests/contact/event_runs.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/trials.hpp"

#include <algorithm>

namespace cardan::test {
namespace {

TEST(ContactEvents, BlockOnInclineSlidesOrHoldsAtAnyAzimuth) {
  const auto golden = shared_json(kClosedForms);
  if (!golden) GTEST_SKIP() << missing_data(kClosedForms);
  Worst worst("way of a block on a slope, events (m)", 1e-12);
  double azimuth = 0.0;
  for (const auto& c : (*golden)["block_on_incline_from_rest"]["cases"]) {
    azimuth += 37.0;
    const Slope slope(c["angle_deg"], azimuth);
    const Trajectory run = run_contact(slope.ground(fmt::format("friction = {}", c["mu"].get<double>())) +
                                       box_body("box", {0.3, 0.3, 0.1}, 1.0, slope.pose(0.05)) + by_events(1.0));
    worst.add(std::abs(slope.way(run, run.size() - 1) - c["distance_t1"].get<double>()), c.dump());
    EXPECT_EQ(run.summary.contact->mode, "events");
  }
}

TEST(ContactEvents, BlockLaunchedUphillStopsAndSticksOrSlidesBack) {
  const auto golden = shared_json(kClosedForms);
  if (!golden) GTEST_SKIP() << missing_data(kClosedForms);
  Worst place("place of a block launched uphill (m)", 1e-12), time("when it stops (s)", 1e-12);
  for (const auto& c : (*golden)["block_launched_uphill"]) {
    const Slope slope(c["angle_deg"]);
    const Trajectory run = run_contact(
        slope.ground(fmt::format("friction = {}", c["mu"].get<double>())) +
        box_body("box", {0.3, 0.3, 0.1}, 1.0,
                 slope.pose(0.05) + fmt::format("\nv = [0, 0, 0, {}, 0, 0]", -c["v0_uphill"].get<double>())) +
        by_events(1.5));
    const bool sticks = c["then"] == "sticks";
    const std::vector<double> stops = times_of(run, sticks ? ContactEvent::Kind::sticks : ContactEvent::Kind::slips);
    ASSERT_FALSE(stops.empty());
    time.add(std::abs(stops.back() - c["stop_time"].get<double>()), c.dump());
    const double after = 1.5 - c["stop_time"].get<double>(), distance = c["stop_distance"];
    const double back = sticks ? 0.0 : 0.5 * c["back_acceleration"].get<double>() * after * after;
    place.add(std::abs(slope.way(run, run.size() - 1) + distance - back), c.dump());
  }
}

TEST(ContactEvents, SphereRollsOrSlidesDownAnIncline) {
  const auto golden = shared_json(kClosedForms);
  if (!golden) GTEST_SKIP() << missing_data(kClosedForms);
  Worst worst("way of a sphere on a slope, events (m)", 1e-8);
  for (const auto& c : (*golden)["sphere_on_incline"]["cases"]) {
    const Slope slope(c["angle_deg"], 20.0);
    const Trajectory run = run_contact(slope.ground(fmt::format("friction = {}", c["mu"].get<double>())) +
                                       ball_body("ball", c["r"], 1.0, slope.pose(c["r"])) + by_events(1.0));
    worst.add(std::abs(slope.way(run, run.size() - 1) - c["distance_t1"].get<double>()), c.dump());
  }
}

/// A ball that slides without turning begins to roll at 2 v0 / (7 mu g), at 5/7
/// of its speed.
TEST(ContactEvents, SlidingBallBeginsToRoll) {
  const double mu = 0.2, v0 = 3.0, when = 2.0 * v0 / (7.0 * mu * 9.81);
  const Trajectory run =
      run_contact(fmt::format("[ground]\nfriction = {}\n", mu) +
                  ball_body("ball", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 0.1]", "[0, 0, 0, 3, 0, 0]") + by_events(when + 0.5));
  const std::vector<double> sticks = times_of(run, ContactEvent::Kind::sticks);
  ASSERT_EQ(sticks.size(), 1u);
  EXPECT_NEAR(sticks[0], when, 1e-10);
  const double way = v0 * when - 0.5 * mu * 9.81 * when * when + 5.0 / 7.0 * v0 * 0.5;
  EXPECT_NEAR(last_q(run, 4), way, 1e-8);
}

TEST(ContactEvents, BouncingBallComesToRest) {
  const auto golden = shared_json(kClosedForms);
  if (!golden) GTEST_SKIP() << missing_data(kClosedForms);
  Worst time("times of bounces (s)", 1e-9), rest("when bounces have ended (s)", 1e-9), height("heights (m)", 1e-9);
  for (const auto& c : (*golden)["bouncing_ball"]["cases"]) {
    const double e = c["e"];
    const Trajectory run = run_contact(fmt::format("[ground]\nrestitution = {}\n", e) +
                                       ball_body("ball", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 1.1]") +
                                       by_events(e < 1.0 ? c["total_time"].get<double>() + 0.1 : 3.0));
    const std::vector<double> impacts = times_of(run, ContactEvent::Kind::impact);
    for (std::size_t i = 0; i < std::min(impacts.size(), c["bounces"].size()); ++i)
      time.add(std::abs(impacts[i] - c["bounces"][i]["impact_time"].get<double>()), c.dump());
    if (!(e < 1.0)) continue;
    const std::vector<double> rests = times_of(run, e > 0.0 ? ContactEvent::Kind::rests : ContactEvent::Kind::sticks);
    ASSERT_EQ(rests.size(), 1u) << e;
    rest.add(std::abs(rests[0] - c["total_time"].get<double>()), c.dump());
    height.add(std::abs(last_q(run, 6) - 0.1), c.dump());
  }
}

TEST(ContactEvents, RockingBlock) {
  const auto golden = shared_json(kMoreForms);
  if (!golden) GTEST_SKIP() << missing_data(kMoreForms);
  Worst time("when a rocking block falls on its other edge (s)", 1e-8), angle("how far it rocks then (rad)", 1e-8);
  for (const auto& c : (*golden)["rocking_block"]["cases"]) {
    const double b = c["half_width"], h = c["half_height"], theta = c["theta0"];
    const double s = std::sin(theta), co = std::cos(theta);
    const std::string block = "[ground]\nfriction = 5\n" +
                              box_body("block", {2 * b, 0.4, 2 * h}, 10.0,
                                       fmt::format("[{:.17g}, 0, {:.17g}, 0, {:.17g}, 0, {:.17g}]", std::cos(theta / 2),
                                                   std::sin(theta / 2), b - b * co + h * s, b * s + h * co));
    const Trajectory run = run_contact(block + by_events(0.7, "output_every = 0.0001"));
    const std::vector<double> impacts = times_of(run, ContactEvent::Kind::impact);
    ASSERT_FALSE(impacts.empty());
    time.add(std::abs(impacts[0] - c["time_to_impact"].get<double>()), c.dump());
    double next = 0.0;
    for (std::size_t row = 0; row < run.size(); ++row)
      if (impacts.size() < 2 || run.times()[row] < impacts[1])
        next = std::max(next, -2.0 * std::atan2(q_at(run, row, 2), q_at(run, row, 0)));
    angle.add(std::abs(next - c["next_angle"].get<double>()),
              c.dump());  // a vertex of a parabola: sampled finely
  }
}

TEST(ContactEvents, RimlessWheelWalksDown) {
  const auto golden = shared_json(kMoreForms);
  if (!golden) GTEST_SKIP() << missing_data(kMoreForms);
  Worst worst("time of a stride of a rimless wheel (s)", 1e-8);
  for (const auto& c : (*golden)["rimless_wheel"]["cases"]) {
    const int spokes = c["spokes"];
    const double a = std::numbers::pi / spokes, gamma = c["slope"], w = c["omega_after"], r = 1e-9;
    const Vec3<double> n{std::sin(gamma), 0.0, std::cos(gamma)};
    // the hub is a point mass, the spokes end in tiny balls; spoke 0 stands,
    // the hub still behind it
    const double phi = gamma - a, x = (1.0 - r) * std::sin(phi) + r * n[0], z = (1.0 - r) * std::cos(phi) + r * n[2];
    std::string text = fmt::format(
        "[ground]\nnormal = [{:.17g}, 0, {:.17g}]\nfriction = "
        "50\n[[body]]\nname = \"wheel\"\nmass = 1\n"
        "inertia = [1e-9, 1e-9, 1e-9, 0, 0, "
        "0]\n[body.joint]\ntype = \"free\"\n"
        "q = [{:.17g}, 0, {:.17g}, 0, {:.17g}, 0, {:.17g}]\nv = "
        "[0, {:.17g}, 0, {:.17g}, 0, {:.17g}]\n",
        n[0], n[2], std::cos(phi / 2), std::sin(phi / 2), x, z, w, w * (z * std::cos(phi) + x * std::sin(phi)),
        w * (z * std::sin(phi) - x * std::cos(phi)));
    for (int k = 0; k < spokes; ++k)
      text += fmt::format(
          "[[body.shape]]\nsphere = {}\nat = {{ xyz = "
          "[{:.17g}, 0, {:.17g}] }}\n",
          r, (1.0 - r) * std::sin(2.0 * a * k), -(1.0 - r) * std::cos(2.0 * a * k));
    const Trajectory run = run_contact(text + by_events(4.5 * c["period"].get<double>()));
    const std::vector<double> strides = times_of(run, ContactEvent::Kind::impact);
    ASSERT_EQ(strides.size(), 4u);
    for (std::size_t i = 0; i < strides.size(); ++i)
      worst.add(std::abs(strides[i] - (i == 0 ? 0.0 : strides[i - 1]) - c["period"].get<double>()), c.dump());
  }
}

TEST(ContactEvents, EulersDiskKeepsItsEnergy) {
  const auto golden = shared_json(kMoreForms);
  if (!golden) GTEST_SKIP() << missing_data(kMoreForms);
  Worst energy("energy of Euler's disk, relative", 1e-6), height("height of its center (m)", 1e-8);
  const int turns = repetitions(10, 100);
  for (const auto& c : (*golden)["euler_disk"]["cases"]) {
    const double R = c["R"], tilt = c["angle_deg"].get<double>() * std::numbers::pi / 180.0, I = R * R / 4.0;
    const Trajectory run = run_contact(fmt::format("[ground]\nfriction = 0.5\n[[body]]\nname = \"disk\"\nmass "
                                                   "= 1\ninertia = [{:.17g}, {:.17g}, "
                                                   "{:.17g}, 0, 0, 0]\n[[body.shape]]\ncylinder = {{ radius = "
                                                   "{}, length = 0.002 }}\nat = {{ xyz = "
                                                   "[0, 0, 0.001] }}\n[body.joint]\ntype = \"free\"\nq = "
                                                   "[{:.17g}, {:.17g}, 0, 0, 0, 0, {:.17g}]\n"
                                                   "v = [0, {:.17g}, 0, 0, 0, 0]\n",
                                                   I, I, 2.0 * I, R, std::cos(tilt / 2), std::sin(tilt / 2),
                                                   R * std::sin(tilt), c["omega"].get<double>()) +
                                       by_events(turns * 2.0 * std::numbers::pi / c["Omega"].get<double>()));
    EXPECT_NEAR(run.energies().front().total(), c["energy_per_mass"].get<double>(), 1e-14);
    for (std::size_t row = 0; row < run.size(); ++row) {
      energy.add(relative_error(run.energies()[row].total(), c["energy_per_mass"].get<double>()), c.dump());
      height.add(std::abs(q_at(run, row, 6) - R * std::sin(tilt)), c.dump());
    }
  }
}

/// Friction has no preferred direction: where a four-sided pyramid would slip
/// already, the disc holds.
TEST(ContactEvents, FrictionIsIsotropic) {
  const auto golden = shared_json(kClosedForms);
  if (!golden) GTEST_SKIP() << missing_data(kClosedForms);
  for (const auto& c : (*golden)["four_sided_pyramid"]["diagonal_thresholds"])
    for (const double part : {0.99, 1.01}) {
      const Slope slope(c["angle_deg"], 45.0);
      const Trajectory run =
          run_contact(slope.ground(fmt::format("friction = {:.17g}", part * c["mu_crit_axis"].get<double>())) +
                      box_body("box", {0.3, 0.3, 0.1}, 1.0, slope.pose(0.05)) + by_events(0.5));
      const double way = slope.way(run, run.size() - 1);
      if (part > 1.0)
        EXPECT_LT(std::abs(way), 1e-12);
      else
        EXPECT_GT(way, 1e-6);
    }
}

/// A ring that slides and spins: all its points slip in directions of their
/// own.
TEST(ContactEvents, SlidingRingSlowsDownByTheFrictionOfItsRim) {
  const auto golden = shared_json(kMoreForms);
  if (!golden) GTEST_SKIP() << missing_data(kMoreForms);
  const auto& c = (*golden)["sliding_spinning_disk"]["rim_case"];
  const double R = c["R"], I = 0.5 * R * R;
  std::string text = fmt::format(
      "[ground]\nfriction = {}\n[[body]]\nname = \"ring\"\nmass = 1\ninertia = "
      "[{}, {}, {}, 0, 0, 0]\n[body.joint]\n"
      "type = \"free\"\nq = [1, 0, 0, 0, 0, 0, 0]\nv = [0, 0, {}, {}, 0, 0]\n",
      c["mu"].get<double>(), I, I, I, c["omega0"].get<double>(), c["v0"].get<double>());
  constexpr int kPoints = 24;
  for (int i = 0; i < kPoints; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kPoints;
    text += fmt::format(
        "[[body.shape]]\nsphere = 0.001\nat = {{ xyz = "
        "[{:.17g}, {:.17g}, 0.001] }}\n",
        R * std::cos(angle), R * std::sin(angle));
  }
  const Trajectory run = run_contact(text + "[simulation]\ncontact = \"events\"\ntolerance = 1e-7\nduration = 0.2\n");
  EXPECT_NEAR(std::hypot(last_v(run, 3), last_v(run, 4)), c["v_at_0_2"].get<double>(), 1e-3);
  EXPECT_NEAR(last_v(run, 2), c["omega_at_0_2"].get<double>(), 3e-2);
}

}  // namespace
}  // namespace cardan::test
