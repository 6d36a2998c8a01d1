#include "cardan/constraints/loop_inverse_dynamics.hpp"

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/math/orthogonal.hpp"

namespace cardan {

DriveForces loop_inverse_dynamics(const Model& model, Workspace<double>& workspace, const ConstraintSet& set,
                                  std::span<const double> q, std::span<const double> v, std::span<const double> a,
                                  std::span<const int> driven, std::span<const double> others) {
  Eigen::VectorXd tau_tree(model.nv());
  inverse_dynamics<double>(model, workspace, q, v, a, tau_tree);
  if (!others.empty()) tau_tree -= Eigen::Map<const Eigen::VectorXd>(others.data(), model.nv());

  // columns of G: the motions that the constraints allow
  Eigen::MatrixXd J(set.rows(), model.nv());
  set.matrix(J);
  Eigen::MatrixXd G = Eigen::MatrixXd::Identity(model.nv(), model.nv());
  if (set.rows() > 0) {
    Orthogonal factor;
    factor.set_threshold(kRankTolerance);
    factor.compute(J.transpose());
    G = factor.left_kernel();
  }

  // G_u' u = G' tau_tree (Eq. 8.63)
  Eigen::MatrixXd G_u(static_cast<Eigen::Index>(driven.size()), G.cols());
  for (std::size_t i = 0; i < driven.size(); ++i) G_u.row(static_cast<Eigen::Index>(i)) = G.row(driven[i]);
  const Eigen::VectorXd needed = G.transpose() * tau_tree;
  DriveForces out;
  out.tau.setZero(model.nv());
  out.freedoms = static_cast<int>(G.cols());
  out.out_of_reach = 1.0;
  if (needed.norm() <= 1e-12 * tau_tree.norm()) out.out_of_reach = 0.0;
  out.drives = static_cast<int>(driven.size());
  if (driven.empty() || out.freedoms == 0) return out;
  Orthogonal drives;
  drives.set_threshold(kRankTolerance);
  drives.compute(G_u.transpose());
  const Eigen::VectorXd u = drives.solve(needed);
  for (std::size_t i = 0; i < driven.size(); ++i) out.tau[driven[i]] = u[static_cast<Eigen::Index>(i)];
  out.independent = static_cast<int>(drives.rank());
  out.out_of_reach = (G_u.transpose() * u - needed).norm() / std::max({needed.norm(), 1e-6 * tau_tree.norm(), 1e-300});
  return out;
}

}  // namespace cardan
