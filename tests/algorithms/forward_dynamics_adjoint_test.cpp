// Rows times the derivatives of forward dynamics, without matrices, against the matrices by dual numbers.
#include "cardan/algorithms/forward_dynamics_adjoint.hpp"

#include "tests/support/dual_derivatives.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

TEST(ForwardDynamicsAdjoint, EqualsTheRowTimesTheMatricesOnRandomTrees) {
  const double nan = std::nan("");
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(200)); ++seed) {
    const RandomCase c(seed);
    const int n = c.model.nv();
    Random random(seed);
    const Eigen::VectorXd z = random.values(n);
    for (const bool external : {false, true}) {
      const auto f = external ? c.f_ext : std::vector<ForceVector<double>>{};
      ForwardDerivativeWorkspace<double> w(c.model);
      w.fill(nan);
      Eigen::VectorXd by_q = Eigen::VectorXd::Constant(n, nan), by_v = by_q, by_tau = by_q;
      forward_dynamics_adjoint<double>(c.model, w, c.q, c.v, c.tau, z, by_q, by_v, by_tau, f);

      Poisoned algorithms(c.model);
      const Eigen::VectorXd a = algorithms.forward_dynamics(c.q, c.v, c.tau, f);
      const DynamicsDerivatives inverse = dual_inverse_dynamics_derivatives(c.model, c.q, c.v, a, f);
      const Eigen::VectorXd mu = algorithms.mass_matrix(c.q).ldlt().solve(z);
      const double error = std::max({relative_error(by_tau, mu, 1.0),
                                     relative_error(by_q, Eigen::VectorXd(-inverse.by_q.transpose() * mu), 1.0),
                                     relative_error(by_v, Eigen::VectorXd(-inverse.by_v.transpose() * mu), 1.0)});
      worst = std::max(worst, error);
      EXPECT_LE(error, 1e-10) << c.name << (external ? " with external forces" : "");
    }
  }
  std::printf("largest relative error %.1e\n", worst);
}

}  // namespace
}  // namespace cardan::test
