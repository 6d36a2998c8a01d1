// Runs and requests that go wrong: nothing that was computed is lost, nothing hangs, nothing wins in silence.
#include "tests/apps/scene_runs.hpp"

namespace cardan {
namespace {

using test::Json;
using test::Outcome;
using test::refusal;
using test::says;

class NothingLost : public test::SceneRuns {};

/// A force that becomes infinite ends a run with contact: table, summary and page are there up to that time.
TEST_F(NothingLost, ARunWithContactThatBlowsUpLeavesItsRows) {
  const std::string scene = file(R"toml(cardan = 1
[ground]
[[body]]
name = "ball"
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
[[body.shape]]
sphere = 0.5
[body.joint]
type = "free"
q = [1, 0, 0, 0, 0, 0, 0.5]
[[force]]
type = "point"
body = "ball"
force = ["1/(0.5 - t) + log(0.5 - t)", 0, 0]
[simulation]
contact = "stepping"
)toml");
  const std::string csv = folder_.path("run.csv"), page = folder_.path("run.html");
  const Outcome outcome = run({"simulate", scene, "--json", "--out", csv, "--report", page});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "simulate: t = 0.5")) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "scene.toml)")) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out).at("end"), "failed");
  const CsvTable rows = load_csv(csv);
  EXPECT_GE(rows.rows.size(), 50u);
  for (const std::vector<double>& row : rows.rows)
    for (const double x : row) EXPECT_TRUE(std::isfinite(x));
  EXPECT_TRUE(says(test::file_contents(page), "t = 0.5"));
}

/// Steps and periods by which no run would end are refused.
TEST_F(NothingLost, StepsThatLeadNowhereAreRefused) {
  const std::string plain = file(test::kRod);
  EXPECT_TRUE(says(refusal(run({"simulate", plain, "--step", "1e-300"})), "step gives more than 1e12 steps"));
  EXPECT_TRUE(says(refusal(run({"simulate", file(test::kRod + "[ground]\n[simulation]\nstep = 1e-300\n")})),
                   "step gives more than 1e12 steps"));
  EXPECT_TRUE(
      says(refusal(run({"simulate", file(test::kRod + "[[controller]]\ntype = \"pd\"\njoints = [\"rod\"]\ntarget = "
                                                      "[0]\nkp = 1\nperiod = 1e-300\n")})),
           "period: expected at least 1e-09 s, or 0 for continuous, found 1e-300"));
}

TEST_F(NothingLost, KeysOfRequestsAreGivenOnce) {
  const std::string scene = file(test::kRod);
  const auto refused = [&](const std::string& request) {
    return refusal(run({"eval", scene, folder_.write("request.json", request)}));
  };
  EXPECT_TRUE(says(refused("{\"quantities\": [\"energy\"],\n\"states\": [{\"q\": [0], \"v\": [1],\n\"q\": [1]}]}"),
                   "request.json:3: expected every key once, found \"q\" twice"));
  EXPECT_TRUE(
      says(refused("{\"states\": [{}], \"states\": [{}], \"quantities\": [\"energy\"]}"), "found \"states\" twice"));
  const Outcome two = run({"eval", scene,
                           folder_.write("request.json",
                                         "{\"quantities\": [\"energy\"], \"states\": [{\"q\": "
                                         "[0]}, {\"q\": [1]}]}")});
  EXPECT_EQ(two.code, 0) << two.err;
}

TEST_F(NothingLost, PagesOfComparisonsLoadNothing) {
  const std::string csv = folder_.path("run.csv"), page = folder_.path("compare.html");
  ASSERT_EQ(run({"simulate", file(test::kRod), "--duration", "0.1", "--out", csv}).code, 0);
  ASSERT_EQ(run({"compare", csv, csv, "--out", page}).code, 0);
  EXPECT_TRUE(says(test::file_contents(page), "Content-Security-Policy\" content=\"default-src 'none';"));
}

}  // namespace
}  // namespace cardan
