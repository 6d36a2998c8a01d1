// The algorithms as functions that return Eigen objects. Before every call all scratch and all results are NaN, so
// whatever an algorithm reads without having written it, or leaves unwritten, shows.
#pragma once

#include "cardan/algorithms/external_forces.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

#include <Eigen/Dense>

namespace cardan::test {

class Poisoned {
 public:
  using Forces = std::vector<ForceVector<double>>;
  using VectorX = Eigen::VectorXd;
  using MatrixX = Eigen::MatrixXd;

  explicit Poisoned(const Model& model) : model_(model), w_(model) {}

  VectorX inverse_dynamics(const VectorX& q, const VectorX& v, const VectorX& a, const Forces& f_ext = {});
  VectorX bias(const VectorX& q, const VectorX& v, const Forces& f_ext = {});
  VectorX gravity(const VectorX& q);
  VectorX mass_matrix_product(const VectorX& q, const VectorX& x);
  MatrixX mass_matrix(const VectorX& q, MassMatrixForm form = MassMatrixForm::automatic,
                      MassMatrixPart part = MassMatrixPart::whole);
  VectorX forward_dynamics(const VectorX& q, const VectorX& v, const VectorX& tau, const Forces& f_ext = {});
  VectorX inverse_mass_matrix_product(const VectorX& q, const VectorX& x);
  MatrixX inverse_mass_matrix(const VectorX& q);

  Kinematics<double> kinematics(const VectorX& q);
  Kinematics<double> kinematics(const VectorX& q, const VectorX& v);
  Kinematics<double> kinematics(const VectorX& q, const VectorX& v, const VectorX& a);
  MatrixX jacobian(const VectorX& q, int frame);
  MatrixX jacobian_world_axes(const VectorX& q, int frame);
  MatrixX world_jacobian(const VectorX& q);
  MatrixX jacobian_rate(const VectorX& q, const VectorX& v, int frame);
  /// One column for each body, the world's first.
  MatrixX jacobian_product(const VectorX& q, const VectorX& x);
  MatrixX jacobian_rate_product(const VectorX& q, const VectorX& v, const VectorX& x);
  VectorX jacobian_transpose_product(const VectorX& q, const Forces& f);
  MatrixX momentum_matrix(const VectorX& q, const Vec3<double>& about);
  MatrixX centroidal_momentum_matrix(const VectorX& q);

 private:
  Workspace<double>& scratch();
  VectorX result() const;
  MatrixX result(int rows) const;
  Kinematics<double> empty_kinematics() const;

  const Model& model_;
  Workspace<double> w_;
};

}  // namespace cardan::test
