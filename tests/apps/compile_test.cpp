// `cardan compile` from outside: files, check by both compilers, refusals; and the compiled backends of `cardan eval`.
#include "tests/apps/run_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace cardan {
namespace {

using Json = nlohmann::json;
using test::Outcome;
using test::says;
using test::TemporaryFolder;
namespace fs = std::filesystem;

const std::string kExamples = CARDAN_SOURCE_DIR "/examples/";

class Compile : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) { return test::run_command(arguments, folder); }
  std::string refused(const std::vector<std::string>& arguments) { return test::refusal(run(arguments)); }
  TemporaryFolder folder;
};

/// gcc and clang, all warnings being errors; every function, on a URDF and on scenes with invented joints.
TEST_F(Compile, GeneratedCCompilesCleanlyAndAgrees) {
  for (const char* compiler : {"gcc", "clang-14"}) {
    setenv("CC", compiler, 1);
    for (const char* file : {"double_pendulum.urdf", "knee.toml", "cam.toml", "torus_chain_on_curve.toml"}) {
      const Outcome info = run({"info", kExamples + file, "--json"});
      ASSERT_EQ(info.code, 0) << info.err;
      const std::string last = Json::parse(info.out).at("bodies").back().at("name");
      const Outcome outcome =
          run({"compile", kExamples + file, "--out", folder.path("c"), "--check", "--frame", last, "--functions",
               "forward_dynamics,inverse_dynamics,mass_matrix,bias,gravity,pose,jacobian"});
      EXPECT_EQ(outcome.code, 0) << compiler << " " << file << ": " << outcome.err;
      EXPECT_EQ(outcome.err, "");
      EXPECT_TRUE(says(outcome.out, "checked jacobian")) << outcome.out;
    }
  }
  unsetenv("CC");
}

TEST_F(Compile, HostileNamesBecomeHarmless) {
  const std::string urdf = folder.write("r.urdf", R"(<robot name="int"><link name="a"/><link name="b"><inertial>
    <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="*/ evil(); /* ??/" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)");
  const Outcome outcome = run({"compile", urdf, "--out", folder.path("c"), "--check"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder.path("c/int_.c")));
}

TEST_F(Compile, Refuses) {
  const std::string pendulum = kExamples + "double_pendulum.urdf", out = folder.path("c");
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", out, "--functions", "forward_dynamic"}),
                   "did you mean \"forward_dynamics\"?"));
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", out, "--functions", "pose"}), "--frame"));
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", out, "--functions", "pose", "--frame", "lowr"}),
                   "did you mean \"lower\"?"));
  EXPECT_TRUE(says(refused({"compile", "absent.urdf", "--out", out}), "absent.urdf"));
  EXPECT_FALSE(fs::exists(out));
  EXPECT_TRUE(says(refused({"compile", pendulum, "--out", folder.write("file", "")}), "folder"));
}

double largest_difference(const Json& a, const Json& b) {
  if (a.is_number()) return std::abs(a.get<double>() - b.get<double>()) / std::max(1.0, std::abs(b.get<double>()));
  double worst = 0.0;
  for (auto it = a.begin(), other = b.begin(); it != a.end(); ++it, ++other)
    worst = std::max(worst, largest_difference(*it, *other));
  return worst;
}

TEST_F(Compile, BackendsOfEvalAgree) {
  Json request{
      {"quantities",
       {"inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity", "energy", "pose", "jacobian"}},
      {"frame", "foot"}};
  for (int i = 0; i < 11; ++i)  // one register of states, and some
    request["states"].push_back({{"a", std::vector<double>(6, 0.1 * i)}, {"tau", std::vector<double>(6, 0.2 * i)}});
  Json generic;
  for (const char* backend : {"generic", "compiled", "batch"}) {
    request["backend"] = backend;
    const Outcome outcome = run({"eval", kExamples + "knee.toml", folder.write("s.json", request.dump())});
    if (std::string(backend) == "batch" && says(outcome.err, "no machine code")) continue;
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json results = Json::parse(outcome.out).at("results");
    ASSERT_EQ(results.size(), 11u);
    if (generic.is_null()) generic = results;
    EXPECT_LT(largest_difference(results, generic), 1e-12) << backend;
  }
}

}  // namespace
}  // namespace cardan
