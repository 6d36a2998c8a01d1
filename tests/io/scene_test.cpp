// Reading sound scenes: every joint type, masses, shapes, robots, initial state, settings.
#include "cardan/io/scene.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/io/urdf.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/io/sound_scene.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/near.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan {
namespace {

const std::string kBody = "mass = 1.5\ncom = [0.1, 0, 0.2]\ninertia = [0.2, 0.3, 0.25, 0.01, 0.02, 0.03]\n";

Scene scene_with_joint(const std::string& joint) {
  return parse_scene("cardan = 1\n[[body]]\nname = \"b\"\n" + kBody + "[body.joint]\n" + joint, "s.toml");
}

struct TypeCase {
  std::string text, type;
  int nq, nv;
};

std::vector<TypeCase> every_type() {
  std::string controls = "controls = [", frames = "frames = [";
  for (int i = 0; i < 4; ++i) {
    controls += "[";
    for (int j = 0; j < 4; ++j) controls += fmt::format("[{}, {}, {}, 0.1, {}, 0.2], ", i, j, 0.1 * i * j, 0.05 * j);
    controls += "],\n";
    frames += fmt::format("{{ xyz = [{}, {}, 0], rpy = [0, {}, 0.1] }}, ", i, 0.3 * i * i, 0.2 * i);
  }
  controls += "]";
  frames += "]";
  const std::string pose =
      "coordinates = [\"u\", \"v\"]\nparameters = { R = 1.0 }\nlet = { c = \"R + cos(v)/4\" }\n"
      "transform = \"trans(c*cos(u), c*sin(u), 0) * rotz(u) * roty(-v)\"";
  const std::string point = "coordinates = [\"u\", \"v\"], point = [\"u\", \"v\", \"u*v/4\"]";
  return {
      {"type = \"fixed\"", "fixed", 0, 0},
      {"type = \"revolute\"\naxis = [0, 2, 0]", "revolute", 1, 1},
      {"type = \"prismatic\"", "prismatic", 1, 1},
      {"type = \"helical\"\naxis = [1, 0, 0]\npitch = 0.1", "helical", 1, 1},
      {"type = \"cylindrical\"\naxis = [0, 0, 1]", "cylindrical", 2, 2},
      {"type = \"universal\"", "universal", 2, 2},
      {"type = \"planar\"", "planar", 2, 2},
      {"type = \"translational\"", "translational", 3, 3},
      {"type = \"spherical\"", "spherical", 4, 3},
      {"type = \"spherical_euler\"\norder = \"XZX\"", "spherical_euler", 3, 3},
      {"type = \"spherical_exponential\"", "spherical_exponential", 3, 3},
      {"type = \"free\"", "free", 7, 6},
      {"type = \"free_planar\"", "free_planar", 3, 3},
      {"type = \"composite\"\njoints = [{ type = \"universal\" }, { type = \"prismatic\", axis = [1, 0, 0] }]",
       "composite", 3, 3},
      {"type = \"spline_curve\"\n" + frames, "spline_curve", 1, 1},
      {"type = \"spline_curve\"\nclosed = true\n" + frames, "spline_curve", 1, 1},
      {"type = \"spline_surface\"\n" + controls, "spline_surface", 2, 2},
      {"type = \"on_curve\"\ncurve = { bezier = [[0, 0, 0], [1, 0, 0], [1, 2, 1]] }", "on_curve", 1, 1},
      {"type = \"on_curve\"\nup = [0, 1, 0]\nroll = \"free\"\n"
       "curve = { coordinate = \"s\", point = [\"s\", \"0\", \"s^2\"] }",
       "on_curve", 2, 2},
      {"type = \"on_surface\"\nsurface = { sphere = 0.5 }", "on_surface", 2, 2},
      {"type = \"on_surface\"\nspin = \"free\"\nsurface = { ellipsoid = [1, 2, 3] }", "on_surface", 3, 3},
      {"type = \"on_surface\"\nsurface = { " + point + " }", "on_surface", 2, 2},
      {"type = \"on_surface\"\nsurface.bezier = [[[0, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 1]]]", "on_surface", 2, 2},
      {"type = \"surface\"\na = { sphere = 0.5 }\nb = { torus = { major = 2, minor = 0.5 } }\nspin = 0.2", "surface", 4,
       4},
      {"type = \"surface\"\na = { sphere = 0.5 }\nb = { " + point + " }\nspin = \"free\"", "surface", 5, 5},
      {"type = \"expression\"\n" + pose, "expression", 2, 2}};
}

TEST(Scene, EveryJointType) {
  for (const TypeCase& c : every_type()) {
    SCOPED_TRACE(c.text);
    const Scene scene = scene_with_joint(c.text);
    EXPECT_EQ(scene.model.nq(), c.nq);
    EXPECT_EQ(scene.model.nv(), c.nv);
    EXPECT_EQ(scene.initial.q, scene.model.neutral());
    if (c.nv > 0) EXPECT_EQ(scene.model.joint(1).type_name(), c.type);
  }
}

/// Every type once more, all in one chain, at a state of its own: forward dynamics undoes inverse dynamics.
TEST(Scene, AllTypesTogether) {
  std::string text = "cardan = 1\n";
  std::string parent = "world";
  int n = 0;
  for (const TypeCase& c : every_type()) {
    std::string q, v;
    for (int i = 0; i < c.nq; ++i) q += fmt::format("{}{}", i == 0 ? "" : ", ", 0.3 + 0.1 * i);
    if (c.type == "spherical") q = "0.5, 0.5, -0.5, 0.5";
    if (c.type == "composite" && c.nq == 6) q = "0.5, 0.5, -0.5, 0.5, 0.3, 0.4";
    if (c.type == "free") q = "0.5, 0.5, -0.5, 0.5, 1, 2, 3";
    for (int i = 0; i < c.nv; ++i) v += fmt::format("{}{}", i == 0 ? "" : ", ", 0.2 - 0.1 * i);
    const std::string name = fmt::format("b{}", ++n);
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nparent = \"{}\"\n{}[body.joint]\n{}\nq = [{}]\nv = [{}]\n"
        "at = {{ xyz = [0.1, 0.2, 0.3], rpy = [0.3, 0.2, 0.1] }}\n",
        name, parent, kBody, c.text, q, v);
    parent = name;
  }
  const Scene scene = parse_scene(text, "all.toml");
  const auto nv = static_cast<std::size_t>(scene.model.nv());
  Workspace<double> w(scene.model);
  std::vector<double> a(nv), tau(nv), back(nv);
  for (std::size_t i = 0; i < nv; ++i) a[i] = 0.5 - 0.01 * static_cast<double>(i);
  inverse_dynamics<double>(scene.model, w, scene.initial.q, scene.initial.v, a, tau);
  forward_dynamics<double>(scene.model, w, scene.initial.q, scene.initial.v, tau, back);
  for (std::size_t i = 0; i < nv; ++i) EXPECT_NEAR(back[i], a[i], 1e-8) << i;
}

TEST(Scene, SoundScene) {
  const Scene scene = parse_scene(test::kSoundScene, "bench.toml");
  EXPECT_EQ(scene.model.name(), "bench");
  EXPECT_EQ(scene.model.bodies(), 4);
  EXPECT_EQ(scene.model.nv(), 1 + 2 + 2 + 4);
  EXPECT_EQ(scene.model.gravity()[2], -9.81);
  EXPECT_EQ(scene.initial.q[0], 0.3);
  const Link& bead = scene.model.link(scene.model.find_joint("bead"));
  EXPECT_EQ(scene.initial.q[static_cast<std::size_t>(bead.q)], 0.5);
  EXPECT_EQ(scene.initial.q[static_cast<std::size_t>(bead.q) + 1], 0.1);
  EXPECT_EQ(scene.model.dof(0).lower, -3.0);
  EXPECT_EQ(scene.model.dof(0).damping, 0.1);
  EXPECT_EQ(scene.settings.duration, 2.0);
  EXPECT_EQ(scene.settings.integrator, "rk4");
  EXPECT_FALSE(scene.settings.step_is_chosen);
  EXPECT_EQ(scene.settings.constraint_method, ConstraintMethod::automatic);
  EXPECT_EQ(parse_scene("cardan = 1\n[simulation]\nconstraint_method = \"dual\"", "s").settings.constraint_method,
            ConstraintMethod::dual);
  EXPECT_EQ(scene.model.shapes().size(), 1u);
  EXPECT_EQ(scene.model.shapes()[0].shape.color, "#4477aa");
  EXPECT_TRUE(scene.warnings.empty());
}

/// A pivot that is shaken stands still at t = 0, where the mass matrix is singular along the time: whoever leaves the
/// method to the library gets one that copes.
TEST(Scene, TimeInAJointNeedsNoChoiceOfTheReader) {
  Scene scene = parse_scene("cardan = 1\n[[body]]\nname = \"rod\"\n" + kBody +
                                "[body.joint]\ntype = \"expression\"\ncoordinates = [\"a\"]\n"
                                "transform = \"trans(0, 0, 0.1*cos(20*t)) * roty(a)\"\nq = [0.3]\n"
                                "[simulation]\nduration = 0.2\n",
                            "s.toml");
  EXPECT_EQ(scene.settings.constraint_method, ConstraintMethod::automatic);
  const std::string by_itself = trajectory_csv(simulate(scene));
  EXPECT_EQ(by_itself.find("nan"), std::string::npos);
  scene.settings.constraint_method = ConstraintMethod::elimination;
  EXPECT_EQ(by_itself, trajectory_csv(simulate(scene)));
}

TEST(Scene, BodiesInAnyOrder) {
  const Scene scene =
      parse_scene("cardan = 1\n[[body]]\nname = \"tip\"\nparent = \"arm\"\n" + kBody +
                      "[body.joint]\ntype = \"revolute\"\nname = \"wrist\"\nq = [0.2]\n[[body]]\nname = \"arm\"\n" +
                      kBody + "[body.joint]\ntype = \"prismatic\"\nq = [0.7]\n",
                  "s.toml");
  EXPECT_EQ(scene.model.joint_name(1), "arm");
  EXPECT_EQ(scene.model.joint_name(2), "wrist");
  EXPECT_EQ(scene.initial.q, (std::vector<double>{0.7, 0.2}));
}

TEST(Scene, DofProperties) {
  const Scene scene = scene_with_joint(
      "type = \"universal\"\nlimits = [[-1, 1], [-inf, 2]]\nstiffness = [3, 4]\nrest = [-0.1, 0.2]\ndamping = 0.5\n"
      "armature = [0.01, 0.02]\nvelocity_limit = 10\neffort_limit = [5, inf]\nfriction = 0.3\n");
  const DofProperties &a = scene.model.dof(0), &b = scene.model.dof(1);
  EXPECT_EQ(a.lower, -1.0);
  EXPECT_TRUE(std::isinf(b.lower));
  EXPECT_EQ(b.upper, 2.0);
  EXPECT_EQ(a.stiffness, 3.0);
  EXPECT_EQ(b.rest, 0.2);
  EXPECT_EQ(a.damping, 0.5);
  EXPECT_EQ(b.damping, 0.5);
  EXPECT_EQ(b.armature, 0.02);
  EXPECT_EQ(a.velocity_limit, 10.0);
  EXPECT_EQ(a.effort_limit, 5.0);
  EXPECT_TRUE(std::isinf(b.effort_limit));
  EXPECT_EQ(b.friction, 0.3);
}

const std::string kSlide = "[body.joint]\ntype = \"prismatic\"\n";

Model with_shapes(const std::string& mass, const std::string& shapes, const std::string& file = "s.toml") {
  return parse_scene("cardan = 1\n[[body]]\nname = \"b\"\n" + mass + kSlide + shapes, file).model;
}

TEST(Scene, MassFromShapes) {
  const std::string cube = "[[body.shape]]\nbox = [1, 1, 1]\nat = { xyz = [1, 0, 0] }\ndensity = 6\n";
  const std::string light = "[[body.shape]]\nsphere = 3\n";  // without density it weighs nothing
  const Model plain = with_shapes("", cube + light);
  EXPECT_EQ(plain.link(1).I.m, 6.0);
  EXPECT_NEAR(plain.link(1).I.h[0], 6.0, 1e-15);
  EXPECT_NEAR(plain.link(1).I.I(0, 0), 1.0, 1e-15);
  EXPECT_NEAR(plain.link(1).I.I(2, 2), 1.0 + 6.0, 1e-15);
  EXPECT_EQ(plain.shapes().size(), 2u);
  // the body's own mass scales the shapes' inertia; com and inertia replace theirs
  const Model scaled = with_shapes("mass = 12\n", cube);
  EXPECT_EQ(scaled.link(1).I.m, 12.0);
  EXPECT_NEAR(scaled.link(1).I.I(0, 0), 2.0, 1e-15);
  const Model own = with_shapes("mass = 2\ncom = [0, 0, 1]\ninertia = [4, 5, 6, 0, 0, 0]\n", cube);
  EXPECT_NEAR(own.link(1).I.h[2], 2.0, 1e-15);
  EXPECT_NEAR(own.link(1).I.I(2, 2), 6.0, 1e-15);
}

TEST(Scene, EveryShape) {
  const Model model = with_shapes("mass = 1\n",
                                  "[[body.shape]]\nbox = [1, 2, 3]\n[[body.shape]]\nsphere = 1\n"
                                  "[[body.shape]]\ncylinder = { radius = 1, length = 2 }\n"
                                  "[[body.shape]]\ncapsule = { radius = 1, length = 2 }\n"
                                  "[[body.shape]]\nellipsoid = [1, 2, 3]\n"
                                  "[[body.shape]]\ntorus = { major = 2, minor = 1 }\ncollide = false\n");
  ASSERT_EQ(model.shapes().size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(model.shapes()[i].shape.shape.index(), (std::array<std::size_t, 6>{0, 1, 2, 3, 4, 5}[i]));
  EXPECT_TRUE(model.shapes()[0].shape.collide);
  EXPECT_FALSE(model.shapes()[5].shape.collide);
}

/// A scene with units is the scene of the numbers in SI units.
TEST(Scene, NumbersWithUnits) {
  const auto rod = [](const char* g, const char* mass, const char* com, const char* joint, const char* duration) {
    return parse_scene(std::string("cardan = 1\ngravity = [0, 0, ") + g + "]\n[[body]]\nname = \"b\"\nmass = " + mass +
                           "\ncom = [0, 0, " + com + "]\n[body.joint]\n" + joint +
                           "[simulation]\nduration = " + duration + "\n",
                       "s.toml");
  };
  const Scene plain =
      rod("-9.81", "1.5", "-0.25",
          "type = \"revolute\"\nq = [0.3]\nstiffness = 5\neffort_limit = 2000\nlimits = [[-0.25, 1.5]]\n", "2");
  const Scene units = rod("\"-9.81 m/s^2\"", "\"1500 g\"", "\"-250mm\"",
                          "type = \"revolute\"\nq = \"300 mrad\"\nstiffness = \"5 N m\"\neffort_limit = \"2 kN m\"\n"
                          "limits = [\"-250 mrad\", \"1.5 rad\"]\n",
                          "\"2000 ms\"");
  EXPECT_EQ(units.model.gravity()[2], plain.model.gravity()[2]);
  EXPECT_EQ(units.model.link(1).I.m, plain.model.link(1).I.m);
  EXPECT_EQ(units.model.link(1).I.h[2], plain.model.link(1).I.h[2]);
  EXPECT_EQ(units.initial.q, plain.initial.q);
  EXPECT_EQ(units.model.dof(0).stiffness, plain.model.dof(0).stiffness);
  EXPECT_EQ(units.model.dof(0).effort_limit, plain.model.dof(0).effort_limit);
  EXPECT_EQ(units.model.dof(0).lower, plain.model.dof(0).lower);
  EXPECT_EQ(units.model.dof(0).upper, plain.model.dof(0).upper);
  EXPECT_EQ(units.settings.duration, plain.settings.duration);
  // a slider takes lengths, and what both turns and shifts takes either
  EXPECT_NO_THROW(rod("0", "1", "0", "type = \"prismatic\"\nq = \"5 mm\"\n", "1"));
  EXPECT_THROW(rod("0", "1", "0", "type = \"prismatic\"\nq = \"5 deg\"\n", "1"), ModelError);
  EXPECT_NO_THROW(rod("0", "1", "0", "type = \"cylindrical\"\nq = [\"5 deg\", \"5 mm\"]\n", "1"));
  EXPECT_THROW(rod("0", "1", "0", "type = \"cylindrical\"\nq = [\"5 s\", \"5 mm\"]\n", "1"), ModelError);
}

/// Where a joint has one coordinate, brackets may be left out.
TEST(Scene, OneNumberForOneCoordinate) {
  const auto hinge = [](const char* q, const char* v, const char* limits) {
    return parse_scene(std::string("cardan = 1\n[parameters]\na = 0.5\n[[body]]\nname = \"b\"\nmass = 1\n[body.joint]\n"
                                   "type = \"revolute\"\nq = ") +
                           q + "\nv = " + v + "\nlimits = " + limits + "\n",
                       "s.toml");
  };
  const Scene listed = hinge("[0.25]", "[1.5]", "[[-inf, 2]]"), alone = hinge("\"a/2\"", "1.5", "[-inf, 2]");
  EXPECT_EQ(alone.initial.q, listed.initial.q);
  EXPECT_EQ(alone.initial.v, listed.initial.v);
  EXPECT_EQ(alone.initial.v[0], 1.5);
  EXPECT_EQ(alone.model.dof(0).upper, listed.model.dof(0).upper);
  EXPECT_EQ(alone.model.dof(0).lower, -std::numeric_limits<double>::infinity());
}

TEST(Scene, MeshBesideTheScene) {
  const test::TemporaryFolder folder;
  folder.write("meshes/tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  const std::string path =
      folder.write("s.toml", "cardan = 1\n[[body]]\nname = \"b\"\n" + kSlide +
                                 "[[body.shape]]\nmesh = \"meshes/tetrahedron.obj\"\ndensity = 60\n");
  const Scene scene = load_scene(path);
  EXPECT_NEAR(scene.model.link(1).I.m, 10.0, 1e-12);
}

const std::string kRobot = R"(<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="fore"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/>
    <origin xyz="0 0 1"/><mimic joint="shoulder" multiplier="2"/></joint></robot>)";

TEST(Scene, RobotsAndWhatHangsOnThem) {
  const test::TemporaryFolder folder;
  folder.write("robots/arm.urdf", kRobot);
  const std::string path = folder.write("two.toml", R"(cardan = 1
[[body]]
name = "tool"
parent = "left/fore"
mass = 0.5
[body.joint]
type = "prismatic"
q = [0.25]
[[robot]]
file = "robots/arm.urdf"
name = "left"
at = { xyz = [0, 0.5, 0] }
[[robot]]
file = "robots/arm.urdf"
name = "right"
base = "free"
at = { xyz = [0, -0.5, 0] }
)");
  const Scene scene = load(path);
  const Model& model = scene.model;
  EXPECT_EQ(model.nq(), 2 + 1 + 7 + 2);
  for (const char* name : {"left/fore", "left/base", "right/upper", "tool"})
    EXPECT_GE(model.find_frame(name), 0) << name;
  EXPECT_GE(model.find_joint("right/root_joint"), 0);
  EXPECT_GE(model.find_joint("left/elbow"), 0);
  ASSERT_EQ(model.couplings().size(), 2u);
  EXPECT_EQ(model.joint_name(model.couplings()[0].sources.at(0).body), "left/shoulder");
  const int tool = model.find_joint("tool");
  EXPECT_EQ(scene.initial.q[static_cast<std::size_t>(model.link(tool).q)], 0.25);
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, scene.initial.q, k);
  const Vec3<double> p = frame_pose(model, k, model.find_frame("tool")).p;
  EXPECT_NEAR(p[1], 0.5, 1e-15);
  EXPECT_NEAR(p[2], 1.25, 1e-15);
  EXPECT_NEAR(frame_pose(model, k, model.find_frame("right/fore")).p[1], -0.5, 1e-15);
}

TEST(Scene, RobotsMustBeKeptApart) {
  const test::TemporaryFolder folder;
  folder.write("arm.urdf", kRobot);
  const std::string twice = "cardan = 1\n[[robot]]\nfile = \"arm.urdf\"\n[[robot]]\nfile = \"arm.urdf\"\n";
  const std::string path = folder.write("s.toml", twice);
  try {
    load_scene(path);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(
        error.what(),
        "scene: " + path + ":4:1: robot entry 1: expected a name that keeps robots apart, found body \"base\" twice");
  }
}

TEST(Scene, RobotAloneIsTheRobot) {
  const test::TemporaryFolder folder;
  const std::string urdf = folder.write("arm.urdf", kRobot);
  const Model inside = load_scene(folder.write("s.toml", "cardan = 1\n[[robot]]\nfile = \"arm.urdf\"\n")).model,
              alone = load_urdf(urdf);
  ASSERT_EQ(inside.nv(), alone.nv());
  const std::vector<double> q{0.3, -0.4}, v{1.0, 2.0};
  std::vector<double> a(2), b(2);
  Workspace<double> w(inside), w2(alone);
  bias<double>(inside, w, q, v, a);
  bias<double>(alone, w2, q, v, b);
  EXPECT_EQ(a, b);
}

TEST(Load, ChoosesByTheEnding) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(load(folder.write("arm.urdf", kRobot)).model.nv(), 2);
  EXPECT_EQ(load(folder.path("arm.urdf"), {true, true}).model.nv(), 8);
  EXPECT_EQ(load(folder.write("s.toml", test::kSoundScene)).model.nv(), 9);
  const auto complaint = [](const std::string& path, const LoadOptions& options = {}) -> std::string {
    try {
      load(path, options);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint(folder.path("s.toml"), {true, true}).find("says itself what floats"), std::string::npos);
  EXPECT_NE(
      complaint(folder.write("s.txt", ""))
          .find(
              "ends in .toml (scene), .urdf (robot), .xml (MuJoCo), .sdf (Gazebo) or .osim (OpenSim), found \".txt\""),
      std::string::npos);
  EXPECT_NE(complaint(folder.write("s.osim", "")).find("s.osim:1: XML: expected one well-formed element"),
            std::string::npos);
}

}  // namespace
}  // namespace cardan
