// C(q, v) by what defines it: C v is the Coriolis force, and dH/dt - 2 C is skew.
#include "cardan/algorithms/coriolis_matrix.hpp"

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/model/state.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

/// dH/dt along v, by dual numbers.
Eigen::MatrixXd mass_matrix_rate(const Model& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  using D = Dual<2>;
  const int n = m.nv();
  std::vector<D> at, x, entries(static_cast<std::size_t>(n * n));
  for (const double e : q) at.push_back(D(e));
  for (const double e : v) {
    x.push_back(D(0.0));
    x.back().d[0] = e;
  }
  std::vector<D> moved(at);
  integrate(m, at.data(), x.data(), D(1.0), moved.data());
  Workspace<D> w(m);
  mass_matrix<D>(m, w, moved, MatrixView<D>(entries.data(), n, n));
  Eigen::MatrixXd out(n, n);
  for (int i = 0; i < n * n; ++i) out.data()[i] = entries[static_cast<std::size_t>(i)].d[0];
  return out;
}

TEST(CoriolisMatrix, GivesTheForceAndIsSkewAgainstTheMassMatrix) {
  const double nan = std::nan("");
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(50)); ++seed) {
    const RandomCase c(seed);
    const int n = c.model.nv();
    DerivativeWorkspace<double> w(c.model);
    w.fill(nan);
    Eigen::MatrixXd C = Eigen::MatrixXd::Constant(n, n, nan);
    coriolis_matrix<double>(c.model, w, c.q, c.v, C);
    Poisoned algorithms(c.model);
    const Eigen::VectorXd force = algorithms.bias(c.q, c.v) - algorithms.gravity(c.q);
    EXPECT_TRUE(near(Eigen::VectorXd(C * c.v), force, 1e-11, 1.0)) << c.name;
    const Eigen::MatrixXd difference = mass_matrix_rate(c.model, c.q, c.v) - 2.0 * C;
    EXPECT_TRUE(near(difference, Eigen::MatrixXd(-difference.transpose()), 1e-11, 1.0)) << c.name;
  }
}

}  // namespace
}  // namespace cardan::test
