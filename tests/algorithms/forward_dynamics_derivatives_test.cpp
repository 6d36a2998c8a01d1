// Derivatives of forward dynamics against dense solutions with derivatives of inverse dynamics by dual numbers.
#include "cardan/algorithms/forward_dynamics_derivatives.hpp"

#include "tests/support/dual_derivatives.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;

/// The largest relative error against dense solutions; all scratch and all results are NaN before.
double error_of(const Model& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                const std::vector<ForceVector<double>>& f) {
  const double nan = std::nan("");
  const int n = m.nv();
  ForwardDerivativeWorkspace<double> w(m);
  w.fill(nan);
  MatrixXd by_q = MatrixXd::Constant(n, n, nan), by_v = by_q, by_tau = by_q;
  forward_dynamics_derivatives<double>(m, w, q, v, tau, by_q, by_v, by_tau, f);

  Poisoned algorithms(m);
  const Eigen::VectorXd a = algorithms.forward_dynamics(q, v, tau, f);
  const DynamicsDerivatives inverse = dual_inverse_dynamics_derivatives(m, q, v, a, f);
  const Eigen::LDLT<MatrixXd> H(algorithms.mass_matrix(q));
  const double error = std::max({relative_error(by_q, MatrixXd(-H.solve(inverse.by_q)), 1.0),
                                 relative_error(by_v, MatrixXd(-H.solve(inverse.by_v)), 1.0),
                                 relative_error(by_tau, MatrixXd(H.solve(MatrixXd::Identity(n, n))), 1.0)});

  w.fill(nan);
  MatrixXd q_alone(n, n), v_alone(n, n);
  forward_dynamics_derivatives<double>(m, w, q, v, tau, q_alone, v_alone, f);
  EXPECT_EQ(q_alone, by_q);
  EXPECT_EQ(v_alone, by_v);
  return error;
}

TEST(ForwardDynamicsDerivatives, EqualDenseSolutionsOnRandomTrees) {
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(200)); ++seed) {
    const RandomCase c(seed);
    for (const bool external : {false, true}) {
      const double error = error_of(c.model, c.q, c.v, c.tau, external ? c.f_ext : std::vector<ForceVector<double>>{});
      worst = std::max(worst, error);
      EXPECT_LE(error, 1e-10) << c.name << (external ? " with external forces" : "");
    }
  }
  std::printf("largest relative error %.1e\n", worst);
}

/// Branches of joints whose S is constant: those that are differentiated column by column.
Model tree_of_constant_subspaces(Random& random) {
  ModelBuilder builder("constant");
  std::vector<std::string> bodies{"world"};
  const int count = 3 + random.below(30);
  for (int i = 0; i < count; ++i) {
    Vec3<double> axis;
    axis[random.below(3)] = random.chance(0.5) ? 1.0 : -1.0;
    const Vec3<double> direction = random.direction();
    const Joint types[] = {Revolute{axis},       Revolute{direction}, Prismatic{axis},
                           Prismatic{direction}, Spherical{},         Free{}};
    const Joint type = types[random.below(6)];
    const std::string name = "body" + std::to_string(i);
    // often onto the body before, so that chains and branches mix
    const std::size_t parent = random.chance(0.7)
                                   ? bodies.size() - 1
                                   : static_cast<std::size_t>(random.below(static_cast<int>(bodies.size())));
    std::vector<DofProperties> dofs(static_cast<std::size_t>(type.nv()));
    for (DofProperties& dof : dofs)
      if (random.chance(0.3)) dof.armature = random.uniform(0.01, 0.2);
    builder.body(name, random.mass());
    builder.joint(JointSpec{name, bodies[parent], name, type, random.pose(), {}, dofs, {}, {}});
    bodies.push_back(name);
  }
  return builder.build();
}

TEST(ForwardDynamicsDerivatives, EqualDenseSolutionsColumnByColumn) {
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(100)); ++seed) {
    Random random(seed);
    const Model m = tree_of_constant_subspaces(random);
    ASSERT_TRUE(DerivativeWorkspace<double>(m).subspace_by.empty());
    const Eigen::VectorXd q = random_configuration(random, m), v = random.values(m.nv()), tau = random.values(m.nv());
    const double error = error_of(m, q, v, tau, {});
    worst = std::max(worst, error);
    EXPECT_LE(error, 1e-9) << "seed " << seed;
  }
  std::printf("largest relative error %.1e\n", worst);
}

}  // namespace
}  // namespace cardan::test
