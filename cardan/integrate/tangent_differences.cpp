#include "cardan/integrate/tangent_differences.hpp"

#include "cardan/model/state.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace cardan {

void add_tangent_differences(const Model& model, const TangentFunction& f, In<double> q, In<double> v,
                             OutMatrix<double> by_q, OutMatrix<double> by_v) {
  constexpr double kStep = 6e-6;  // the cube root of the rounding unit: truncation and rounding weigh the same
  const int n = model.nv();
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n), plus(n), minus(n), moved_q(q.size());
  Eigen::VectorXd moved_v = Eigen::Map<const Eigen::VectorXd>(v.data(), n);
  const auto at_configuration = [&](double h, Eigen::VectorXd& out) {
    integrate(model, q.data(), unit.data(), h, moved_q.data());
    f(moved_q, v, out);
  };
  for (int j = 0; j < n; ++j) {
    unit[j] = 1.0;
    at_configuration(kStep, plus);
    at_configuration(-kStep, minus);
    unit[j] = 0.0;
    Eigen::Map<Eigen::VectorXd>(by_q.column(j), n) += (plus - minus) / (2.0 * kStep);

    const double h = kStep * (1.0 + std::abs(v[j]));
    moved_v[j] = v[j] + h;
    f(q, moved_v, plus);
    moved_v[j] = v[j] - h;
    f(q, moved_v, minus);
    moved_v[j] = v[j];
    Eigen::Map<Eigen::VectorXd>(by_v.column(j), n) += (plus - minus) / (2.0 * h);
  }
}

}  // namespace cardan
