// The part of a system that deals with loops, couplings and moved bodies.
#include "cardan/constraints/mobility.hpp"
#include "cardan/simulate/motion_constraints.hpp"
#include "cardan/simulate/system.hpp"

namespace cardan {

namespace {

constexpr double kClosed = 1e-12;  // m or rad, after every step

}  // namespace

void System::add_constraints(const SystemOptions& options) {
  const bool coupled = options.couplings && !model_.couplings().empty();
  if (model_.loops().empty() && !coupled && loads_.body_motions.empty()) return;
  ConstraintSet set(model_, coupled ? ConstraintSet::Include::loops_and_couplings : ConstraintSet::Include::loops);
  for (PrescribedMotion& motion : loads_.motions) set.add(std::make_unique<JointMotionConstraint>(model_, motion));
  for (PrescribedBodyMotion& motion : loads_.body_motions)
    set.add(std::make_unique<BodyMotionConstraint>(model_, motion));
  constrained_ = std::make_unique<ConstrainedDynamics>(std::move(set), options.method);
}

Assembly System::assemble(double t, const State& state, const KeptJoints& kept) {
  if (constrained_) return cardan::assemble(model_, constrained_->constraints(), t, state, kept);
  Assembly out(state);
  out.closed = true;
  return out;
}

void System::begin(double t, State& state) {
  if (!constrained_) return follow(t, state);
  const Assembly assembly = assemble(t, state);
  if (!assembly.closed) throw std::runtime_error("simulate: " + assembly.complaint());
  state = assembly.state;
  constrained_->expect_rank(analyze_mobility(model_, constrained_->constraints(), t, state.q).rank);
}

double System::constraint_error(double t, const State& state) {
  return constrained_ ? constrained_->position_error(t, state.q) : 0.0;
}

bool System::correct(double t, State& state) {
  if (!constrained_) return false;
  constrained_->project_positions(t, state.q, kClosed);
  constrained_->project_velocities(t, state.q, state.v);
  return true;
}

void System::velocity_constraints(double t, In<double> q, In<double> v, OutMatrix<double> G, Out<double> g) {
  ConstraintSet& set = constrained_->constraints();
  set.evaluate(t, q.data(), v.data());
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> K(G.column(0), G.rows(), G.cols(),
                                                         Eigen::OuterStride<>(G.stride()));
  set.matrix(K);
  Eigen::Map<Eigen::VectorXd>(g.data(), g.size()) =
      K * Eigen::Map<const Eigen::VectorXd>(v.data(), v.size()) - set.drift();
}

/// The multipliers of prescribed joint motions are the forces that drive these joints.
void System::add_motion_multipliers(Out<double> tau) {
  const ConstraintSet& set = constrained_->constraints();
  for (int i = 0; i < set.size(); ++i) {
    if (dynamic_cast<const JointMotionConstraint*>(&set.constraint(i)) == nullptr) continue;
    const auto& velocities = set.rows_of(i).velocities;
    for (std::size_t k = 0; k < velocities.size(); ++k)
      tau[velocities[k]] = constrained_->multipliers()[set.first_row(i) + static_cast<int>(k)];
  }
}

}  // namespace cardan
