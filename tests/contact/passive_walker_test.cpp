// The simplest walker (Garcia, Chatterjee, Ruina, Coleman 1998) by located events: two straight legs with small masses
// at the feet, walking down stepping stones, against the fixed point of its gait in golden/contact_more.json, which is
// that of feet without mass and size.
#include "cardan/io/load.hpp"
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

namespace cardan::test {
namespace {

constexpr const char* kWalkerForms = "golden/contact_more.json";

/// In units of the hip's mass, the leg and gravity; the stance leg begins at theta to the slope's normal. Each foot has
/// stones of its own, so that it can swing past the other one.
std::string walker(double slope, double theta, double rate, double foot_mass, double radius, int steps,
                   double duration) {
  const double stride = 2.0 * std::sin(theta), both = 1.0 + foot_mass;
  std::string text =
      fmt::format("gravity = [{:.17g}, 0, {:.17g}]\n[[contact]]\nfriction = 5\n", std::sin(slope), -std::cos(slope));
  text += "[[contact]]\na = \"left\"\nb = \"right\"\nignore = true\n";
  for (int k = -1; k <= steps; ++k)
    text += fmt::format(
        "[[body]]\nname = \"stone{}\"\nmass = 1\n[[body.shape]]\nbox = [{}, 0.08, 0.05]\n"
        "at = {{ xyz = [{:.17g}, {}, -0.025] }}\n[body.joint]\ntype = \"fixed\"\n",
        k + 1, 0.5 * stride, k * stride, k % 2 == 0 ? 0.1 : -0.1);
  text += fmt::format(
      "[[body]]\nname = \"left\"\nmass = {0:.17g}\ncom = [0, 0, {1:.17g}]\ninertia = [{2:.17g}, {2:.17g}, 0, 0, 0, 0]\n"
      "[[body.shape]]\nsphere = {3}\nat = {{ xyz = [0, 0.1, -1] }}\n[body.joint]\ntype = \"composite\"\n"
      "joints = [{{ type = \"prismatic\", axis = [1, 0, 0] }}, {{ type = \"prismatic\", axis = [0, 0, 1] }}, "
      "{{ type = \"revolute\", axis = [0, 1, 0] }}]\n"
      "q = [{4:.17g}, {5:.17g}, {6:.17g}]\nv = [{7:.17g}, {8:.17g}, {9:.17g}]\n",
      both, -foot_mass / both, foot_mass / both, radius, -std::sin(theta), std::cos(theta) + radius, -theta,
      -rate * std::cos(theta), -rate * std::sin(theta), -rate);
  text += fmt::format(
      "[[body]]\nname = \"right\"\nparent = \"left\"\nmass = {:.17g}\ncom = [0, 0, -1]\ninertia = [0, 0, 0, 0, 0, 0]\n"
      "[[body.shape]]\nsphere = {}\nat = {{ xyz = [0, -0.1, -1] }}\n[body.joint]\ntype = \"revolute\"\n"
      "axis = [0, 1, 0]\nq = [{:.17g}]\nv = [{:.17g}]\n",
      foot_mass, radius, 2.0 * theta, (1.0 - std::cos(2.0 * theta)) * rate);
  return text + fmt::format("[simulation]\ncontact = \"events\"\ntolerance = 1e-11\nduration = {:.17g}\n", duration);
}

std::vector<double> heel_strikes(const Trajectory& run) {
  std::vector<double> out;
  for (const ContactEvent& event : run.summary.contact->events)
    if (event.kind == ContactEvent::Kind::impact) out.push_back(event.t);
  return out;
}

struct Gait {
  double theta = 0.0, rate = 0.0, period = 0.0;
};

/// The gait that a walker with these feet has found after an even number of steps.
Gait gait_of(const nlohmann::json& golden, double foot_mass, double radius) {
  const int steps = 26;
  const double period = golden["period"];
  const auto scene = [&](double duration) {
    return walker(golden["gamma"], golden["theta"], golden["theta_dot"], foot_mass, radius, steps, duration);
  };
  const std::vector<double> strikes = heel_strikes(run_contact(scene((steps - 0.3) * period)));
  EXPECT_EQ(strikes.size(), static_cast<std::size_t>(steps - 1));
  if (strikes.size() + 1 != static_cast<std::size_t>(steps)) return {};
  const std::size_t last = strikes.size() - 2;                      // the left leg lands
  const Trajectory run = run_contact(scene(strikes[last] + 1e-8));  // after the strike
  return {-last_q(run, 2), -last_v(run, 2), 0.5 * (strikes[last + 1] - strikes[last - 1])};
}

TEST(PassiveWalker, TheSimplestWalkersGaitIsItsFixedPoint) {
  const auto golden = shared_json(kWalkerForms);
  if (!golden) GTEST_SKIP() << missing_data(kWalkerForms);
  const auto& expected = (*golden)["simplest_walker"];
  // errors are proportional to mass and radius of the feet: two of them give the limit
  const Gait small = gait_of(expected, 1e-5, 1e-6), twice = gait_of(expected, 2e-5, 2e-6);
  Worst near("a gait with feet of 1e-5 of the mass", 2e-5), limit("its limit for feet without mass", 2e-7);
  const auto compare = [&](double Gait::*what, const char* name) {
    const double value = expected[name];
    near.add(std::abs(small.*what - value), name);
    limit.add(std::abs(2.0 * (small.*what) - twice.*what - value), name);
  };
  compare(&Gait::theta, "theta");
  compare(&Gait::rate, "theta_dot");
  compare(&Gait::period, "period");
}

/// Deviations shrink by 0.589 a step: twelve steps after a start that is 1 % off they are three orders smaller.
TEST(PassiveWalker, AGaitThatIsDisturbedIsFoundAgain) {
  const auto golden = shared_json(kWalkerForms);
  if (!golden) GTEST_SKIP() << missing_data(kWalkerForms);
  const auto& c = (*golden)["simplest_walker"];
  const double period = c["period"], rate = c["theta_dot"];
  const std::vector<double> strikes =
      heel_strikes(run_contact(walker(c["gamma"], c["theta"], 0.99 * rate, 1e-5, 1e-6, 16, 15.5 * period)));
  ASSERT_GE(strikes.size(), 15u);
  const auto deviation = [&](std::size_t i) { return std::abs(strikes[i + 1] - strikes[i] - period); };
  const double early = std::max(deviation(0), deviation(1)), late = std::max(deviation(12), deviation(13));
  EXPECT_GT(early, 1e-3);
  const double multiplier = std::pow(late / early, 1.0 / 12.0);
  EXPECT_NEAR(multiplier, c["multipliers_abs"][0].get<double>(), 0.06);
}

TEST(PassiveWalker, TheExampleFindsItsGait) {
  const Trajectory run = simulate(load(CARDAN_SOURCE_DIR "/examples/passive_walker.toml"));
  ASSERT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  const std::vector<double> strikes = heel_strikes(run);
  ASSERT_EQ(strikes.size(), 13u) << "one heel strike for each stone";
  const auto period = [&](std::size_t i) { return strikes[i + 1] - strikes[i]; };
  EXPECT_GT(std::abs(period(1) - period(0)), 0.05);
  EXPECT_NEAR(period(11), period(10), 2e-4);
  EXPECT_NEAR(period(11), period(9), 2e-4);
  for (std::size_t row = 0; row < run.size(); ++row) EXPECT_GT(q_at(run, row, 1), 0.97) << "the hip stays up";
  EXPECT_GT(last_q(run, 0), 4.5);
}

}  // namespace
}  // namespace cardan::test
