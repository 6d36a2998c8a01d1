// Checks what events decide between: laws of impact, limits, dry friction, impulses without impact, stepping.
#include "tests/contact/event_runs.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

namespace cardan::test {
namespace {

TEST(ContactEventModes, ImpactsObeyTheirLaws) {
  const auto golden = shared_json(kClosedForms);
  const auto more = shared_json(kMoreForms);
  if (!golden || !more) GTEST_SKIP() << missing_data(golden ? kMoreForms : kClosedForms);
  Worst worst("velocities after impacts, events (m/s)", 1e-12);
  for (const auto& c : (*golden)["two_balls_collinear"])
    for (const char* law : {"newton", "poisson", "sequential"}) {
      const Trajectory run = run_contact(fmt::format("gravity = [0, 0, 0]\n[[contact]]\nfriction = "
                                                     "0.3\nrestitution = {:.17g}\nlaw = \"{}\"\n",
                                                     c["e"].get<double>(), law) +
                                         ball_body("one", 0.1, c["m1"], "[1, 0, 0, 0, 0, 0, 0]",
                                                   fmt::format("[0, 0, 0, {}, 0, 0]", c["v1"].get<double>())) +
                                         ball_body("two", 0.1, c["m2"], "[1, 0, 0, 0, 0.20025, 0, 0]",
                                                   fmt::format("[0, 0, 0, {}, 0, 0]", c["v2"].get<double>())) +
                                         by_events(0.01));
      worst.add(std::abs(last_v(run, 3) - c["v1_after"].get<double>()), c.dump() + law);
      worst.add(std::abs(last_v(run, 9) - c["v2_after"].get<double>()), c.dump() + law);
    }
  for (const int count : {3, 5})
    for (const char* law : {"newton", "sequential"}) {
      std::string text = fmt::format(
          "gravity = [0, 0, 0]\n[[contact]]\nfriction = "
          "0\nrestitution = 1\nlaw = \"{}\"\n",
          law);
      for (int i = 0; i < count; ++i)
        text += ball_body(fmt::format("ball{}", i), 0.1, 1.0, fmt::format("[1, 0, 0, 0, {}, 0, 0]", 0.2 * i),
                          fmt::format("[0, 0, 0, {}, 0, 0]", i == 0 ? 1 : 0));
      const Trajectory run = run_contact(text + by_events(0.002));
      const auto& expected =
          (*more)["cradle"][std::string("law_") + (law[0] == 'n' ? "newton_simultaneous" : law)][std::to_string(count)];
      for (int i = 0; i < count; ++i)
        worst.add(std::abs(last_v(run, 6 * i + 3) - expected[static_cast<std::size_t>(i)].get<double>()), law);
    }
}

TEST(ContactEventModes, RecordsOfAccelerationsAndForces) {
  // a box on a cart: the joint carries its weight, the contact that of the cart
  for (const char* mode : {"events", "stepping"}) {
    const Trajectory run =
        run_contact("[ground]\nfriction = 0.25\n" + box_body("cart", {0.4, 0.4, 0.2}, 2.0, "[1, 0, 0, 0, 0, 0, 0.1]") +
                    "v = [0, 0, 0, 3, 0, 0]\n[[body]]\nname = \"load\"\nparent = "
                    "\"cart\"\nmass = 1\ninertia = [0.01, 0.01, 0.01, "
                    "0, 0, 0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nat = { "
                    "xyz = [0, 0, 0.1] }\n[[record]]\nname = "
                    "\"a\"\nframe = \"cart\"\nquantity = "
                    "\"acceleration\"\n[[record]]\nname = \"f\"\njoint = "
                    "\"load\"\nquantity = "
                    "\"force\"\n" +
                    fmt::format("[simulation]\ncontact = \"{}\"\nduration = 0.5\n", mode));
    const auto row = run.recorded(run.size() - 1);
    EXPECT_NEAR(row[0], -0.25 * 9.81, 1e-6) << mode;
    EXPECT_NEAR(row[2], 0.0, 1e-6) << mode;
    EXPECT_NEAR(row[3], -0.25 * 9.81, 1e-6) << mode;
    EXPECT_NEAR(row[5], 9.81, 1e-6) << mode;
  }
}

/// A pendulum that falls on its stop, and one that dry friction brings to rest:
/// both against energy.
TEST(ContactEventModes, LimitsAndDryFrictionAreModes) {
  const std::string arm =
      "[[body]]\nname = \"arm\"\nmass = 1\ncom = [0, 0, "
      "-1]\ninertia = [0, 0, 0, 0, 0, 0]\n[body.joint]\n"
      "type = \"revolute\"\naxis = [0, 1, 0]\n";
  const Trajectory stop = run_contact(arm + "q = [1.2]\nlimits = [[0.3, 3]]\n" + by_events(2.0));
  const std::vector<double> hits = times_of(stop, ContactEvent::Kind::impact);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(last_q(stop, 0), 0.3, 1e-12);
  EXPECT_NEAR(last_v(stop, 0), 0.0, 1e-12);
  // at the instant of the hit: the time of a pendulum from 1.2 to 0.3 by
  // quadrature
  double expected = 0.0;
  constexpr int kPanels = 200000;
  for (int i = 0; i < kPanels; ++i) {  // theta = 1.2 - s^2 takes the singularity away
    const double s = std::sqrt(0.9) * (i + 0.5) / kPanels, theta = 1.2 - s * s;
    expected += 2.0 * s / std::sqrt(2.0 * 9.81 * (std::cos(theta) - std::cos(1.2))) * std::sqrt(0.9) / kPanels;
  }
  EXPECT_NEAR(hits[0], expected, 1e-9);
  // a slide under constant dry friction: stops after v0^2 / (2 a)
  const Trajectory slide = run_contact(
      "gravity = [0, 0, 0]\n[[body]]\nname = \"car\"\nmass = 2\ninertia = [1, "
      "1, 1, 0, 0, 0]\n[body.joint]\n"
      "type = \"prismatic\"\naxis = [1, 0, 0]\nfriction = 3\nv = [1.5]\n" +
      by_events(2.0));
  EXPECT_NEAR(last_q(slide, 0), 1.5 * 1.5 / (2.0 * 1.5), 1e-12);
  EXPECT_NEAR(last_v(slide, 0), 0.0, 1e-12);
}

/// Painleve's rod beyond its critical friction: no accelerations, short steps
/// by impulses, then on.
TEST(ContactEventModes, PainlevesRodGoesOnByImpulses) {
  const double angle = 60.0 * std::numbers::pi / 180.0, r = 0.01, l = 0.5, I = 4.0 * l * l / 12.0;
  const Trajectory run =
      run_contact(fmt::format("[ground]\nfriction = 1.6\n[[body]]\nname = \"rod\"\nmass = "
                              "1\ninertia = [{:.17g}, {:.17g}, {:.17g}, "
                              "0, 0, 0]\n[[body.shape]]\nsphere = {}\nat = {{ xyz = "
                              "[{:.17g}, 0, {:.17g}] }}\n[body.joint]\n"
                              "type = \"free\"\nq = [1, 0, 0, 0, 0, 0, {:.17g}]\nv = [0, "
                              "0, 0, -1, 0, 0]\n",
                              I, I, I, r, -l * std::cos(angle), r - l * std::sin(angle), l * std::sin(angle)) +
                  by_events(0.2));
  ASSERT_FALSE(times_of(run, ContactEvent::Kind::impact).empty());
  EXPECT_EQ(times_of(run, ContactEvent::Kind::impact).front(), 0.0);  // without collision
  // plastic: the end stops, what is left turns about it
  const double turns = -l * std::sin(angle) / (I + l * l);  // mass 1
  EXPECT_NEAR(v_at(run, 0, 1), turns, 1e-12);
  for (std::size_t row = 1; row < run.size(); ++row)
    EXPECT_LE(run.energies()[row].total(), run.energies()[row - 1].total() + 1e-9);
}

TEST(ContactEventModes, AutoSwitchesAndSaysSo) {
  // bounces that become more frequent than the steps, then rest
  const Trajectory run =
      run_contact("[ground]\nrestitution = 0.9\n" + ball_body("ball", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 0.2]") +
                  "[simulation]\ncontact = \"auto\"\nduration = 4\n");
  const ContactSummary& contact = *run.summary.contact;
  EXPECT_EQ(contact.mode, "events and stepping");
  ASSERT_GE(contact.switches.size(), 2u);
  EXPECT_EQ(contact.switches[0].mode, "events");
  EXPECT_EQ(contact.switches[1].mode, "stepping");
  EXPECT_NEAR(last_q(run, 6), 0.1, 1e-6);
  EXPECT_NEAR(last_v(run, 5), 0.0, 1e-9);
  // few contacts and no bounces: events alone
  const Trajectory calm = run_contact("[ground]\n" + ball_body("ball", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 0.1]") +
                                      "[simulation]\ncontact = \"auto\"\nduration = 1\n");
  EXPECT_EQ(calm.summary.contact->mode, "events");
  // many shapes: stepping from the start
  std::string many = "[ground]\n";
  for (int i = 0; i < 5; ++i)
    many += box_body(fmt::format("box{}", i), {0.1, 0.1, 0.1}, 1.0, fmt::format("[1, 0, 0, 0, {}, 0, 0.05]", i));
  EXPECT_EQ(run_contact(many + "[simulation]\ncontact = \"auto\"\nduration = 0.01\n").summary.contact->mode,
            "stepping");
}

TEST(ContactEventModes, WhatEventsCannotFollowIsRefusedByName) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      (void)simulate(parse_scene("cardan = 1\n" + text + by_events(0.1), "s.toml"));
    } catch (const std::exception& problem) {
      return problem.what();
    }
    return {};
  };
  const std::string ball = ball_body("ball", 0.1, 1.0, "[1, 0, 0, 0, 0, 0, 0.2]");
  EXPECT_NE(complaint("[ground]\nstiffness = 1000\n" + ball).find("found stiffness of a contact"), std::string::npos);
  EXPECT_NE(complaint("[ground]\nrolling = 0.1\n" + ball).find("found rolling friction"), std::string::npos);
  EXPECT_EQ(complaint("[ground]\n" + ball), "");
}

/// Steps chosen by doubling: the error of a run follows the tolerance.
TEST(ContactEventModes, StepsByDoublingFollowTheTolerance) {
  const Slope slope(30.0);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const Trajectory run =
        run_contact(slope.ground("friction = 0.3") +
                    box_body("box", {0.3, 0.3, 0.1}, 1.0, slope.pose(0.05) + "\nv = [0, 0, 0, -2, 0, 0]") +
                    fmt::format("[simulation]\nduration = 1\nstep = \"auto\"\ntolerance = {}\n", tolerance));
    const double up = 9.81 * (std::sin(slope.angle) + 0.3 * std::cos(slope.angle)), stop = 2.0 / up;
    const double down = 9.81 * (std::sin(slope.angle) - 0.3 * std::cos(slope.angle));
    const double way = 0.5 * down * (1.0 - stop) * (1.0 - stop) - 0.5 * up * stop * stop;
    const double error = std::abs(slope.way(run, run.size() - 1) - way);
    // where friction turns round, velocities are of first order: a step of sqrt(tolerance) there is felt to the end
    EXPECT_LT(error, 10.0 * std::sqrt(tolerance)) << tolerance;
    EXPECT_EQ(run.summary.contact->mode, "stepping");
  }
}

}  // namespace
}  // namespace cardan::test
