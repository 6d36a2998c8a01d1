#include "cardan/solve/proximal_newton.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kLargestRho = 1e6;
constexpr double kBoost = 10.0, kLargestBoosted = 1e5;  // of rho, once a round needs a single step
constexpr double kSlowRound = 0.3;  // a round that leaves more than this of the residual makes rho grow

}  // namespace

double ProximalNewton::stiffness(std::size_t block) const {
  const auto i = static_cast<int>(block);
  const double d = options_->constrained_scale ? laws_->constrained_d(i) : laws_->d(i);
  return d / rho_;
}

void ProximalNewton::evaluate(Iterate& x) {
  const LawProblem& problem = laws_->problem();
  const auto& blocks = problem.blocks();
  x.p.rows.setZero(problem.rows());
  x.y.resize(blocks.size());
  x.radius.resize(blocks.size());
  if (options_->softened)
    x.p.whitened = lambda_.whitened - rho_ * (laws_->Jw() * x.v + laws_->bw());
  else
    x.p.whitened = x.lambda_w;
  const auto target = [&](std::size_t i) {
    const LawBlock& block = blocks[i];
    const double s = stiffness(i);
    Block3 y = s * get_block(lambda_.rows, block) - laws_->row_velocity(block, x.v);
    y = y.cwiseQuotient(Block3::Constant(s) + compliance(block));
    x.y[i] = y;
    return y;
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    if (block.law == Law::equal || block.law == Law::ball) continue;
    set_block(block, project(block, target(i)), x.p.rows);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    if (block.law != Law::ball) continue;
    x.radius[i] = options_->frozen_radius ? frozen_[i] : laws_->radius(block, x.p, lambda_.rows, x.v);
    set_block(block, project(block, x.radius[i], target(i)), x.p.rows);
  }
  scratch_ = x.v - problem.v_free;
  x.F1.resize(scratch_.size());
  laws_->multiply_mass(scratch_, x.F1);
  scratch_.setZero();
  laws_->add_impulse(x.p, scratch_);
  x.F1 -= scratch_;
  scratch_ = x.F1;
  laws_->solve_upper(scratch_);
  x.merit = scratch_.squaredNorm();
  if (options_->softened || laws_->rank() == 0) return;
  x.F2 = laws_->bw();
  x.F2.noalias() += laws_->Jw() * x.v;
  x.merit += x.F2.squaredNorm();
}

void ProximalNewton::linearize(const Iterate& x) {
  const LawProblem& problem = laws_->problem();
  const auto& blocks = problem.blocks();
  matrix_->begin(options_->softened ? rho_ : 0.0);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    if (block.law == Law::equal) continue;
    matrix_->slope(static_cast<int>(i)).D =
        slope(block, x.radius[i], x.y[i]) *
        (Block3::Constant(stiffness(i)) + compliance(block)).cwiseInverse().asDiagonal();
  }
  // balls that slip ride on their loads
  if (options_->frozen_radius) return;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    if (block.law != Law::ball || block.loads == 0) continue;
    const double length = x.y[i].norm();
    if (length <= x.radius[i]) continue;
    const Block3 e = x.y[i] / length;
    Eigen::VectorXd& g = matrix_->ride(static_cast<int>(i), e);
    const auto loads = problem.loads(block);
    for (std::size_t k = 0; k < loads.size(); ++k) {
      const Eigen::Vector3d w = laws_->load(loads[k], block.first_load + static_cast<int>(k), x.p, lambda_.rows, x.v);
      const double size = w.norm();
      if (!(size > 0.0)) continue;
      const Eigen::Vector3d along = loads[k].factor / size * w;
      for (const Load::Entry& entry : loads[k].by_multiplier) {
        const Law law = blocks[static_cast<std::size_t>(laws_->block_of(entry.index))].law;
        if (law == Law::cone || law == Law::at_least) matrix_->add_row(entry.index, along.dot(entry.column), g);
      }
      for (const Load::Entry& entry : loads[k].by_velocity) g[entry.index] += along.dot(entry.column);
      const Eigen::MatrixXd& by = laws_->load_by_whitened(block, static_cast<int>(k));
      if (by.size() == 0) continue;
      if (options_->softened)
        g.head(laws_->velocities()).noalias() -= rho_ * (laws_->Jw().transpose() * (by.transpose() * along));
      else
        g.tail(laws_->rank()).noalias() += by.transpose() * along;
    }
  }
}

/// One Newton step, halved while the merit does not fall and taken in any case: rejecting steps makes the method cycle.
bool ProximalNewton::improve(Iterate& x) {
  linearize(x);
  ++factorizations_;
  if (!matrix_->factor()) return false;
  const int n = laws_->velocities(), exact = matrix_->exact_rows();
  step_.resize(n + exact);
  step_.head(n) = -x.F1;
  if (exact > 0) step_.tail(exact) = -x.F2;
  matrix_->solve(step_);
  if (!step_.allFinite()) return false;
  double length = 1.0;
  for (int k = 0;; ++k, length *= 0.5) {
    trial_.v = x.v + length * step_.head(n);
    trial_.lambda_w = x.lambda_w;
    if (exact > 0) trial_.lambda_w += length * step_.tail(exact);
    evaluate(trial_);
    if (trial_.merit < x.merit || k == options_->halvings) break;
  }
  std::swap(x, trial_);
  return true;
}

double ProximalNewton::run(const PreparedLaws& laws, const ProximalOptions& options, NewtonMatrix& matrix,
                           Multipliers& lambda) {
  laws_ = &laws;
  matrix_ = &matrix;
  options_ = &options;
  rho_ = options.rho;
  lambda_ = lambda;
  factorizations_ = 0;
  const auto& blocks = laws.problem().blocks();
  double best = laws.residual(lambda_, now_.v), previous = best;
  best_v_ = now_.v;
  if (best < options.tolerance) return best;
  now_.lambda_w = lambda_.whitened;
  const double scale = std::sqrt(laws.typical_d());
  double calm = rho_;
  bool boosted = false, may_boost = options.hurry;
  for (int round = 0; round < options.rounds; ++round) {
    if (options.frozen_radius) {
      frozen_.assign(blocks.size(), 0.0);
      for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i].law == Law::ball) frozen_[i] = laws.radius(blocks[i], lambda_, lambda_.rows, now_.v);
    }
    evaluate(now_);
    const double start = scale * std::sqrt(now_.merit);
    const double goal = std::max(options.inner_tolerance * options.tolerance, 0.01 * std::min(start, previous));
    bool sound = true;
    int steps = 0;
    for (; steps < options.inner && scale * std::sqrt(now_.merit) > goal && sound; ++steps) {
      if (factorizations_ >= options.factorizations) break;
      sound = improve(now_);
    }
    lambda_ = now_.p;
    now_.lambda_w = lambda_.whitened;
    const double residual = laws.residual(lambda_, v_);
    if (residual < best) {
      best = residual;
      lambda = lambda_;
      best_v_ = v_;
    }
    if (best < options.tolerance || !sound || factorizations_ >= options.factorizations) break;
    if (boosted && residual > previous) {
      // the modes were not final after all: back to the best, with the rho before
      lambda_ = lambda;
      now_.v = best_v_;
      now_.lambda_w = lambda_.whitened;
      rho_ = calm;
      boosted = may_boost = false;
      continue;
    }
    boosted = may_boost && steps <= 1 && rho_ < kLargestBoosted;
    calm = rho_;
    if (boosted)
      rho_ = std::min(kBoost * rho_, kLargestBoosted);
    else if (residual > kSlowRound * previous)
      rho_ = std::min(options.growth * rho_, kLargestRho);
    previous = residual;
  }
  return best;
}

}  // namespace cardan
