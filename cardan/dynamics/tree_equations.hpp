// The equations of a tree of bodies in joint coordinates, H a + C = tau, with derivatives: what implicit methods ask
// for, without springs, constraints or anything else that acts on it.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/workspace.hpp"

#include <Eigen/Dense>

#include <memory>

namespace cardan {

template <class T>
class DerivativeWorkspace;

class TreeEquations {
 public:
  explicit TreeEquations(const Model& model);
  ~TreeEquations();
  TreeEquations(TreeEquations&&) noexcept;
  TreeEquations& operator=(TreeEquations&&) noexcept;

  const Model& model() const { return model_; }
  Workspace<double>& workspace() { return workspace_; }
  /// Computes H a + C by inverse dynamics.
  void balance(In<double> q, In<double> v, In<double> a, Out<double> out);
  void mass_matrix(In<double> q, Eigen::MatrixXd& H);
  /// Computes -C: what acts at the joints while no other force does.
  void bias_force(In<double> q, In<double> v, Eigen::VectorXd& f);
  /// Sets K = -d(H a + C)/dq at constant a and D = -dC/dv, exactly.
  void tangent(In<double> q, In<double> v, In<double> a, Eigen::MatrixXd& K, Eigen::MatrixXd& D);
  /// Returns the first velocity at which factorizing H meets a pivot that is not above rounding, or -1.
  int singular_velocity(In<double> q);

 private:
  Model model_;
  Workspace<double> workspace_;
  std::unique_ptr<DerivativeWorkspace<double>> derivatives_;  // made when first needed
};

}  // namespace cardan
