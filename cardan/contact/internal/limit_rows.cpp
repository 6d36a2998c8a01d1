// Rows of joint limits, in the tree and in loops: one-sided laws on the rate of a gap, side (q - limit) >= 0. A limit
// with restitution e reverses what reaches it, rate = -e (rate before), at the located time of its impact; without, it
// stops what reaches it.
#include "cardan/contact/internal/step_rows.hpp"

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
  each_loop_limit([&](const LoopMotion&, int, int, double gap) { out = std::max(out, -gap); });
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

// --- joints of loops: their coordinates are found, and their rows are those of a unit drive between the two bodies ---

void StepRows::find_loops(double t) {
  if (loops_.empty()) return;
  const Instant start = start_.at(t, q0_, v0_);
  for (LoopMotion& loop : loops_) loop.find(start);
}

template <class Visit>
void StepRows::each_loop_limit(const Visit& visit) const {
  for (const LoopMotion& motion : loops_)
    for (std::size_t i = 0; i < motion.loop().dofs.size(); ++i) {
      const DofProperties& dof = motion.loop().dofs[i];
      const double y = motion.coordinates()[i];
      if (std::isfinite(dof.lower)) visit(motion, static_cast<int>(i), 1, y - dof.lower);
      if (std::isfinite(dof.upper)) visit(motion, static_cast<int>(i), -1, dof.upper - y);
    }
}

ForceVector<double> StepRows::unit_drive(const LoopMotion& loop, int coordinate) const {
  double unit[6] = {};
  unit[coordinate] = 1.0;
  const auto [on_a, on_b] = loop.on_both_bodies(loop.drive(unit));
  const int a = loop.loop().predecessor.body, b = loop.loop().successor.body;
  return b != 0 ? transpose_apply(instant_->X_0(b), on_b) : -transpose_apply(instant_->X_0(a), on_a);
}

int StepRows::add_loop_limit(const LoopMotion& loop, int coordinate, int side, double b, LawProblem& problem) {
  const ForceVector<double> f[1] = {static_cast<double>(side) * unit_drive(loop, coordinate)};
  const int index =
      add_relative(Law::at_least, loop.loop().predecessor.body, loop.loop().successor.body, f, 0.0, 0.0, problem);
  problem.b[problem.blocks()[static_cast<std::size_t>(index)].first] = b;
  return index;
}

void StepRows::add_loop_limits(double h, LawProblem& problem) {
  each_loop_limit([&](const LoopMotion& loop, int i, int side, double gap) {
    const double near = kNearLimit + 4.0 * h * std::abs(loop.rates()[static_cast<std::size_t>(i)]);
    if (gap < near) add_loop_limit(loop, i, side, std::max(0.0, gap) / h, problem);
  });
}

void StepRows::add_loop_limit_impacts(double tolerance, LawProblem& problem) {
  each_loop_limit([&](const LoopMotion& loop, int i, int side, double gap) {
    const double rate = side * loop.rates()[static_cast<std::size_t>(i)];
    if (reaches(gap, rate, tolerance, h_)) add_loop_limit(loop, i, side, 0.0, problem);
  });
}

void StepRows::add_loop_limit_positions(double keep, LawProblem& problem) {
  each_loop_limit([&](const LoopMotion& loop, int i, int side, double gap) {
    if (gap < kNearLimit) add_loop_limit(loop, i, side, gap + keep, problem);
  });
}

void StepRows::add_loop_friction(double h, LawProblem& problem) {
  for (const LoopMotion& motion : loops_)
    for (std::size_t i = 0; i < motion.loop().dofs.size(); ++i)
      if (const double friction = motion.loop().dofs[i].friction; friction > 0.0) {
        const ForceVector<double> f[1] = {unit_drive(motion, static_cast<int>(i))};
        add_relative(Law::ball, motion.loop().predecessor.body, motion.loop().successor.body, f, h * friction, 0.0,
                     problem);
      }
}

}  // namespace cardan
