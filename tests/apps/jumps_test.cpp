// Texts of time that jump: forces, motions and targets against closed forms; what cannot be followed is refused.
#include "tests/apps/scene_runs.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>

#include <random>

namespace cardan::test {
namespace {

class Jumps : public SceneRuns {};

const std::string kSlider = R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "b"
mass = 1
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
)";

/// A text of time with the integral and the second integral of what it says from 0 to the end.
struct Signal {
  std::string text;
  double integral = 0.0, twice = 0.0;

  /// Adds a value that holds from a to b, cut to the run.
  void add(double value, double a, double b, double end) {
    a = std::clamp(a, 0.0, end);
    b = std::clamp(b, 0.0, end);
    integral += value * (b - a);
    twice += value * (0.5 * (end - a) * (end - a) - 0.5 * (end - b) * (end - b));
  }
};

class RandomSignals {
 public:
  RandomSignals(std::uint64_t seed, double end) : random_(seed), end_(end) {}

  /// Pulses of any length down to 10 microseconds, square waves, stairs and sawteeth of many kinds of text.
  Signal next(int kind) {
    const double a = uniform(0.0, 0.9 * end_), length = std::pow(10.0, uniform(-5.0, -0.5)), value = uniform(-3.0, 3.0);
    Signal out;
    switch (kind % 6) {
      case 0:
        out.text = fmt::format("if(t > {:.17g}, if(t < {:.17g}, {:.17g}, 0), 0)", a, a + length, value);
        out.add(value, a, a + length, end_);
        break;
      case 1:
        out.text = fmt::format("if(abs(t - {:.17g}) <= {:.17g}, {:.17g}, 0)", a, 0.5 * length, value);
        out.add(value, a - 0.5 * length, a + 0.5 * length, end_);
        break;
      case 2:
        out.text = fmt::format("{:.17g}*sign(t - {:.17g})", value, a);
        out.add(-value, 0.0, a, end_);
        out.add(value, a, end_, end_);
        break;
      case 3: {
        const double period = uniform(0.05, 0.4), part = uniform(0.01, 0.9) * period;
        out.text = fmt::format("{:.17g}*if(mod(t, {:.17g}) < {:.17g}, 1, 0)", value, period, part);
        for (double start = 0.0; start < end_; start += period) out.add(value, start, start + part, end_);
        break;
      }
      case 4: {
        const double width = uniform(0.03, 0.3);
        out.text = fmt::format("{:.17g}*floor(t/{:.17g}) + {:.17g}*ceil(t/{:.17g})", value, width, value, width);
        for (int k = 0; k * width < end_; ++k) out.add(value * (2 * k + 1), k * width, (k + 1) * width, end_);
        break;
      }
      default: {
        const double top = a + 0.3 * length, s = end_ - a;  // where t^2 - (a + top) t + a top < 0
        out.text = fmt::format("if((t - {:.17g})*(t - {:.17g}) < 0, {:.17g}, 0) + if(t < {:.17g}, 0, t - {:.17g})", a,
                               top, value, a, a);
        out.add(value, a, top, end_);
        out.integral += 0.5 * s * s;
        out.twice += s * s * s / 6.0;
      }
    }
    return out;
  }

 private:
  double uniform(double from, double to) { return std::uniform_real_distribution<>(from, to)(random_); }
  std::mt19937_64 random_;
  double end_;
};

/// Sliders that each follow a signal of their own.
std::string sliders(const std::vector<Signal>& signals, const std::string& what, double end) {
  std::string scene = "cardan = 1\ngravity = [0, 0, 0]\n";
  for (std::size_t i = 0; i < signals.size(); ++i)
    scene += fmt::format(
        "[[body]]\nname = \"b{0}\"\nmass = 1\n[body.joint]\ntype = \"prismatic\"\naxis = [1, 0, 0]\n"
        "[[{1}]]\n{2}joint = \"b{0}\"\n{3} = \"{4}\"\n",
        i, what == "force" ? "force" : "motion", what == "force" ? "type = \"joint\"\n" : "", what, signals[i].text);
  return scene + fmt::format("[simulation]\nduration = {}\n", end);
}

TEST_F(Jumps, RandomSignalsAreFollowedWhateverTheStep) {
  const double end = 2.0;
  const std::vector<std::vector<std::string>> methods{
      {}, {"--integrator", "rk4", "--step", "0.01"}, {"--integrator", "dopri5", "--formulation", "maximal"}};
  for (int seed = 0; seed < repetitions(2, 20); ++seed) {
    RandomSignals random(static_cast<std::uint64_t>(seed), end);
    std::vector<Signal> signals;
    for (int i = 0; i < 12; ++i) signals.push_back(random.next(i));
    for (const std::string what : {"force", "velocity"})
      for (const auto& method : methods) {
        const CsvTable run = motion(sliders(signals, what, end), method);
        if (run.rows.empty()) continue;
        for (std::size_t i = 0; i < signals.size(); ++i) {
          const auto& [text, integral, twice] = signals[i];
          const std::size_t last = run.rows.size() - 1;
          const std::string joint = fmt::format("b{}", i);
          const double size = 1.0 + std::abs(integral);
          if (what == "force") {
            EXPECT_NEAR(value(run, "v." + joint, last), integral, 1e-9 * size) << text;
            EXPECT_NEAR(value(run, "q." + joint, last), twice, 1e-9 * size) << text;
          } else {
            EXPECT_NEAR(value(run, "q." + joint, last), integral, 1e-9 * size) << text;
          }
        }
      }
  }
}

TEST_F(Jumps, NarrowSmoothPulsesAreNotSteppedOver) {
  for (const double width : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const std::string force = fmt::format(
        "[[force]]\ntype = \"joint\"\njoint = \"b\"\nforce = \"exp(-((t - 3.3)/{:g})^2)/{:g}\"\n", width, width);
    const CsvTable run = motion(kSlider + force);
    if (run.rows.empty()) continue;
    EXPECT_NEAR(value(run, "v.b", run.rows.size() - 1), std::sqrt(std::numbers::pi), 1e-6) << width;
  }
}

TEST_F(Jumps, MaxStepIsHeld) {
  const std::string force = "[[force]]\ntype = \"joint\"\njoint = \"b\"\nforce = \"-b\"\n";
  const Outcome outcome = run({"simulate", file(kSlider + force + "[simulation]\nmax_step = 0.004\n"), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_GE(Json::parse(outcome.out)["steps"].get<int>(), 2500);
  const Outcome option = run({"simulate", file(kSlider + force), "--json", "--max-step", "0.002", "--duration", "2"});
  ASSERT_EQ(option.code, 0) << option.err;
  EXPECT_GE(Json::parse(option.out)["steps"].get<int>(), 1000);
}

/// A cart that is led, and a rod that hangs on it and swings about y.
const std::string kCart = R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 2
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[body]]
name = "rod"
parent = "cart"
mass = 1
com = [0, 0, -0.5]
inertia = [0.08333333333333333, 0.08333333333333333, 0.001, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = [0.4]
)";

TEST_F(Jumps, AVelocityThatJumpsIsAnImpulseInEveryFormulation) {
  // about its pivot the rod keeps its angular momentum: I w - m l cos(q) V with V the velocity of the cart
  const double w = 0.5 * std::cos(0.4) / kRodInertia * 2.0;
  const std::string twist =
                        "[[motion]]\nframe = \"cart\"\ntwist = [\"\", \"\", \"\", \"if(t < 1, 0, 2)\", \"\", \"\"]\n",
                    velocity = "[[motion]]\njoint = \"cart\"\nvelocity = \"if(t < 1, 0, 2)\"\n",
                    kink = "[[motion]]\njoint = \"cart\"\nposition = \"max(0, 2*(t - 1))\"\n";
  for (const std::string& led : {twist, velocity, kink})
    for (const std::string formulation : {"recursive", "redmax", "maximal"})
      for (const std::string more :
           {"", "constraint_method = \"sparse\"\n", "stabilization = \"baumgarte\"\n", "step = 0.013\n"}) {
        const std::string scene = kCart + led + "[simulation]\nduration = 1.01\n" + more;
        const CsvTable run = motion(scene, {"--formulation", formulation});
        if (run.rows.empty()) continue;
        const std::size_t last = run.rows.size() - 1;
        // no force acts on the rod after the jump but at its pivot, so that its speed stays near what the impulse gave
        EXPECT_NEAR(value(run, "v.rod", last), w, 0.02 * w) << scene << formulation;
        EXPECT_NEAR(value(run, "v.rod", last - 2), 0.0, 1e-9) << scene << formulation;
        EXPECT_NEAR(value(run, "q.cart", last), 0.02, more.starts_with("stab") ? 1e-5 : 1e-9) << scene << formulation;
      }
}

TEST_F(Jumps, WhatCannotBeFollowedIsRefusedByName) {
  const std::string hinge =
      "cardan = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\ncom = [0.1, 0, 0]\n"
      "inertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"revolute\"\n";
  for (const std::string more : {"", "formulation = \"maximal\"\n", "formulation = \"redmax\"\n",
                                 "stabilization = \"baumgarte\"\n", "constraint_method = \"sparse\"\n"}) {
    const std::string settings = "[simulation]\n" + more;
    const std::string twist = "[[motion]]\nframe = \"b\"\ntwist = [\"0.3\", \"\", \"\", \"\", \"\", \"\"]\n";
    EXPECT_TRUE(
        says(refusal(run({"simulate", file(hinge + twist + settings)})), "motion of body \"b\" cannot be followed"))
        << more;
    const std::string both =
        "[[motion]]\njoint = \"b\"\nposition = \"t\"\n[[motion]]\nframe = \"b\"\nname = \"too\"\n"
        "twist = [\"\", \"\", \"2\", \"\", \"\", \"\"]\n";
    EXPECT_TRUE(says(refusal(run({"simulate", file(hinge + both + settings)})), "cannot be followed")) << more;
    const std::string leap = "[[motion]]\njoint = \"b\"\nposition = \"if(t < 0.5, 0, 0.3)\"\n";
    const Outcome jumped = run({"simulate", file(hinge + leap + settings)});
    EXPECT_EQ(jumped.code, 1);
    EXPECT_TRUE(says(jumped.err, "t = 0.5: motion of joint \"b\": its position jumps by 0.3")) << more << jumped.err;
  }
  // a contradiction that begins later
  const std::string later = "[[motion]]\nframe = \"b\"\ntwist = [\"if(t < 1, 0, 1)\", \"\", \"\", \"\", \"\", \"\"]\n";
  const Outcome outcome = run({"simulate", file(hinge + later)});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "motion of body \"b\" cannot be followed")) << outcome.err;
}

/// A slider on a spring of unit stiffness that a force of the state pushes, and what the force is in closed form.
std::string pushed(const std::string& force, double q, double v, const std::string& more = "") {
  return kSlider + fmt::format("q = [{:.17g}]\nv = [{:.17g}]\nstiffness = 1\n", q, v) +
         fmt::format("[[force]]\ntype = \"joint\"\njoint = \"b\"\nforce = \"{}\"\n{}", force, more);
}

TEST_F(Jumps, ForcesThatJumpWithTheStateAreLocated) {
  // x'' = -x - c sign(x'): half swings about -c and c, each of half a period
  for (const auto& method : std::vector<std::vector<std::string>>{{},
                                                                  {"--integrator", "rk4", "--step", "0.01"},
                                                                  {"--integrator", "munthe_kaas_4", "--step", "0.013"},
                                                                  {"--formulation", "maximal"},
                                                                  {"--formulation", "redmax"},
                                                                  {"--integrator", "dopri5"}}) {
    const double c = 0.1;
    std::vector<std::string> options = method;
    options.insert(options.end(), {"--duration", "10"});
    const CsvTable run = motion(pushed(fmt::format("-{}*sign(v.b)", c), 1.0, 0.0), options);
    if (run.rows.empty()) continue;
    for (std::size_t row = 0; row < run.rows.size(); row += 50) {
      const double t = value(run, "t", row);
      const int swing = static_cast<int>(t / std::numbers::pi);
      const double side = swing % 2 == 0 ? 1.0 : -1.0, reach = 1.0 - 2.0 * c * swing;  // the swing begins at its reach
      const double x = side * (c + (reach - c) * std::cos(t - swing * std::numbers::pi));
      EXPECT_NEAR(value(run, "q.b", row), x, 1e-6) << "t = " << t << (method.empty() ? "" : method[1]);
    }
  }
}

TEST_F(Jumps, LawsOfSpringsThatJumpWithTheStateAreLocated) {
  // a spring whose tension jumps with its speed: x'' = -x - c sign(x') as above
  const double c = 0.1;
  const std::string spring =
      "q = [1]\n[[force]]\ntype = \"spring\"\npoints = [{ body = \"world\", at = [-10, 0, 0] }, { body = \"b\", at = "
      "[0, 0, 0] }]\nlaw = \"l - 10 + 0.1*sign(ldot)\"\n";
  for (const auto& method : std::vector<std::vector<std::string>>{
           {}, {"--integrator", "rk4", "--step", "0.01"}, {"--formulation", "maximal"}, {"--formulation", "redmax"}}) {
    std::vector<std::string> options = method;
    options.insert(options.end(), {"--duration", "10"});
    const CsvTable run = motion(kSlider + spring, options);
    if (run.rows.empty()) continue;
    for (std::size_t row = 0; row < run.rows.size(); row += 50) {
      const double t = value(run, "t", row);
      const int swing = static_cast<int>(t / std::numbers::pi);
      const double side = swing % 2 == 0 ? 1.0 : -1.0, reach = 1.0 - 2.0 * c * swing;
      const double x = side * (c + (reach - c) * std::cos(t - swing * std::numbers::pi));
      EXPECT_NEAR(value(run, "q.b", row), x, 1e-6) << "t = " << t << (method.empty() ? "" : method[1]);
    }
  }
}

TEST_F(Jumps, ExcitationsThatJumpWithTheStateAreLocated) {
  // a muscle that pulls a weight up where it hangs low; steps that meet the jump as it comes differ by millimeters
  const std::string muscle = R"scene(q = [0.02]
[[force]]
type = "muscle"
points = [{ body = "world", at = [-0.3, 0, 0] }, { body = "b", at = [0, 0, 0] }]
max_force = 40
optimal_length = 0.1
slack_length = 0.2
tendon = "rigid"
excitation = "if(b > 0.01, 1, 0.05)"
[[force]]
type = "joint"
joint = "b"
force = "5"
)scene";
  const CsvTable fine = motion(kSlider + muscle, {"--duration", "1"});
  for (const std::string step : {"0.001", "0.0005"}) {
    const CsvTable run = motion(kSlider + muscle, {"--duration", "1", "--integrator", "rk4", "--step", step});
    if (run.rows.empty() || fine.rows.empty()) continue;
    EXPECT_NEAR(value(run, "q.b", run.rows.size() - 1), value(fine, "q.b", fine.rows.size() - 1), 2e-6) << step;
  }
}

TEST_F(Jumps, ABrakeThatHoldsIsFollowedAlongItsJump) {
  // dry friction larger than the spring: the slider stops where it first stands still, and stays
  for (const auto& method : std::vector<std::vector<std::string>>{
           {}, {"--integrator", "rk4", "--step", "0.01"}, {"--formulation", "maximal"}}) {
    std::vector<std::string> options = method;
    options.insert(options.end(), {"--duration", "1.5"});
    const CsvTable run = motion(pushed("-0.4*sign(v.b)", 0.0, 0.5), options);
    if (run.rows.empty()) continue;
    // x = -0.4 + 0.4 cos t + 0.5 sin t until tan t = 5/4
    const double stop = -0.4 + std::sqrt(0.16 + 0.25);
    EXPECT_NEAR(value(run, "q.b", run.rows.size() - 1), stop, 1e-6);
    EXPECT_NEAR(value(run, "v.b", run.rows.size() - 1), 0.0, 1e-9);
  }
  // it comes loose again when a pull grows beyond it: x'' = t/4 - x - 0.4 from where t/4 = x + 0.4
  const CsvTable run = motion(pushed("0.25*t - 0.4*if(v.b > 0, 1, -1)", 0.0, 0.0, "[simulation]\nduration = 3\n"));
  if (run.rows.empty()) return;
  const double s = 3.0 - 1.6;
  EXPECT_NEAR(value(run, "q.b", run.rows.size() - 1), 0.25 * (s - std::sin(s)), 1e-5);
  EXPECT_NEAR(value(run, "q.b", 150), 0.0, 1e-6);
}

TEST_F(Jumps, WhatChattersWithoutASlideIsNamed) {
  // the force jumps with a place and pulls towards it: smaller and smaller swings, in no time
  const Outcome outcome = run(
      {"simulate", file(pushed("-floor(b) - 0.5 - v.b - 20*floor(v.b)", 0.2, 0.1, "[simulation]\nduration = 20\n"))});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "force at joint \"b\": its text jumps to and fro")) << outcome.err;
}

/// The work of motions whose velocities jump is what the kinetic energy gains, by every formulation; of two arms in
/// a row each motor does its share.
TEST_F(Jumps, WorkOfMotionsHasTheImpulses) {
  std::mt19937_64 random(5);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
  for (int trial = 0; trial < repetitions(3, 30); ++trial) {
    std::string scene = kRod + "v = [0]\n" + kLowerRod + fmt::format("q = [{:.17g}]\n", uniform(-1.0, 1.0));
    scene.replace(scene.find("name = \"rod\"\n"), 0, "gravity = [0, 0, 0]\n");
    for (const char* joint : {"rod", "lower"})
      scene += fmt::format("[[motion]]\njoint = \"{}\"\nvelocity = \"if(t < {:.17g}, {:.17g}, {:.17g})\"\n", joint,
                           uniform(0.02, 0.08), uniform(-3.0, 3.0), uniform(-3.0, 3.0));
    for (const char* joint : {"rod", "lower"})
      scene += fmt::format("[[record]]\nname = \"of {0}\"\nmotion = \"{0}\"\nquantity = \"work\"\n", joint);
    scene += "[simulation]\nduration = 0.1\noutput_every = 0.01\n";
    for (const std::string formulation : {"recursive", "redmax", "maximal"}) {
      const CsvTable run = motion(scene, {"--formulation", formulation});
      if (run.rows.empty()) continue;
      const std::size_t last = run.rows.size() - 1;
      EXPECT_NEAR(value(run, "of rod", last) + value(run, "of lower", last),
                  value(run, "kinetic", last) - value(run, "kinetic", 0), 1e-7)
          << formulation << "\n"
          << scene;
    }
  }
}

}  // namespace
}  // namespace cardan::test
