#include "tests/support/poisoned.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/algorithms/momentum_matrix.hpp"
#include "tests/support/dense.hpp"

#include <cmath>

namespace cardan::test {

namespace {
const double nan = std::nan("");
}

Workspace<double>& Poisoned::scratch() {
  w_.fill(nan);
  return w_;
}
Poisoned::VectorX Poisoned::result() const { return VectorX::Constant(model_.nv(), nan); }
Poisoned::MatrixX Poisoned::result(int rows) const { return MatrixX::Constant(rows, model_.nv(), nan); }
Kinematics<double> Poisoned::empty_kinematics() const {
  Kinematics<double> k(model_);
  const Vec3<double> bad{nan, nan, nan};
  Mat3<double> bad_matrix;
  for (auto& row : bad_matrix.row) row = bad;
  for (std::size_t i = 1; i < k.X.size(); ++i) {
    k.X[i] = k.X_0[i] = {bad_matrix, bad};
    k.v[i] = k.a[i] = {bad, bad};
  }
  for (auto& column : k.S) column = {bad, bad};
  return k;
}

Poisoned::VectorX Poisoned::inverse_dynamics(const VectorX& q, const VectorX& v, const VectorX& a,
                                             const Forces& f_ext) {
  VectorX out = result();
  cardan::inverse_dynamics<double>(model_, scratch(), q, v, a, out, f_ext);
  return out;
}
Poisoned::VectorX Poisoned::bias(const VectorX& q, const VectorX& v, const Forces& f_ext) {
  VectorX out = result();
  cardan::bias<double>(model_, scratch(), q, v, out, f_ext);
  return out;
}
Poisoned::VectorX Poisoned::gravity(const VectorX& q) {
  VectorX out = result();
  cardan::gravity<double>(model_, scratch(), q, out);
  return out;
}
Poisoned::VectorX Poisoned::mass_matrix_product(const VectorX& q, const VectorX& x) {
  VectorX out = result();
  cardan::mass_matrix_product<double>(model_, scratch(), q, x, out);
  return out;
}
Poisoned::MatrixX Poisoned::mass_matrix(const VectorX& q, MassMatrixForm form, MassMatrixPart part) {
  MatrixX out = result(model_.nv());
  cardan::mass_matrix<double>(model_, scratch(), q, out, form, part);
  return out;
}
Poisoned::VectorX Poisoned::forward_dynamics(const VectorX& q, const VectorX& v, const VectorX& tau,
                                             const Forces& f_ext) {
  VectorX out = result();
  cardan::forward_dynamics<double>(model_, scratch(), q, v, tau, out, f_ext);
  return out;
}
Poisoned::VectorX Poisoned::inverse_mass_matrix_product(const VectorX& q, const VectorX& x) {
  VectorX out = result();
  cardan::inverse_mass_matrix_product<double>(model_, scratch(), q, x, out);
  return out;
}
Poisoned::MatrixX Poisoned::inverse_mass_matrix(const VectorX& q) {
  MatrixX out = result(model_.nv());
  cardan::inverse_mass_matrix<double>(model_, scratch(), q, out);
  return out;
}

Kinematics<double> Poisoned::kinematics(const VectorX& q) {
  Kinematics<double> k = empty_kinematics();
  forward_kinematics<double>(model_, scratch(), q, k);
  return k;
}
Kinematics<double> Poisoned::kinematics(const VectorX& q, const VectorX& v) {
  Kinematics<double> k = empty_kinematics();
  forward_kinematics<double>(model_, scratch(), q, v, k);
  return k;
}
Kinematics<double> Poisoned::kinematics(const VectorX& q, const VectorX& v, const VectorX& a) {
  Kinematics<double> k = empty_kinematics();
  forward_kinematics<double>(model_, scratch(), q, v, a, k);
  return k;
}
Poisoned::MatrixX Poisoned::jacobian(const VectorX& q, int frame) {
  MatrixX out = result(6);
  frame_jacobian<double>(model_, kinematics(q), frame, out);
  return out;
}
Poisoned::MatrixX Poisoned::jacobian_world_axes(const VectorX& q, int frame) {
  MatrixX out = result(6);
  frame_jacobian_world_axes<double>(model_, kinematics(q), frame, out);
  return out;
}
Poisoned::MatrixX Poisoned::world_jacobian(const VectorX& q) {
  MatrixX out = result(6);
  cardan::world_jacobian<double>(model_, kinematics(q), out);
  return out;
}
Poisoned::MatrixX Poisoned::jacobian_rate(const VectorX& q, const VectorX& v, int frame) {
  MatrixX out = result(6);
  const Kinematics<double> k = kinematics(q, v);
  frame_jacobian_rate<double>(model_, scratch(), q, v, k, frame, out);
  return out;
}

namespace {
Eigen::MatrixXd as_columns(const std::vector<MotionVector<double>>& list) {
  Eigen::MatrixXd out(6, static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) out.col(static_cast<Eigen::Index>(i)) = dense(list[i]);
  return out;
}
std::vector<MotionVector<double>> bad_motions(const Model& model) {
  const Vec3<double> bad{nan, nan, nan};
  return std::vector<MotionVector<double>>(static_cast<std::size_t>(model.bodies()) + 1, {bad, bad});
}
}  // namespace

Poisoned::MatrixX Poisoned::jacobian_product(const VectorX& q, const VectorX& x) {
  auto out = bad_motions(model_);
  cardan::jacobian_product<double>(model_, scratch(), q, x, out);
  return as_columns(out);
}
Poisoned::MatrixX Poisoned::jacobian_rate_product(const VectorX& q, const VectorX& v, const VectorX& x) {
  auto out = bad_motions(model_);
  cardan::jacobian_rate_product<double>(model_, scratch(), q, v, x, out);
  return as_columns(out);
}
Poisoned::VectorX Poisoned::jacobian_transpose_product(const VectorX& q, const Forces& f) {
  VectorX out = result();
  cardan::jacobian_transpose_product<double>(model_, scratch(), q, f, out);
  return out;
}
Poisoned::MatrixX Poisoned::momentum_matrix(const VectorX& q, const Vec3<double>& about) {
  MatrixX out = result(6);
  const Kinematics<double> k = kinematics(q);
  cardan::momentum_matrix<double>(model_, scratch(), q, k, about, out);
  return out;
}
Poisoned::MatrixX Poisoned::centroidal_momentum_matrix(const VectorX& q) {
  MatrixX out = result(6);
  const Kinematics<double> k = kinematics(q);
  cardan::centroidal_momentum_matrix<double>(model_, scratch(), q, k, out);
  return out;
}

}  // namespace cardan::test
