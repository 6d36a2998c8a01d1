// OpenSim's format: both layouts, joints and functions of every type, couplings and loops, forces, what is told and
// what is refused.
#include "cardan/io/osim.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/forces/muscle.hpp"
#include "tests/io/broken_osims.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cardan::test {
namespace {

Scene read_osim(OsimPart part, const std::string& text) {
  return parse_osim(osim_file(part, text), "dir/m.osim").bind();
}

Pose<double> osim_frame(const Scene& scene, const std::vector<double>& q, const std::string& frame) {
  Workspace<double> w(scene.model);
  Kinematics<double> k(scene.model);
  forward_kinematics<double>(scene.model, w, q, k);
  return frame_pose(scene.model, k, scene.model.find_frame(frame));
}

std::string on_ground(const std::string& type, const std::string& inside = "") {
  return "<" + type +
         " name='j'><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/arm"
         "</socket_child_frame>" +
         inside + "</" + type + ">";
}

constexpr const char* kOffsets =
    "<frames><PhysicalOffsetFrame name='p'><socket_parent>/ground</socket_parent><translation>1 0 0</translation>"
    "<orientation>0 0 1.5707963267948966</orientation></PhysicalOffsetFrame><PhysicalOffsetFrame "
    "name='c'><socket_parent>"
    "/bodyset/arm</socket_parent><translation>0 0 2</translation></PhysicalOffsetFrame></frames>";

TEST(OsimReader, GravityIsThatOfTheFile) {
  EXPECT_EQ(read_osim(OsimPart::force, "").model.gravity()[1], -9.80665);
  EXPECT_EQ(parse_osim("<OpenSimDocument Version='40000'><Model><gravity>0 0 -1</gravity></Model></OpenSimDocument>",
                       "m.osim")
                .bind()
                .model.gravity()[2],
            -1.0);
}

TEST(OsimReader, OffsetFramesPlaceBothSidesOfAJoint) {
  const std::string ends =
      "<PinJoint name='j'><socket_parent_frame>p</socket_parent_frame><socket_child_frame>c</socket_child_frame>";
  const Scene scene = read_osim(OsimPart::joint, ends + kOffsets + "</PinJoint>");
  ASSERT_EQ(scene.model.nv(), 1);
  EXPECT_EQ(scene.model.joint_name(1), "j");
  EXPECT_EQ(scene.model.coordinate_names(1, false)[0], "j_coord_0");
  const Pose<double> pose = osim_frame(scene, {0.0}, "arm");
  EXPECT_NEAR(norm(pose.p - Vec3<double>{1.0, 0.0, -2.0}), 0.0, 1e-15);
  EXPECT_NEAR(pose.R(1, 0), 1.0, 1e-15);  // turned by the parent's frame
}

TEST(OsimReader, OldFilesHaveJointsInTheirBodies) {
  const Scene scene =
      parse_osim(R"(<OpenSimDocument Version="30000"><Model name="m"><BodySet><objects><Body name="ground"/>
      <Body name="arm"><mass>2</mass><inertia_xx>1</inertia_xx><inertia_yy>1</inertia_yy><inertia_zz>1</inertia_zz><Joint>
      <PinJoint name="elbow"><parent_body>ground</parent_body><location_in_parent>1 2 3</location_in_parent><location>0 1 0
      </location><CoordinateSet><objects><Coordinate name="flexion"><default_value>0.5</default_value></Coordinate></objects>
      </CoordinateSet><reverse>true</reverse></PinJoint></Joint></Body></objects></BodySet></Model></OpenSimDocument>)",
                 "m.osim")
          .bind();
  ASSERT_EQ(scene.model.nv(), 1);
  EXPECT_EQ(scene.initial.q[0], 0.5);
  EXPECT_EQ(scene.model.coordinate_names(1, false)[0], "flexion");
  const Pose<double> pose = osim_frame(scene, {0.3}, "arm");
  EXPECT_NEAR(pose.R(1, 0), -std::sin(0.3), 1e-15);  // reversed
  EXPECT_NEAR(norm(pose * Vec3<double>{0.0, 1.0, 0.0} - Vec3<double>{1.0, 2.0, 3.0}), 0.0, 1e-15);
}

TEST(OsimReader, JointsHaveTheirFreedoms) {
  const std::pair<const char*, int> types[]{{"WeldJoint", 0},      {"PinJoint", 1},       {"SliderJoint", 1},
                                            {"UniversalJoint", 2}, {"PlanarJoint", 3},    {"BallJoint", 3},
                                            {"GimbalJoint", 3},    {"EllipsoidJoint", 3}, {"FreeJoint", 6}};
  for (const auto& [type, nv] : types) EXPECT_EQ(read_osim(OsimPart::joint, on_ground(type)).model.nv(), nv) << type;
  // about x, then about the turned y
  const Scene universal = read_osim(OsimPart::joint, on_ground("UniversalJoint"));
  const Pose<double> turned = osim_frame(universal, {0.3, 0.4}, "arm");
  EXPECT_NEAR(turned.R(1, 2), -std::sin(0.3) * std::cos(0.4), 1e-15);
  const Scene slider = read_osim(OsimPart::joint, on_ground("SliderJoint"));
  EXPECT_EQ(osim_frame(slider, {0.7}, "arm").p[0], 0.7);
  const Scene planar = read_osim(OsimPart::joint, on_ground("PlanarJoint"));
  const Pose<double> flat = osim_frame(planar, {0.3, 1.0, 2.0}, "arm");
  EXPECT_NEAR(norm(flat.p - Vec3<double>{1.0, 2.0, 0.0}), 0.0, 1e-15);
  EXPECT_NEAR(flat.R(1, 0), std::sin(0.3), 1e-15);
  const Scene ellipsoid = read_osim(OsimPart::joint, on_ground("EllipsoidJoint", "<radii_x_y_z>1 2 3</radii_x_y_z>"));
  const Pose<double> on = osim_frame(ellipsoid, {0.3, 0.4, 0.5}, "arm");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(on.p[i], (i + 1) * on.R(i, 2), 1e-15);
}

TEST(OsimReader, BodiesWithoutAJointAreFree) {
  const Scene scene = read_osim(OsimPart::joint, "");
  ASSERT_EQ(scene.model.nv(), 6);
  EXPECT_EQ(scene.model.joint_name(1), "free_arm");
}

TEST(OsimReader, GroundMayBeTheChild) {
  const Scene scene = read_osim(OsimPart::joint,
                                "<PinJoint name='j'><socket_parent_frame>/bodyset/arm</socket_parent_frame>"
                                "<socket_child_frame>/ground</socket_child_frame></PinJoint>");
  ASSERT_EQ(scene.model.nv(), 1);
  EXPECT_NEAR(osim_frame(scene, {0.3}, "arm").R(1, 0), -std::sin(0.3), 1e-15);
}

TEST(OsimReader, CustomJointsFollowTheirFunctions) {
  const Scene scene = read_osim(OsimPart::axis, R"(<TransformAxis name="rotation1"><coordinates>angle</coordinates>
      <axis>0 0 2</axis><MultiplierFunction name="function"><function><PolynomialFunction><coefficients>1 0 0.5
      </coefficients></PolynomialFunction></function><scale>2</scale></MultiplierFunction></TransformAxis>
      <TransformAxis name="translation2"><coordinates>angle</coordinates><function><PiecewiseLinearFunction><x>0 1 3</x>
      <y>0 2 0</y></PiecewiseLinearFunction></function></TransformAxis><TransformAxis name="translation3"><function>
      <Constant><value>7</value></Constant></function></TransformAxis>)");
  ASSERT_EQ(scene.model.nv(), 1);
  const Pose<double> pose = osim_frame(scene, {0.6}, "arm");
  EXPECT_NEAR(pose.R(1, 0), std::sin(2.0 * (0.36 + 0.5)), 1e-14);
  EXPECT_NEAR(norm(pose.p - Vec3<double>{0.0, 1.2, 7.0}), 0.0, 1e-15);
  EXPECT_NEAR(osim_frame(scene, {2.0}, "arm").p[1], 1.0, 1e-15);
}

TEST(OsimReader, SimmSplinesEndAsTheCubicsThroughFourPoints) {
  // a cubic is its own spline with these ends, and goes on in its tangents: y = x^3 - 2 x
  const Scene scene = read_osim(OsimPart::axis, R"(<TransformAxis name="translation1"><coordinates>angle</coordinates>
      <SimmSpline name="function"><x>-1 0 0.5 2 3</x><y>1 0 -0.875 4 21</y></SimmSpline></TransformAxis>)");
  for (const double x : {-0.7, 0.2, 1.3, 2.9})
    EXPECT_NEAR(osim_frame(scene, {x}, "arm").p[0], x * x * x - 2.0 * x, 1e-13);
  EXPECT_NEAR(osim_frame(scene, {4.0}, "arm").p[0], 21.0 + 25.0, 1e-12);
  EXPECT_NEAR(osim_frame(scene, {-2.0}, "arm").p[0], 1.0 - 1.0, 1e-12);
}

TEST(OsimReader, OneAxisIsANativeJointWithItsCoordinatesName) {
  const SceneSpec spec =
      parse_osim(osim_file(OsimPart::axis,
                           "<TransformAxis name='rotation2'><coordinates>angle</coordinates><axis>0 0 -3</axis>"
                           "<LinearFunction name='function'><coefficients>1 0</coefficients></LinearFunction>"
                           "</TransformAxis>"),
                 "m.osim");
  EXPECT_NE(spec.to_toml().find("\"revolute\""), std::string::npos) << spec.to_toml();
  const Scene scene = spec.bind();
  EXPECT_EQ(scene.model.coordinate_names(1, false)[0], "angle");
  EXPECT_NEAR(osim_frame(scene, {0.3}, "arm").R(1, 0), -std::sin(0.3), 1e-15);
}

TEST(OsimReader, CoordinatesAreClampedLockedAndPrescribed) {
  const auto coordinate = [](const std::string& inside) { return read_osim(OsimPart::coordinate, inside); };
  const Scene plain = coordinate("<range>-1 2</range>");
  EXPECT_TRUE(std::isinf(plain.model.dof(0).upper));
  const Scene clamped =
      coordinate("<range>-1 2</range><clamped>true</clamped><default_speed_value>3</default_speed_value>");
  EXPECT_EQ(clamped.model.dof(0).lower, -1.0);
  EXPECT_EQ(clamped.initial.v[0], 3.0);
  const Scene locked = coordinate("<default_value>0.4</default_value><locked>true</locked>");
  EXPECT_EQ(locked.model.nv(), 1);
  ASSERT_EQ(locked.model.couplings().size(), 1u);
  const Scene moved = coordinate(
      "<prescribed>true</prescribed><prescribed_function><Sine><amplitude>2</amplitude></Sine></prescribed_function>");
  EXPECT_EQ(moved.constraints.size(), 1u);
}

TEST(OsimReader, CoordinatesOfSeveralAreHeldOneByOne) {
  const std::string planar = on_ground(
      "PlanarJoint",
      "<coordinates><Coordinate name='a'><locked>true</locked></Coordinate><Coordinate name='x'><prescribed>true"
      "</prescribed><LinearFunction name='prescribed_function'><coefficients>2 1</coefficients></LinearFunction>"
      "</Coordinate><Coordinate name='y'/></coordinates>");
  const Scene scene = read_osim(OsimPart::joint, planar);
  EXPECT_EQ(scene.model.nv(), 3);
  EXPECT_EQ(scene.model.couplings().size(), 1u);
  EXPECT_EQ(scene.constraints.size(), 1u);
}

TEST(OsimReader, CouplersAndLoops) {
  const std::string joints = on_ground("PlanarJoint",
                                       "<coordinates><Coordinate name='a'/><Coordinate name='x'/>"
                                       "<Coordinate name='y'/></coordinates>");
  std::string file = osim_file(OsimPart::joint, joints);
  const std::string coupler =
      "<ConstraintSet><objects><CoordinateCouplerConstraint name='c'><coupled_coordinates_function><LinearFunction>"
      "<coefficients>2 3 "
      "4</coefficients></LinearFunction></coupled_coordinates_function><independent_coordinate_names>a x"
      "</independent_coordinate_names><dependent_coordinate_name>y</dependent_coordinate_name><scale_factor>0.5"
      "</scale_factor></CoordinateCouplerConstraint></objects></ConstraintSet>";
  file.insert(file.find("\n<ForceSet>"), coupler);
  const SceneSpec spec = parse_osim(file, "m.osim");
  EXPECT_NE(spec.to_toml().find("0.5*(2*x0 + 3*x1 + 4)"), std::string::npos) << spec.to_toml();
  EXPECT_EQ(spec.bind().model.couplings().size(), 1u);
  const std::pair<const char*, int> loops[]{
      {"<WeldConstraint name='w'><body_1>ground</body_1><body_2>arm</body_2></WeldConstraint>", 6},
      {"<PointConstraint name='p'><body_1>ground</body_1><body_2>arm</body_2></PointConstraint>", 3},
      {"<PointOnLineConstraint name='l'><line_body>ground</line_body><follower_body>arm</follower_body>"
       "<line_direction_vec>1 0 0</line_direction_vec></PointOnLineConstraint>",
       2},
      {"<ConstantDistanceConstraint name='d'><body_1>ground</body_1><body_2>arm</body_2><constant_distance>0.5"
       "</constant_distance></ConstantDistanceConstraint>",
       1}};
  for (const auto& [text, rows] : loops) {
    const Scene scene = read_osim(OsimPart::constraint, text);
    ASSERT_EQ(scene.model.loops().size(), 1u) << text;
    EXPECT_EQ(6 - scene.model.loops()[0].type.nv(), rows) << text;
  }
  EXPECT_TRUE(
      read_osim(OsimPart::constraint, "<WeldConstraint name='w'><isEnforced>false</isEnforced></WeldConstraint>")
          .model.loops()
          .empty());
}

std::string muscle(const std::string& type, const std::string& inside) {
  return "<" + type + " name='m'>" + inside +
         "<GeometryPath><PathPointSet><objects><PathPoint name='a'><body>ground</body></PathPoint><PathPoint name='b'>"
         "<socket_parent_frame>/bodyset/arm</socket_parent_frame><location>0 0.3 0</location></PathPoint></objects>"
         "</PathPointSet></GeometryPath></" +
         type + ">";
}

TEST(OsimReader, MusclesAreExcitedByInputsOfTheirNames) {
  for (const char* type : {"Thelen2003Muscle", "Millard2012EquilibriumMuscle", "DeGrooteFregly2016Muscle"}) {
    const Scene scene = read_osim(OsimPart::force,
                                  muscle(type,
                                         "<max_isometric_force>500</max_isometric_force><ignore_tendon_compliance>false"
                                         "</ignore_tendon_compliance><default_activation>0.3</default_activation>"));
    ASSERT_EQ(scene.inputs.size(), 1u) << type;
    EXPECT_EQ(scene.inputs[0].name, "m");
    const auto* found = dynamic_cast<const Muscle*>(find_line(scene.forces, "m"));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->parameters().max_force, 500.0);
    EXPECT_TRUE(found->parameters().elastic_tendon);
    EXPECT_EQ(found->touches().states, 2);
  }
}

TEST(OsimReader, MusclesTakeWhatTheFileSaysOfAll) {
  std::string file = osim_file(OsimPart::force, muscle("Thelen2003Muscle", ""));
  file.insert(file.find("\n<BodySet>"),
              "<defaults><Thelen2003Muscle name='default'><Flen>1.7</Flen></Thelen2003Muscle></defaults>");
  const Scene scene = parse_osim(file, "m.osim").bind();
  EXPECT_EQ(dynamic_cast<const Muscle*>(find_line(scene.forces, "m"))->parameters().thelen.eccentric, 1.7);
}

TEST(OsimReader, ActuatorsAreInputs) {
  const Scene scene = read_osim(
      OsimPart::force,
      "<CoordinateActuator name='c'><coordinate>angle</coordinate><optimal_force>5</optimal_force></CoordinateActuator>"
      "<PointActuator name='p'><body>arm</body><direction>0 2 0</direction></PointActuator><TorqueActuator name='t'>"
      "<bodyA>arm</bodyA><bodyB>ground</bodyB></TorqueActuator>" +
          muscle("PathActuator", "<optimal_force>3</optimal_force>"));
  ASSERT_EQ(scene.inputs.size(), 4u);
  EXPECT_EQ(scene.inputs[0].name, "c");
  EXPECT_EQ(scene.forces.size(), 4u);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(OsimReader, SpringsLigamentsAndLimits) {
  const Scene scene = read_osim(
      OsimPart::force,
      "<SpringGeneralizedForce name='s'><coordinate>angle</coordinate><stiffness>5</stiffness></SpringGeneralizedForce>"
      "<CoordinateLimitForce "
      "name='l'><coordinate>angle</coordinate><upper_limit>10</upper_limit></CoordinateLimitForce>"
      "<PointToPointSpring name='q'><body1>ground</body1><body2>arm</body2><point2>0 1 0</point2></PointToPointSpring>"
      "<BushingForce name='b'><body_1>ground</body_1><body_2>arm</body_2><translational_stiffness>1 2 3"
      "</translational_stiffness></BushingForce>" +
          muscle("PathSpring", "<stiffness>3</stiffness><resting_length>0.1</resting_length>"));
  EXPECT_EQ(scene.forces.size(), 5u);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(OsimReader, MarkersAreFrames) {
  std::string file = osim_file(OsimPart::force, "");
  file.insert(
      file.find("\n<ForceSet>"),
      "<MarkerSet><objects><Marker name='tip'><socket_parent_frame>/bodyset/arm</socket_parent_frame><location>0 2 0"
      "</location></Marker></objects></MarkerSet>");
  EXPECT_NEAR(osim_frame(parse_osim(file, "m.osim").bind(), {0.0}, "tip").p[1], 2.0, 1e-15);
}

TEST(OsimReader, WhatIsNotReadIsToldInOneLine) {
  const Scene scene = read_osim(OsimPart::force, "<HuntCrossleyForce name='h'/><ExternalForce name='e'/>" +
                                                     muscle("Schutte1993Muscle_Deprecated", ""));
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_NE(scene.warnings[0].find("not read: ExternalForce, HuntCrossleyForce, Schutte1993Muscle_Deprecated"),
            std::string::npos)
      << scene.warnings[0];
}

TEST(OsimReader, MotionFilesGiveTheStart) {
  const TemporaryFolder folder;
  folder.write("arm.osim", osim_file(OsimPart::force, ""));
  folder.write("walk.mot",
               "walk\nversion=1\nnRows=3\nnColumns=2\ninDegrees=yes\nendheader\ntime\tangle\n0\t0\n0.5\t90\n1\t180\n");
  const Scene arm = load_osim(folder.path("arm.osim")).bind();
  std::string text = load_osim(folder.path("arm.osim")).to_toml();
  text += "\n[initial]\nfrom = \"walk.mot\"\nat = 0.75\n";
  const Scene scene = SceneSpec::parse(text, folder.path("arm.toml")).bind();
  EXPECT_NEAR(scene.initial.q[0], 0.75 * std::numbers::pi, 1e-14);
  EXPECT_NEAR(scene.initial.v[0], std::numbers::pi, 1e-13);
  EXPECT_EQ(scene.settings.start, 0.75);
  folder.write("bad.mot", "endheader\ntime angle\n0 0\n0 1\n");
  text.replace(text.find("walk.mot"), 8, "bad.mot");
  EXPECT_THROW(SceneSpec::parse(text, folder.path("arm.toml")).bind(), ModelError);
}

TEST(OsimReader, ColumnsOfMotionFilesAreTables) {
  const TemporaryFolder folder;
  folder.write("walk.sto", "endheader\ntime /jointset/pin/angle/value\n0 0\n1 90\n");
  const Scene scene = SceneSpec::parse(R"toml(cardan = 1
[tables.course]
file = "walk.sto"
column = "/jointset/pin/angle/value"
degrees = true
method = "linear"
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
joint = { type = "revolute" }
[[motion]]
joint = "a"
position = "course(t)"
)toml",
                                       folder.path("s.toml"))
                          .bind();
  EXPECT_EQ(scene.constraints.size(), 1u);
}

TEST(OsimReader, EntitiesAreNotExpanded) {
  std::string bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
  bomb += "<OpenSimDocument Version='40000'><Model name='&b;'/></OpenSimDocument>";
  EXPECT_EQ(parse_osim(bomb, "m.osim").to_toml().find("aaaa"), std::string::npos);
}

TEST(OsimReader, MistakesAreOneLine) {
  for (const BrokenOsim& broken : kBrokenOsims) {
    std::string found = "no complaint";
    try {
      parse_osim(osim_file(broken.part, broken.text), "dir/m.osim").bind();
    } catch (const ModelError& problem) {
      found = problem.what();
    }
    EXPECT_NE(found.find(broken.message), std::string::npos) << broken.text << "\n" << found;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
    EXPECT_NE(found.find("dir/m.osim"), std::string::npos) << found;
  }
}

}  // namespace
}  // namespace cardan::test
