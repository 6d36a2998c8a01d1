// What URDF says and the model that comes of it; expected values by hand.
#include "cardan/io/urdf.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

namespace cardan {
namespace {

constexpr double kPi = std::numbers::pi, kInfinity = std::numeric_limits<double>::infinity();

/// Two links and one joint, "j" from "a" to "b", with whatever else it needs.
std::string one_joint(const std::string& type, const std::string& inside = "", const std::string& link = "") {
  return "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">" + link + "</link><joint name=\"j\" type=\"" + type +
         "\"><parent link=\"a\"/><child link=\"b\"/>" + inside + "</joint></robot>";
}

Pose<double> pose(const Model& model, const std::vector<double>& q, const std::string& frame) {
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, q, k);
  return frame_pose(model, k, model.find_frame(frame));
}
void expect_near(const Vec3<double>& a, const Vec3<double>& b) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-15) << "entry " << i;
}
void expect_near(const Mat3<double>& a, const Mat3<double>& b) {
  for (int i = 0; i < 3; ++i) expect_near(a.row[i], b.row[i]);
}

UrdfOptions free_base() {
  UrdfOptions options;
  options.base = UrdfOptions::Base::free;
  return options;
}

TEST(Urdf, JointTypes) {
  struct Expected {
    const char *urdf, *type;
    int nq, nv;
  };
  for (const Expected& e : {Expected{"revolute", "revolute", 1, 1}, Expected{"continuous", "revolute", 1, 1},
                            Expected{"prismatic", "prismatic", 1, 1}, Expected{"floating", "free", 7, 6},
                            Expected{"planar", "free_planar", 3, 3}}) {
    const Model model = parse_urdf(one_joint(e.urdf), "r.urdf");
    ASSERT_EQ(model.bodies(), 1) << e.urdf;
    EXPECT_STREQ(model.joint(1).type_name(), e.type);
    EXPECT_EQ(model.nq(), e.nq);
    EXPECT_EQ(model.nv(), e.nv);
    EXPECT_EQ(model.joint_name(1), "j");
    EXPECT_EQ(model.body_name(1), "b");
  }
  EXPECT_EQ(parse_urdf(one_joint("fixed"), "r.urdf").bodies(), 0);
}

TEST(Urdf, TheAxisIsXUnlessGiven) {
  for (const char* axis : {"", "<axis/>", "<axis xyz=\"1 0 0\"/>", "<axis xyz=\"20 0 0\"/>"}) {
    const Model model = parse_urdf(one_joint("prismatic", axis), "r.urdf");
    expect_near(pose(model, {0.7}, "b").p, {0.7, 0.0, 0.0});
  }
  const Model model = parse_urdf(one_joint("prismatic", "<axis xyz=\"0 -3 4\"/>"), "r.urdf");
  expect_near(pose(model, {1.0}, "b").p, {0.0, -0.6, 0.8});
}

TEST(Urdf, OriginIsFixedAxisRollPitchYaw) {
  const std::string origin = "<origin xyz=\"1 2 3\" rpy=\"1.5707963267948966 0 1.5707963267948966\"/>";
  const Model model = parse_urdf(one_joint("revolute", origin + "<axis xyz=\"0 0 1\"/>"), "r.urdf");
  // roll takes y to z and z to -y, then yaw takes x to y and y to -x
  const Mat3<double> R = mat3<double>(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
  expect_near(pose(model, {0.0}, "b").R, R);
  expect_near(pose(model, {0.0}, "b").p, {1.0, 2.0, 3.0});
  // a quarter turn about its own z, which is the world's x
  expect_near(pose(model, {kPi / 2}, "b").R, mat3<double>(0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0));
}

TEST(Urdf, PlanarMovesAcrossTheAxis) {
  const double s = std::sin(0.3), c = std::cos(0.3);
  const Model along_z = parse_urdf(one_joint("planar", "<axis xyz=\"0 0 2\"/>"), "r.urdf");
  expect_near(pose(along_z, {0.5, -0.2, 0.3}, "b").p, {0.5, -0.2, 0.0});
  expect_near(pose(along_z, {0.5, -0.2, 0.3}, "b").R, mat3<double>(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0));
  // the default axis x: the shortest turn from z to x takes x to -z and leaves y
  const Model along_x = parse_urdf(one_joint("planar"), "r.urdf");
  expect_near(pose(along_x, {0.0, 0.0, 0.0}, "b").R, Mat3<double>::identity());
  expect_near(pose(along_x, {0.5, -0.2, 0.3}, "b").p, {0.0, -0.2, -0.5});
  expect_near(pose(along_x, {0.5, -0.2, 0.3}, "b").R, mat3<double>(1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c));
  // and where the axis is -z the frame is turned about x
  const Model down = parse_urdf(one_joint("planar", "<axis xyz=\"0 0 -1\"/>"), "r.urdf");
  expect_near(pose(down, {0.5, -0.2, 0.3}, "b").p, {0.5, 0.2, 0.0});
  expect_near(pose(down, {0.5, -0.2, 0.3}, "b").R, mat3<double>(c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0));
  // nearly so: the turn about the axis is still one
  const Model nearly = parse_urdf(one_joint("planar", "<axis xyz=\"1e-9 2e-9 -1\"/>"), "r.urdf");
  expect_near(pose(nearly, {0.0, 0.0, 0.0}, "b").R, Mat3<double>::identity());
}

TEST(Urdf, FloatingFollowsTheConventionOfFreeJoints) {
  const Model model = parse_urdf(one_joint("floating", "<origin xyz=\"0 0 1\"/>"), "r.urdf");
  const double h = std::sqrt(0.5);
  const Pose<double> b = pose(model, {h, 0.0, 0.0, h, 0.1, 0.2, 0.3}, "b");  // a quarter turn about z
  expect_near(b.p, {0.1, 0.2, 1.3});
  expect_near(b.R, mat3<double>(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0));
}

TEST(Urdf, LimitsAndDynamics) {
  const std::string inside =
      "<limit lower=\"-1.5\" upper=\"2\" effort=\"30\" velocity=\"4\"/><dynamics damping=\"0.5\" friction=\".25\"/>";
  const Model model = parse_urdf(one_joint("revolute", inside), "r.urdf");
  const DofProperties& dof = model.dof(0);
  EXPECT_EQ(dof.lower, -1.5);
  EXPECT_EQ(dof.upper, 2.0);
  EXPECT_EQ(dof.effort_limit, 30.0);
  EXPECT_EQ(dof.velocity_limit, 4.0);
  EXPECT_EQ(dof.damping, 0.5);
  EXPECT_EQ(dof.friction, 0.25);
  EXPECT_EQ(dof.armature, 0.0);
  // a continuous joint has no end
  const Model continuous = parse_urdf(one_joint("continuous", inside), "r.urdf");
  EXPECT_EQ(continuous.dof(0).lower, -kInfinity);
  EXPECT_EQ(continuous.dof(0).upper, kInfinity);
  EXPECT_EQ(continuous.dof(0).effort_limit, 30.0);
}

TEST(Urdf, MissingLimits) {
  const Model none = parse_urdf(one_joint("revolute"), "r.urdf");
  EXPECT_EQ(none.dof(0).lower, -kInfinity);
  EXPECT_EQ(none.dof(0).effort_limit, kInfinity);
  const Model partly = parse_urdf(one_joint("prismatic", "<limit upper=\"0.04\"/>"), "r.urdf");
  EXPECT_EQ(partly.dof(0).lower, 0.0);
  EXPECT_EQ(partly.dof(0).upper, 0.04);
  EXPECT_EQ(partly.dof(0).velocity_limit, kInfinity);
}

TEST(Urdf, InertialWithATurnedOrigin) {
  // principal moments 1, 2, 3 in axes turned a quarter about z: the link's x has 2, its y has 1
  const std::string text = R"(<robot name="r"><link name="a"><inertial>
    <origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/><mass value="4"/>
    <inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)";
  const Model model = parse_urdf(text, "r.urdf", free_base());
  ASSERT_EQ(model.nv(), 6);
  Workspace<double> w(model);
  Eigen::MatrixXd H(6, 6);
  mass_matrix<double>(model, w, model.neutral(), H);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(6, 6);
  expected.diagonal() << 2.0, 1.0 + 4.0 * 0.25, 3.0 + 4.0 * 0.25, 4.0, 4.0, 4.0;
  expected(1, 5) = expected(5, 1) = -4.0 * 0.5;  // m [c]x
  expected(2, 4) = expected(4, 2) = 4.0 * 0.5;
  EXPECT_LT((H - expected).norm(), 1e-14) << H;
}

TEST(Urdf, ProductsOfInertiaKeepTheirSign) {
  const std::string text = R"(<robot name="r"><link name="a"><inertial><mass value="1"/>
    <inertia ixx="2" iyy="3" izz="4" ixy="0.1" ixz="-0.2" iyz="0.3"/></inertial></link></robot>)";
  const Model model = parse_urdf(text, "r.urdf", free_base());
  Workspace<double> w(model);
  Eigen::MatrixXd H(6, 6);
  mass_matrix<double>(model, w, model.neutral(), H);
  EXPECT_EQ(H(0, 1), 0.1);
  EXPECT_EQ(H(0, 2), -0.2);
  EXPECT_EQ(H(1, 2), 0.3);
}

TEST(Urdf, FixedJointsMergeLinksAndKeepFrames) {
  const std::string text = R"(<robot name="r">
    <link name="base"/>
    <link name="arm"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="tool"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="tip"/>
    <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
    <joint name="mount" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="2 0 0"/><axis xyz="0 0 0"/></joint>
    <joint name="end" type="fixed"><parent link="tool"/><child link="tip"/><origin xyz="0 1 0"/></joint>
  </robot>)";
  const Model model = parse_urdf(text, "r.urdf");
  ASSERT_EQ(model.bodies(), 1);
  EXPECT_EQ(model.total_mass(), 5.0);
  expect_near(pose(model, {kPi / 2}, "tool").p, {0.0, 2.0, 0.0});
  expect_near(pose(model, {kPi / 2}, "tip").p, {-1.0, 2.0, 0.0});
  expect_near(pose(model, {kPi / 2}, "end").p, {-1.0, 2.0, 0.0});  // a joint's name is the frame that it carries
  Workspace<double> w(model);
  Eigen::MatrixXd H(1, 1);
  mass_matrix<double>(model, w, std::vector<double>{0.2}, H);
  EXPECT_NEAR(H(0, 0), 1.0 + 1.0 + 3.0 * 4.0, 1e-14);
}

TEST(Urdf, MimicIsKeptAsACoupling) {
  const std::string text = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="follower" type="prismatic"><parent link="b"/><child link="c"/><mimic joint="leader" multiplier="-2" offset="0.5"/></joint>
    <joint name="leader" type="revolute"><parent link="a"/><child link="b"/></joint></robot>)";
  const Model model = parse_urdf(text, "r.urdf");
  ASSERT_EQ(model.couplings().size(), 1u);
  const Coupling& c = model.couplings()[0];
  EXPECT_EQ(model.joint_name(c.dependent.body), "follower");
  EXPECT_EQ(model.joint_name(c.sources.at(0).body), "leader");
  EXPECT_EQ(c.text, "follower = -2*leader + 0.5");
  EXPECT_EQ(model.nv(), 2);
}

TEST(Urdf, MimicsOfFixedJointsAreLeftOut) {
  std::vector<std::string> warnings;
  UrdfOptions options;
  options.warnings = &warnings;
  const std::string text = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="j" type="fixed"><parent link="a"/><child link="b"/><mimic joint="nobody"/></joint>
    <joint name="k" type="revolute"><parent link="b"/><child link="c"/><mimic joint="j"/></joint></robot>)";
  EXPECT_TRUE(parse_urdf(text, "r.urdf", options).couplings().empty());
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "urdf: r.urdf:3: joint \"k\": mimic: not used: joint \"j\" is fixed");
}

TEST(Urdf, FreeBase) {
  const Model model = parse_urdf(one_joint("continuous"), "r.urdf", free_base());
  ASSERT_EQ(model.bodies(), 2);
  EXPECT_EQ(model.joint_name(1), "root_joint");
  EXPECT_STREQ(model.joint(1).type_name(), "free");
  EXPECT_EQ(model.nq(), 8);
  EXPECT_EQ(model.nv(), 7);
  // the name may be taken already
  const std::string text = R"(<robot name="r"><link name="a"/><link name="b"/>
    <joint name="root_joint" type="continuous"><parent link="a"/><child link="b"/></joint></robot>)";
  EXPECT_EQ(parse_urdf(text, "r.urdf", free_base()).joint_name(1), "root_joint_2");
  EXPECT_EQ(parse_urdf(text, "r.urdf").nv(), 1);
}

TEST(Urdf, ARootCalledWorldIsTheWorld) {
  const std::string text = R"(<robot name="r"><link name="world"/><link name="b"/>
    <joint name="j" type="floating"><parent link="world"/><child link="b"/></joint></robot>)";
  const Model model = parse_urdf(text, "r.urdf");
  EXPECT_EQ(model.bodies(), 1);
  EXPECT_EQ(model.frames(), 2);
  EXPECT_EQ(model.find_frame("world"), 0);
}

TEST(Urdf, NamesMayHaveSlashesAndAnyLetters) {
  const std::string text = R"(<robot name="r"><link name="left/arm/base"/><link name="Übergröße &lt;1&gt;"/>
    <joint name="left/arm/j 1" type="revolute"><parent link="left/arm/base"/><child link="Übergröße &lt;1&gt;"/></joint></robot>)";
  const Model model = parse_urdf(text, "r.urdf");
  EXPECT_EQ(model.joint_name(1), "left/arm/j 1");
  EXPECT_EQ(model.body_name(1), "Übergröße <1>");
  EXPECT_GE(model.find_frame("left/arm/base"), 0);
}

TEST(Urdf, LinksAndJointsMayShareAName) {
  const std::string text = R"(<robot name="r"><link name="a"/><link name="b"/>
    <joint name="b" type="revolute"><parent link="a"/><child link="b"/></joint></robot>)";
  EXPECT_EQ(parse_urdf(text, "r.urdf").find_joint("b"), 1);
}

TEST(Urdf, UnknownElementsAndAttributesAreSkipped) {
  const std::string text = R"(<?xml version="1.0"?><!DOCTYPE robot><!-- hello -->
    <robot name="r" version="1.0" xmlns:xacro="http://ros.org/wiki/xacro">
    <joint name="j" type="revolute" speed="fast"><child link="b"/><parent link="a"/><calibration rising="x"/>
      <safety_controller k_velocity="much"/></joint>
    <gazebo reference="a"><joint name="not a joint"/><mass value="x"/></gazebo><transmission/><sensor/>
    <link name="b" kind="big"><self_collision_checking/></link><link name="a"/>some text</robot>)";
  const Model model = parse_urdf(text, "r.urdf");
  EXPECT_EQ(model.nv(), 1);
  EXPECT_EQ(model.name(), "r");
}

TEST(Urdf, ASecondInertialIsPointedOutAndNotUsed) {
  std::vector<std::string> warnings;
  UrdfOptions options = free_base();
  options.warnings = &warnings;
  const std::string inertia = R"(<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";
  const std::string text = "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/>" + inertia +
                           "\n<inertial><mass value=\"2\"/>" + inertia + "</link></robot>";
  EXPECT_EQ(parse_urdf(text, "r.urdf", options).total_mass(), 1.0);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("urdf: r.urdf:2: link \"a\": inertial: ")) << warnings[0];
}

TEST(Urdf, InertiaThatNoBodyHasIsAWarning) {
  const std::string text = R"(<robot name="r"><link name="a"/>
    <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/></joint></robot>)";
  const Model model = parse_urdf(text, "r.urdf");
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_TRUE(model.warnings()[0].starts_with("urdf: r.urdf:2: body \"b\": ")) << model.warnings()[0];
}

}  // namespace
}  // namespace cardan
