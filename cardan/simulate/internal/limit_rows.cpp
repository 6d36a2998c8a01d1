// Rows of joint limits: one-sided laws on the rate of a gap, side (q - limit) >= 0. A limit with restitution e reverses
// what reaches it, rate = -e (rate before), at the located time of its impact; without, it stops what reaches it.
#include "cardan/simulate/internal/step_rows.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kNearLimit = 1e-3;  // rad or m: limits that close are rows, whatever the speed
constexpr double kCloses = 1e-4;     // of the distance that a contact moves in a step: touching, where it approaches

}  // namespace

double StepRows::limit_gap(const LimitedVelocity& limit, int side) const {
  const double q = q0_[static_cast<std::size_t>(limit.q)];
  return side > 0 ? q - limit.lower : limit.upper - q;
}

bool StepRows::reaches(double gap, double approach, double tolerance, double h) const {
  return gap <= tolerance + kCloses * h * std::max(0.0, -approach);
}

int StepRows::add_limit(int velocity, int side, double b, LawProblem& problem) {
  const int index = problem.add(Law::at_least, 1, std::span(&velocity, 1));
  const LawBlock& block = problem.blocks()[static_cast<std::size_t>(index)];
  problem.J(block)(0, 0) = side;
  problem.b[block.first] = b;
  return index;
}

void StepRows::add_limits(double h, double bouncing, double tolerance, LawProblem& problem) {
  for (const LimitedVelocity& limit : limits_)
    for (const int side : {1, -1}) {
      const double gap = limit_gap(limit, side), rate = side * v0_[static_cast<std::size_t>(limit.v)];
      if (limit.restitution > 0.0 && gap > tolerance && rate < -bouncing) continue;  // its impact is waited for
      const double near = kNearLimit + 4.0 * h * std::abs(instant_->v[limit.v]);
      if (gap < near || limit.is_missed) add_limit(limit.v, side, std::max(0.0, gap) / h, problem);
    }
}

const std::vector<LimitSide>& StepRows::touching_limits(double tolerance) {
  reached_.clear();
  for (const LimitedVelocity& limit : limits_)
    for (const int side : {1, -1}) {
      const double gap = limit_gap(limit, side), rate = side * v0_[static_cast<std::size_t>(limit.v)];
      if (reaches(gap, rate, tolerance, h_)) reached_.push_back({limit.v, side, rate, limit.restitution});
    }
  return reached_;
}

void StepRows::add_limit_impacts(double restitution, double threshold, double tolerance, LawProblem& problem) {
  touching_limits(tolerance);
  for (LimitSide& limit : reached_) {
    const double share = limit.approach < -threshold ? restitution * limit.restitution : 0.0;
    limit.block = add_limit(limit.v, limit.side, share * limit.approach, problem);
  }
}

void StepRows::add_single_limit_impact(double t, int index, double approach, LawProblem& problem) {
  wrenches_.clear();
  patches_.clear();
  LimitSide& limit = reached_[static_cast<std::size_t>(index)];
  limit.block = add_limit(limit.v, limit.side, limit.restitution * approach, problem);
  add_equations(t, problem);
}

void StepRows::add_limit_positions(double keep, LawProblem& problem) {
  for (const LimitedVelocity& limit : limits_)
    for (const int side : {1, -1})
      if (const double gap = limit_gap(limit, side); gap < kNearLimit) add_limit(limit.v, side, gap + keep, problem);
}

double StepRows::limit_excess() const {
  double out = 0.0;
  for (const LimitedVelocity& limit : limits_)
    for (const int side : {1, -1}) out = std::max(out, -limit_gap(limit, side));
  return out;
}

bool StepRows::misses_limits(const Eigen::VectorXd& v, double h, double tolerance, double bouncing) {
  bool out = false;
  for (LimitedVelocity& limit : limits_) {
    if (limit.is_missed || (limit.restitution > 0.0 && std::abs(v[limit.v]) > bouncing)) continue;
    const double q = q0_[static_cast<std::size_t>(limit.q)] + h * v[limit.v];
    if (q < limit.lower - tolerance || q > limit.upper + tolerance) limit.is_missed = out = true;
  }
  return out;
}

bool StepRows::limit_bounces(double threshold, double tolerance) const {
  for (const LimitedVelocity& limit : limits_)
    for (const int side : {1, -1}) {
      const double rate = side * v0_[static_cast<std::size_t>(limit.v)];
      if (limit.restitution > 0.0 && rate < -threshold && reaches(limit_gap(limit, side), rate, tolerance, h_))
        return true;
    }
  return false;
}

double StepRows::time_of_limit(const Eigen::VectorXd& v1, double h, double slowest, double tolerance) const {
  double first = h;
  for (const LimitedVelocity& limit : limits_)
    for (const int side : {1, -1}) {
      const double gap = limit_gap(limit, side);
      if (limit.restitution == 0.0 || !(gap > tolerance)) continue;
      // gap + u0 t + a t^2 / 2 = 0
      const double u0 = side * v0_[static_cast<std::size_t>(limit.v)], u1 = side * v1[limit.v], a = (u1 - u0) / h;
      const double root = std::sqrt(std::max(0.0, u0 * u0 - 2.0 * a * gap)), t = 2.0 * gap / (-u0 + root);
      if (gap + 0.5 * h * (u0 + u1) <= 0.0 && t > 0.0 && t < first && -(u0 + a * t) > slowest) first = t;
    }
  return first;
}

}  // namespace cardan
