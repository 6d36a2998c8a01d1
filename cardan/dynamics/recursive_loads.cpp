#include "cardan/algorithms/joint_forces.hpp"
#include "cardan/dynamics/recursive_problem.hpp"

#include <algorithm>

namespace cardan {

void RecursiveProblem::add_constraint_wrenches(In<double> lambda, std::span<ForceVector<double>> wrenches) const {
  const ConstraintSet& set = constrained_->constraints();
  for (int i = 0; i < set.size(); ++i)
    for (const auto& on : set.rows_of(i).on_bodies)
      for (std::size_t row = 0; row < on.row.size(); ++row)
        wrenches[static_cast<std::size_t>(on.body)] += lambda[set.first_row(i) + static_cast<int>(row)] * on.row[row];
}

void RecursiveProblem::loads(const Point& at, In<double> a, Loads& out) {
  out.drives.assign(static_cast<std::size_t>(model_.nv()), 0.0);
  driving_forces(at, out.drives);  // leaves the multipliers
  std::vector<ForceVector<double>> none(wrenches_.size());
  finish_loads(at, a, none, out);
}

void RecursiveProblem::loads(const Point& at, In<double> a, const Eigen::VectorXd& multipliers,
                             std::span<const ForceVector<double>> wrenches, Loads& out) {
  out.drives.assign(static_cast<std::size_t>(model_.nv()), 0.0);
  if (constrained_) {
    constrained_->constraints().evaluate(at.t, at.q, at.v);
    constrained_->set_multipliers(multipliers);
    motion_multipliers(out.drives);
  }
  finish_loads(at, a, wrenches, out);
}

/// Completes loads whose drives and multipliers are known; the wrenches act beside all forces, in world coordinates.
void RecursiveProblem::finish_loads(const Point& at, In<double> a, std::span<const ForceVector<double>> others,
                                    Loads& out) {
  const auto n = static_cast<std::size_t>(model_.nv());
  out.accelerations.assign(a.data(), a.data() + a.size());
  out.efforts.assign(n, 0.0);
  out.joints.resize(wrenches_.size());
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  const Instant instant = evaluate(at);
  Pushes pushes(wrenches_, out.efforts);
  for (std::size_t i = 0; i < system_.forces().size(); ++i) system_.forces()[i]->add(instant_of(i, instant), pushes);
  for (std::size_t i = 0; i < n; ++i) out.efforts[i] += out.drives[i];
  if (constrained_) {
    out.multipliers = constrained_->multipliers();
    add_constraint_wrenches(out.multipliers, wrenches_);
  }
  for (int body = 1; body <= model_.bodies(); ++body) {
    ForceVector<double>& f = wrenches_[static_cast<std::size_t>(body)];
    f = transpose_apply(instant.X_0(body), f) + others[static_cast<std::size_t>(body)];  // to the world
  }
  joint_forces<double>(model_, equations_.workspace(), at.q, at.v, a, out.joints, wrenches_);
}

}  // namespace cardan
