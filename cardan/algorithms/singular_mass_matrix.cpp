#include "cardan/algorithms/singular_mass_matrix.hpp"

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/inertia_scale.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

namespace cardan {

namespace {
constexpr double kRounding = 1e-13;         // of the diagonal of H
constexpr double kRoundingOfScale = 1e-14;  // of the inertia next to the joint
}  // namespace

int singular_velocity(const Model& model, Workspace<double>& w, In<double> q) {
  Eigen::MatrixXd H(model.nv(), model.nv());
  mass_matrix<double>(model, w, q, H);
  const Eigen::VectorXd diagonal = H.diagonal();
  factorize_ltdl<double>(BranchSparsity(model), H);
  const std::vector<double> scale = inertia_scales(model);
  // tips first, as the factorization goes: after a bad pivot the others mean nothing
  for (int i = model.nv() - 1; i >= 0; --i)
    if (!(H(i, i) > kRounding * diagonal[i] && H(i, i) > kRoundingOfScale * scale[static_cast<std::size_t>(i)]))
      return i;
  return -1;
}

std::string explain_singular_mass_matrix(const Model& model, Workspace<double>& w, In<double> q) {
  if (model.nv() > kMostCheckedVelocities) return {};
  const int v = singular_velocity(model, w, q);
  if (v < 0) return {};
  return fmt::format(
      "joint \"{}\": the mass matrix is singular here: nothing resists this joint while those before it are free "
      "(no inertia about its axis, or coordinates that move the body alike)",
      model.joint_name(model.body_of_dof(v)));
}

}  // namespace cardan
