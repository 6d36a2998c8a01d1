// Contact, friction and impact against closed forms (golden/contact.json), from scene files.
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

namespace cardan::test {
namespace {

constexpr const char* kFile = "golden/contact.json";

TEST(ContactGolden, BlockOnInclineSlidesOrHoldsAtAnyAzimuth) {
  const auto golden = shared_json(kFile);
  if (!golden) GTEST_SKIP() << missing_data(kFile);
  Worst slide("distance of a sliding block (m)", 1e-12), creep("creep of a block that holds (m)", 1e-12);
  double azimuth = 0.0;
  for (const auto& c : (*golden)["block_on_incline_from_rest"]["cases"]) {
    azimuth += 37.0;
    const Slope slope(c["angle_deg"], azimuth);
    const Trajectory run =
        run_contact(slope.ground(fmt::format("friction = {}", c["mu"].get<double>())) +
                    box_body("box", {0.3, 0.3, 0.1}, 1.0, slope.pose(0.05)) + "[simulation]\nduration = 1\n");
    const double way = slope.way(run, run.size() - 1);
    (c["mode"] == "slip" ? slide : creep).add(std::abs(way - c["distance_t1"].get<double>()), c.dump());
  }
}

TEST(ContactGolden, BlockHoldsOrSlidesRightAtTheThreshold) {
  for (const double degrees : {10.0, 20.0, 30.0})
    for (const double part : {1.0001, 0.9999}) {
      const Slope slope(degrees, 3.0 * degrees);
      const double mu = part * std::tan(slope.angle);
      const Trajectory run =
          run_contact(slope.ground(fmt::format("friction = {:.17g}", mu)) +
                      box_body("box", {0.3, 0.3, 0.1}, 1.0, slope.pose(0.05)) + "[simulation]\nduration = 2\n");
      const double way = slope.way(run, run.size() - 1);
      const double slides = 0.5 * 9.81 * (std::sin(slope.angle) - mu * std::cos(slope.angle)) * 4.0;
      if (part > 1.0)
        EXPECT_LT(std::abs(way), 1e-12);
      else
        EXPECT_NEAR(way, slides, 1e-4 * slides);
    }
}

TEST(ContactGolden, BlockLaunchedUphillStopsAndSticksOrSlidesBack) {
  const auto golden = shared_json(kFile);
  if (!golden) GTEST_SKIP() << missing_data(kFile);
  for (const auto& c : (*golden)["block_launched_uphill"]) {
    const Slope slope(c["angle_deg"]);
    const double speed = c["v0_uphill"], distance = c["stop_distance"];
    // the body's x axis points down
    const Trajectory run = run_contact(
        slope.ground(fmt::format("friction = {}", c["mu"].get<double>())) +
        box_body("box", {0.3, 0.3, 0.1}, 1.0, slope.pose(0.05) + fmt::format("\nv = [0, 0, 0, {}, 0, 0]", -speed)) +
        "[simulation]\nduration = 1.5\noutput_every = 0.001\n");
    double highest = 0.0;
    for (std::size_t row = 0; row < run.size(); ++row) highest = std::max(highest, -slope.way(run, row));
    EXPECT_NEAR(highest, distance, 1e-3 * distance) << c.dump();
    if (c["then"] == "sticks") {
      EXPECT_NEAR(-slope.way(run, run.size() - 1), highest, 1e-12);
    } else {
      const double after = 1.5 - c["stop_time"].get<double>();
      const double back = 0.5 * c["back_acceleration"].get<double>() * after * after;
      EXPECT_NEAR(slope.way(run, run.size() - 1) + distance, back, 3e-3 * back);
    }
  }
}

TEST(ContactGolden, BouncingBall) {
  const auto golden = shared_json(kFile);
  if (!golden) GTEST_SKIP() << missing_data(kFile);
  Worst worst("height of a bounce", 1e-3);
  for (const auto& c : (*golden)["bouncing_ball"]["cases"]) {
    const double e = c["e"];
    if (e < 0.3) continue;
    const Trajectory run = run_contact(fmt::format("[ground]\nrestitution = {}\n", e) +
                                       ball_body("ball", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 1.1]") +
                                       "[simulation]\nduration = 2\noutput_every = 0.001\n");
    for (const auto& bounce : c["bounces"]) {
      if (!(bounce["apex_time"] < 1.99)) break;
      const auto row = static_cast<std::size_t>(std::lround(bounce["apex_time"].get<double>() / 1e-3));
      worst.add(std::abs(q_at(run, row, 6) - 0.1 - bounce["apex_height"].get<double>()), bounce.dump());
    }
  }
}

TEST(ContactGolden, RodDroppedOnItsEnd) {
  const auto golden = shared_json(kFile);
  if (!golden) GTEST_SKIP() << missing_data(kFile);
  Worst worst("velocities after the impact of a rod", 1e-12);
  for (const auto& c : (*golden)["rod_dropped_on_end_frictionless"]["cases"]) {
    const double mass = c["m"], I = c["I_com"], e = c["e"];
    const std::vector<double> r = c["contact_relative_to_com"], before = c["com_velocity_before"],
                              after = c["com_velocity_after"];
    // the plane of the data is x-z here, a positive omega turns about -y; the end is the lowest point of a small ball
    const Trajectory run = run_contact(fmt::format(
        "gravity = [0, 0, 0]\n[ground]\nfriction = 0\nrestitution = {:.17g}\n[[body]]\nname = \"rod\"\nmass = {:.17g}\n"
        "inertia = [{:.17g}, {:.17g}, {:.17g}, 0, 0, 0]\n[[body.shape]]\nsphere = 0.01\nat = {{ xyz = [{:.17g}, 0, "
        "{:.17g}] }}\n"
        "[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, {:.17g}]\nv = [0, {:.17g}, 0, {:.17g}, 0, {:.17g}]\n"
        "[simulation]\nduration = 1e-7\nstep = 1e-7\n",
        e, mass, I, I, I, r[0], r[1] + 0.01, -r[1], -c["omega_before"].get<double>(), before[0], before[1]));
    // body axes have turned a little with the step
    const double turn = -last_v(run, 1) * 1e-7, vx = last_v(run, 3), vz = last_v(run, 5);
    worst.add(std::abs(-last_v(run, 1) - c["omega_after"].get<double>()), c.dump());
    worst.add(std::abs(std::cos(turn) * vx - std::sin(turn) * vz - after[0]), c.dump());
    worst.add(std::abs(std::sin(turn) * vx + std::cos(turn) * vz - after[1]), c.dump());
  }
}

TEST(ContactGolden, TwoBalls) {
  const auto golden = shared_json(kFile);
  if (!golden) GTEST_SKIP() << missing_data(kFile);
  Worst worst("velocities after two balls have met", 1e-12);
  for (const auto& c : (*golden)["two_balls_collinear"])
    for (const char* law : {"newton", "poisson", "sequential"}) {
      const Trajectory run = run_contact(
          fmt::format("gravity = [0, 0, 0]\n[[contact]]\nfriction = 0.3\nrestitution = {:.17g}\nlaw = \"{}\"\n",
                      c["e"].get<double>(), law) +
          ball_body("one", 0.1, c["m1"], "[1, 0, 0, 0, 0, 0, 0]",
                    fmt::format("[0, 0, 0, {}, 0, 0]", c["v1"].get<double>())) +
          ball_body("two", 0.1, c["m2"], "[1, 0, 0, 0, 0.20025, 0, 0]",
                    fmt::format("[0, 0, 0, {}, 0, 0]", c["v2"].get<double>())) +
          "[simulation]\nduration = 0.01\n");
      worst.add(std::abs(last_v(run, 3) - c["v1_after"].get<double>()), c.dump() + law);
      worst.add(std::abs(last_v(run, 9) - c["v2_after"].get<double>()), c.dump() + law);
    }
}

TEST(ContactGolden, SphereRollsOrSlidesDownAnIncline) {
  const auto golden = shared_json(kFile);
  if (!golden) GTEST_SKIP() << missing_data(kFile);
  Worst worst("distance of a sphere on a slope, relative", 1e-3);
  for (const auto& c : (*golden)["sphere_on_incline"]["cases"]) {
    const Slope slope(c["angle_deg"], 20.0);
    const Trajectory run =
        run_contact(slope.ground(fmt::format("friction = {}", c["mu"].get<double>())) +
                    ball_body("ball", c["r"], 1.0, slope.pose(c["r"])) + "[simulation]\nduration = 1\n");
    worst.add(relative_error(slope.way(run, run.size() - 1), c["distance_t1"].get<double>()), c.dump());
  }
}

}  // namespace
}  // namespace cardan::test
