#include "cardan/contact/internal/impact.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kMostSweeps = 10000;
constexpr double kStillApproaches = 1e-12;  // m/s, of a sweep
constexpr double kEnergyRounding = 1e-12;   // of energy
constexpr int kBisections = 30;

double kinetic(const std::vector<LawProblem::Mass>& parts, const Eigen::VectorXd& v) {
  double sum = 0.0;
  for (const LawProblem::Mass& part : parts) {
    const auto own = v.segment(part.first, part.M.rows());
    sum += 0.5 * own.dot(part.M.selfadjointView<Eigen::Lower>() * own);
  }
  return sum;
}

}  // namespace

bool Impact::is_due(const StepRows& rows, std::span<const ContactPoint> points, const Limits& limits, double h) {
  return rows.limit_bounces(limits.threshold, limits.tolerance) ||
         std::any_of(points.begin(), points.end(), [&](const ContactPoint& point) {
           return point.law.stiffness == 0.0 && point.approach < -limits.threshold &&
                  rows.touches(point, limits.tolerance, h);
         });
}

void Impact::begin(const std::vector<LawProblem::Mass>& parts, const Eigen::VectorXd& v) {
  problem_.clear(static_cast<int>(v.size()));
  problem_.mass = parts;
  problem_.v_free = v;
}

void Impact::collect(const StepRows& rows, const IslandSolver::Result& result) {
  const std::span<const ContactPoint> points = rows.points();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].block >= 0)
      impulses_[i] += result.lambda.segment<3>(problem_.blocks()[static_cast<std::size_t>(points[i].block)].first);
  rows.share_patch_friction(problem_, result.lambda, impulses_);
  for (const LawBlock& block : problem_.blocks())
    if (block.law == Law::equal)
      supplied_by_motions_ -=
          result.lambda.segment(block.first, block.size).dot(problem_.b.segment(block.first, block.size));
  residual_ = std::max(residual_, result.residual);
  unsolved_ += result.unsolved;
}

double Impact::supplied_by_surfaces(const StepRows& rows) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < impulses_.size(); ++i)
    for (int k = 1; k < 3; ++k)
      sum += impulses_[i][k] * dot(rows.points()[i].axes[k], rows.points()[i].law.surface_velocity);
  return sum;
}

const IslandSolver::Result& Impact::simultaneous(double t, StepRows& rows, const Limits& limits,
                                                 const std::vector<LawProblem::Mass>& parts, IslandSolver& solver,
                                                 double share, const Eigen::VectorXd& before) {
  begin(parts, before);
  rows.add_impact(t, share, limits.threshold, limits.tolerance, problem_);
  const IslandSolver::Result& result = solver.solve(problem_);
  after_ = result.v;
  collect(rows, result);
  return result;
}

void Impact::poisson(double t, StepRows& rows, const Limits& limits, const std::vector<LawProblem::Mass>& parts,
                     IslandSolver& solver, double share, const Eigen::VectorXd& before) {
  // compression
  compression_ = simultaneous(t, rows, limits, parts, solver, 0.0, before).lambda;
  // expansion: v = after + M^-1 J' (e lambda), then no contact may approach
  Eigen::VectorXd push = Eigen::VectorXd::Zero(before.size());
  for (const LimitSide& limit : rows.reached_limits()) {
    const LawBlock& block = problem_.blocks()[static_cast<std::size_t>(limit.block)];
    push[limit.v] += share * limit.restitution * limit.side * compression_[block.first];
  }
  for (std::size_t i = 0; i < rows.points().size(); ++i) {
    const ContactPoint& point = rows.points()[i];
    if (point.block < 0) continue;
    const LawBlock& block = problem_.blocks()[static_cast<std::size_t>(point.block)];
    const double e = share * point.law.restitution;
    const auto columns = problem_.columns(block);
    const auto J = problem_.J(block);
    for (int row = 0; row < 3; ++row)
      for (std::size_t c = 0; c < columns.size(); ++c)
        push[columns[c]] += e * impulses_[i][row] * J(row, static_cast<Eigen::Index>(c));
    impulses_[i] *= 1.0 + e;
  }
  for (const LawProblem::Mass& part : parts) {
    auto own = push.segment(part.first, part.M.rows());
    own = Eigen::VectorXd(part.M.llt().solve(own));
  }
  simultaneous(t, rows, limits, parts, solver, 0.0, after_ + push);
}

void Impact::sequential(double t, StepRows& rows, const Limits& limits, const std::vector<LawProblem::Mass>& parts,
                        IslandSolver& solver, const Eigen::VectorXd& before) {
  after_ = before;
  const auto reverse = [&](const LawBlock& block, double restitution) {
    double approach = 0.0;
    const auto columns = problem_.columns(block);
    for (std::size_t c = 0; c < columns.size(); ++c)
      approach += problem_.J(block)(0, static_cast<Eigen::Index>(c)) * after_[columns[c]];
    if (!(approach < -kStillApproaches)) return false;
    problem_.b[block.first] = restitution * approach;
    const IslandSolver::Result& result = solver.solve(problem_);
    after_ = result.v;
    collect(rows, result);
    return true;
  };
  std::vector<int> touching;
  for (std::size_t i = 0; i < rows.points().size(); ++i)
    if (rows.points()[i].law.stiffness == 0.0 && rows.touches(rows.points()[i], limits.tolerance, 0.0))
      touching.push_back(static_cast<int>(i));
  const int reached = static_cast<int>(rows.touching_limits(limits.tolerance).size());
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool any = false;
    for (ContactPoint& point : rows.points()) point.block = -1;
    for (const int i : touching) {
      begin(parts, after_);
      rows.add_single_impact(t, i, 0.0, problem_);
      any |= reverse(problem_.blocks().front(), rows.points()[static_cast<std::size_t>(i)].law.restitution);
      rows.points()[static_cast<std::size_t>(i)].block = -1;
    }
    for (int i = 0; i < reached; ++i) {
      begin(parts, after_);
      rows.add_single_limit_impact(t, i, 0.0, problem_);
      any |= reverse(problem_.blocks().front(), rows.reached_limits()[static_cast<std::size_t>(i)].restitution);
    }
    if (!any) return;
  }
  simultaneous(t, rows, limits, parts, solver, 0.0, Eigen::VectorXd(after_));  // what still approaches stops
}

void Impact::apply(double t, StepRows& rows, const Limits& limits, const std::vector<LawProblem::Mass>& parts,
                   IslandSolver& solver, Eigen::VectorXd& v, std::vector<Block3>& impulses, ContactSummary& summary) {
  Restitution law = Restitution::newton;
  for (const ContactPoint& point : rows.points())
    if (rows.touches(point, limits.tolerance, 0.0) || point.approach < -limits.threshold)
      law = std::max(law, point.law.law);
  const Eigen::VectorXd before = v;
  const double energy = kinetic(parts, before);
  const auto attempt = [&](double share) {
    impulses_.assign(rows.points().size(), Block3::Zero());
    residual_ = 0.0;
    supplied_by_motions_ = 0.0;
    unsolved_ = 0;
    if (law == Restitution::sequential && share == 1.0)
      sequential(t, rows, limits, parts, solver, before);
    else if (law == Restitution::poisson)
      poisson(t, rows, limits, parts, solver, share, before);
    else
      simultaneous(t, rows, limits, parts, solver, share, before);
    const double supplied = supplied_by_surfaces(rows) + supplied_by_motions_;
    return kinetic(parts, after_) - supplied <= energy + kEnergyRounding * (energy + std::abs(supplied));
  };
  if (!attempt(1.0)) {
    double low = 0.0, high = 1.0;
    for (int k = 0; k < kBisections; ++k) {
      const double middle = 0.5 * (low + high);
      (attempt(middle) ? low : high) = middle;
    }
    attempt(low);
    ++summary.scaled_impacts;
  }
  v = after_;
  for (std::size_t i = 0; i < impulses.size(); ++i) impulses[i] += impulses_[i];
  summary.residual = std::max(summary.residual, residual_);
  summary.unsolved += unsolved_ > 0 ? 1 : 0;
  ++summary.impacts;
}

}  // namespace cardan
