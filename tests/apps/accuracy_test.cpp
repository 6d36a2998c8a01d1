// `cardan info --accuracy`: conditions in closed form or from the book, the measured round trip, causes by name.
#include "tests/apps/scene_runs.hpp"

namespace cardan {
namespace {

using test::Json;
using test::Outcome;
using test::says;

class AccuracyReport : public test::SceneRuns {
 protected:
  Json accuracy(const std::string& scene) const {
    const Outcome outcome = run({"info", file(scene), "--accuracy", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out).at("accuracy") : Json();
  }
  std::string words(const std::string& scene) const {
    const Outcome outcome = run({"info", file(scene), "--accuracy"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
};

std::string bar(const std::string& name, const std::string& parent, double x, double q, double length = 1.0) {
  return "[[body]]\nname = \"" + name + "\"\nparent = \"" + parent + "\"\nmass = 1\ncom = [" +
         std::to_string(length / 2) +
         ", 0, 0]\ninertia = [0.001, 0.08333333333333333, 0.08333333333333333, 0, 0, 0]\n[body.joint]\ntype = "
         "\"revolute\"\nat = { xyz = [" +
         std::to_string(x) + ", 0, 0] }\nq = [" + std::to_string(q) + "]\n";
}

/// Unit links in the plane whose angles alternate.
std::string chain(int links, double angle) {
  std::string out = "cardan = 1\n";
  for (int i = 0; i < links; ++i)
    out += bar("link " + std::to_string(i + 1), i == 0 ? "world" : "link " + std::to_string(i), i == 0 ? 0.0 : 1.0,
               i % 2 == 0 ? angle : -angle);
  return out;
}

/// Section 10.2 of the book: cond(H) = 725.
TEST_F(AccuracyReport, HasTheConditionOfTheBooksZigzagChain) {
  const std::string zigzag = chain(6, 75.0 * std::numbers::pi / 180.0);
  const Json found = accuracy(zigzag);
  EXPECT_NEAR(found.at("condition").get<double>(), 725.39, 0.01);
  EXPECT_EQ(found.at("digits"), 13);
  EXPECT_EQ(found.at("unit"), "kg m2");
  EXPECT_EQ(found.at("depth"), 6);
  EXPECT_EQ(found.at("deepest"), "link 6");
  EXPECT_EQ(found.at("branches"), 1);
  EXPECT_FALSE(found.contains("length"));
  EXPECT_FALSE(found.contains("masses"));
  const std::string out = words(zigzag);
  EXPECT_TRUE(says(out, "expect about 13 of 16 digits of accelerations: the mass matrix has condition 725.4")) << out;
  EXPECT_TRUE(says(out, "\"link 6\" is 6 joints from the world, among 6 bodies in 1 branch")) << out;
  EXPECT_TRUE(says(out, "straight chain of 6 equal links has condition 5184")) << out;
  EXPECT_FALSE(says(run({"info", file(zigzag)}).out, "accuracy"));
}

/// Scaled to equal diagonals h, a 2 x 2 matrix has the eigenvalues h (1 +- r), where r is what its two velocities have
/// in common; here r^2 = 0.5^2/(2/3).
TEST_F(AccuracyReport, ScalesRadiansAndMetersToTheSameInertia) {
  const std::string scene = R"toml(cardan = 1
[[body]]
name = "cart"
mass = 1
[body.joint]
type = "prismatic"
axis = [1, 0, 0]
[[body]]
name = "pole"
parent = "cart"
mass = 1
com = [0, 0, 0.5]
inertia = [0.08333333333333333, 0.08333333333333333, 0.001, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
)toml";
  const Json found = accuracy(scene);
  const double r = std::sqrt(0.375), h = 1.0 / 3.0;
  EXPECT_NEAR(found.at("condition").get<double>(), (1 + r) / (1 - r), 1e-9);
  EXPECT_NEAR(found.at("condition_by_coupling").get<double>(), (1 + r) / (1 - r), 1e-9);
  EXPECT_NEAR(found.at("length").get<double>(), std::sqrt(h / 2.0), 1e-12);
  EXPECT_NEAR(found.at("largest").at("inertia").get<double>(), h * (1 + r), 1e-12);
  EXPECT_NEAR(found.at("smallest").at("inertia").get<double>(), h * (1 - r), 1e-12);
  EXPECT_EQ(found.at("largest").at("velocities").size(), 2u);
  EXPECT_TRUE(says(words(scene), "m/s count as 1 rad/s"));
}

/// Two joints that share nothing: H is diagonal, 1 kg beside 10 kg.
TEST_F(AccuracyReport, NamesTheLargestAndTheSmallestInertia) {
  std::string scene = "cardan = 1\n";
  for (const char* name : {"light", "heavy"})
    scene += std::string("[[body]]\nname = \"") + name + "\"\nmass = " + (name[0] == 'l' ? "1" : "10") +
             "\n[body.joint]\ntype = \"prismatic\"\n";
  const Json found = accuracy(scene);
  EXPECT_NEAR(found.at("condition").get<double>(), 10.0, 1e-12);
  EXPECT_NEAR(found.at("condition_by_coupling").get<double>(), 1.0, 1e-12);
  EXPECT_EQ(found.at("unit"), "kg");
  EXPECT_EQ(found.at("largest").at("velocities"), Json({"v.heavy"}));
  EXPECT_EQ(found.at("smallest").at("velocities"), Json({"v.light"}));
}

/// The double pendulum, stretched: H = [J + M + c, J + c/2; ., J] with the lower rod's M = 1000, J about its pivot.
TEST_F(AccuracyReport, NamesALightBodyThatCarriesAHeavyOne) {
  std::string lower = test::kLowerRod;
  lower.replace(lower.find("mass = 1"), 8, "mass = 1000");
  const Json found = accuracy(test::kRod + lower);
  EXPECT_EQ(found.at("masses").at("light"), "rod");
  EXPECT_EQ(found.at("masses").at("heavy"), "lower");
  EXPECT_NEAR(found.at("masses").at("ratio").get<double>(), 1000.0, 1e-9);
  const double J = 1.0 / 12.0 + 250.0, held = test::kRodInertia + 1000.0 + 1000.0 + J, shared = J + 500.0;
  EXPECT_EQ(found.at("coupling").at("velocity"), "v.rod");
  EXPECT_NEAR(found.at("coupling").at("held").get<double>(), held, 1e-9);
  EXPECT_NEAR(found.at("coupling").at("free").get<double>(), held - shared * shared / J, 1e-6);
  const double mean = (held + J) / 2, half = std::hypot((held - J) / 2, shared);
  EXPECT_NEAR(found.at("condition").get<double>() * (mean - half) / (mean + half), 1.0, 1e-9);
  EXPECT_TRUE(says(words(test::kRod + lower), "\"rod\" carries \"lower\" of 1000 times its mass"));
}

/// What is lost in fact grows with the condition and stays below what it allows.
TEST_F(AccuracyReport, MeasuresWhatTheConditionForetells) {
  double before = 0.0;
  for (const int links : {1, 10, 100}) {
    const Json found = accuracy(chain(links, 0.0));
    const double lost = found.at("measured").at("accelerations").get<double>();
    EXPECT_LT(lost, 1e-15 * found.at("condition").get<double>()) << links;
    EXPECT_GT(lost, 5 * before) << links;
    EXPECT_LT(found.at("measured").at("forces").get<double>(), 1e-12) << links;
    before = lost;
  }
}

/// A parallelogram nears the pose in which all bars lie on one line. The knuckle at P closes by two rows; the velocity
/// of a joint at A moves P across the line from A to P: x = (-s, 0, s), y = (2 + c, 2, -c). The smallest eigenvalue of
/// their products, with y the longer, is the square of the clearance.
TEST_F(AccuracyReport, NamesTheLoopThatIsNearlySingular) {
  const auto parallelogram = [](double angle) {
    return "cardan = 1\n" + bar("crank", "world", 0.0, angle) + bar("coupler", "crank", 1.0, -angle, 2.0) +
           bar("rocker", "world", 2.0, angle) +
           "[[loop]]\nname = \"knuckle\"\na = \"coupler\"\nb = \"rocker\"\ntype = \"revolute\"\nat_a = { xyz = [2, 0, "
           "0] }\nat_b = { xyz = [1, 0, 0] }\n";
  };
  const auto clearance = [&](double angle) {
    const Json found = accuracy(parallelogram(angle)).at("clearance");
    EXPECT_EQ(found.at("constraint"), "loop \"knuckle\"");
    return found.at("value").get<double>();
  };
  EXPECT_GT(clearance(1.0), 0.1);
  for (const double angle : {1e-2, 1e-4}) {
    const double sine = std::sin(angle), c = std::cos(angle);
    const double xx = 2 * sine * sine, yy = (2 + c) * (2 + c) + 4 + c * c, xy = -sine * (2 + c) - sine * c;
    const double smaller = (xx + yy) / 2 - std::hypot((xx - yy) / 2, xy);
    EXPECT_NEAR(clearance(angle) / std::sqrt(smaller / yy), 1.0, 1e-3) << angle;
  }
  EXPECT_LT(clearance(0.0), 1e-9);
  EXPECT_FALSE(says(words(parallelogram(1.0)), "nearly singular"));
  EXPECT_TRUE(says(words(parallelogram(1e-4)), "nearly singular: its forces lose about 5 digits"))
      << words(parallelogram(1e-4));
}

TEST_F(AccuracyReport, SaysWhatIsLeftOutOfLargeModels) {
  const std::string large = chain(1001, 0.0);
  const Json found = accuracy(large);
  EXPECT_FALSE(found.contains("condition"));
  EXPECT_EQ(found.at("depth"), 1001);
  EXPECT_GT(found.at("measured").at("accelerations").get<double>(), 1e-12);
  EXPECT_TRUE(says(words(large), "condition and effective inertias are left out above 1000 velocities"));
}

/// The time is a coordinate without an acceleration of its own; where the pivot stands still, nothing resists it.
TEST_F(AccuracyReport, LeavesOutJointsThatFollowTime) {
  const std::string scene = R"toml(cardan = 1
[[body]]
name = "b"
mass = 0.7
com = [0, 0, -0.2]
inertia = [0.005, 0.004, 0.002, 0, 0, 0]
[body.joint]
type = "expression"
coordinates = ["a"]
transform = "trans(0, 0, 0.02*cos(160*t)) * roty(a)"
q = [2.8]
)toml";
  const Json found = accuracy(scene);
  EXPECT_FALSE(found.contains("condition"));
  EXPECT_FALSE(found.contains("measured"));
  EXPECT_TRUE(says(words(scene), "left out: joint \"b\" has the time as a coordinate"));
}

/// A point mass at a pivot resists nothing.
TEST_F(AccuracyReport, ASingularMassMatrixHasNoDigits) {
  const std::string scene =
      "cardan = 1\n" + bar("arm", "world", 0.0, 0.3) +
      "[[body]]\nname = \"point\"\nparent = \"arm\"\nmass = 1\n[body.joint]\ntype = \"revolute\"\nat = { xyz = [1, 0, "
      "0] }\n";
  const Json found = accuracy(scene);
  EXPECT_TRUE(found.at("condition").is_null());
  EXPECT_EQ(found.at("digits"), 0);
  EXPECT_EQ(found.at("smallest").at("velocities"), Json({"v.point"}));
  EXPECT_TRUE(says(words(scene), "singular within rounding: accelerations mean nothing here"));
}

}  // namespace
}  // namespace cardan
