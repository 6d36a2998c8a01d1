// `cardan compare`: what is compared where runs differ in length.
#include "tests/apps/scene_runs.hpp"

namespace cardan::test {
namespace {

class Compare : public SceneRuns {
 protected:
  std::string table(const std::string& name, double from, double to, double slope) const {
    std::string text = "t,x\n";
    for (int i = 0; i <= 10; ++i) {
      const double t = from + 0.1 * i * (to - from);
      text += std::to_string(t) + "," + std::to_string(slope * t) + "\n";
    }
    return folder_.write(name, text);
  }
  Outcome compare(const std::string& a, const std::string& b) const {
    return run({"compare", a, b, "--out", folder_.path("page.html")});
  }
};

TEST_F(Compare, RunsOfDifferentLengthAreComparedOverWhatTheyShare) {
  const std::string longer = table("longer.csv", 0.0, 2.0, 1.0), shorter = table("shorter.csv", 0.0, 1.0, 1.5);
  for (const auto& [a, b] : {std::pair(longer, shorter), std::pair(shorter, longer)}) {
    const Outcome outcome = compare(a, b);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(says(outcome.out, "5.000e-01")) << outcome.out;  // |1.5 t - t| up to 1 s
    EXPECT_TRUE(says(outcome.out, "only t = 0 to 1 s")) << outcome.out;
    EXPECT_TRUE(says(file_contents(folder_.path("page.html")), "only t = 0 to 1 s"));
  }
  EXPECT_FALSE(says(compare(longer, longer).out, "only"));
}

TEST_F(Compare, RunsWithoutCommonTimesAreRefused) {
  const std::string early = table("early.csv", 0.0, 1.0, 1.0), late = table("late.csv", 2.0, 3.0, 1.0);
  EXPECT_TRUE(says(refusal(compare(early, late)), "expected runs with times in common, found 0 to 1 s in early"));
}

TEST_F(Compare, NumbersThatAreNoneAreNoAgreement) {
  const std::string good = table("good.csv", 0.0, 1.0, 1.0);
  const std::string bad = folder_.write("bad.csv", "t,x\n0,0\n0.5,nan\n1,1\n");
  const Outcome outcome = compare(good, bad);
  EXPECT_TRUE(outcome.code != 0 || says(outcome.out, "nan")) << outcome.out;
}

/// Pages of sweeps: contours at round numbers, and no plot of what is the same in all runs.
TEST_F(Compare, SweepPagesDrawWhatVaries) {
  const std::string scene = file(R"(cardan = 1
gravity = [0, 0, 0]
[parameters]
speed = 1
mass = 1
[[body]]
name = "b"
mass = "mass"
[body.joint]
type = "prismatic"
v = ["speed"]
[[record]]
name = "twice"
expression = "2*v.b"
[[record]]
name = "two"
expression = "2 + 0*v.b"
[simulation]
duration = 0.1
)");
  const std::string page = folder_.path("sweep.html");
  const Outcome outcome = run({"sweep", scene, "--vary", "speed=1.03:2.11:3", "--vary", "mass=1:2:3", "--out",
                               folder_.path("sweep"), "--report", page});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string text = file_contents(page);
  EXPECT_TRUE(says(text, "2 in all runs")) << text;
  for (const char* level : {">2.5<", ">3<", ">3.5<", ">4<"}) EXPECT_TRUE(says(text, level)) << level;
}

}  // namespace
}  // namespace cardan::test
