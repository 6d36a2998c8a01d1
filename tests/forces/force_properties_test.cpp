// Statements that hold for every force element: balance of internal forces, power of dampers, memory, limits.
#include "cardan/forces/body_damping.hpp"
#include "cardan/forces/bushing.hpp"
#include "cardan/forces/joint_spring.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/forces/template_path.hpp"
#include "tests/forces/two_bodies.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Statement 24: internal elements do not feel a rigid motion of everything, and their wrenches add up to zero.
TEST(ForceProperties, InternalForcesBalanceAndMoveAlong) {
  Worst sums("sum of wrenches", 1e-13), same("wrench, K and D after a rigid motion", 1e-12);
  Random random(8);
  const Model model = ModelBuilder()
                          .body("a", random.mass())
                          .body("b", random.mass())
                          .body("c", random.mass())
                          .joint("world", "a", Free{})
                          .joint("world", "b", Free{})
                          .joint("world", "c", Free{})
                          .build();
  const TemplatePath path{
      {{1, random.vector()}, {2, random.vector()}, {3, random.vector()}, {1, random.vector()}}, 2.0, 0.5, 0.4, 0.3};
  PathWrap wrap;
  wrap.body = 3;
  wrap.after = 0;
  wrap.surface = wrap_sphere(0.4, {0.3, 0.2, 0.1});
  const Forces forces{text_path(path),
                      std::make_shared<const ElasticLine>(ElasticLine::Kind::spring, "w",
                                                          Path({{1, {1.0, 0.0, 0.0}}, {2, {0.0, 1.0, 0.0}}}, {wrap}),
                                                          ElasticLine::Parameters{3.0, 0.5, 0.2, 0.0}),
                      make_force(Bushing{"b", {1, {}}, {2, {}}, {1, 2, 3, 4, 5, 6}, {1, 1, 2, 2, 3, 3}})};
  for (int trial = 0; trial < 20; ++trial) {
    Eigen::VectorXd q = random_configuration(random, model), v = random.values(18);
    StateKinematics kinematics(model), moved_kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    // the same bodies, all moved by one displacement: velocities in body axes stay
    const Pose<double> g = random.pose();
    Kinematics<double> moved = at.bodies;
    for (int body = 1; body <= 3; ++body) {
      Transform<double>& X = moved.X_0[static_cast<std::size_t>(body)];
      X = {X.E * transpose(g.R), g.p + g.R * X.r};
    }
    const Instant there{model, 0.0, at.q, at.v, at.z, at.u, moved};
    for (const auto& force : forces) {
      const auto evaluate = [&](const Instant& instant, std::vector<ForceVector<double>>& f, Tangent& tangent) {
        f.assign(4, {});
        std::vector<double> direct(18);
        Pushes pushes(f, direct);
        force->add(instant, pushes);
        tangent.resize(force->touches());
        force->add_tangent(instant, tangent);
      };
      std::vector<ForceVector<double>> f, f_moved;
      Tangent t, t_moved;
      evaluate(at, f, t);
      evaluate(there, f_moved, t_moved);
      ForceVector<double> sum;
      double size = 1e-3;
      for (int body = 1; body <= 3; ++body) {
        const ForceVector<double>& w = f[static_cast<std::size_t>(body)];
        sum += transpose_apply(at.X_0(body), w);
        for (int c = 0; c < 6; ++c) {
          size = std::max(size, std::abs(w[c]));
          same.add(std::abs(w[c] - f_moved[static_cast<std::size_t>(body)][c]) / std::max(1.0, std::abs(w[c])),
                   force->name());
        }
      }
      for (int c = 0; c < 6; ++c) sums.add(std::abs(sum[c]) / (10.0 * size), force->name());
      same.add(relative_error(t.K, t_moved.K, 1.0), force->name());
      same.add(relative_error(t.D, t_moved.D, 1.0), force->name());
    }
  }
}

/// Statement 25: dampers never do work.
TEST(ForceProperties, DampersTakeEnergy) {
  Random random(12);
  const Model model = two_free_bodies(random);
  const Forces forces{make_force(Spring{"d", {1, {0.3, 0.1, 0.0}}, {2, {0.0, 0.2, 0.4}}, 0.0, 2.0, 0.0}),
                      make_force(BodyDamping{"v", 1, Transform<double>::identity(), {1, 2, 3, 4, 5, 6}}),
                      make_force(Bushing{"b", {1, {}}, {2, {}}, {}, {1, 2, 3, 4, 5, 6}})};
  for (int trial = 0; trial < 1000; ++trial) {
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(12);
    StateKinematics kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    for (const auto& force : forces) {
      std::vector<ForceVector<double>> f(3);
      std::vector<double> direct(12);
      Pushes pushes(f, direct);
      force->add(at, pushes);
      double power = 0.0;
      for (int body = 1; body <= 2; ++body) power += dot(at.velocity(body), f[static_cast<std::size_t>(body)]);
      EXPECT_LE(power, 1e-14) << force->name();
    }
  }
}

TEST(ForceProperties, SpringsOfBallAndFreeJointsHaveExactStiffness) {
  Worst worst("K and D of ball and free joint springs against differences", 2e-8);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed + 40);
    ModelBuilder builder;
    builder.body("a", random.mass()).body("b", random.mass());
    for (const char* name : {"a", "b"}) {
      JointSpec joint;
      joint.name = joint.successor = name;
      joint.type = *name == 'a' ? Joint{Spherical{}} : Joint{Free{}};
      for (int i = 0; i < (*name == 'a' ? 3 : 6); ++i) {
        DofProperties dof;
        dof.stiffness = random.uniform(1.0, 3.0);
        dof.rest = random.uniform(-0.3, 0.3);
        dof.damping = random.uniform(0.0, 1.0);
        joint.dofs.push_back(dof);
      }
      builder.joint(joint);
    }
    const Model model = builder.build();
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
    StateKinematics kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    for (const auto& force : joint_springs(model)) {
      Tangent exact, differences;
      exact.resize(force->touches());
      differences.resize(force->touches());
      force->add_tangent(at, exact);
      force->Force::add_tangent(at, differences);
      worst.add(relative_error(exact.K, differences.K));
      worst.add(relative_error(exact.D, differences.D));
    }
  }
}

/// Evaluating forces takes no memory once each path has been seen.
TEST(ForceProperties, ForcesAllocateNothing) {
  Random random(5);
  const Model model = two_free_bodies(random);
  std::vector<PathWrap> wraps(2);
  wraps[0].surface = wrap_sphere(0.3, {0.0, 1.0, 0.0});
  wraps[1].surface = wrap_ellipsoid({0.4, 0.3, 0.35}, {0.0, 1.0, 0.0});
  wraps[1].X.r = {1.0, 0.0, 0.0};
  const Forces forces{std::make_shared<const ElasticLine>(
                          ElasticLine::Kind::spring, "s",
                          Path(std::vector<PathPoint>{{1, {-1.0, 0.1, 0.05}}, {2, {2.0, 0.0, -0.1}}}, wraps),
                          ElasticLine::Parameters{2.0, 0.6, 0.4, 0.0}),
                      text_path({{{1, {0.0, 0.0, 1.0}}, {0, {}}, {2, {}}}, 1.0, 0.5, 0.1, 0.2}),
                      make_force(Bushing{"b", {1, {}}, {2, {}}, {1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1}}),
                      make_force(BodyDamping{"d", 1, Transform<double>::identity(), {1, 1, 1, 1, 1, 1}})};
  std::vector<double> q{1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, v(12, 0.1), direct(12);
  std::vector<ForceVector<double>> wrenches(3);
  StateKinematics kinematics(model);
  const auto evaluate = [&] {
    const Instant at = kinematics.at(0.0, q, v);
    Pushes pushes(wrenches, direct);
    for (const auto& force : forces) force->add(at, pushes);
  };
  evaluate();
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) {
    q[5] = 0.001 * i;
    evaluate();
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST(ForceProperties, CoincidentPointsHaveALimitAndNoNan) {
  const Model model = ModelBuilder()
                          .body("ball", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .joint("world", "ball", Translational{})
                          .build();
  StateKinematics kinematics(model);
  const std::vector<double> q(3), v{0.3, 0.0, 0.0};
  const Instant at = kinematics.at(0.0, q, v);
  for (const double rest : {0.0, 0.4}) {
    const auto force = make_force(Spring{"s", {1, {}}, {0, {}}, 2.0, 0.5, rest});
    Tangent tangent;
    tangent.resize(force->touches());
    force->add_tangent(at, tangent);
    EXPECT_TRUE(tangent.K.allFinite() && tangent.D.allFinite());
    std::vector<ForceVector<double>> f(2);
    std::vector<double> direct(3);
    Pushes pushes(f, direct);
    force->add(at, pushes);
    EXPECT_EQ(f[1].force[0], 0.0);  // no direction, no force
  }
  const auto cable = make_force(Cable{"c", {1, {}}, {0, {1.0, 0.0, 0.0}}, 5.0, 1.0, 1.5});
  std::vector<ForceVector<double>> f(2);
  std::vector<double> direct(3);
  Pushes pushes(f, direct);
  cable->add(at, pushes);
  EXPECT_EQ(f[1].force[0], 0.0);  // slack
}

}  // namespace
}  // namespace cardan::test
