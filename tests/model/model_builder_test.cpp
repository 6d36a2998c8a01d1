// What a ModelBuilder accepts, names and refuses; every refusal is one line with exact text.
#include "cardan/model/model_builder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "tests/support/dense.hpp"

namespace cardan::test {
namespace {

const MassProperties kMass{1.0, {}, Sym3<double>{1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// world - a - b with revolute joints.
ModelBuilder arm() {
  return ModelBuilder("arm")
      .body("a", kMass)
      .body("b", kMass)
      .joint("world", "a", Revolute{})
      .joint("a", "b", Revolute{});
}
JointSpec spec(const std::string& name, const std::string& from, const std::string& to, const Joint& type) {
  JointSpec out;
  out.name = name;
  out.predecessor = from;
  out.successor = to;
  out.type = type;
  return out;
}

void refuses(const ModelBuilder& builder, const std::string& message) {
  try {
    builder.build();
    ADD_FAILURE() << "accepted, expected: " << message;
  } catch (const ModelError& error) {
    EXPECT_EQ(error.what(), message);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

TEST(ModelBuilder, RefusesBadBodies) {
  refuses(arm().body("", kMass), "a body has no name");
  refuses(arm().body("a", kMass), "body \"a\" is described twice: names must differ");
  refuses(arm().body("world", kMass), "a body cannot be called \"world\": that is the fixed frame of reference");
  refuses(arm().body("c", kMass), "body \"c\" is not connected to the world: no chain of joints reaches it");
  refuses(arm().body("c", kMass).body("d", kMass).joint("c", "d", Revolute{}),
          "body \"c\" is not connected to the world: no chain of joints reaches it");
  MassProperties bad = kMass;
  bad.mass = -1.0;
  refuses(arm().body("c", bad), "body \"c\": mass must not be negative, found -1");
  bad = kMass;
  bad.mass = nan;
  refuses(arm().body("c", bad), "body \"c\": mass, center of mass and inertia must be finite numbers");
  bad = kMass;
  bad.com[1] = std::numeric_limits<double>::infinity();
  refuses(arm().body("c", bad), "body \"c\": mass, center of mass and inertia must be finite numbers");
  bad = kMass;
  bad.inertia = Sym3<double>{1.0, 1.0, -1.0, 0.0, 0.0, 0.0};
  refuses(arm().body("c", bad), "body \"c\": inertia must be positive semidefinite, found principal moments -1, 1, 1");
}

TEST(ModelBuilder, PutsThePlaceBeforeTheMessage) {
  BodySpec body{"a", kMass, {}, "arm.urdf:31"};
  refuses(arm().body(body), "arm.urdf:31: body \"a\" is described twice: names must differ");
  JointSpec joint = spec("j", "a", "nowhere", Revolute{});
  joint.where = "arm.urdf:44";
  refuses(arm().joint(joint), "arm.urdf:44: joint \"j\": unknown child \"nowhere\"");
}

TEST(ModelBuilder, WarnsOfImpossibleInertiaUnlessToldToRefuse) {
  MassProperties bad = kMass;
  bad.inertia = Sym3<double>{1.0, 1.0, 3.0, 0.0, 0.0, 0.0};
  const std::string message =
      "body \"c\": no principal moment of inertia may exceed the sum of the other two (triangle inequality), found "
      "principal moments 1, 1, 3";
  ModelBuilder builder = arm().body("c", bad).joint("b", "c", Revolute{});
  EXPECT_EQ(builder.build().warnings(), std::vector<std::string>{message});
  refuses(builder.require_physical_inertia(), message);
}

TEST(ModelBuilder, WarnsOfJointsThatMoveNoMass) {
  ModelBuilder builder = arm().body("c", {}).joint("b", "c", Revolute{});
  EXPECT_EQ(builder.build().warnings(),
            std::vector<std::string>{"joint \"c\" moves no mass: the mass matrix is singular"});
  // mass further out, or a rotor in the joint, is enough
  EXPECT_TRUE(builder.body("d", kMass).joint("c", "d", Revolute{}).build().warnings().empty());
  JointSpec with_rotor = spec("c", "b", "c", Revolute{});
  with_rotor.dofs.resize(1);
  with_rotor.dofs[0].armature = 0.1;
  EXPECT_TRUE(arm().body("c", {}).joint(with_rotor).build().warnings().empty());
}

TEST(ModelBuilder, RefusesBadJoints) {
  const auto with = [](const Joint& type) { return arm().body("c", kMass).joint("b", "c", type); };
  refuses(with(Revolute(Vec3<double>{0.0, 0.0, 0.0})), "joint \"c\": axis has zero length");
  refuses(with(Prismatic(Vec3<double>{nan, 0.0, 0.0})), "joint \"c\": axis is not finite");
  refuses(with(Helical(Vec3<double>{1.0, 0.0, 0.0}, nan)), "joint \"c\": pitch is not finite");
  refuses(with(SphericalEuler({0, 0, 1})),
          "joint \"c\": an order of Euler angles is three axes, no two neighbors equal");
  refuses(with(SphericalEuler({0, 1, 3})),
          "joint \"c\": an order of Euler angles is three axes, no two neighbors equal");
  refuses(with(Composite({Free{}, Revolute{}})),
          "joint \"c\": a composite joint has at most 6 degrees of freedom, found 7");
  refuses(with(Composite({Revolute(Vec3<double>{0.0, 0.0, 0.0})})), "joint \"c\": axis has zero length");
  refuses(arm().joint("a", "b", Prismatic{}, {}, "a"), "joint \"a\" is described twice: names must differ");
  refuses(arm().joint("a", "a", Prismatic{}, {}, "j"), "joint \"j\": parent and child are the same body \"a\"");
  refuses(arm().joint("z", "a", Prismatic{}, {}, "j"), "joint \"j\": unknown parent \"z\"");
  refuses(arm().joint("a", "z", Prismatic{}, {}, "j"), "joint \"j\": unknown child \"z\"");
  Pose<double> crooked;
  crooked.R(0, 0) = 2.0;
  refuses(arm().joint("a", "b", Revolute{}, crooked, "j"),
          "joint \"j\": its placement is not a finite position with a proper rotation");
  crooked = {};
  crooked.p[2] = nan;
  refuses(arm().joint("a", "b", Revolute{}, crooked, "j"),
          "joint \"j\": its placement is not a finite position with a proper rotation");
  Pose<double> mirrored;
  mirrored.R(2, 2) = -1.0;
  refuses(arm().joint("a", "b", Revolute{}, mirrored, "j"),
          "joint \"j\": its placement is not a finite position with a proper rotation");
}

TEST(ModelBuilder, RefusesBadProperties) {
  const auto with = [](const DofProperties& d, std::size_t count = 1) {
    JointSpec joint = spec("c", "b", "c", Revolute{});
    joint.dofs.assign(count, d);
    return arm().body("c", kMass).joint(joint);
  };
  DofProperties d;
  refuses(with(d, 2), "joint \"c\": properties of 1 degrees of freedom expected, found 2");
  d.lower = 1.0;
  d.upper = -1.0;
  refuses(with(d), "joint \"c\": lower limit 1 is above upper limit -1");
  d = {};
  d.armature = -0.1;
  refuses(with(d), "joint \"c\": armature, damping, friction and stiffness must be zero or positive");
  d = {};
  d.velocity_limit = -1.0;
  refuses(with(d), "joint \"c\": velocity and effort limits must be zero or positive");
  refuses(arm().gravity(Vec3<double>{0.0, nan, 0.0}), "gravity is not finite");
}

TEST(ModelBuilder, RefusesBadFramesAndMimics) {
  refuses(arm().frame("tool", "hand", {}), "frame \"tool\": unknown body \"hand\"");
  refuses(arm().frame("tool", "b", {}).frame("tool", "a", {}), "frame \"tool\" is described twice: names must differ");
  refuses(arm().frame("a", "b", {}), "frame \"a\" is described twice: names must differ");
  JointSpec mimic = spec("c", "b", "c", Revolute{});
  mimic.mimic = Mimic{"nothing", 1.0, 0.0};
  refuses(arm().body("c", kMass).joint(mimic), "coupling of \"c\": unknown joint \"nothing\"");
  mimic.mimic = Mimic{"c", 1.0, 0.0};
  refuses(arm().body("c", kMass).joint(mimic), "coupling of \"c\": follows itself through \"c\"");
}

TEST(ModelBuilder, CanBeUsedAgain) {
  ModelBuilder builder = arm();
  const Model first = builder.build();
  EXPECT_EQ(builder.build().nv(), first.nv());
  EXPECT_THROW(builder.body("a", kMass).build(), ModelError);
}

TEST(ModelBuilder, AnEmptyModelIsAModel) {
  const Model model = ModelBuilder("nothing").build();
  EXPECT_EQ(model.bodies(), 0);
  EXPECT_EQ(model.nq() + model.nv(), 0);
  EXPECT_EQ(model.name(), "nothing");
  EXPECT_EQ(Poisoned(model).forward_dynamics(Eigen::VectorXd(0), Eigen::VectorXd(0), Eigen::VectorXd(0)).size(), 0);
}

TEST(ModelBuilder, NamesFramesAndJoints) {
  const Pose<double> at{rotation_rpy(0.1, 0.2, 0.3), Vec3<double>{0.4, 0.5, 0.6}};
  const Model model = arm()
                          .body("plate/one", kMass)
                          .joint("b", "plate/one", Fixed{}, at, "weld")
                          .frame("tool", "plate/one", at)
                          .joint(spec("elbow", "b", "far", Free{}))
                          .body("far", kMass)
                          .build();
  EXPECT_EQ(model.bodies(), 3);
  EXPECT_EQ(model.body_name(1), "a");
  EXPECT_EQ(model.joint_name(2), "b");
  EXPECT_EQ(model.joint_name(3), "elbow");
  EXPECT_EQ(model.find_joint("elbow"), 3);
  EXPECT_EQ(model.find_joint("weld"), -1) << "a joint that was merged moves nothing";
  EXPECT_EQ(model.find_frame("nothing"), -1);
  EXPECT_EQ(model.find_frame("world"), 0);
  EXPECT_EQ(model.find_frame("elbow"), model.find_frame("far"));
  EXPECT_EQ(model.find_frame("weld"), model.find_frame("plate/one"));
  EXPECT_EQ(model.frame(model.find_frame("tool")).body, 2);
  EXPECT_EQ(model.neutral(), (std::vector<double>{0, 0, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(model.total_mass(), 4.0);
  // the frame on the welded plate, at the zero pose
  const std::vector<double> zero = model.neutral();
  Poisoned run(model);
  const Kinematics<double> k = run.kinematics(Eigen::Map<const Eigen::VectorXd>(zero.data(), model.nq()));
  const Pose<double> found = frame_pose(model, k, model.find_frame("tool")), expected = at * at;
  EXPECT_TRUE(near(dense(found.R), dense(expected.R), 1e-15));
  EXPECT_TRUE(near(dense(found.p), dense(expected.p), 1e-15));
}

TEST(ModelBuilder, KeepsJointPropertiesAndMimics) {
  JointSpec joint = spec("c", "b", "c", Planar{});
  joint.dofs.resize(2);
  joint.dofs[1] = {-1.0, 2.0, 3.0, 4.0, 0.5, 0.6, 0.7, 0.8, 0.9};
  JointSpec follower = spec("d", "c", "d", Revolute{});
  follower.mimic = Mimic{"a", -2.0, 0.25};
  const Model model = arm().body("d", kMass).body("c", kMass).joint(follower).joint(joint).build();
  const int v = model.link(model.find_joint("c")).v + 1;
  EXPECT_EQ(model.dof(v).upper, 2.0);
  EXPECT_EQ(model.dof(v).effort_limit, 4.0);
  EXPECT_EQ(model.dof(v).friction, 0.9);
  EXPECT_EQ(model.armature(v), 0.5);
  EXPECT_EQ(model.armature(v - 1), 0.0);
  ASSERT_EQ(model.couplings().size(), 1u);
  const Coupling& coupling = model.couplings()[0];
  EXPECT_EQ(coupling.dependent.body, model.find_joint("d"));
  EXPECT_EQ(coupling.sources.at(0).body, model.find_joint("a"));
  EXPECT_EQ(coupling.text, "d = -2*a + 0.25");
  CouplingFunction::Memory memory(coupling.f);
  memory.x = {3.0};
  coupling.f(memory);
  EXPECT_EQ(memory.f(), -5.75);
  EXPECT_EQ(memory.gradient(0), -2.0);
}

TEST(ModelBuilder, DenavitHartenbergIsTwoAxialScrews) {  // section 4.3
  const double a = 0.4, alpha = -0.7, d = 0.3, theta = 1.1;
  const Pose<double> pose = denavit_hartenberg(a, alpha, d, theta);
  // the old z axis seen from the new frame lies at distance a, turned by alpha about the common perpendicular
  const Vector3 z = dense(pose.R).col(2), x = dense(pose.R).col(0), p = dense(pose.p);
  EXPECT_NEAR(z.z(), std::cos(alpha), 1e-15);
  EXPECT_NEAR(z.y(), -std::sin(alpha), 1e-15);
  EXPECT_NEAR(z.x(), 0.0, 1e-15);                                      // perpendicular to x
  EXPECT_NEAR((p - d * z - a * Vector3::UnitX()).norm(), 0.0, 1e-15);  // a along x, then d along the new z
  EXPECT_NEAR(x.dot(Vector3::UnitX()), std::cos(theta), 1e-15);
  // a revolute joint on top adds to theta
  const Model model = ModelBuilder().body("a", kMass).joint("world", "a", Revolute{}, pose).build();
  Poisoned run(model);
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 0.9);
  const Pose<double> moved = frame_pose(model, run.kinematics(q), model.find_frame("a")),
                     expected = denavit_hartenberg(a, alpha, d, theta + 0.9);
  EXPECT_TRUE(near(dense(moved.R), dense(expected.R), 1e-15));
  EXPECT_TRUE(near(dense(moved.p), dense(expected.p), 1e-15));
}

TEST(ModelBuilder, RollPitchYawTurnsAboutFixedAxes) {
  const Mat3<double> R = rotation_rpy(0.3, -0.8, 1.2);
  const Matrix3 expected = (Eigen::AngleAxisd(1.2, Vector3::UnitZ()) * Eigen::AngleAxisd(-0.8, Vector3::UnitY()) *
                            Eigen::AngleAxisd(0.3, Vector3::UnitX()))
                               .toRotationMatrix();
  EXPECT_TRUE(near(dense(R), expected, 1e-15));
}

}  // namespace
}  // namespace cardan::test
