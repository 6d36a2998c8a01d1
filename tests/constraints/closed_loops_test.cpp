// Redundancy, mobility, clusters, stabilization, loop inverse dynamics, position errors.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/constraints/assembly.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/constraints/loop_inverse_dynamics.hpp"
#include "cardan/constraints/mobility.hpp"
#include "cardan/model/internal/characteristic_length.hpp"
#include "tests/constraints/linkages.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

constexpr ConstraintMethod kAll[] = {ConstraintMethod::direct, ConstraintMethod::dual, ConstraintMethod::elimination,
                                     ConstraintMethod::articulated, ConstraintMethod::sparse};

/// A closed state of a linkage, the crank at this angle and rate.
State closed(const Model& model, double angle, double rate) {
  State start(model);
  start.q[0] = angle;
  start.v[0] = rate;
  ConstraintSet set(model);
  const Assembly assembly = assemble(model, set, 0.0, start, {{1}, {1}});
  EXPECT_TRUE(assembly.closed) << assembly.complaint();
  return assembly.state;
}

Eigen::VectorXd accelerations(const Model& model, const State& state, ConstraintMethod method, int* rank = nullptr) {
  ConstrainedDynamics dynamics(ConstraintSet(model), method);
  Eigen::VectorXd a(model.nv());
  const std::vector<double> tau(state.v.size());
  dynamics.forward_dynamics(0.0, state.q, state.v, tau, a);
  if (rank) *rank = dynamics.rank();
  return a;
}

/// A hinge in space holds a planar linkage three times more than needed.
TEST(Redundancy, AFullHingeMovesLikeThePointItHolds) {
  const Model full = four_bar(about_z()), minimal = four_bar(ball_in_tube());
  const State state = closed(minimal, 1.0, 0.7);
  const Eigen::VectorXd expected = accelerations(minimal, state, ConstraintMethod::direct);
  Worst error("accelerations, redundant against minimal", 1e-11);
  for (const auto method : kAll) {
    int rank = 0;
    error.add(relative_error(expected, accelerations(full, state, method, &rank)),
              constraint_method_names()[static_cast<std::size_t>(method)]);
    EXPECT_EQ(rank, 2);
  }
}

TEST(Redundancy, ForcesHaveLeastNorm) {
  const Model full = four_bar(about_z());
  const State state = closed(full, 1.0, 0.7);
  ConstrainedDynamics first(ConstraintSet(full), ConstraintMethod::direct);
  std::vector<double> tau(3), a(3);
  first.forward_dynamics(0.0, state.q, state.v, tau, a);
  for (const auto method : {ConstraintMethod::dual, ConstraintMethod::elimination, ConstraintMethod::articulated}) {
    ConstrainedDynamics other(ConstraintSet(full), method);
    other.forward_dynamics(0.0, state.q, state.v, tau, a);
    EXPECT_TRUE(near(other.multipliers(), first.multipliers(), 1e-9));
  }
  // what the redundant rows could add, they do not: no force along the axis, no moment across it
  const ForceVector<double> f = first.constraints().loop(0)->force(first.multipliers().data());
  EXPECT_LT(std::abs(f.force[2]) + std::abs(f.moment[0]) + std::abs(f.moment[1]), 1e-10);
  EXPECT_GT(std::abs(f.force[0]), 0.1);
}

TEST(Mobility, OfThePlanarFourBar) {  // section 8.10: n = 3, n_c = 5, r = 2; with a ball in a tube n_c = 2 = r
  for (const auto& [joint, rows] : {std::pair<Joint, int>{about_z(), 5}, {ball_in_tube(), 2}}) {
    const Model model = four_bar(joint);
    ConstraintSet set(model);
    const Mobility m = analyze_mobility(model, set, 0.0, closed(model, 1.0, 0.0).q);
    EXPECT_EQ(m.rows, rows);
    EXPECT_EQ(m.rank, 2);
    EXPECT_EQ(m.freedoms(), 1);
    EXPECT_EQ(m.redundant_rows(), rows - 2);
    EXPECT_EQ(m.redundant, std::vector<int>{rows - 2});
    EXPECT_FALSE(m.is_singular());
  }
}

/// Opposite sides equal: with all bars on one line it can go on as a parallelogram or fold.
TEST(Mobility, AParallelogramOnALineIsSingular) {
  const Model model = four_bar(ball_in_tube(), 1.0, 2.0, 1.0, 2.0);
  ConstraintSet set(model);
  const std::vector<double> line(3, 0.0);
  const Mobility m = analyze_mobility(model, set, 0.0, line);
  EXPECT_EQ(m.rank_here, 1);
  EXPECT_EQ(m.rank, 2);
  EXPECT_TRUE(m.is_singular());
}

/// Figure 8.1: loops that share no joint are solved apart.
TEST(Clusters, AreLoopsThatShareVelocities) {
  ModelBuilder builder;
  for (int i = 1; i <= 9; ++i) {
    const auto name = [](int n) { return n == 0 ? std::string("world") : "b" + std::to_string(n); };
    builder.body(name(i), bar(1.0, 1.0)).joint(name(i - 1), name(i), about_z(), along_x(1.0));
  }
  const auto loop = [&](const char* name, const char* a, const char* b) {
    builder.joint(JointSpec{name, a, b, about_z(), {}, {}, {}, {}, {}, true});
  };
  loop("one", "b1", "b4");
  loop("two", "b3", "b5");
  loop("three", "b6", "b8");
  const Model model = builder.build();
  EXPECT_EQ(ConstraintSet(model).clusters(), (std::vector<std::vector<int>>{{0, 1}, {2}}));
  EXPECT_EQ(ConstraintSet(model).velocities(0), (std::vector<int>{1, 2, 3}));
}

/// Two rails of hinged links and rungs between them, each rung's far end pinned by a loop joint.
Model hinged_ladder(int rungs) {
  ModelBuilder builder("ladder");
  builder.gravity({0.0, -9.81, 0.0});
  const auto name = [](const char* kind, int i) { return i < 0 ? std::string("world") : kind + std::to_string(i); };
  for (int i = 0; i < rungs; ++i) {
    builder.body(name("left", i), bar(1.0, 1.0))
        .body(name("right", i), bar(1.0, 1.0))
        .body(name("rung", i), bar(0.5, 1.0));
    const Pose<double> turned{rotation_rpy(0.0, 0.0, 0.5 * M_PI), Vec3<double>{0.0, 1.0, 0.0}};
    builder.joint(name("left", i - 1), name("left", i), about_z(), i == 0 ? Pose<double>{} : along_x(1.0));
    builder.joint(name("right", i - 1), name("right", i), about_z(), i == 0 ? turned : along_x(1.0));
    builder.joint(name("left", i), name("rung", i), about_z(), along_x(1.0));
    builder.joint(JointSpec{"pin" + std::to_string(i),
                            name("rung", i),
                            name("right", i),
                            ball_in_tube(),
                            along_x(1.0),
                            along_x(1.0),
                            {},
                            {},
                            {},
                            true});
  }
  return builder.build();
}

TEST(Ladder, TheSparseMethodAgreesWithTheDenseOne) {
  const Model model = hinged_ladder(40);
  State start(model);
  for (int i = 0; i < model.nv(); ++i) start.q[static_cast<std::size_t>(i)] = 0.02 * std::sin(1.3 * i);
  ConstraintSet set(model);
  const Assembly assembly = assemble(model, set, 0.0, start);
  ASSERT_TRUE(assembly.closed) << assembly.complaint();
  const Eigen::VectorXd expected = accelerations(model, assembly.state, ConstraintMethod::dual);
  EXPECT_TRUE(near(accelerations(model, assembly.state, ConstraintMethod::articulated), expected, 1e-8));
  EXPECT_TRUE(near(accelerations(model, assembly.state, ConstraintMethod::sparse), expected, 1e-8));
}

/// Table 8.1: the position error of every joint type is the displacement, in the directions that the joint holds.
TEST(PositionError, RecoversASmallDisplacement) {
  Worst error("gap against the displacement", 1e-9);
  for (std::size_t type = 0; type < 15; ++type)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Random random(100 * type + seed);
      const Joint joint = random_joint(random, type);
      if (joint.nv() == 6) continue;
      const std::vector<double> own = random_configuration(random, joint), rest(6);
      const JointMotion motion = joint_motion(joint, own.data(), rest.data());
      // the body is where the joint has it, and then moved by d
      const Vec3<double> d_angular = random.vector(1e-6), d_linear = random.vector(1e-6);
      const Pose<double> moved = Pose<double>{transpose(motion.X.E), motion.X.r} * exp_se3(d_angular, d_linear);
      ModelBuilder builder;
      builder.body("b", random.mass()).joint("world", "b", Free{}, moved);
      builder.joint(JointSpec{"loop", "world", "b", joint, {}, {}, {}, {}, {}, true});
      const Model model = builder.build();
      ConstraintSet set(model);
      const std::vector<double> q = model.neutral(), v(6);
      set.evaluate(0.0, q.data(), v.data());
      MotionBasis S_inverse, T;
      split_subspace(motion, subspace_dimension(joint), characteristic_length(model), S_inverse, T);
      Eigen::Matrix<double, 6, 1> d;
      d << d_angular[0], d_angular[1], d_angular[2], d_linear[0], d_linear[1], d_linear[2];
      const Eigen::Matrix<double, 6, 1> expected = T * (T.transpose() * d);
      const ForceVector<double> found = set.loop(0)->force(set.gap().data());
      for (int c = 0; c < 6; ++c)
        error.add(std::abs(found[c] - expected[c]), std::string(joint.type_name()) + " " + std::to_string(c));
    }
}

/// An injected error dies out as alpha = beta = 1 / T say: (1 + t / T) exp(-t / T) of it is left.
TEST(Baumgarte, InjectedErrorsDecayAsDesigned) {
  const Model model = four_bar(ball_in_tube());
  State state = closed(model, 1.0, 0.0);
  state.q[2] += 1e-5;
  ConstrainedDynamics dynamics((ConstraintSet(model)));
  dynamics.stabilization = Baumgarte::with_time(0.1);
  const std::vector<double> tau(3);
  const double before = dynamics.position_error(0.0, state.q);
  constexpr double h = 1e-5;
  Eigen::VectorXd a(3);
  for (int i = 0; i < 20000; ++i) {  // symplectic Euler is good enough for two digits
    dynamics.forward_dynamics(0.0, state.q, state.v, tau, a);
    for (std::size_t k = 0; k < 3; ++k) {
      state.v[k] += h * a[static_cast<Eigen::Index>(k)];
      state.q[k] += h * state.v[k];
    }
  }
  const double left = dynamics.position_error(0.0, state.q) / before, designed = (1.0 + 2.0) * std::exp(-2.0);
  EXPECT_NEAR(left, designed, 0.03 * designed);
}

/// What the drives are found to be, gives back the wanted accelerations (section 8.12).
TEST(LoopInverseDynamics, DrivesGiveTheWantedMotion) {
  const Model model = four_bar(about_z());
  const State state = closed(model, 1.0, 0.7);
  ConstrainedDynamics dynamics((ConstraintSet(model)));
  std::vector<double> push{3.0, 0.0, 0.0}, none(3);
  Eigen::VectorXd wanted(3), found(3);
  dynamics.forward_dynamics(0.0, state.q, state.v, push, wanted);
  Workspace<double> w(model);
  const std::span<const double> a(wanted.data(), 3);
  const auto drives = [&](const std::vector<int>& driven) {
    return loop_inverse_dynamics(model, w, dynamics.constraints(), state.q, state.v, a, driven);
  };
  const DriveForces crank = drives({0});
  EXPECT_FALSE(crank.is_under_actuated());
  EXPECT_FALSE(crank.is_over_actuated());
  EXPECT_NEAR(crank.tau[0], 3.0, 1e-10);
  EXPECT_LT(crank.out_of_reach, 1e-12);
  // another joint can do it as well, and two of them share
  for (const auto& driven : {std::vector<int>{2}, std::vector<int>{0, 2}}) {
    const DriveForces other = drives(driven);
    EXPECT_EQ(other.is_over_actuated(), driven.size() == 2);
    EXPECT_FALSE(other.is_under_actuated());
    dynamics.forward_dynamics(0.0, state.q, state.v, other.tau, found);
    EXPECT_TRUE(near(found, wanted, 1e-10));
    dynamics.forward_dynamics(0.0, state.q, state.v, push, found);  // leaves the set evaluated at the state
  }
  EXPECT_TRUE(drives({}).is_under_actuated());
  EXPECT_EQ(drives({}).out_of_reach, 1.0);
}

/// Two bars and one drive: the force that the other bar needs is what is missing.
TEST(LoopInverseDynamics, SaysHowMuchNoDriveSupplies) {
  ModelBuilder builder;
  builder.gravity({}).body("left", bar(3.0, 1.0)).body("right", bar(3.0, 1.0));
  const Model model = builder.joint("world", "left", about_z()).joint("world", "right", about_z()).build();
  Workspace<double> w(model);
  const std::vector<double> q(2), v(2), a{3.0, 4.0};
  ConstraintSet none(model);
  const DriveForces left = loop_inverse_dynamics(model, w, none, q, v, a, std::vector<int>{0});
  EXPECT_TRUE(left.is_under_actuated());
  EXPECT_NEAR(left.tau[0], 3.0, 1e-14);  // a bar of 3 kg and 1 m has 1 kg m^2 about its end
  EXPECT_NEAR(left.out_of_reach, 4.0 / 5.0, 1e-14);
}

/// A drive in the loop joint itself: its power is what the forces at the tree's joints do.
TEST(LoopForces, ADriveInTheLoopJointDoesItsWorkAtTheOthers) {
  for (const Joint& joint : {Joint(about_z()), Joint(Cylindrical{{0.0, 0.0, 1.0}}), ball_in_tube()}) {
    const Model model = four_bar(joint);
    const State state = closed(model, 1.0, 0.7);
    ConstraintSet set(model);
    set.evaluate(0.0, state.q.data(), state.v.data());
    const LoopState& loop = *set.loop(0);
    std::vector<double> drive;
    double power = 0.0;
    for (std::size_t i = 0; i < loop.rates().size(); ++i) {
      drive.push_back(2.0 - 0.7 * static_cast<double>(i));
      power += drive.back() * loop.rates()[i];
    }
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(3);
    set.add_loop_force(0, loop.drive(drive.data()), tau);
    EXPECT_NEAR(tau.dot(Eigen::Map<const Eigen::VectorXd>(state.v.data(), 3)), power, 1e-12);
    EXPECT_GT(std::abs(power), 0.01);
  }
}

TEST(Assembly, ClosesAndSaysWhatMoved) {
  const Model model = four_bar(about_z());
  State start(model);
  start.q[0] = 1.0;
  ConstraintSet set(model);
  const Assembly kept = assemble(model, set, 0.0, start, {{1}, {}});
  ASSERT_TRUE(kept.closed);
  EXPECT_EQ(kept.state.q[0], 1.0);
  EXPECT_EQ(kept.moved.size(), 2u);
  set.evaluate(0.0, kept.state.q.data(), kept.state.v.data());
  EXPECT_LT(set.gap().norm(), 1e-11);
  const Assembly again = assemble(model, set, 0.0, kept.state);
  EXPECT_TRUE(again.moved.empty());
}

TEST(Assembly, NamesTheLoopThatCannotClose) {
  const Model model = four_bar(about_z(), 0.1, 0.2, 0.3, 2.0);
  ConstraintSet set(model);
  const Assembly assembly = assemble(model, set, 0.0, State(model));
  EXPECT_FALSE(assembly.closed);
  EXPECT_NEAR(assembly.distance, 1.4, 1e-3);
  EXPECT_EQ(assembly.complaint(), "loop \"pin\" cannot be closed: its ends stay 1.4 m and 0 rad apart");
}

/// The rocker may not go where the nearest solution is, so the other branch is found.
TEST(Assembly, RespectsLimits) {
  ModelBuilder builder("limited");
  builder.body("crank", bar(1.0, 1.0)).body("rocker", bar(1.0, 1.0));
  builder.joint("world", "crank", about_z());
  JointSpec rocker{"rocker", "world", "rocker", about_z(), along_x(1.0), {}, {}, {}, {}, false};
  rocker.dofs.resize(1);
  rocker.dofs[0].lower = -3.0;
  rocker.dofs[0].upper = -0.5;
  builder.joint(rocker);
  builder.joint(JointSpec{"tip", "crank", "rocker", ball_in_tube(), along_x(1.0), along_x(1.0), {}, {}, {}, true});
  const Model model = builder.build();
  State start(model);
  start.q = {0.3, -0.6};
  ConstraintSet set(model);
  const Assembly assembly = assemble(model, set, 0.0, start);
  ASSERT_TRUE(assembly.closed) << assembly.complaint();
  EXPECT_LE(assembly.state.q[1], -0.5);
  EXPECT_NEAR(assembly.state.q[0], -M_PI / 3.0, 1e-9);
}

}  // namespace
}  // namespace cardan::test
