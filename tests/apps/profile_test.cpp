// cardan simulate --profile: where the time of a run goes.
#include "tests/apps/scene_runs.hpp"

#include <gtest/gtest.h>

namespace cardan::profile_test {
namespace {

using test::Json;
using test::says;

class Profile : public test::SceneRuns {
 protected:
  Json summary(const std::string& scene) const {
    const test::Outcome outcome = run({"simulate", scene, "--profile", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }
};

double seconds_of(const Json& profile) {
  double sum = 0.0;
  for (const auto& [part, entry] : profile.items()) {
    EXPECT_GE(entry.at("seconds").get<double>(), 0.0) << part;
    sum += entry.at("seconds").get<double>();
  }
  return sum;
}

TEST_F(Profile, CountsEachMomentOnceAndEachPartAsOftenAsItIsDone) {
  const Json arm = summary(test::kExamplesOfScenes + "arm26.toml");
  EXPECT_EQ(arm.at("profile").at("accelerations").at("times"), arm.at("evaluations"));
  EXPECT_EQ(arm.at("profile").at("records").at("times"), arm.at("outputs"));
  const Json arch = summary(test::kExamplesOfScenes + "arch.toml");
  EXPECT_EQ(arch.at("profile").at("rest").at("times"), arch.at("contact").at("rested_steps"));
  EXPECT_GT(arch.at("profile").at("detection").at("times"), 0);
  for (const Json& run : {arm, arch}) {
    // the parts are those of the run, which the wall time measures by itself
    EXPECT_GT(seconds_of(run.at("profile")), 0.5 * run.at("wall_time").get<double>());
    EXPECT_LT(seconds_of(run.at("profile")), 2.0 * run.at("wall_time").get<double>());
  }
}

TEST_F(Profile, IsATableOnlyWhereItIsAskedFor) {
  const test::Outcome asked = run({"simulate", test::kExamplesOfScenes + "throw.toml", "--profile"});
  ASSERT_EQ(asked.code, 0) << asked.err;
  EXPECT_TRUE(says(asked.out, "where the time went")) << asked.out;
  EXPECT_TRUE(says(asked.out, "kinematics, forces and accelerations")) << asked.out;
  const test::Outcome plain = run({"simulate", test::kExamplesOfScenes + "throw.toml", "--json"});
  EXPECT_FALSE(Json::parse(plain.out).contains("profile"));
}

}  // namespace
}  // namespace cardan::profile_test
