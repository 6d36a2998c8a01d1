// Joint friction, stacked impacts, springs in contacts and rocking against golden/contact_more.json, from scene files.
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

namespace cardan::test {
namespace {

constexpr const char* kMoreFile = "golden/contact_more.json";

TEST(ContactMoreGolden, CradleBySimultaneousAndSequentialImpacts) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  Worst worst("velocities of a cradle", 1e-12);
  for (const int count : {3, 5})
    for (const char* law : {"newton", "sequential"}) {
      std::string text =
          fmt::format("gravity = [0, 0, 0]\n[[contact]]\nfriction = 0\nrestitution = 1\nlaw = \"{}\"\n", law);
      for (int i = 0; i < count; ++i)
        text += ball_body(fmt::format("ball{}", i), 0.1, 1.0, fmt::format("[1, 0, 0, 0, {}, 0, 0]", 0.2 * i),
                          fmt::format("[0, 0, 0, {}, 0, 0]", i == 0 ? 1 : 0));
      const Trajectory run = run_contact(text + "[simulation]\nduration = 0.002\n");
      const auto& expected = (*golden)["cradle"][std::string("law_") + (law[0] == 'n' ? "newton_simultaneous" : law)]
                                      [std::to_string(count)];
      for (int i = 0; i < count; ++i)
        worst.add(std::abs(last_v(run, 6 * i + 3) - expected[static_cast<std::size_t>(i)].get<double>()), law);
    }
}

TEST(ContactMoreGolden, BreakOfThreeBalls) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  const auto& expected = (*golden)["cradle"]["break_three_balls"];
  const Trajectory run =
      run_contact("gravity = [0, 0, 0]\n[[contact]]\nfriction = 0\nrestitution = 1\n" +
                  ball_body("cue", 0.1, 1.0, fmt::format("[1, 0, 0, 0, {:.17g}, 0, 0]", -0.1 * std::sqrt(3.0)),
                            "[0, 0, 0, 1, 0, 0]") +
                  ball_body("left", 0.1, 1.0, "[1, 0, 0, 0, 0, 0.1, 0]") +
                  ball_body("right", 0.1, 1.0, "[1, 0, 0, 0, 0, -0.1, 0]") + "[simulation]\nduration = 0.002\n");
  EXPECT_NEAR(last_v(run, 3), expected["cue"].get<double>(), 1e-9);
  EXPECT_NEAR(std::hypot(last_v(run, 9), last_v(run, 10)), expected["targets_speed"].get<double>(), 1e-9);
}

/// A carriage on a slide, pushed beside its axis.
TEST(ContactMoreGolden, CarriageLocksInItsGuide) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  Worst worst("acceleration of a carriage (m/s^2)", 1e-9);
  for (const auto& c : (*golden)["prismatic_self_locking"]["cases"]) {
    const Trajectory run = run_contact(fmt::format(
        "gravity = [0, 0, 0]\n[[body]]\nname = \"carriage\"\nmass = {}\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\n"
        "[body.joint]\ntype = \"prismatic\"\naxis = [0, 0, 1]\n"
        "bearing = {{ radius = 1, length = {}, mu = {} }}\n"
        "[[force]]\ntype = \"point\"\nbody = \"carriage\"\nat = [{}, 0, 0]\nforce = [0, 0, {}]\n"
        "[simulation]\nduration = 0.1\n",
        c["m"].get<double>(), c["b"].get<double>(), c["mu"].get<double>(), c["L"].get<double>(), c["F"].get<double>()));
    worst.add(std::abs(last_v(run, 0) / 0.1 - c["acceleration"].get<double>()), c.dump());
  }
}

TEST(ContactMoreGolden, ScrewLocksOrIsDrivenBack) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  const auto& data = (*golden)["screw_self_locking"];
  Worst worst("acceleration of a nut, relative", 1e-9);
  for (const auto& c : data["cases"]) {
    const double pitch = c["lead"].get<double>() / (2.0 * std::numbers::pi), I = data["I"];
    const Trajectory run = run_contact(
        fmt::format("gravity = [0, 0, 0]\n[[body]]\nname = \"nut\"\nmass = {}\ninertia = [{}, {}, {}, 0, 0, 0]\n"
                    "[body.joint]\ntype = \"helical\"\naxis = [0, 0, 1]\npitch = {:.17g}\n"
                    "bearing = {{ radius = {}, length = 0.02, mu = {} }}\n"
                    "[[force]]\ntype = \"point\"\nbody = \"nut\"\nforce = [0, 0, {}]\n[simulation]\nduration = 0.1\n",
                    data["m"].get<double>(), I, I, I, pitch, data["r"].get<double>(), c["mu"].get<double>(),
                    data["W"].get<double>()));
    const double a = c["acceleration"];
    worst.add(std::abs(pitch * last_v(run, 0) / 0.1 - a) / std::max(a, 1e-3), c.dump());
  }
}

TEST(ContactMoreGolden, FlywheelOnAJournalStops) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  const auto& c = (*golden)["hinge_constant_load"];
  const double I = c["I"], stop = c["stop_time"];
  const auto scene = [&](double duration) {
    return fmt::format(
        "[[body]]\nname = \"wheel\"\nmass = {}\ninertia = [{}, {}, {}, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\n"
        "axis = [0, 1, 0]\nv = [{}]\nbearing = {{ radius = {}, length = 0.1, mu = {} }}\n"
        "[simulation]\nduration = {:.17g}\nstep = 0.01\n",
        c["m"].get<double>(), I, I, I, c["omega0"].get<double>(), c["r"].get<double>(), c["mu"].get<double>(),
        duration);
  };
  EXPECT_GT(last_v(run_contact(scene(stop - 0.02)), 0), 0.0);
  const Trajectory run = run_contact(scene(stop + 0.02));
  EXPECT_NEAR(last_v(run, 0), 0.0, 1e-12);
  EXPECT_NEAR(last_q(run, 0), c["angle"].get<double>(), 1e-3);
}

/// The closed form of bearings does not depend on the direction of the load.
TEST(ContactMoreGolden, BearingsAreIsotropic) {
  Worst worst("friction of a bearing over the direction of its load", 1e-12);
  for (int k = 0; k < 8; ++k) {
    const double a = 0.25 * std::numbers::pi * k + 0.1;
    const Trajectory run = run_contact(fmt::format(
        "gravity = [{:.17g}, 0, {:.17g}]\n[[body]]\nname = \"wheel\"\nmass = 4\ninertia = [0.02, 0.02, 0.02, 0, 0, 0]\n"
        "[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nv = [30]\n"
        "bearing = {{ radius = 0.01, length = 0.1, mu = 0.15 }}\n[simulation]\nduration = 1\nstep = 0.01\n",
        9.81 * std::cos(a), 9.81 * std::sin(a)));
    worst.add(std::abs(last_v(run, 0) - (30.0 - 0.15 * 0.01 * 4.0 * 9.81 / 0.02)), fmt::format("{}", k));
  }
}

/// A wheel that a loop holds is braked as one that hangs on the tree.
TEST(ContactMoreGolden, BearingsOfLoopsActAsThoseOfTheTree) {
  const std::string bearing = "bearing = { radius = 0.01, length = 0.1, mu = 0.15 }\n";
  const std::string wheel =
      "[[body]]\nname = \"wheel\"\nmass = 4\ninertia = [0.02, 0.02, 0.02, 0, 0, 0]\n[body.joint]\n";
  const std::string end = "[simulation]\nduration = 0.2\nstep = 0.0005\n";
  const Trajectory tree = run_contact(wheel + "type = \"revolute\"\naxis = [0, 1, 0]\nv = [30]\n" + bearing + end);
  const Trajectory loop =
      run_contact(wheel + "type = \"free\"\nv = [0, 30, 0, 0, 0, 0]\n" +
                  "[[loop]]\na = \"world\"\nb = \"wheel\"\ntype = \"revolute\"\naxis = [0, 1, 0]\n" + bearing + end);
  EXPECT_NEAR(last_v(tree, 0), 30.0 - 0.2 * 0.15 * 0.01 * 4.0 * 9.81 / 0.02, 1e-12);
  EXPECT_NEAR(last_v(loop, 1), last_v(tree, 0), 1e-4);  // the axes of a free body turn with it
}

TEST(ContactMoreGolden, TableOnSpringsSharesItsLoad) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  const auto& c = (*golden)["hyperstatic_table"];
  Worst worst("sinking of the legs, as a force (N)", 1e-3);
  for (const char* legs : {"four_legs", "six_legs"}) {
    const double mass = c["W"].get<double>() / 9.81, k = 1e5;
    const std::vector<double> load = c["load_xy"];
    std::string text = fmt::format(
        "[ground]\nstiffness = {}\ndamping = 2000\nfriction = 0\n[[body]]\nname = \"table\"\nmass = {:.17g}\n"
        "com = [{}, {}, 0]\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, 0]\n",
        k, mass, load[0], load[1]);
    for (const auto& leg : c[legs])
      text += fmt::format("[[body.shape]]\nsphere = 0.01\nat = {{ xyz = [{}, {}, 0.01] }}\n", leg[0].get<double>(),
                          leg[1].get<double>());
    const Trajectory run = run_contact(text + "[simulation]\nduration = 1.5\n");
    // how deep each leg is, from the pose
    const double qw = last_q(run, 0), qx = last_q(run, 1), qy = last_q(run, 2), qz = last_q(run, 3);
    for (std::size_t i = 0; i < c[legs].size(); ++i) {
      const double x = c[legs][i][0], y = c[legs][i][1];
      const double z = last_q(run, 6) + 2.0 * (qx * qz - qw * qy) * x + 2.0 * (qy * qz + qw * qx) * y +
                       (1.0 - 2.0 * (qx * qx + qy * qy)) * 0.01 - 0.01;
      worst.add(std::abs(-k * z - c[legs[0] == 'f' ? "N4" : "N6"][i].get<double>()), legs);
    }
  }
}

TEST(ContactMoreGolden, CompliantBounce) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  Worst worst("restitution of a spring and damper", 1e-3), finer("with a tenth of the step", 1e-5);
  for (const auto& c : (*golden)["compliant_bounce"]["cases"])
    for (const double step : {1e-3, 1e-4}) {
      const Trajectory run =
          run_contact(fmt::format("gravity = [0, 0, 0]\n[ground]\nfriction = 0\nstiffness = {}\ndamping = {}\n",
                                  c["k"].get<double>(), c["c"].get<double>()) +
                      ball_body("ball", 0.1, c["m"], "[1, 0, 0, 0, 0, 0, 0.1005]", "[0, 0, 0, 0, 0, -1]") +
                      fmt::format("[simulation]\nduration = 0.06\nstep = {}\n", step));
      (step > 5e-4 ? worst : finer).add(std::abs(last_v(run, 5) - c["restitution_force_zero"].get<double>()), c.dump());
    }
}

TEST(ContactMoreGolden, RockingBlock) {
  const auto golden = shared_json(kMoreFile);
  if (!golden) GTEST_SKIP() << missing_data(kMoreFile);
  for (const auto& c : (*golden)["rocking_block"]["cases"]) {
    const double b = c["half_width"], h = c["half_height"], theta = c["theta0"];
    // turned about its lower edge at x = b by -theta about y: the edge at x = -b is up
    const double s = std::sin(theta), co = std::cos(theta);
    const Vec3<double> center{b - b * co + h * s, 0.0, b * s + h * co};
    for (const double step : {1e-3, 2e-4}) {
      const Trajectory run =
          run_contact("[ground]\nfriction = 5\n" +
                      box_body("block", {2 * b, 0.4, 2 * h}, 10.0,
                               fmt::format("[{:.17g}, 0, {:.17g}, 0, {:.17g}, 0, {:.17g}]", std::cos(theta / 2),
                                           std::sin(theta / 2), center[0], center[2])) +
                      fmt::format("[simulation]\nduration = 1.2\nstep = {}\noutput_every = {}\n", step, step));
      double impact = 0.0, before = 0.0, next = 0.0;
      for (std::size_t row = 1; row < run.size(); ++row) {
        const double angle = 2.0 * std::atan2(q_at(run, row, 2), q_at(run, row, 0));
        if (impact == 0.0) before = std::max(before, std::abs(v_at(run, row, 1)));
        if (impact == 0.0 && angle <= 1e-9) impact = run.times()[row];
        if (impact > 0.0) next = std::max(next, -angle);
        if (impact > 0.0 && v_at(run, row, 1) > 0.0) break;
      }
      EXPECT_NEAR(impact, c["time_to_impact"].get<double>(), 2.0 * step);
      EXPECT_NEAR(before, c["omega_before"].get<double>(), 6.0 * step);
      EXPECT_NEAR(next, c["next_angle"].get<double>(), 2.5 * step);
    }
  }
}

}  // namespace
}  // namespace cardan::test
