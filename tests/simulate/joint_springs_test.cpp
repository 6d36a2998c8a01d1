// Springs of joints do the work that their energy loses, on every kind of joint; dampers take power away.
#include "cardan/simulate/joint_springs.hpp"
#include "cardan/simulate/system.hpp"
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
    JointSprings springs(model);
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
    Eigen::VectorXd tau(model.nv());
    springs.force(q, v, tau);
    const double h = 1e-5;
    const double slope = (springs.energy(integrate(model, q, v, h)) - springs.energy(integrate(model, q, v, -h))) / h;
    worst.add(relative_error(tau.dot(v), -0.5 * slope, 1.0));
  }
}

TEST(JointSprings, DampersTakePower) {
  Random random(8);
  const Model model = sprung(random, Free{}, 0.5);
  JointSprings springs(model);
  const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  Eigen::VectorXd tau(model.nv()), without(model.nv());
  springs.force(q, v, tau);
  springs.force(q, Eigen::VectorXd::Zero(model.nv()).eval(), without);
  EXPECT_TRUE(near((tau - without).eval(), (-0.5 * v).eval(), 1e-14));
  EXPECT_TRUE(springs.any_damping());
  EXPECT_FALSE(System(model).is_conservative());
}

TEST(JointSprings, AreExactInTheLinearization) {
  Random random(9);
  const Model model = sprung(random, Universal{}, 0.25);
  System system(model);
  const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  const int n = model.nv();
  Eigen::MatrixXd M(n, n), K(n, n), D(n, n), M0(n, n), K0(n, n), D0(n, n);
  Eigen::VectorXd f(n), f0(n);
  system.linearize(0.0, q, v, M, f, K, D);
  system.Dynamics::linearize(0.0, q, v, M0, f0, K0, D0);
  EXPECT_TRUE(near(f, f0, 1e-12));
  EXPECT_TRUE(near(K, K0, 1e-7));
  EXPECT_TRUE(near(D, D0, 1e-7));
}

}  // namespace
}  // namespace cardan::test
