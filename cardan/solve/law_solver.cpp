#include "cardan/solve/law_solver.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr double kPolish = 1e-4;  // of the tolerance: what a few more steps usually reach, so that nothing creeps

}  // namespace

bool LawSolver::proximal(const ProximalOptions& options, const Multipliers& start, int stage) {
  Multipliers lambda = start;
  const double residual = proximal_.run(laws_, options, lambda);
  out_.factorizations += proximal_.factorizations();
  if (residual < best_residual_) {
    best_residual_ = residual;
    best_ = lambda;
    out_.v = proximal_.velocity();
    out_.stage = stage;
  }
  return done();
}

bool LawSolver::interior(const InteriorPointOptions& options, Multipliers& out) {
  const double residual = interior_.run(laws_, options, out);
  out_.factorizations += interior_.factorizations();
  return std::isfinite(residual);
}

void LawSolver::run_stages(bool warm) {
  int contacts = 0;
  bool other = false;
  for (const LawBlock& block : laws_.problem().blocks()) {
    contacts += block.law == Law::cone;
    other |= block.law != Law::cone;
  }
  const bool many_contacts_only = contacts > 20 && !other;

  // 1 from the warm start
  if (warm &&
      proximal({.rho = 100.0, .rounds = 8, .inner = 6, .halvings = 4, .factorizations = 24, .tolerance = tolerance_},
               best_, 1))
    return;
  for (const bool constrained : {false, true}) {
    if (constrained && laws_.rank() == 0) break;
    const int base = constrained ? 5 : 1;
    // 2 from nothing
    if (!many_contacts_only && proximal({.rho = 10.0,
                                         .rounds = 60,
                                         .inner = 12,
                                         .halvings = 8,
                                         .factorizations = 30,
                                         .tolerance = tolerance_,
                                         .constrained_scale = constrained},
                                        zero_, base + 1))
      return;
    // 3 interior point, then finish
    if (interior({.iterations = 40, .tolerance = 1e-5, .constrained_scale = constrained}, start_) &&
        proximal({.rho = 100.0,
                  .rounds = 20,
                  .inner = 10,
                  .halvings = 4,
                  .tolerance = tolerance_,
                  .constrained_scale = constrained},
                 start_, base + 2))
      return;
    // 4 softened equality rows break the cycles of self-locking
    if (proximal({.rho = 10.0,
                  .rounds = 60,
                  .inner = 20,
                  .halvings = 8,
                  .factorizations = 120,
                  .tolerance = tolerance_,
                  .softened = true,
                  .constrained_scale = constrained},
                 zero_, base + 3))
      return;
    if (constrained) break;
    // 5 interior point with the shift and the radii of the iterate
    if (interior({.iterations = 60, .tolerance = 1e-5, .shift_slope = false}, start_) &&
        proximal({.rho = 10.0, .rounds = 30, .inner = 10, .halvings = 8, .tolerance = tolerance_}, start_, base + 4))
      return;
  }
  // 9 slow and careful, and from the best
  if (proximal({.rho = 1.0,
                .growth = 2.0,
                .rounds = 60,
                .inner = 20,
                .halvings = 8,
                .tolerance = tolerance_,
                .softened = true},
               zero_, 10))
    return;
  if (proximal({.rho = 10.0, .rounds = 40, .inner = 20, .halvings = 8, .tolerance = tolerance_, .frozen_radius = true},
               Multipliers(best_), 11))
    return;
  for (const double rho : {100.0, 1e4})
    if (proximal(
            {.rho = rho, .rounds = 40, .inner = 30, .halvings = 12, .tolerance = tolerance_, .inner_tolerance = 1e-4},
            Multipliers(best_), 12))
      return;
}

const LawSolution& LawSolver::solve(const LawProblem& problem, const Eigen::VectorXd& guess) {
  laws_.prepare(problem);
  out_.factorizations = 0;
  out_.stage = 0;
  zero_.rows.setZero(problem.rows());
  zero_.whitened.setZero(laws_.rank());
  best_ = zero_;
  const bool warm = guess.size() == problem.rows() && guess.size() > 0 && !guess.isZero(0.0);
  if (warm) {
    best_.rows = guess;
    laws_.whiten(best_);
  }
  best_residual_ = laws_.residual(best_, out_.v);
  if (!done()) run_stages(warm);
  const double goal = kPolish * tolerance_;
  if (done() && best_residual_ > goal) {
    const int stage = out_.stage;
    proximal({.rho = 1e3, .rounds = 5, .inner = 3, .halvings = 2, .factorizations = 6, .tolerance = goal},
             Multipliers(best_), stage);
  }
  laws_.expand(best_);
  out_.lambda = best_.rows;
  out_.residual = best_residual_;
  out_.inconsistency = laws_.inconsistency();
  out_.solved = done();
  return out_;
}

}  // namespace cardan
