// Springs of joints do the work that their energy loses, on every kind of joint; dampers take power away.
#include "cardan/forces/joint_spring.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// One joint of the type with random springs, uneven ones.
Model sprung(Random& random, const Joint& type, double damping) {
  std::vector<DofProperties> dofs(static_cast<std::size_t>(type.nv()));
  for (DofProperties& dof : dofs) {
    dof.stiffness = random.uniform(1.0, 5.0);
    dof.rest = random.uniform(-0.3, 0.3);
    dof.damping = damping;
  }
  return ModelBuilder()
      .body("body", random.mass())
      .joint(JointSpec{"joint", "world", "body", type, random.pose(), {}, dofs, {}, {}})
      .build();
}

TEST(JointSprings, ForceIsTheSlopeOfTheEnergy) {
  Worst worst("force of joint springs against differences of energy", 1e-8);
  Random random(7);
  const Joint types[] = {Revolute{{0.0, 1.0, 0.0}},
                         Prismatic{{1.0, 2.0, 0.0}},
                         Spherical{},
                         Free{},
                         Universal{},
                         SphericalExponential{},
                         FreePlanar{},
                         Planar{},
                         Composite({Spherical{}, Planar{}})};
  for (const Joint& type : types) {
    const Model model = sprung(random, type, 0.0);
    const auto spring = joint_springs(model).front();
    StateKinematics kinematics(model);
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
    Eigen::VectorXd tau(model.nv());
    SystemWorkspace(System(model)).generalized_forces(0.0, q, v, tau);
    const double h = 1e-5;
    const auto energy = [&](double t) {
      const Eigen::VectorXd moved = integrate(model, q, v, t);
      return spring->energy(kinematics.at(0.0, moved, v));
    };
    const double slope = (energy(h) - energy(-h)) / h;
    worst.add(relative_error(tau.dot(v), -0.5 * slope, 1.0));
  }
}

TEST(JointSprings, DampersTakePower) {
  Random random(8);
  const Model model = sprung(random, Free{}, 0.5);
  SystemWorkspace springs{System(model)};
  const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  Eigen::VectorXd tau(model.nv()), without(model.nv());
  springs.generalized_forces(0.0, q, v, tau);
  springs.generalized_forces(0.0, q, Eigen::VectorXd::Zero(model.nv()).eval(), without);
  EXPECT_TRUE(near((tau - without).eval(), (-0.5 * v).eval(), 1e-14));
  EXPECT_FALSE(System(model).is_conservative());
}

TEST(JointSprings, AreExactInTheLinearization) {
  Random random(9);
  const Model model = sprung(random, Universal{}, 0.25);
  SystemWorkspace system{System(model)};
  const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  const int n = model.nv();
  Eigen::MatrixXd H, K, D, one, K0, D0;
  Eigen::VectorXd f, a0, a(n);
  system.acceleration(0.0, q, v, a);
  system.linearize({0.0, q, v}, a, {nullptr, 0}, {.H = &H, .K = &K, .D = &D, .f = &f});
  system.Problem::linearize({0.0, q, v}, a, {nullptr, 0}, {.H = &one, .K = &K0, .D = &D0, .f = &a0});
  EXPECT_TRUE(near(f, (H * a0).eval(), 1e-12));
  EXPECT_TRUE(near(K, (H * K0).eval(), 1e-7));
  EXPECT_TRUE(near(D, (H * D0).eval(), 1e-7));
}

}  // namespace
}  // namespace cardan::test
