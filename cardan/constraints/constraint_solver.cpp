#include "cardan/constraints/constraint_solver.hpp"

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/constraints/coordinate_motion.hpp"
#include "cardan/constraints/internal/articulated_solver.hpp"
#include "cardan/constraints/internal/dense_solvers.hpp"
#include "cardan/constraints/internal/sparse_solver.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// With more rows than this, one sparse system is cheaper than a dense matrix of all of them.
constexpr int kManyRows = 64;

/// Chooses a method. Where dX/dt of a joint that depends on time vanishes, the mass matrix is singular along its time
/// coordinate; elimination needs no inertia there.
ConstraintMethod choose(const ConstraintSet& set) {
  for (int i = 0; i < set.size(); ++i)
    if (dynamic_cast<const CoordinateMotionConstraint*>(&set.constraint(i)) != nullptr)
      return ConstraintMethod::elimination;
  return set.rows() > kManyRows ? ConstraintMethod::sparse : ConstraintMethod::articulated;
}

}  // namespace

const std::vector<std::string>& constraint_method_names() {
  static const std::vector<std::string> names{"automatic", "direct", "dual", "elimination", "articulated", "sparse"};
  return names;
}

ConstraintMethod constraint_method(const std::string& name) {
  const auto& names = constraint_method_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument("unknown constraint method \"" + name + "\"");
  return static_cast<ConstraintMethod>(found - names.begin());
}

void ConstraintSolver::forward_dynamics(In<double> q, In<double> v, const ConstraintSet& set, In<double> tau,
                                        In<double> k, Out<double> a, Out<double> lambda) {
  bias(set.model(), workspace_, q, v, force_);
  for (int i = 0; i < tau.size(); ++i) force_[i] = tau[i] - force_[i];
  solve(q, set, force_, k, a, lambda);
}

std::unique_ptr<ConstraintSolver> make_constraint_solver(ConstraintMethod method, const ConstraintSet& set) {
  switch (method) {
    case ConstraintMethod::automatic: return make_constraint_solver(choose(set), set);
    case ConstraintMethod::direct: return std::make_unique<DirectSolver>(set);
    case ConstraintMethod::dual: return std::make_unique<DualSolver>(set);
    case ConstraintMethod::elimination: return std::make_unique<EliminationSolver>(set);
    case ConstraintMethod::articulated: return std::make_unique<ArticulatedSolver>(set);
    case ConstraintMethod::sparse: return std::make_unique<SparseSolver>(set);
  }
  return nullptr;
}

}  // namespace cardan
