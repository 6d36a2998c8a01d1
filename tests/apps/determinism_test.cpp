// The same scene gives the same bits: run after run, and whatever ran before in a sweep.
#include "tests/apps/scene_runs.hpp"

namespace cardan::test {
namespace {

class Determinism : public SceneRuns {};

TEST_F(Determinism, TwoRunsOfAnExampleAreTheSameToTheLastBit) {
  for (const char* example : {"four_bar", "arm26", "stack", "marbles", "torus_chain_10"}) {
    std::string first;
    for (int n = 0; n < 2; ++n) {
      const std::string out = folder_.path("run.csv");
      const Outcome outcome =
          run({"simulate", kExamplesOfScenes + example + ".toml", "--duration", "0.2", "--out", out});
      ASSERT_EQ(outcome.code, 0) << example << ": " << outcome.err;
      const std::string csv = file_contents(out);
      if (n == 0) first = csv;
      EXPECT_TRUE(csv == first) << example;
    }
  }
}

TEST_F(Determinism, ASweepOfOneAndOfTwoThreadsHasTheSameTable) {
  std::string first;
  for (const char* jobs : {"1", "2"}) {
    const std::string out = folder_.path(std::string("sweep") + jobs);
    const Outcome outcome = run({"sweep", kExamplesOfScenes + "cart_pole.toml", "--vary", "length=0.5:2:6",
                                 "--duration", "0.3", "--jobs", jobs, "--out", out});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string table = file_contents(out + "/sweep.csv");
    if (first.empty()) first = table;
    EXPECT_TRUE(table == first) << table << first;
  }
}

}  // namespace
}  // namespace cardan::test
