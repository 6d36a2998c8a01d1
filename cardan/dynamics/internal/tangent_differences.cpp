#include "cardan/dynamics/internal/tangent_differences.hpp"

#include <cmath>

namespace cardan {

void add_tangent_differences(const StateSpace& space, const TangentFunction& f, In<double> q, In<double> v, int numbers,
                             Eigen::MatrixXd* by_q, Eigen::MatrixXd* by_v) {
  constexpr double kStep = 6e-6;  // the cube root of the rounding unit: truncation and rounding weigh the same
  const int n = space.sizes().v;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n), plus(numbers), minus(numbers), moved_q(q.size());
  Eigen::VectorXd moved_v = Eigen::Map<const Eigen::VectorXd>(v.data(), n);
  const auto at_configuration = [&](int j, double h, Eigen::VectorXd& out) {
    x[j] = h;
    space.move(q.data(), x.data(), moved_q.data());
    x[j] = 0.0;
    f(moved_q, v, out);
  };
  for (int j = 0; j < n; ++j) {
    if (by_q) {
      at_configuration(j, kStep, plus);
      at_configuration(j, -kStep, minus);
      by_q->col(j) += (plus - minus) / (2.0 * kStep);
    }
    if (by_v) {
      const double h = kStep * (1.0 + std::abs(v[j]));
      moved_v[j] = v[j] + h;
      f(q, moved_v, plus);
      moved_v[j] = v[j] - h;
      f(q, moved_v, minus);
      moved_v[j] = v[j];
      by_v->col(j) += (plus - minus) / (2.0 * h);
    }
  }
}

}  // namespace cardan
