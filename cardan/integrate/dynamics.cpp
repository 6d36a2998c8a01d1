#include "cardan/integrate/dynamics.hpp"

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/model/state.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace cardan {

void Dynamics::linearise(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                         OutMatrix<double> D) {
  const int n = model().nv();
  Workspace<double> w(model());
  mass_matrix(model(), w, q, M);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(n), plus(n), minus(n);
  Eigen::VectorXd moved_q = Eigen::Map<const Eigen::VectorXd>(q.data(), q.size());
  Eigen::VectorXd moved_v = Eigen::Map<const Eigen::VectorXd>(v.data(), n);
  Eigen::MatrixXd mass(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) mass(i, j) = M(i, j);

  const auto column = [&](const auto& at, double size, const OutMatrix<double>& out, int j) {
    at(size, plus);
    at(-size, minus);
    Eigen::Map<Eigen::VectorXd>(out.column(j), n) = mass * ((plus - minus) / (2.0 * size));
  };
  constexpr double kStep = 6e-6;  // the cube root of the rounding unit: truncation and rounding weigh the same
  for (int j = 0; j < n; ++j) {
    column(
        [&](double h, Eigen::VectorXd& a) {
          step[j] = 1.0;
          integrate(model(), q.data(), step.data(), h, moved_q.data());
          step[j] = 0.0;
          acceleration(t, moved_q, v, a);
        },
        kStep, K, j);
    column(
        [&](double h, Eigen::VectorXd& a) {
          moved_v[j] = v[j] + h;
          acceleration(t, q, moved_v, a);
          moved_v[j] = v[j];
        },
        kStep * (1.0 + std::abs(v[j])), D, j);
  }
  acceleration(t, q, v, plus);
  Eigen::Map<Eigen::VectorXd>(f.data(), n) = mass * plus;
}

}  // namespace cardan
