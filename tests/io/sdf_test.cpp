// Gazebo's format: the pose graph, joints of every type, includes, what is told and what is refused.
#include "cardan/io/sdf.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "tests/io/broken_sdfs.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

Scene read_sdf(const std::string& body, const std::string& version = "1.9") {
  return parse_sdf("<sdf version='" + version + "'><model name='m'>" + body + "</model></sdf>", "dir/m.sdf").bind();
}

Pose<double> sdf_frame(const Scene& scene, const std::vector<double>& q, const std::string& frame) {
  Workspace<double> w(scene.model);
  Kinematics<double> k(scene.model);
  forward_kinematics<double>(scene.model, w, q, k);
  return frame_pose(scene.model, k, scene.model.find_frame(frame));
}

constexpr const char* kEnds = "<parent>world</parent><child>a</child>";
std::string one_joint(const std::string& type, const std::string& inside, const std::string& link = "") {
  return "<link name='a'>" + link + "</link><joint name='j' type='" + type + "'>" + kEnds + inside + "</joint>";
}

TEST(SdfReader, LinksWithoutJointFloatWhereTheyAre) {
  const Scene scene =
      read_sdf("<pose>1 2 3 0 0 0</pose><link name='a'><pose degrees='true'>0 0 1 0 0 90</pose></link>");
  ASSERT_EQ(scene.model.nv(), 6);
  EXPECT_EQ(scene.model.joint_name(1), "m::a");
  const Pose<double> pose = sdf_frame(scene, scene.initial.q, "m::a");
  EXPECT_NEAR(norm(pose.p - Vec3<double>{1.0, 2.0, 4.0}), 0.0, 1e-15);
  EXPECT_NEAR(pose.R(1, 0), 1.0, 1e-15);
  EXPECT_EQ(scene.model.total_mass(), 1.0);
}

TEST(SdfReader, PosesFollowTheGraph) {
  const Scene scene = read_sdf(R"(<link name='a'/><frame name='f' attached_to='a'><pose>0 0 1 0 0 0</pose></frame>
      <model name='n' placement_frame='g'><pose relative_to='f'>1 0 0 0 0 0</pose>
        <link name='b'/><frame name='g'><pose>0 5 0 0 0 0</pose></frame></model>
      <joint name='j' type='fixed'><parent>f</parent><child>n::b</child></joint>)");
  ASSERT_EQ(scene.model.nv(), 6);
  EXPECT_NEAR(norm(sdf_frame(scene, scene.initial.q, "m::n::b").p - Vec3<double>{1.0, -5.0, 1.0}), 0.0, 1e-15);
  EXPECT_NEAR(norm(sdf_frame(scene, scene.initial.q, "m::n::g").p - Vec3<double>{1.0, 0.0, 1.0}), 0.0, 1e-15);
  EXPECT_NEAR(norm(sdf_frame(scene, scene.initial.q, "m::f").p - Vec3<double>{0.0, 0.0, 1.0}), 0.0, 1e-15);
}

TEST(SdfReader, AxesOfOldFilesAreTheModels) {
  const std::string link = "<pose>0 0 0 0 0 1.5707963267948966</pose>", axis = "<axis><xyz>1 0 0</xyz>";
  const auto direction = [&](const std::string& version, const std::string& more) {
    const Scene scene = read_sdf(one_joint("prismatic", axis + more + "</axis>", link), version);
    return sdf_frame(scene, {1.0}, "m::a").p;
  };
  const std::string flag = "<use_parent_model_frame>true</use_parent_model_frame>";
  EXPECT_NEAR(direction("1.4", "")[0], 1.0, 1e-15);
  EXPECT_NEAR(direction("1.5", "")[1], 1.0, 1e-15);
  EXPECT_NEAR(direction("1.6", flag)[0], 1.0, 1e-15);
  EXPECT_NEAR(direction("1.10", "")[1], 1.0, 1e-15);
}

TEST(SdfReader, ScrewsAdvanceByBothPitches) {
  const Scene old = read_sdf(one_joint("screw", "<thread_pitch>-4</thread_pitch>"), "1.6");
  EXPECT_NEAR(sdf_frame(old, {2.0}, "m::a").p[2], 0.5, 1e-15);
  const Scene now = read_sdf(one_joint("screw", "<screw_thread_pitch>0.3</screw_thread_pitch>"), "1.10");
  EXPECT_NEAR(sdf_frame(now, {2.0 * std::numbers::pi}, "m::a").p[2], 0.3, 1e-15);
}

TEST(SdfReader, JointsHaveTheirFreedoms) {
  const std::pair<const char*, int> types[]{{"fixed", 0},     {"revolute", 1},  {"continuous", 1}, {"prismatic", 1},
                                            {"universal", 2}, {"revolute2", 2}, {"ball", 3},       {"screw", 1}};
  for (const auto& [type, nv] : types)
    EXPECT_EQ(read_sdf(one_joint(type, "<axis2><xyz>1 0 0</xyz></axis2>")).model.nv(), nv) << type;
  const Scene two = read_sdf(
      one_joint("universal", "<pose>0 0 1 0 0 0</pose><axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>"));
  // about z, then about the turned x, through a point one meter above the link
  const Pose<double> pose = sdf_frame(two, {std::numbers::pi / 2, std::numbers::pi / 2}, "m::a");
  EXPECT_NEAR(norm(pose.p - Vec3<double>{-1.0, 0.0, 1.0}), 0.0, 1e-15);
}

TEST(SdfReader, SpringsDampersAndLimits) {
  const Scene scene = read_sdf(one_joint(
      "revolute",
      "<axis><dynamics><damping>2</damping><spring_stiffness>3</spring_stiffness><spring_reference>0.5"
      "</spring_reference></dynamics><limit><lower>-1</lower><upper>1e16</upper><effort>7</effort></limit></axis>"));
  const DofProperties& dof = scene.model.dof(0);
  EXPECT_EQ(dof.damping, 2.0);
  EXPECT_EQ(dof.stiffness, 3.0);
  EXPECT_EQ(dof.rest, 0.5);
  EXPECT_EQ(dof.lower, -1.0);
  EXPECT_TRUE(std::isinf(dof.upper));
  EXPECT_EQ(dof.effort_limit, 7.0);
}

TEST(SdfReader, ASecondJointClosesALoop) {
  const Scene scene = read_sdf(R"(<link name='a'/><link name='b'/>
      <joint name='i' type='revolute'><parent>world</parent><child>a</child></joint>
      <joint name='j' type='revolute'><parent>a</parent><child>b</child></joint>
      <joint name='k' type='revolute'><parent>world</parent><child>b</child></joint>)");
  EXPECT_EQ(scene.model.nv(), 2);
  EXPECT_EQ(scene.model.loops().size(), 1u);
}

TEST(SdfReader, GearboxesAndMimicsAreCouplings) {
  const std::string links = R"(<link name='a'/><link name='b'/>
      <joint name='i' type='revolute'><parent>world</parent><child>a</child></joint>
      <joint name='j' type='revolute'><parent>world</parent><child>b</child>)";
  const SceneSpec geared = parse_sdf("<sdf version='1.6'><model name='m'>" + links + R"(</joint>
      <joint name='g' type='gearbox'><parent>a</parent><child>b</child><gearbox_ratio>3</gearbox_ratio>
      <gearbox_reference_body>world</gearbox_reference_body></joint></model></sdf>)",
                                     "m.sdf");
  EXPECT_NE(geared.to_toml().find("\"(-3)*x\""), std::string::npos) << geared.to_toml();
  EXPECT_EQ(geared.bind().model.nv(), 2);
  const SceneSpec mimic = parse_sdf("<sdf version='1.11'><model name='m'>" + links +
                                        "<axis><mimic joint='i'><multiplier>2</multiplier><offset>1</offset></mimic>"
                                        "</axis></joint></model></sdf>",
                                    "m.sdf");
  EXPECT_NE(mimic.to_toml().find("\"2*(x - 0) + 1\""), std::string::npos) << mimic.to_toml();
  EXPECT_EQ(mimic.bind().model.nv(), 2);
}

TEST(SdfReader, StaticModelsStandAndWorldsHaveGravity) {
  const Scene scene = parse_sdf(R"(<sdf version='1.6'><world name='w'><gravity>0 0 -1.6</gravity>
      <model name='table'><static>1</static><pose>0 0 1 0 0 0</pose><link name='l'/></model>
      <model name='box'><link name='l'><gravity>0</gravity></link></model></world></sdf>)",
                                "w.world")
                          .bind();
  EXPECT_EQ(scene.model.nv(), 6);
  EXPECT_EQ(scene.model.gravity()[2], -1.6);
  EXPECT_EQ(scene.forces.size(), 1u);  // that holds the box's weight
  EXPECT_EQ(sdf_frame(scene, scene.initial.q, "table::l").p[2], 1.0);
}

TEST(SdfReader, FilesAreIncluded) {
  const TemporaryFolder folder;
  folder.write("part.sdf", "<sdf version='1.9'><model name='part'><link name='l'/></model></sdf>");
  const auto whole = [](const std::string& inside) {
    return "<sdf version='1.9'><model name='whole'><link name='base'/><include" + inside + "</include></model></sdf>";
  };
  const std::string path =
      folder.write("whole.sdf", whole("><uri>part.sdf</uri><name>p</name><pose>0 0 2 0 0 0</pose>"));
  const Scene scene = load_sdf(path).bind();
  EXPECT_EQ(scene.model.nv(), 12);
  EXPECT_EQ(sdf_frame(scene, scene.initial.q, "whole::p::l").p[2], 2.0);
  folder.write("whole.sdf", whole(" merge='true'><uri>part.sdf</uri><pose>0 0 3 0 0 0</pose>"));
  const Scene merged = load_sdf(path).bind();
  EXPECT_EQ(sdf_frame(merged, merged.initial.q, "whole::l").p[2], 3.0);
  folder.write("part.sdf",
               "<sdf version='1.9'><model name='part'><include><uri>part.sdf</uri></include></model></sdf>");
  EXPECT_THROW(load_sdf(path), ModelError);
}

TEST(SdfReader, WhatIsNotReadIsToldInOneLine) {
  const Scene scene = read_sdf("<plugin name='p'/><link name='a'><sensor name='s'/><light name='l'/></link>");
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].find("not read: light, plugin, sensor"), std::string::npos) << scene.warnings[0];
}

TEST(SdfReader, MistakesAreOneLine) {
  for (const BrokenSdf& broken : kBrokenSdfs) {
    std::string found = "no complaint", text = broken.text;
    if (*broken.version != '\0')
      text = std::string("<sdf version='") + broken.version + "'>\n<model name='m'>" + text + "</model></sdf>";
    try {
      parse_sdf(text, "dir/m.sdf").bind();
    } catch (const ModelError& problem) {
      found = problem.what();
    }
    EXPECT_NE(found.find(broken.message), std::string::npos) << broken.text << "\n" << found;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
    EXPECT_NE(found.find("dir/m.sdf"), std::string::npos) << found;
  }
}

}  // namespace
}  // namespace cardan::test
