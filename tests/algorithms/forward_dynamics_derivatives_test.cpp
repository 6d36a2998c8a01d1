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

TEST(ForwardDynamicsDerivatives, EqualDenseSolutionsOnRandomTrees) {
  const double nan = std::nan("");
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(200)); ++seed) {
    const RandomCase c(seed);
    const int n = c.model.nv();
    for (const bool external : {false, true}) {
      const auto f = external ? c.f_ext : std::vector<ForceVector<double>>{};
      ForwardDerivativeWorkspace<double> w(c.model);
      w.fill(nan);
      MatrixXd by_q = MatrixXd::Constant(n, n, nan), by_v = by_q, by_tau = by_q;
      forward_dynamics_derivatives<double>(c.model, w, c.q, c.v, c.tau, by_q, by_v, by_tau, f);

      Poisoned algorithms(c.model);
      const Eigen::VectorXd a = algorithms.forward_dynamics(c.q, c.v, c.tau, f);
      const DynamicsDerivatives inverse = dual_inverse_dynamics_derivatives(c.model, c.q, c.v, a, f);
      const Eigen::LDLT<MatrixXd> H(algorithms.mass_matrix(c.q));
      const double error = std::max({relative_error(by_q, MatrixXd(-H.solve(inverse.by_q)), 1.0),
                                     relative_error(by_v, MatrixXd(-H.solve(inverse.by_v)), 1.0),
                                     relative_error(by_tau, MatrixXd(H.solve(MatrixXd::Identity(n, n))), 1.0)});
      worst = std::max(worst, error);
      EXPECT_LE(error, 1e-10) << c.name << (external ? " with external forces" : "");

      MatrixXd q_alone(n, n), v_alone(n, n);
      forward_dynamics_derivatives<double>(c.model, w, c.q, c.v, c.tau, q_alone, v_alone, f);
      EXPECT_EQ(q_alone, by_q);
      EXPECT_EQ(v_alone, by_v);
    }
  }
  std::printf("largest relative error %.1e\n", worst);
}

}  // namespace
}  // namespace cardan::test
