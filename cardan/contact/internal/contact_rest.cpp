// What rests keeps its rows. Where nothing has moved by more than rounding since the rows, the mass matrix and the
// forces of a step were found, they are those of the next step as well: free motion gains the same velocity, and the
// multipliers of the last step are its guess. Such a step is one certificate of the laws; if that fails, the same rows
// are solved. Nothing sleeps: every step is certified, and what gains a velocity, for whatever reason, has new rows in
// the next one.
#include "cardan/contact/internal/contact_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kRest = 1e-10;  // m, rad: how far coordinates may be from where the rows were made

}  // namespace

/// Tells whether forces are the same at the same state: nothing follows time, states of its own or a program, and no
/// contact swings on a spring.
bool ContactStepper::may_rest() const {
  return halves_ && system_.forces().size() == system_.plain_springs() && system_.constraints().empty() &&
         system_.bearings().empty() && !rows_.anything_is_compliant() && nz_ == 0;
}

/// Tells whether velocities lead nowhere within a step.
bool ContactStepper::is_at_rest(double h) const {
  const std::vector<double>& v = state_.v;
  return std::all_of(v.begin(), v.end(), [&](double x) { return std::abs(h * x) < kRest; });
}

/// Keeps the rows of the step that was made, if it was made as a whole and nothing moves in it.
void ContactStepper::keep_rest(double h) {
  rest_.h = 0.0;
  const auto turns = [](const Vec3<double>& slip) { return norm(slip) > 0.0; };
  if (!may_rest_ || !is_smooth_ || time_scale_ != h || solution_ == nullptr || solution_->unsolved > 0 ||
      !is_at_rest(h) || std::any_of(mid_slip_.begin(), mid_slip_.end(), turns) || laws_.v_free.size() != model_.nv())
    return;
  rest_.h = h;
  rest_.q = q0_;
  rest_.gain = laws_.v_free - Eigen::Map<const Eigen::VectorXd>(v0_.data(), model_.nv());
}

/// Makes a step with the rows that were kept; false where they do not hold any more.
bool ContactStepper::repeat_rest(double h, double t1) {
  if (rest_.h != h || !is_at_rest(h)) return false;
  for (std::size_t k = 0; k < rest_.q.size(); ++k)
    if (!(std::abs(state_.q[k] - rest_.q[k]) < kRest)) return false;
  const RunProfile::Scope scope(profile_, RunProfile::Part::rest);
  laws_.v_free = rest_.gain + Eigen::Map<const Eigen::VectorXd>(state_.v.data(), model_.nv());
  solution_ = &solver_.solve_again(laws_);
  evaluations_ += solution_->factorizations;
  if (solution_->unsolved > 0) return false;
  log_.summary.residual = std::max(log_.summary.residual, solution_->residual);
  ++log_.summary.rested_steps;
  if (solution_->factorizations > 0) {
    read_impulses();
    remember();
    rows_.share_patch_friction(laws_, solution_->lambda, impulses_);
    log_.forces.clear();
    log_impulses(h);
  }
  next_.q.resize(state_.q.size());
  next_.v.resize(state_.v.size());
  next_.z = state_.z;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    const double v0 = state_.v[k], v1 = solution_->v[static_cast<Eigen::Index>(k)];
    x_[k] = 0.5 * h * (v0 + v1);
    a_[k] = acceleration_[static_cast<Eigen::Index>(k)] = (v1 - v0) / h;
    next_.v[k] = v1;
  }
  space().move(state_.q.data(), x_.data(), next_.q.data());
  space().normalize(next_.q.data());
  is_smooth_ = true;
  require_finite(t1, next_, a_);
  return true;
}

}  // namespace cardan
