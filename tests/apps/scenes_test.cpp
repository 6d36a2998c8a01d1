// Parameters, starts, feedback, forces out, equilibrium and modes, as users get them from the command.
#include "tests/apps/scene_runs.hpp"

namespace cardan::test {
namespace {

class Scenes : public SceneRuns {};

TEST_F(Scenes, ParametersAndSetChangeNumbersAndTexts) {
  const std::string scene = file(
      "cardan = 1\nname = \"p\"\n[parameters]\nlength = 2\nm = \"3*length\"\n[[body]]\nname = \"rod\"\n"
      "mass = \"m\"\ncom = [0, 0, \"-length/2\"]\ninertia = [1, 1, \"m/6\", 0, 0, 0]\n"
      "[body.joint]\ntype = \"revolute\"\naxis = [0, 1, 0]\nq = [\"90 deg\"]\n");
  const auto gravity = [&](const std::vector<std::string>& changes) {
    std::vector<std::string> arguments{"eval", scene, file(R"({"quantities": ["gravity"], "states": [{}]})", "g.json")};
    for (const std::string& change : changes) arguments.insert(arguments.end(), {"--set", change});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out)["results"][0]["gravity"][0].get<double>();
  };
  EXPECT_NEAR(gravity({}), 6.0 * 9.81, 1e-12);
  EXPECT_NEAR(gravity({"length=4"}), 12.0 * 9.81 * 2.0, 1e-12);
  EXPECT_NEAR(gravity({"body.rod.mass=1"}), 9.81, 1e-12);
  EXPECT_NEAR(gravity({"body.rod.com.2=-3", "body.rod.joint.q=[\"30 deg\"]"}), 6.0 * 9.81 * 3.0 * 0.5, 1e-12);
  EXPECT_NE(refusal(run({"info", scene, "--set", "lenght=1"})).find("did you mean \"length\"?"), std::string::npos);
  EXPECT_NE(refusal(run({"info", scene, "--set", "body.rob.mass=1"})).find("did you mean \"rod\"?"), std::string::npos);
  EXPECT_NE(refusal(run({"info", scene, "--set", "length"})).find("expected NAME=VALUE"), std::string::npos);
}

TEST_F(Scenes, StartWhereTheyAreTold) {
  const CsvTable told =
      motion(kRod + "[initial]\nq = { rod = \"60 deg\" }\nv = { rod = 0.5 }\n", {"--duration", "0.5"});
  EXPECT_DOUBLE_EQ(value(told, "q.rod", 0), std::numbers::pi / 3.0);
  EXPECT_DOUBLE_EQ(value(told, "v.rod", 0), 0.5);
  // the option goes before the table, the table before the joint
  EXPECT_EQ(value(motion(kRod + "[initial]\nq = { rod = 1 }\n", {"--q", "rod=0.25", "--duration", "0.1"}), "q.rod", 0),
            0.25);
  // a run that goes on where another was is the same motion
  const CsvTable whole = motion(kRod, {"--duration", "2", "--tolerance", "1e-12"});
  const std::string earlier = folder_.write("earlier.csv", file_contents(folder_.path("run.csv")));
  const CsvTable rest =
      motion(kRod + "[initial]\nfrom = \"earlier.csv\"\nat = 1.0\n", {"--duration", "1", "--tolerance", "1e-12"});
  EXPECT_NEAR(value(rest, "q.rod", rest.rows.size() - 1), value(whole, "q.rod", whole.rows.size() - 1), 1e-10);
  const Outcome robot = run({"simulate", kExamplesOfScenes + "double_pendulum.urdf", "--q", "elbow=1", "--duration",
                             "0.1", "--out", folder_.path("r.csv")});
  ASSERT_EQ(robot.code, 0) << robot.err;
  EXPECT_EQ(value(load_csv(folder_.path("r.csv")), "q.elbow", 0), 1.0);
}

/// I q'' = -m g l sin q + kp (r - q) + kd (r' - q').
TEST_F(Scenes, PdFollowsTheEquationsOfItsText) {
  const CsvTable run = motion(kRod +
                                  "[[controller]]\nname = \"hold\"\ntype = \"pd\"\njoints = [\"rod\"]\n"
                                  "target = \"0.3*sin(2*t)\"\nkp = 40\nkd = 3\n",
                              {"--duration", "2", "--tolerance", "1e-12"});
  const auto end = integrated<2>({0.4, 0.0}, 2.0, 20000, [](double t, const std::array<double, 2>& x) {
    const double wanted = 0.3 * std::sin(2.0 * t), rate = 0.6 * std::cos(2.0 * t);
    return std::array<double, 2>{
        x[1], (-kRodMoment * std::sin(x[0]) + 40.0 * (wanted - x[0]) + 3.0 * (rate - x[1])) / kRodInertia};
  });
  EXPECT_NEAR(value(run, "q.rod", run.rows.size() - 1), end[0], 1e-9);
  EXPECT_NEAR(value(run, "v.rod", run.rows.size() - 1), end[1], 1e-9);
}

/// The integral is a state of its own and stands still while the limit is reached.
TEST_F(Scenes, PidStopsItsIntegralAtTheLimit) {
  const CsvTable run =
      motion(kRod +
                 "[[controller]]\ntype = \"pid\"\nname = \"c\"\njoints = \"rod\"\ntarget = 1.2\nkp = 20\nkd = 2\n"
                 "ki = 30\nlimit = 8\n[[record]]\nname = \"u\"\ncontroller = \"c\"\nquantity = \"effort\"\n",
             {"--duration", "3", "--integrator", "rk4", "--step", "0.0001"});
  const auto end = integrated<3>({0.4, 0.0, 0.0}, 3.0, 30000, [](double, const std::array<double, 3>& x) {
    const double wanted = 20.0 * (1.2 - x[0]) - 2.0 * x[1] + 30.0 * x[2], u = std::clamp(wanted, -8.0, 8.0);
    return std::array<double, 3>{x[1], (-kRodMoment * std::sin(x[0]) + u) / kRodInertia,
                                 std::abs(wanted) < 8.0 ? 1.2 - x[0] : 0.0};
  });
  EXPECT_NEAR(value(run, "q.rod", run.rows.size() - 1), end[0], 1e-4);  // both step over the moments of reaching it
  EXPECT_EQ(value(run, "u", 0), 8.0);
}

/// Held between samples: the same as integrating from sample to sample with a constant moment.
TEST_F(Scenes, SampledFeedbackIsHeld) {
  const CsvTable run = motion(
      kRod + "[[controller]]\ntype = \"pd\"\njoints = [\"rod\"]\ntarget = [0.1]\nkp = 30\nkd = 1\nperiod = 0.05\n",
      {"--duration", "1", "--tolerance", "1e-12"});
  std::array<double, 2> x{0.4, 0.0};
  for (int k = 0; k < 20; ++k) {
    const double u = 30.0 * (0.1 - x[0]) - x[1];
    x = integrated<2>(x, 0.05, 500, [u](double, const std::array<double, 2>& s) {
      return std::array<double, 2>{s[1], (-kRodMoment * std::sin(s[0]) + u) / kRodInertia};
    });
  }
  EXPECT_NEAR(value(run, "q.rod", run.rows.size() - 1), x[0], 1e-9);
}

/// With computed torque the errors of a double pendulum obey e'' + kd e' + kp e = 0 whatever the arm does.
TEST_F(Scenes, ComputedTorqueMakesErrorsLinear) {
  const CsvTable run = motion(kRod + kLowerRod +
                                  "[[controller]]\ntype = \"computed_torque\"\njoints = [\"rod\", \"lower\"]\n"
                                  "target = [\"0.5*sin(t)\", \"0.2\"]\nkp = 25\nkd = 10\n[initial]\n"
                                  "q = { rod = 0.3, lower = -0.4 }\nv = { rod = 0.5 }\n",
                              {"--duration", "1", "--tolerance", "1e-12"});
  const auto error = [](double e0, double v0, double t) { return (e0 + (v0 + 5.0 * e0) * t) * std::exp(-5.0 * t); };
  for (std::size_t row = 0; row < run.rows.size(); row += 10) {
    const double t = value(run, "t", row);
    EXPECT_NEAR(value(run, "q.rod", row), 0.5 * std::sin(t) + error(0.3, 0.0, t), 1e-9);
    EXPECT_NEAR(value(run, "q.lower", row), 0.2 + error(-0.6, 0.0, t), 1e-9);
  }
}

TEST_F(Scenes, GravityCompensationHolds) {
  const CsvTable run =
      motion(kRod + "[[controller]]\ntype = \"gravity_compensation\"\njoints = [\"rod\"]\n", {"--duration", "3"});
  for (std::size_t row = 0; row < run.rows.size(); ++row) EXPECT_NEAR(value(run, "q.rod", row), 0.4, 1e-12);
}

/// A text controller with a state of its own: a low-pass filter of the velocity.
TEST_F(Scenes, TextControllersHaveStates) {
  const CsvTable run =
      motion(kRod +
                 "[[controller]]\ntype = \"text\"\njoints = [\"rod\"]\nstate = [\"w\"]\nrate = [\"20*(v.rod - w)\"]\n"
                 "force = [\"-2*w\"]\ninitial = [0.5]\n",
             {"--duration", "2", "--tolerance", "1e-12"});
  const auto end = integrated<3>({0.4, 0.0, 0.5}, 2.0, 20000, [](double, const std::array<double, 3>& x) {
    return std::array<double, 3>{x[1], (-kRodMoment * std::sin(x[0]) - 2.0 * x[2]) / kRodInertia, 20.0 * (x[1] - x[2])};
  });
  EXPECT_NEAR(value(run, "q.rod", run.rows.size() - 1), end[0], 1e-9);
}

/// Forces may use records further up: a spring to a wall written with the position of the tip.
TEST_F(Scenes, ForcesUseRecords) {
  const CsvTable run =
      motion(kRod +
                 "[[record]]\nname = \"tip\"\nframe = \"rod\"\nquantity = \"position\"\nat = [0, 0, -1]\n"
                 "[[record]]\nname = \"stretch\"\nexpression = \"tip.x - 0.2\"\n"
                 "[[force]]\ntype = \"point\"\nbody = \"rod\"\nat = [0, 0, -1]\nforce = [\"-30*stretch\", 0, 0]\n",
             {"--duration", "1.5", "--tolerance", "1e-12"});
  // the tip is at x = -sin q, z = -cos q; a force F along x there has the moment -F cos q about y
  const auto end = integrated<2>({0.4, 0.0}, 1.5, 20000, [](double, const std::array<double, 2>& x) {
    const double force = -30.0 * (-std::sin(x[0]) - 0.2);
    return std::array<double, 2>{x[1], (-kRodMoment * std::sin(x[0]) - force * std::cos(x[0])) / kRodInertia};
  });
  EXPECT_NEAR(value(run, "q.rod", run.rows.size() - 1), end[0], 1e-9);
}

TEST_F(Scenes, TheWristPinOfTheSliderCrankFeelsItsForce) {
  const std::string text = file_contents(kExamplesOfScenes + "slider_crank.toml") +
                           "\n[[record]]\nname = \"pin\"\nloop = \"wrist pin\"\nquantity = \"force\"\n";
  EXPECT_NEAR(value(motion(text), "pin.x", 0), -57.7, 0.05);
}

/// Newton and Euler for each body of a chain: joint wrenches, gravity and applied forces are the change of momentum.
TEST_F(Scenes, JointWrenchesBalanceEveryBody) {
  const std::string text = file_contents(kExamplesOfScenes + "slider_crank.toml") +
                           "\n[[record]]\nname = \"hinge\"\njoint = \"slider\"\nquantity = \"wrench\"\n"
                           "[[record]]\nname = \"pin\"\nloop = \"wrist pin\"\nquantity = \"wrench\"\n"
                           "[[record]]\nname = \"a\"\nframe = \"slider\"\nquantity = \"acceleration\"\n"
                           "[[record]]\nname = \"along\"\njoint = \"slider\"\nquantity = \"effort\"\n"
                           "[[record]]\nname = \"motor\"\nmotion = \"crank\"\nquantity = \"power\"\n";
  const CsvTable run = motion(text);
  for (std::size_t row = 0; row < run.rows.size(); row += 37) {
    const auto at = [&](const std::string& column) { return value(run, column, row); };
    // the slider does not turn: forces give its acceleration, moments vanish
    EXPECT_NEAR(at("hinge.fx") + at("pin.fx"), 1.2 * at("a.x"), 1e-10 * (1.0 + std::abs(at("pin.fx"))));
    EXPECT_NEAR(at("hinge.fy") + at("pin.fy") - 1.2 * 9.81, 1.2 * at("a.y"), 1e-10 * (1.0 + std::abs(at("pin.fy"))));
    for (const char* axis : {"mx", "my", "mz"})
      EXPECT_NEAR(at(std::string("hinge.") + axis) + at(std::string("pin.") + axis), 0.0, 1e-9);
    EXPECT_NEAR(at("along"), at("hinge.fx"), 1e-10);
    EXPECT_NEAR(at("along"), -2.0 * at("v.slider"), 1e-10);
  }
}

/// Reactions in contact are impulses of steps: what is not known is refused, not guessed.
/// A ground out of reach changes nothing.
TEST_F(Scenes, ReactionsWithContact) {
  const std::string record = "[[record]]\nname = \"pin\"\njoint = \"rod\"\nquantity = \"force\"\n",
                    ground = "[ground]\nheight = -3\n";
  const CsvTable with = motion(kRod + ground + record, {"--duration", "2"}),
                 without = motion(kRod + record, {"--duration", "2"});
  ASSERT_EQ(with.rows.size(), without.rows.size());
  for (std::size_t row = 0; row < with.rows.size(); ++row)
    for (const char* column : {"pin.x", "pin.y", "pin.z"})
      EXPECT_NEAR(value(with, column, row), value(without, column, row), 1e-6) << column << " " << row;
  EXPECT_NE(refusal(run({"modes", file(kRod + ground)})).find("not available with contact"), std::string::npos);
}

/// Small motions of a double pendulum about hanging: det(C - w^2 M) = 0 with two equal rods.
TEST_F(Scenes, ModesOfADoublePendulum) {
  const std::string scene = file(kRod + kLowerRod);
  const Outcome outcome = run({"modes", scene, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_TRUE(json["equilibrium"]["stable"].get<bool>());
  for (const Json& q : json["equilibrium"]["q"]) EXPECT_NEAR(q.get<double>(), 0.0, 1e-12);
  // absolute angles a, b: M = [4/3, 1/2; 1/2, 1/3], C = g [3/2, 0; 0, 1/2]
  const double g = 9.81, A = 4.0 / 9.0 - 0.25, B = -g * (0.5 * 4.0 / 3.0 + 1.5 / 3.0), C = 0.75 * g * g;
  const double root = std::sqrt(B * B - 4.0 * A * C);
  const double expected[] = {std::sqrt((-B - root) / (2.0 * A)), std::sqrt((-B + root) / (2.0 * A))};
  ASSERT_EQ(json["modes"].size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(json["modes"][i]["frequency"].get<double>() * 2.0 * std::numbers::pi, expected[i], 1e-10);
    EXPECT_NEAR(json["modes"][i]["damping"].get<double>(), 0.0, 1e-10);
  }
  const Json same = eval(scene, R"({"quantities": ["equilibrium"], "states": [{"q": [0.3, -0.2]}]})");
  EXPECT_NEAR(same["results"][0]["equilibrium"]["q"][0].get<double>(), 0.0, 1e-12);
}

/// Three equal masses between four equal springs: w_k = 2 sqrt(k/m) sin(k pi / 8); hung up, the middle one sags.
TEST_F(Scenes, EquilibriumAndModesOfASpringChain) {
  std::string text = "cardan = 1\nname = \"chain\"\n[initial]\nequilibrium = true\n";
  for (int i = 1; i <= 3; ++i)
    text += "[[body]]\nname = \"m" + std::to_string(i) +
            "\"\nmass = 2\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"prismatic\"\n"
            "axis = [0, 0, 1]\n";
  // joints all go from the world; springs between neighbors as texts
  const double k = 50.0, m = 2.0, g = 9.81;
  text +=
      "[[force]]\ntype = \"joint\"\njoint = \"m1\"\nforce = \"-50*m1 + 50*(m2 - m1)\"\n"
      "[[force]]\ntype = \"joint\"\njoint = \"m2\"\nforce = \"50*(m1 - m2) + 50*(m3 - m2)\"\n"
      "[[force]]\ntype = \"joint\"\njoint = \"m3\"\nforce = \"50*(m2 - m3) - 50*m3\"\n";
  const CsvTable run_ = motion(text, {"--duration", "0.2"});
  const double sag[] = {-1.5 * m * g / k, -2.0 * m * g / k, -1.5 * m * g / k};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(value(run_, "q.m" + std::to_string(i + 1), 0), sag[i], 1e-10);
    EXPECT_NEAR(value(run_, "v.m" + std::to_string(i + 1), run_.rows.size() - 1), 0.0, 1e-10);  // it stays there
  }
  const Json json = Json::parse(run({"modes", file(text), "--json"}).out);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(json["modes"][i]["frequency"].get<double>() * 2.0 * std::numbers::pi,
                2.0 * std::sqrt(k / m) * std::sin(static_cast<double>(i + 1) * std::numbers::pi / 8.0), 1e-10);
}

TEST_F(Scenes, AnInvertedPendulumIsFoundUnstableAndADampedOneDamped) {
  const Json up = Json::parse(run({"modes", file(kRod), "--json", "--set", "body.rod.joint.q=[\"180 deg\"]"}).out);
  EXPECT_FALSE(up["equilibrium"]["stable"].get<bool>());
  EXPECT_NEAR(up["modes"][0]["eigenvalue"][0].get<double>(), std::sqrt(kRodMoment / kRodInertia), 1e-10);
  const Json damped = Json::parse(run({"modes", file(kRod), "--json", "--set", "body.rod.joint.damping=0.2"}).out);
  const double w = std::sqrt(kRodMoment / kRodInertia);
  EXPECT_NEAR(damped["modes"][0]["undamped"].get<double>() * 2.0 * std::numbers::pi, w, 1e-10);
  EXPECT_NEAR(damped["modes"][0]["damping"].get<double>(), 0.2 / (2.0 * kRodInertia * w), 1e-10);
}

/// A free body with nothing below it sinks for ever.
TEST_F(Scenes, WithoutAnEquilibriumTheySaySo) {
  const std::string text =
      "cardan = 1\nname = \"stone\"\n[[body]]\nname = \"stone\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n"
      "[body.joint]\ntype = \"free\"\n";
  EXPECT_NE(refusal(run({"modes", file(text)})).find("no equilibrium was found"), std::string::npos);
  EXPECT_NE(
      refusal(run({"simulate", file(text + "[initial]\nequilibrium = true\n")})).find("equilibrium: none was found"),
      std::string::npos);
}

/// rotx(alpha) trans(a, 0, 0) rotz(theta) trans(0, 0, d), multiplied out.
TEST_F(Scenes, PlacesByDenavitAndHartenberg) {
  const double a = 0.3, alpha = 0.4, d = 0.1, theta = 0.7;
  const std::string scene = file(
      "cardan = 1\n[[body]]\nname = \"b\"\nmass = 1\n[body.joint]\ntype = \"prismatic\"\n"
      "at = { dh = { a = 0.3, alpha = 0.4, d = 0.1, theta = 0.7 } }\n");
  const Json pose =
      eval(scene, R"({"quantities": ["pose"], "frame": "b", "states": [{"q": [0]}]})").at("results")[0].at("pose");
  const double ca = std::cos(alpha), sa = std::sin(alpha), ct = std::cos(theta), st = std::sin(theta);
  const double R[3][3] = {{ct, -st, 0.0}, {ca * st, ca * ct, -sa}, {sa * st, sa * ct, ca}}, p[3] = {a, -sa * d, ca * d};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(pose.at("p")[i].get<double>(), p[i], 1e-15);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(pose.at("R")[i][k].get<double>(), R[i][k], 1e-15);
  }
}

}  // namespace
}  // namespace cardan::test
