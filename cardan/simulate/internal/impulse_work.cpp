#include "cardan/simulate/internal/impulse_work.hpp"

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/constraints/coordinate_motion.hpp"
#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/math/orthogonal.hpp"

namespace cardan {

namespace {

/// Returns the body whose joint a motion leads; 0 where it leads a frame.
int led_joint(const Constraint& motion) {
  if (const auto* of_joint = dynamic_cast<const JointMotionConstraint*>(&motion)) return of_joint->motion().body;
  if (const auto* of_coordinate = dynamic_cast<const CoordinateMotionConstraint*>(&motion))
    return of_coordinate->body();
  return 0;
}

}  // namespace

ImpulseWork::ImpulseWork(SystemWorkspace& workspace, double t, const State& before, const State& after)
    : joints_(static_cast<std::size_t>(workspace.model().bodies()) + 1) {
  const Model& model = workspace.model();
  const Eigen::Map<const Eigen::VectorXd> v0(before.v.data(), model.nv()), v1(after.v.data(), model.nv());
  const Eigen::VectorXd mean = 0.5 * (v0 + v1);
  Workspace<double> scratch(model);
  Eigen::MatrixXd H(model.nv(), model.nv());
  mass_matrix<double>(model, scratch, after.q, H);
  const Eigen::VectorXd impulse = H * (v1 - v0);
  ConstrainedDynamics* const constrained = workspace.constraints();
  if (!constrained) {
    for (const PrescribedMotion& motion : workspace.system().driven_joints())
      for (int v = model.link(motion.body).v; v < model.link(motion.body).v + model.link(motion.body).nv; ++v)
        joints_[static_cast<std::size_t>(motion.body)] += impulse[v] * mean[v];
    return;
  }
  ConstraintSet& set = constrained->constraints();
  set.evaluate(t, after.q, after.v);
  Eigen::MatrixXd J(set.rows(), model.nv());
  set.matrix(J);
  const Eigen::VectorXd multipliers = Orthogonal(J.transpose()).solve(impulse), rates = J * mean;
  for (int i = 0; i < set.size(); ++i) {
    const Constraint& constraint = set.constraint(i);
    if (constraint.is_workless()) continue;
    const int first = set.first_row(i), rows = set.rows_of(i).size();
    const double work = multipliers.segment(first, rows).dot(rates.segment(first, rows));
    if (const int body = led_joint(constraint); body > 0)
      joints_[static_cast<std::size_t>(body)] += work;
    else
      others_.emplace_back(&constraint, work);
  }
}

double ImpulseWork::of(const Constraint& motion) const {
  if (const int body = led_joint(motion); body > 0) return of_joint(body);
  for (const auto& [known, work] : others_)
    if (known == &motion) return work;
  return 0.0;
}

}  // namespace cardan
