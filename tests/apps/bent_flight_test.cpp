// Bodies that spin in free flight: a method of low order bends their path, and says by how much.
#include "tests/apps/scene_runs.hpp"

#include <fmt/format.h>

namespace cardan::test {
namespace {

class BentFlight : public SceneRuns {};

TEST_F(BentFlight, PathsAreStraightOrSaidToBeBent) {
  constexpr double kSpin = 50.0, kSeconds = 2.0;
  const std::string scene = file(fmt::format(
      "cardan = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.002, 0.002, 0.002, 0, 0, 0]\n"
      "[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, 5]\nv = [0, {}, 0, 1, 0, 0]\n[[record]]\nname = \"p\"\n"
      "frame = \"b\"\nquantity = \"position\"\n[simulation]\nduration = {}\n",
      kSpin, kSeconds));
  const std::string out = folder_.path("run.csv");
  for (const std::string method : {"bdf2", "generalized_alpha", "munthe_kaas_2", "munthe_kaas_1", "bdf1",
                                   "munthe_kaas_4", "rk4", "dopri5", "munthe_kaas_54", "variational"}) {
    const Outcome outcome = run({"simulate", scene, "--integrator", method, "--step", "0.001", "--json", "--out", out});
    ASSERT_EQ(outcome.code, 0) << method << outcome.err;
    const CsvTable motion = load_csv(out);
    const std::size_t last = motion.rows.size() - 1;
    const double off =
        std::hypot(value(motion, "p.x", last) - kSeconds, value(motion, "p.y", last), value(motion, "p.z", last) - 5.0);
    double said = 0.0;
    const Json summary = Json::parse(outcome.out);
    for (const auto& warning : summary["warnings"])
      if (const std::string text = warning; says(text, "joint \"b\" turns at 50 rad/s"))
        said = std::stod(text.substr(text.find("by about ") + 9));
    if (said == 0.0) {
      EXPECT_LT(off, 0.01 * kSeconds) << method;
    } else if (said < 0.5) {
      // the direction is off by what is said at the end, by half of it on the mean
      EXPECT_NEAR(off, 0.5 * said * kSeconds, 0.25 * off) << method;
    }
  }
}

}  // namespace
}  // namespace cardan::test
