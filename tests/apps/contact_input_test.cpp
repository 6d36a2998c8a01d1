// What is refused of contact, by the command: one clear line, and exit code 1.
#include "tests/apps/run_command.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan::test {
namespace {

class ContactInput : public testing::Test {
 protected:
  std::string refused(const std::string& scene) {
    return refusal(run_command({"simulate", folder.write("s.toml", "cardan = 1\n" + scene)}, folder));
  }
  /// A ball above a ground; the parts may be replaced.
  static std::string ball(const std::string& shape = "sphere = 0.1", const std::string& mass = "mass = 1",
                          double height = 0.5, const std::string& joint = "") {
    return fmt::format(
        "[[body]]\nname = \"ball\"\n{}\n[[body.shape]]\n{}\n[body.joint]\ntype = \"free\"\nq = [1, 0, 0, 0, 0, 0, "
        "{}]\n{}"
        "[simulation]\nduration = 0.1\n",
        mass, shape, height, joint);
  }

  TemporaryFolder folder;
};

TEST_F(ContactInput, CoefficientsOutOfRange) {
  for (const char* table : {"[ground]", "[[contact]]"}) {
    const std::string name = table[1] == '[' ? "contact" : "ground";
    const auto line = [&](const std::string& key) { return refused(fmt::format("{}\n{}\n", table, key) + ball()); };
    EXPECT_TRUE(says(line("friction = -0.1"),
                     "s.toml:3:12: " + name + ": friction: expected a number not below 0, found -0.1"));
    EXPECT_TRUE(says(line("restitution = 1.1"), name + ": restitution: expected a number from 0 to 1, found 1.1"));
    EXPECT_TRUE(says(line("restitution = -0.1"), name + ": restitution: expected a number not below 0, found -0.1"));
    EXPECT_TRUE(says(line("stiffness = 0"), name + ": stiffness: expected a positive number, found 0"));
    EXPECT_TRUE(says(line("rolling = -1"), name + ": rolling: expected a number not below 0, found -1"));
  }
  EXPECT_TRUE(says(refused("[ground]\n" + ball("sphere = 0.1\nmaterial = { friction = -1 }")),
                   "material: friction: expected a number not below 0, found -1"));
  EXPECT_TRUE(says(refused("[ground]\n" + ball("sphere = 0.1\nmaterial = { restitution = 1.5 }")),
                   "material: restitution: expected a number from 0 to 1, found 1.5"));
  for (const char* e : {"1.2", "[0, 0, 0, 0, 0, 1.2]"})
    EXPECT_TRUE(
        says(refused("[ground]\n" + ball("sphere = 0.1", "mass = 1", 0.5, fmt::format("restitution = {}\n", e))),
             "expected a number from 0 to 1, found 1.2"));
  EXPECT_TRUE(says(refused("[ground]\n" + ball("sphere = 0.1", "mass = 1", 0.5, "restitution = -1\n")),
                   "joint: restitution: expected a number that is not negative, found -1"));
}

TEST_F(ContactInput, DampingWithoutStiffness) {
  const std::string expected = "damping: expected a stiffness for every pair that it damps, found none for bodies ";
  EXPECT_TRUE(
      says(refused("[ground]\ndamping = 5\n" + ball()), "s.toml:2:1: ground: " + expected + "\"ball\" and \"ground\""));
  EXPECT_TRUE(says(refused("[ground]\n[[contact]]\ndamping = 5\n" + ball()),
                   "s.toml:3:1: contact: " + expected + "\"ball\" and \"ground\""));
  // the ground's stiffness is not that of two balls
  const std::string second =
      "[[body]]\nname = \"other\"\nmass = 1\n[[body.shape]]\nsphere = 0.1\n[body.joint]\n"
      "type = \"free\"\nq = [1, 0, 0, 0, 1, 0, 0.5]\n";
  const std::string partly = "[ground]\nstiffness = 1000\n[[contact]]\ndamping = 5\n";
  EXPECT_TRUE(says(refused(partly + second + ball()), "contact: " + expected + "\"other\" and \"ball\""));
  const std::string on_ground = "[[contact]]\na = \"ball\"\nb = \"ground\"\ndamping = 5\n";
  for (const std::string& legal :
       {partly, "[ground]\nstiffness = 1000\n" + on_ground, "[ground]\n[[contact]]\nstiffness = 1000\n" + on_ground,
        std::string("[ground]\ndamping = 0\n"), std::string("[ground]\ndamping = 5\n[[contact]]\nstiffness = 1000\n")})
    EXPECT_EQ(run_command({"simulate", folder.write("s.toml", "cardan = 1\n" + legal + ball())}, folder).code, 0)
        << legal;
}

TEST_F(ContactInput, ShapesWithoutSize) {
  for (const char* shape :
       {"sphere = 0", "box = [0, 1, 1]", "capsule = { radius = 0, length = 1 }",
        "cylinder = { radius = 1, length = 0 }", "ellipsoid = [1, 0, 1]", "torus = { major = 0, minor = 0.1 }"})
    EXPECT_TRUE(says(refused("[ground]\n" + ball(shape)), "expected a positive number, found 0")) << shape;
}

TEST_F(ContactInput, BodiesThatStartInsideEachOtherAreNamedWithTheDepth) {
  for (const char* mode : {"stepping", "events", "auto"})
    EXPECT_TRUE(
        says(refused("[ground]\n" + ball("sphere = 0.1", "mass = 1", 0.05) + fmt::format("contact = \"{}\"\n", mode)),
             "bodies \"ball\" and \"ground\": expected bodies that start apart, found an overlap 0.05 m deep"))
        << mode;
}

TEST_F(ContactInput, ContactWithABodyOfNoMass) {
  for (const char* mode : {"stepping", "events", "auto"})
    EXPECT_TRUE(says(refused("[ground]\n" + ball("sphere = 0.1", "mass = 0") + fmt::format("contact = \"{}\"\n", mode)),
                     "joint \"ball\": the mass matrix is singular here"))
        << mode;
}

}  // namespace
}  // namespace cardan::test
