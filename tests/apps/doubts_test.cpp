// Numbers that are allowed and probably not meant: degrees for radians, quaternions as (x, y, z, w).
#include "tests/apps/scene_runs.hpp"

namespace cardan {
namespace {

using test::Json;

class Doubts : public test::SceneRuns {
 protected:
  static std::string body(const std::string& type, const std::string& joint) {
    return "cardan = 1\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\ntype = \"" +
           type + "\"\n" + joint;
  }
  /// Those warnings of a short run that are no others'.
  std::vector<std::string> warnings(const std::string& scene, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments{"simulate", file(scene), "--duration", "0.01", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const test::Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out).at("warnings").get<std::vector<std::string>>();
  }
};

TEST_F(Doubts, AHingeBeyondATurn) {
  for (const char* q : {"q = 30\n", "q = [30]\n"}) {
    const std::vector<std::string> told = warnings(body("revolute", q));
    ASSERT_EQ(told.size(), 1u);
    EXPECT_TRUE(test::says(told[0],
                           ":8:5: body \"b\": joint: q: 30 is 4.77 turns: angles are radians; for degrees "
                           "write \"30 deg\""))
        << told[0];
  }
  const std::vector<std::string> initial = warnings(body("revolute", "[initial]\nq = { b = -90 }\n"));
  ASSERT_EQ(initial.size(), 1u);
  EXPECT_TRUE(test::says(initial[0], "initial: q: b: -90 is 14.3 turns")) << initial[0];
  const std::vector<std::string> option = warnings(body("revolute", ""), {"--q", "b=45"});
  ASSERT_EQ(option.size(), 1u);
  EXPECT_TRUE(option[0].starts_with("--q \"b=45\": 45 is 7.16 turns")) << option[0];
  // what is proposed is taken, and so is what has its unit, less than a turn, or is no angle
  for (const char* q : {"q = \"30 deg\"\n", "q = \"7 rev\"\n", "q = 6.28\n", "q = -3\n"})
    EXPECT_TRUE(warnings(body("revolute", q)).empty()) << q;
  EXPECT_TRUE(warnings(body("prismatic", "q = 30\n")).empty());
  EXPECT_TRUE(warnings(body("revolute", ""), {"--q", "b=400 deg"}).empty());
}

/// The same turn as (x, y, z, w): the proposed numbers are its (w, x, y, z).
TEST_F(Doubts, QuaternionsThatBeginWithX) {
  const std::vector<std::string> ball = warnings(body("spherical", "q = [0, 0, 0.6, 0.8]\n"));
  ASSERT_EQ(ball.size(), 1u);
  EXPECT_TRUE(test::says(ball[0],
                         ":8:5: body \"b\": joint: q: [0, 0, 0.6, 0.8] turns by 180 degrees: quaternions are "
                         "(w, x, y, z); if (x, y, z, w) is meant, write [0.8, 0, 0, 0.6]"))
      << ball[0];
  EXPECT_TRUE(warnings(body("spherical", "q = [0.8, 0, 0, 0.6]\n")).empty());
  EXPECT_EQ(warnings(body("free", "q = [0, 0, 0, 1, 0, 0, 2]\n")).size(), 1u);
  EXPECT_EQ(warnings(body("revolute", "at = { quat = [0, 0, 0, 1] }\n")).size(), 1u);
  EXPECT_EQ(warnings(body("free", ""), {"--q", "b=0,0,0,1,0,0,0"}).size(), 1u);
  // half turns about other axes, and turns that are as likely as the others, are no doubts
  for (const char* q : {"[0, 1, 0, 0]", "[0, 0, 1, 0]", "[0, 0.8, 0, 0.6]", "[0.6, 0, 0, 0.8]", "[1, 0, 0, 0]"})
    EXPECT_TRUE(warnings(body("spherical", std::string("q = ") + q + "\n")).empty()) << q;
}

/// MuJoCo's quaternions begin with w, and a half turn about z is one.
TEST_F(Doubts, OtherFormatsHaveTheirOwnConventions) {
  const std::string model =
      file("<mujoco><worldbody><body quat='0 0 0 1'><joint/><geom size='0.1' mass='1'/></body></worldbody></mujoco>",
           "m.xml");
  const test::Outcome outcome = run({"info", model});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(test::says(outcome.out, "quaternions")) << outcome.out;
}

}  // namespace
}  // namespace cardan
