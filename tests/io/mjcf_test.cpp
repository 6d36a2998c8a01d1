// MuJoCo's format: classes, frames, joints of one body, what is told and what is refused.
#include "cardan/io/mjcf.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

#include "tests/io/temporary_folder.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

Scene read(const std::string& body, const std::string& more = {}) {
  return parse_mjcf("<mujoco model=\"m\">" + more + "<worldbody>" + body + "</worldbody></mujoco>", "dir/m.xml").bind();
}

std::string complaint(const std::string& text) {
  try {
    parse_mjcf(text, "dir/m.xml").bind();
  } catch (const ModelError& problem) {
    EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos);
    return problem.what();
  }
  return "none";
}

Pose<double> pose_of(const Scene& scene, const std::vector<double>& q, const std::string& frame) {
  Workspace<double> w(scene.model);
  Kinematics<double> k(scene.model);
  forward_kinematics<double>(scene.model, w, q, k);
  return frame_pose(scene.model, k, scene.model.find_frame(frame));
}

TEST(MjcfReader, JointsOfOneBodyComeOneAfterAnother) {
  const Scene scene = read(R"(<body name="b" pos="1 2 3">
      <joint name="x" type="slide" axis="1 0 0" ref="0.5"/>
      <joint name="turn" axis="0 0 1" pos="0 1 0" ref="90"/>
      <geom size="0.1"/></body>)");
  ASSERT_EQ(scene.model.nv(), 2);
  EXPECT_EQ(scene.model.joint_name(1), "x");
  EXPECT_EQ(scene.model.joint_name(2), "turn");
  // at the references it stands where the file says
  const Pose<double> home = pose_of(scene, {0.5, std::acos(0.0)}, "b");
  EXPECT_NEAR(norm(home.p - Vec3<double>{1.0, 2.0, 3.0}), 0.0, 1e-15);
  // half a turn about a point one meter beside it
  const Pose<double> turned = pose_of(scene, {0.75, std::acos(0.0) + std::acos(-1.0)}, "b");
  EXPECT_NEAR(norm(turned.p - Vec3<double>{1.25, 4.0, 3.0}), 0.0, 1e-14);
  EXPECT_NEAR(turned.R(0, 0), -1.0, 1e-14);
}

TEST(MjcfReader, ClassesAreInherited) {
  const Scene scene = read(
      R"(<body childclass="leg"><joint name="a"/><geom class="heavy" size="1"/>
           <body><joint name="b" damping="7"/><geom size="1"/></body></body>)",
      R"(<default><joint armature="0.25"/><default class="leg"><joint damping="3"/><geom density="500"/>
           <default class="heavy"><geom density="2000"/></default></default></default>)");
  EXPECT_EQ(scene.model.dof(0).damping, 3.0);
  EXPECT_EQ(scene.model.dof(1).damping, 7.0);
  EXPECT_EQ(scene.model.armature(0), 0.25);
  EXPECT_NEAR(scene.model.total_mass(), 2500.0 * 4.0 / 3.0 * std::acos(-1.0), 1e-9);
  EXPECT_EQ(scene.model.body_name(1), "body_1");
}

TEST(MjcfReader, FramesMoveWhatTheyHold) {
  const Scene framed = read(R"(<frame pos="0 0 1" euler="0 0 90"><body name="b" pos="1 0 0"><freejoint/>
      <frame pos="0.1 0 0" quat="0 1 0 0"><geom type="box" size="0.1 0.2 0.3" pos="0 0 0.5"/></frame></body></frame>)");
  const Scene plain = read(R"(<body name="b" pos="0 1 1" euler="0 0 90"><freejoint/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.1 0 -0.5"/></body>)");
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(framed.initial.q[i], plain.initial.q[i], 1e-15);
  Workspace<double> w(plain.model);
  Eigen::MatrixXd H(6, 6), G(6, 6);
  mass_matrix<double>(framed.model, w, framed.initial.q, H);
  Workspace<double> w2(plain.model);
  mass_matrix<double>(plain.model, w2, plain.initial.q, G);
  EXPECT_LT((H - G).lpNorm<Eigen::Infinity>(), 1e-10);
}

TEST(MjcfReader, FilesAreIncluded) {
  const TemporaryFolder folder;
  folder.write("part.xml", R"(<mujocoinclude><body name="inner"><joint/><geom size="1"/></body></mujocoinclude>)");
  const std::string path = folder.write(
      "whole.xml",
      R"(<mujoco><worldbody><body name="outer"><joint/><geom size="1"/><include file="part.xml"/></body></worldbody></mujoco>)");
  EXPECT_EQ(load_mjcf(path).bind().model.nv(), 2);
  folder.write("part.xml", R"(<mujocoinclude><include file="part.xml"/></mujocoinclude>)");
  EXPECT_THROW(load_mjcf(path), ModelError);
}

TEST(MjcfReader, ActuatorsAreInputs) {
  const Scene scene = read(R"(<body name="b"><joint name="j" axis="0 1 0"/><geom size="1"/></body>)",
                           R"(<actuator><motor name="j" joint="j" gear="3" ctrlrange="-1 1"/></actuator>)");
  ASSERT_EQ(scene.inputs.size(), 1u);
  EXPECT_EQ(scene.inputs[0].name, "j");
}

TEST(MjcfReader, WritesScenes) {
  const SceneSpec spec = parse_mjcf(
      R"(<mujoco><worldbody><body name="b" euler="10 20 30"><joint pos="0 0 1"/><geom size="1"/></body></worldbody></mujoco>)",
      "m.xml");
  const Scene scene = spec.bind(), again = SceneSpec::parse(spec.to_toml(), "m.toml").bind();
  const Pose<double> a = pose_of(scene, {0.3}, "b"), b = pose_of(again, {0.3}, "b");
  EXPECT_EQ(norm(a.p - b.p), 0.0);
}

TEST(MjcfReader, MistakesAreOneLine) {
  const auto world = [](const std::string& body) { return "<mujoco>\n<worldbody>" + body + "</worldbody></mujoco>"; };
  EXPECT_NE(complaint("<robot/>").find("expected a MuJoCo model, <mujoco>, found <robot>"), std::string::npos);
  EXPECT_NE(complaint(world("<body><joint type=\"hing\"/></body>")).find("did you mean \"hinge\"?"), std::string::npos);
  EXPECT_NE(complaint(world("<body><joint axis=\"0 0 0\"/></body>")).find("expected a direction"), std::string::npos);
  EXPECT_NE(complaint(world("<body><joint class=\"no\"/></body>")).find("expected a default class"), std::string::npos);
  EXPECT_NE(complaint(world("<body><geom type=\"box\" size=\"1\"/><joint/></body>"))
                .find("expected 3 numbers of a box, found 1"),
            std::string::npos);
  EXPECT_NE(complaint(world("<body><body><freejoint/></body></body>")).find("expected a free joint alone"),
            std::string::npos);
  EXPECT_NE(complaint(world("<replicate count=\"3\"><body/></replicate>")).find("<replicate> is not available yet"),
            std::string::npos);
  EXPECT_NE(complaint(world("<body name=\"a\"/><body name=\"a\"/>")).find("dir/m.xml:2"), std::string::npos);
  EXPECT_NE(complaint("<mujoco><worldbody/><actuator><motor joint=\"x\"/></actuator></mujoco>")
                .find("expected a joint of this file"),
            std::string::npos);
  EXPECT_NE(
      complaint(world("<body><joint typ=\"slide\"/></body>")).find("unknown attribute \"typ\": did you mean \"type\"?"),
      std::string::npos);
  const Scene odd = read("<body><joint/><geom size=\"1\" glitter=\"3\"/></body>");
  ASSERT_FALSE(odd.warnings.empty());
  EXPECT_NE(odd.warnings[0].find("unknown attribute \"glitter\": it is not read"), std::string::npos);
  const Scene told =
      read("<body><joint/><geom size=\"1\"/></body>", "<contact><exclude body1=\"a\" body2=\"b\"/></contact>");
  ASSERT_FALSE(told.warnings.empty());
  EXPECT_NE(told.warnings[0].find("nothing touches"), std::string::npos);
}

}  // namespace
}  // namespace cardan::test
