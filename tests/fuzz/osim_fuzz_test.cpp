// Thousands of damaged OpenSim and motion files: reading them gives a scene that can be used or one line of complaint.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/io/internal/motion_file.hpp"
#include "cardan/io/osim.hpp"
#include "tests/fuzz/damaged_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

constexpr const char* kSoundOsim =
    R"(<OpenSimDocument Version="40000"><Model name="m"><gravity>0 -9.8 0</gravity><Ground>
<WrapObjectSet><objects><WrapCylinder name="w"><radius>0.02</radius><length>1</length><quadrant>x</quadrant><translation>0 0 0
</translation></WrapCylinder></objects></WrapObjectSet></Ground><BodySet><objects><Body name="a"><mass>2</mass><mass_center>
0 -0.1 0</mass_center><inertia>0.1 0.2 0.2 0 0 0</inertia></Body><Body name="b"><mass>1</mass><inertia>1 1 1 0 0 0</inertia>
</Body></objects></BodySet><JointSet><objects><CustomJoint name="i"><socket_parent_frame>p</socket_parent_frame>
<socket_child_frame>/bodyset/a</socket_child_frame><coordinates><Coordinate name="u"><default_value>0.1</default_value><range>
-1 1</range><clamped>true</clamped></Coordinate></coordinates><frames><PhysicalOffsetFrame name="p"><socket_parent>/ground
</socket_parent><translation>0 1 0</translation><orientation>0 0.1 0</orientation></PhysicalOffsetFrame></frames>
<SpatialTransform><TransformAxis name="rotation1"><coordinates>u</coordinates><axis>0 0 1</axis><LinearFunction name="function">
<coefficients>1 0</coefficients></LinearFunction></TransformAxis><TransformAxis name="translation1"><coordinates>u</coordinates>
<axis>1 0 0</axis><SimmSpline name="function"><x>-1 0 1 2</x><y>0 0.1 0 0.2</y></SimmSpline></TransformAxis></SpatialTransform>
</CustomJoint><PlanarJoint name="j"><socket_parent_frame>/bodyset/a</socket_parent_frame><socket_child_frame>/bodyset/b
</socket_child_frame><coordinates><Coordinate name="v"/><Coordinate name="x"><locked>true</locked></Coordinate><Coordinate
name="y"/></coordinates></PlanarJoint></objects></JointSet><ConstraintSet><objects><CoordinateCouplerConstraint name="c">
<coupled_coordinates_function><PolynomialFunction><coefficients>1 2 3</coefficients></PolynomialFunction>
</coupled_coordinates_function><independent_coordinate_names>u</independent_coordinate_names><dependent_coordinate_name>y
</dependent_coordinate_name></CoordinateCouplerConstraint></objects></ConstraintSet><ForceSet><objects><Thelen2003Muscle
name="t"><GeometryPath><PathPointSet><objects><PathPoint name="1"><socket_parent_frame>/ground</socket_parent_frame><location>
0 1.3 0.1</location></PathPoint><ConditionalPathPoint name="2"><socket_parent_frame>/bodyset/a</socket_parent_frame><range>-1 1
</range><socket_coordinate>/jointset/i/u</socket_coordinate></ConditionalPathPoint><PathPoint name="3"><socket_parent_frame>
/bodyset/b</socket_parent_frame><location>0 -0.2 0</location></PathPoint></objects></PathPointSet><PathWrapSet><objects>
<PathWrap name="x"><wrap_object>w</wrap_object><range>1 3</range></PathWrap></objects></PathWrapSet></GeometryPath>
<max_isometric_force>800</max_isometric_force></Thelen2003Muscle><Millard2012EquilibriumMuscle name="q"><GeometryPath>
<PathPointSet><objects><PathPoint name="1"><body>ground</body></PathPoint><PathPoint name="2"><body>a</body></PathPoint></objects>
</PathPointSet></GeometryPath></Millard2012EquilibriumMuscle><CoordinateActuator name="d"><coordinate>v</coordinate>
</CoordinateActuator></objects></ForceSet></Model></OpenSimDocument>)";

TEST(OsimFuzz, DamagedFiles) {
  test::Mutator mutate({"1e308",
                        "-1e308",
                        "nan",
                        "inf",
                        "0 0 0",
                        "1e-320",
                        "",
                        "\n",
                        "\"",
                        "<",
                        ">",
                        "</Body>",
                        "<Body/>",
                        "<objects>",
                        "a",
                        "b",
                        "u",
                        "v",
                        "ground",
                        "..",
                        "/bodyset/a",
                        "PinJoint",
                        "BallJoint",
                        "FreeJoint",
                        "WeldJoint",
                        "EllipsoidJoint",
                        "SimmSpline",
                        "Constant",
                        "MultiplierFunction",
                        "WrapSphere",
                        "WrapEllipsoid",
                        "MovingPathPoint",
                        "PathPoint",
                        "WeldConstraint",
                        "&#0;",
                        "<!--",
                        "all",
                        "-z",
                        "true",
                        "0",
                        "-1",
                        "30000",
                        std::string(1, '\0'),
                        "\xff\xfe"});
  test::expect_models_or_complaints(
      mutate, kSoundOsim, "damaged.osim", test::repetitions(2000, 60000),
      [](std::string_view text, const std::string& file) { return parse_osim(text, file); });
}

TEST(OsimFuzz, DamagedMotionFiles) {
  test::Mutator mutate(
      {"endheader", "time", "\n", "\t", "nan", "inf", "1e999", "-", "", " ", "u", std::string(1, '\0')});
  int tables = 0, complaints = 0;
  for (int i = 0; i < test::repetitions(3000, 100000); ++i) {
    const std::string text = mutate("walk\ninDegrees=yes\nendheader\ntime\tu\tv\n0\t1\t2\n0.5\t2\t3\n1.5\t3\t4\n");
    try {
      const MotionFile file = parse_motion_file(text, "damaged.mot");
      EXPECT_FALSE(file.table.rows.empty());
      ++tables;
    } catch (const ModelError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      ++complaints;
    }
  }
  EXPECT_GT(tables, 30);
  EXPECT_GT(complaints, 30);
}

}  // namespace
}  // namespace cardan
