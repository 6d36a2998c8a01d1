#include "cardan/integrate/dynamics.hpp"

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/integrate/tangent_differences.hpp"

#include <Eigen/Dense>

namespace cardan {

void Dynamics::linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                         OutMatrix<double> D) {
  const int n = model().nv();
  Workspace<double> w(model());
  Eigen::MatrixXd mass(n, n), by_q = Eigen::MatrixXd::Zero(n, n), by_v = by_q;
  Eigen::VectorXd a(n);
  mass_matrix(model(), w, q, mass);
  acceleration(t, q, v, a);
  add_tangent_differences(
      model(), [&](In<double> at_q, In<double> at_v, Out<double> out) { acceleration(t, at_q, at_v, out); }, q, v, by_q,
      by_v);
  const auto set = [n](const OutMatrix<double>& out, const Eigen::MatrixXd& value) {
    for (int j = 0; j < n; ++j) Eigen::Map<Eigen::VectorXd>(out.column(j), n) = value.col(j);
  };
  set(M, mass);
  set(K, mass * by_q);
  set(D, mass * by_v);
  Eigen::Map<Eigen::VectorXd>(f.data(), n) = mass * a;
}

}  // namespace cardan
