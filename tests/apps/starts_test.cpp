// What is taken from the start of a run is taken from where its motions and loops put it.
#include "tests/apps/scene_runs.hpp"

namespace cardan {
namespace {

using test::Json;
using test::Outcome;

class Starts : public test::SceneRuns {
 protected:
  static std::string block(const std::string& rest) {
    return "cardan = 1\ngravity = [0, 0, 0]\n[[body]]\nname = \"block\"\nmass = 1\n[body.joint]\ntype = "
           "\"prismatic\"\naxis = [1, 0, 0]\n" +
           rest;
  }
  static std::string moved_to(const std::string& x, const char* key = "position") {
    return std::string("[[motion]]\njoint = \"block\"\n") + key + " = \"" + x + "\"\n";
  }
};

constexpr const char* kSpring = R"toml([[force]]
type = "spring"
name = "s"
points = [{ body = "world", at = [-1, 0, 0] }, { body = "block" }]
stiffness = 100
[[record]]
name = "F"
spring = "s"
quantity = "tension"
)toml";

/// A spring without `rest` is slack where the motion begins, in every formulation, and k x later.
TEST_F(Starts, RestLengthsAreThoseOfTheMotion) {
  for (const char* formulation : {"recursive", "redmax", "maximal"}) {
    const CsvTable run =
        motion(block(kSpring + moved_to("0.5 + 0.3*t")), {"--duration", "1", "--formulation", formulation});
    for (const std::vector<double>& row : run.rows)
      EXPECT_NEAR(row[run.find("F")], 100.0 * 0.3 * row[0], 1e-9) << formulation;
  }
  const CsvTable by_velocity =
      motion(block("q = [0.2]\n" + (kSpring + moved_to("0.3", "velocity"))), {"--duration", "1"});
  EXPECT_NEAR(by_velocity.rows.back()[by_velocity.find("F")], 30.0, 1e-9);
}

std::string muscle(const char* tendon) {
  return std::string(R"toml([[force]]
type = "muscle"
name = "m"
points = [{ body = "world" }, { body = "block" }]
max_force = 1000
optimal_length = 0.1
slack_length = 0.2
excitation = "0.5"
tendon = ")toml") +
         tendon + R"toml("
[[record]]
name = "F"
muscle = "m"
quantity = "tension"
)toml";
}

/// A muscle is called slack where it is, and an elastic tendon starts in balance: nothing changes while it is held.
TEST_F(Starts, MusclesStartWhereTheMotionPutsThem) {
  const std::string csv = folder_.path("run.csv");
  const Outcome held =
      run({"simulate", file(block(muscle("elastic") + moved_to("0.31"))), "--duration", "0.5", "--json", "--out", csv});
  ASSERT_EQ(held.code, 0) << held.err;
  EXPECT_TRUE(Json::parse(held.out).at("warnings").empty()) << held.out;
  const CsvTable found = load_csv(csv);
  const std::size_t F = found.find("F");
  EXPECT_GT(found.rows[0][F], 100.0);
  for (const std::vector<double>& row : found.rows) EXPECT_NEAR(row[F], found.rows.back()[F], 1e-3 * row[F]);
  const Outcome slack = run(
      {"simulate", file(block("q = [0.31]\n" + muscle("rigid") + moved_to("0.15"))), "--duration", "0.1", "--json"});
  ASSERT_EQ(slack.code, 0) << slack.err;
  EXPECT_TRUE(test::says(slack.out, "its path (0.15 m) is not longer than its slack tendon (0.2 m)")) << slack.out;
}

}  // namespace
}  // namespace cardan
