// `cardan gradient` and `cardan optimize`: what they print and write, and what they refuse.
#include "cardan/io/load.hpp"
#include "tests/apps/scene_runs.hpp"

namespace cardan::test {
namespace {

const std::string kCart = CARDAN_SOURCE_DIR "/examples/cart_pole.toml";
const std::string kTop = CARDAN_SOURCE_DIR "/examples/heavy_top.toml";

class GradientCommand : public SceneRuns {
 protected:
  std::string gradient_refusal(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "gradient");
    return refusal(run(arguments));
  }
  std::string optimize_refusal(std::vector<std::string> arguments) const {
    std::vector<std::string> all{"optimize", kCart, "--duration", "0.1"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return refusal(run(all));
  }
};

/// A rod, and a parameter that nothing uses.
std::string with_spare() {
  std::string out = kRod;
  return out.insert(out.find("[[body]]"), "[parameters]\nspare = 3\n");
}

TEST_F(GradientCommand, GivesValuesAndDerivatives) {
  const std::vector<std::string> request{
      "gradient",   kCart, "--of",   "q.pole.final,tip.x.rms", "--by", "length,initial.v.pole",
      "--duration", "0.5", "--check"};
  std::vector<std::string> as_json = request;
  as_json.emplace_back("--json");
  const Outcome text = run(request), json = run(as_json);
  ASSERT_EQ(text.code, 0) << text.err;
  ASSERT_EQ(json.code, 0) << json.err;
  const Json found = Json::parse(json.out);
  EXPECT_EQ(found.at("mode"), "tangent");
  EXPECT_TRUE(found.at("not_differentiable").empty());
  for (const char* outcome : {"q.pole.final", "tip.x.rms"})
    for (const char* name : {"length", "initial.v.pole"}) {
      const double slope = found.at(outcome).at("by").at(name),
                   difference = found.at(outcome).at("difference").at(name);
      EXPECT_NEAR(slope, difference, 1e-5 * std::abs(slope)) << outcome << " " << name;
      EXPECT_NE(slope, 0.0);
    }
  EXPECT_TRUE(says(text.out, "q.pole.final")) << text.out;
  EXPECT_TRUE(says(text.out, "by initial.v.pole")) << text.out;
  // the value is that of the run
  const Outcome simulated = run({"simulate", kCart, "--duration", "0.5", "--out", folder_.path("run.csv")});
  ASSERT_EQ(simulated.code, 0) << simulated.err;
  const CsvTable table = load_csv(folder_.path("run.csv"));
  EXPECT_NEAR(found.at("q.pole.final").at("value").get<double>(), value(table, "q.pole", table.rows.size() - 1), 1e-9);
}

TEST_F(GradientCommand, SaysWhatHasNoDerivative) {
  const std::string stack = kExamplesOfScenes + "stack.toml";
  EXPECT_TRUE(says(gradient_refusal({stack, "--of", "energy.final", "--by", "body.box0.mass"}), "contacts"));
  const Outcome json = run({"gradient", stack, "--of", "energy.final", "--by", "body.box0.mass", "--json"});
  EXPECT_EQ(json.code, 1);
  const Json found = Json::parse(json.out);
  ASSERT_EQ(found.at("not_differentiable").size(), 1u);
  EXPECT_TRUE(found.at("not_differentiable")[0].at("t").is_null());
  // with the time, where it is a moment of the run
  const std::string limited = file(kRod + "limits = [-0.3, 3]\n[simulation]\nduration = 2\nstep = 0.01\n");
  const std::string line = gradient_refusal({limited, "--of", "q.rod.final", "--by", "body.rod.mass"});
  EXPECT_TRUE(says(line, "t = ")) << line;
  EXPECT_TRUE(says(line, "limit")) << line;
  const std::string sampled = file(kRod + R"([[controller]]
type = "pd"
joints = ["rod"]
kp = 10
kd = 1
target = [0]
period = 0.1
[simulation]
duration = 1
)",
                                   "sampled.toml");
  EXPECT_TRUE(says(gradient_refusal({sampled, "--of", "q.rod.final", "--by", "body.rod.mass"}), "sample and hold"));
  const std::string implicit = file(kRod + "[simulation]\nintegrator = \"bdf2\"\nstep = 0.01\n", "implicit.toml");
  EXPECT_TRUE(says(gradient_refusal({implicit, "--of", "q.rod.final", "--by", "body.rod.mass"}), "explicit method"));
}

TEST_F(GradientCommand, RefusesWhatMakesNoSense) {
  const auto line = [&](const std::string& of, const std::string& by, const std::string& scene = kCart) {
    return gradient_refusal({scene, "--of", of, "--by", by, "--duration", "0.05"});
  };
  EXPECT_TRUE(says(line("tipp.x.final", "length"), "no column \"tipp.x\": did you mean \"tip.x\"?"));
  EXPECT_TRUE(says(line("q.pole.fnal", "length"), "did you mean \"final\"?"));
  EXPECT_TRUE(says(line("q.pole", "length"), "expected COLUMN.KIND"));
  EXPECT_TRUE(says(line("", "length"), "expected COLUMN.KIND"));
  EXPECT_TRUE(says(line("q.pole.final", "lenght"), "did you mean \"length\"?"));
  EXPECT_TRUE(says(line("q.pole.final", ""), "expected the name of a number, found \"\""));
  EXPECT_TRUE(says(line("q.pole.final", "body.cart.name"), "expected the name of a number"));
  EXPECT_TRUE(says(line("q.pole.final", "length,length"), "found it twice"));
  EXPECT_TRUE(says(line("q.pole.final", "initial.q.poll"), "no joint of this name: did you mean \"pole\"?"));
  EXPECT_TRUE(says(line("q.pole.final", "initial.v.pole.3"), "initial.v.pole.0"));
  EXPECT_TRUE(says(line("energy.final", "initial.q.top.0", kTop), "no coordinate of joint \"top\" changes alone"));
  EXPECT_TRUE(says(gradient_refusal({kCart, "--of", "q.pole.final", "--by", "simulation.duration"}),
                   "changes the times of the run"));
  EXPECT_EQ(run({"gradient", kCart, "--by", "length"}).code, 2);
  // a parameter that nothing uses
  const std::string idle = file(with_spare());
  EXPECT_TRUE(says(line("q.rod.final", "spare", idle), "\"spare\": nothing in this run depends on it"));
}

TEST_F(GradientCommand, TakesChangesOfTheScene) {
  const auto slope = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"gradient", kCart,        "--of", "q.cart.final", "--by",
                                 "mass",     "--duration", "0.3",  "--json"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out).at("q.cart.final").at("by").at("mass").get<double>() : NAN;
  };
  const double plain = slope({}), longer = slope({"--set", "length=1.7"});
  EXPECT_NE(plain, longer);
  const Outcome a = run({"simulate", kCart, "--set", "length=1.7", "--set", "mass=0.2001", "--duration", "0.3", "--out",
                         folder_.path("a.csv")}),
                b = run({"simulate", kCart, "--set", "length=1.7", "--set", "mass=0.1999", "--duration", "0.3", "--out",
                         folder_.path("b.csv")});
  ASSERT_EQ(a.code + b.code, 0);
  const CsvTable of_a = load_csv(folder_.path("a.csv")), of_b = load_csv(folder_.path("b.csv"));
  const std::size_t last = of_a.rows.size() - 1;
  EXPECT_NEAR(longer, (value(of_a, "q.cart", last) - value(of_b, "q.cart", last)) / 2e-4, 1e-5 * std::abs(longer));
}

TEST_F(GradientCommand, OptimizeWritesTableJsonSceneAndPage) {
  const std::string fit = kExamplesOfScenes + "swing_fit.toml";
  const std::string scene = folder_.path("found.toml"), page = folder_.path("page.html");
  const std::vector<std::string> request{"optimize",         fit,      "--minimize", "miss.rms^2", "--vary",
                                         "inertia=0.02:0.3", "--vary", "drag=0:0.2", "--out",      scene,
                                         "--report",         page};
  const Outcome text = run(request);
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(text.err, "");  // no progress where nobody looks
  for (const char* part : {"inertia", "0.0712", "drag", "0.0345", "evaluations", "SLSQP", "wrote"})
    EXPECT_TRUE(says(text.out, part)) << text.out;
  std::vector<std::string> as_json = request;
  as_json.emplace_back("--json");
  const Outcome json = run(as_json);
  ASSERT_EQ(json.code, 0) << json.err;
  const Json found = Json::parse(json.out);
  EXPECT_NEAR(found.at("parameters").at("inertia").get<double>(), 0.0712, 1e-6);
  EXPECT_NEAR(found.at("parameters").at("drag").get<double>(), 0.0345, 1e-6);
  EXPECT_LT(found.at("value").get<double>(), 1e-12);
  EXPECT_GT(found.at("evaluations").get<int>(), 3);
  EXPECT_TRUE(found.at("constraints").empty());
  // the scene that was written has what was found, and runs as found
  const Scene written = load(scene);
  for (const auto& [name, value] : written.parameters)
    EXPECT_EQ(value, found.at("parameters").at(name).get<double>()) << name;
  const CsvTable run_again = [&] {
    EXPECT_EQ(run({"simulate", scene, "--out", folder_.path("again.csv")}).code, 0);
    return load_csv(folder_.path("again.csv"));
  }();
  for (std::size_t row = 0; row < run_again.rows.size(); ++row) EXPECT_NEAR(value(run_again, "miss", row), 0.0, 1e-7);
  const std::string html = file_contents(page);
  for (const char* part : {"before", "after", "q.rod", "<svg", "miss.rms^2"}) EXPECT_TRUE(says(html, part)) << part;
  EXPECT_EQ(run(request).out, text.out);
}

/// A motor that pushes all the time: 2 m in 1 s take 4 N a kilogram.
TEST_F(GradientCommand, InputsAreNumbers) {
  const std::string scene = file(R"(cardan = 1
gravity = [0, 0, 0]
[[body]]
name = "cart"
mass = 3
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[input]]
name = "left motor"
joint = "cart"
[simulation]
duration = 1
step = 0.1
)");
  const Outcome slope = run({"gradient", scene, "--of", "q.cart.final", "--by", "input.left motor", "--json"});
  ASSERT_EQ(slope.code, 0) << slope.err;
  EXPECT_NEAR(Json::parse(slope.out).at("q.cart.final").at("by").at("input.left motor").get<double>(), 1.0 / 6.0,
              1e-10);
  const std::string out = folder_.path("pushed.toml");
  const Outcome found =
      run({"optimize", scene, "--minimize", "(q.cart.final - 2)^2", "--vary", "input.left motor=-50:50", "--out", out});
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_NEAR(load(out).inputs.front().value, 12.0, 1e-6);
}

/// Numbers of the start are written as the start of the scene, one of several among the others.
TEST_F(GradientCommand, OptimizeWritesStarts) {
  const std::string scene = file(R"(cardan = 1
gravity = [0, 0, -10]
[[body]]
name = "ball"
mass = 1
[body.joint]
type = "translational"
v = [1, 2, 3]
[simulation]
duration = 1
step = 0.1
)");
  const std::string out = folder_.path("out.toml");
  const Outcome outcome = run({"optimize", scene, "--minimize", "(q.ball.2.final - 1)^2 + (q.ball.0.final - 4)^2",
                               "--vary", "initial.v.ball.2=0:20", "--vary", "initial.q.ball.0=0:20", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Scene written = load(out);
  EXPECT_NEAR(written.initial.v[0], 1.0, 1e-12);
  EXPECT_NEAR(written.initial.v[1], 2.0, 1e-12);
  EXPECT_NEAR(written.initial.v[2], 6.0, 1e-6);
  EXPECT_NEAR(written.initial.q[0], 3.0, 1e-6);
}

TEST_F(GradientCommand, OptimizeTakesNamesThatAreNoWords) {
  const Outcome outcome = run({"optimize", kCart, "--minimize", "far^2", "--with", "far=tip.x.final", "--vary",
                               "start=-0.2:0.3", "--duration", "0.05"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "far^2"));
}

TEST_F(GradientCommand, OptimizeRefusesWhatMakesNoSense) {
  const auto vary = [&](const std::string& range, const std::string& text = "q.pole.rms") {
    return optimize_refusal({"--minimize", text, "--vary", range});
  };
  EXPECT_TRUE(says(vary("length=2:1"), "expected a range from low to high, found 2 to 1"));
  EXPECT_TRUE(says(vary("length=1:1"), "expected a range from low to high"));
  EXPECT_TRUE(says(vary("length=2:3"), "expected a start within its range 2 to 3, found 1 in the scene"));
  EXPECT_TRUE(says(vary("length"), "expected NAME=LO:HI"));
  EXPECT_TRUE(says(vary("length=a:2"), "expected a number, found \"a\""));
  EXPECT_TRUE(says(vary("lenght=0.5:2"), "did you mean \"length\"?"));
  EXPECT_TRUE(says(vary("length=0.5:2", "q.pol.rms"), "did you mean \"q.pole\"?"));
  EXPECT_TRUE(says(vary("length=0.5:2", "mas"), "did you mean \"mass\"?"));
  EXPECT_TRUE(says(vary("length=0.5:2", "q.pole.rms +"), "character 13"));
  EXPECT_TRUE(says(vary("length=0.5:2", "3"), "\"3\" depends on nothing that is varied"));
  EXPECT_TRUE(says(vary("length=0.5:2", "mass"), "\"mass\" depends on nothing that is varied"));
  EXPECT_TRUE(says(optimize_refusal({"--minimize", "length", "--vary", "length=0.5:2", "--subject-to", "length - 3"}),
                   "no numbers within their ranges were found that make \"length - 3\" >= 0: -1 at best"));
  EXPECT_TRUE(says(optimize_refusal({"--minimize", "length", "--vary", "length=0.5:2", "--vary", "length=0.5:2"}),
                   "found it twice"));
  EXPECT_TRUE(
      says(optimize_refusal({"--minimize", "x", "--vary", "length=0.5:2", "--with", "x"}), "expected WORD=NAME"));
  EXPECT_TRUE(says(optimize_refusal({"--minimize", "q.pole.rms", "--vary", "length=0.5:2", "--out", "/nowhere/a.toml"}),
                   "there is no folder"));
  const std::string idle = file(with_spare());
  EXPECT_TRUE(says(refusal(run({"optimize", idle, "--minimize", "q.rod.rms", "--vary", "spare=1:4", "--vary",
                                "body.rod.mass=0.5:2", "--duration", "0.1"})),
                   "\"spare\": nothing that is sought depends on it"));
}

}  // namespace
}  // namespace cardan::test
