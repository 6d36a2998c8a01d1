// Every algorithm in single precision agrees with double as far as single precision goes.
#include "tests/support/all_algorithms.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(FloatScalar, AllAlgorithmsAgreeWithDouble) {
  Worst worst("float = double, all algorithms, over cond(H) / 1e3", 1e-4);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c(seed);
    std::string where;
    const double error = largest_difference(run_all<float>(c), run_all<double>(c), &where);
    // what H may amplify in a solution: single precision has 7 digits
    const Eigen::MatrixXd H = Poisoned(c.model).mass_matrix(c.q);
    const Eigen::VectorXd e = H.selfadjointView<Eigen::Lower>().eigenvalues();
    worst.add(error / std::max(1.0, e.maxCoeff() / e.minCoeff() / 1e3), c.name + ": " + where);
  }
}

}  // namespace
}  // namespace cardan::test
