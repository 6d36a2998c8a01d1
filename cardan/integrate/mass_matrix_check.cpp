#include "cardan/integrate/mass_matrix_check.hpp"

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/mass_matrix.hpp"

#include <Eigen/Dense>

namespace cardan {

int singular_velocity(const Model& model, const std::vector<double>& q) {
  Workspace<double> w(model);
  Eigen::MatrixXd H(model.nv(), model.nv());
  mass_matrix(model, w, q, H);
  const Eigen::VectorXd diagonal = H.diagonal();
  factorize_ltdl<double>(BranchSparsity(model), H);
  // tips first, as the factorization goes: after a bad pivot the others mean nothing
  for (int i = model.nv() - 1; i >= 0; --i)
    if (!(H(i, i) > 1e-14 * diagonal[i])) return i;
  return -1;
}

}  // namespace cardan
