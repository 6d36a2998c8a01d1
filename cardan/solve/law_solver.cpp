#include "cardan/solve/law_solver.hpp"

#include <algorithm>
#include <random>

namespace cardan {

namespace {

constexpr int kSweeps = 100, kSweepsOfLimits = 60;
constexpr int kMostAfterSweeps = 30;  // factorizations
constexpr int kSettling = 30;         // sweeps without a change of mode, at first
constexpr int kRowAttempts = 5, kMostInAttempt = 8;
constexpr std::size_t kScattered = 32, kScatteredBlocks = 3200;  // starts at most, and blocks of all of them
constexpr int kManySweeps = 2000, kMostRounds = 3;
constexpr double kPolishingRho[] = {1e5, 1e3};  // of the last steps: stiff rows, softer ones where these stall
constexpr double kPolish = 1e-4;  // of the tolerance: what a few more steps usually reach, so that nothing creeps

/// A correction contains the impulse that stops what has crept; as the next guess it would set that moving again,
/// unless that guess is held to more.
constexpr double kAfterCorrection = 0.1;

}  // namespace

bool LawSolver::proximal(const ProximalOptions& options, const Multipliers& start, int stage) {
  at_work_ = start;
  const double residual = proximal_.run(laws_, options, matrix_, at_work_);
  out_.factorizations += proximal_.factorizations();
  take_if_better(residual, proximal_.velocity(), stage);
  return done();
}

bool LawSolver::interior(const InteriorPointOptions& options, Multipliers& out) {
  const double residual = interior_.run(laws_, options, matrix_, out);
  out_.factorizations += interior_.factorizations();
  return std::isfinite(residual);
}

/// Starts from sweeps of Gauss-Seidel, which find most of the modes. Limits alone are a convex problem, where Newton's
/// method takes long steps with stiff rows.
bool LawSolver::swept(bool convex) {
  if (!GaussSeidel::fits(laws_)) return false;
  start_ = best_;
  sweeps_.run(laws_, convex ? kSweepsOfLimits : kSweeps, start_);
  return proximal({.rho = convex ? 1e4 : 100.0,
                   .rounds = 20,
                   .inner = convex ? 20 : 6,
                   .halvings = convex ? 8 : 4,
                   .factorizations = kMostAfterSweeps,
                   .tolerance = tolerance_,
                   .hurry = true},
                  start_, 1);
}

void LawSolver::run_stages(bool warm) {
  int contacts = 0;
  bool other = false, convex = true;
  for (const LawBlock& block : laws_.problem().blocks()) {
    contacts += block.law == Law::cone;
    other |= block.law != Law::cone;
    convex &= block.law == Law::at_least || block.law == Law::equal;
  }
  const bool many_contacts_only = contacts > 20 && !other;

  // 1 from the warm start
  if (swept(convex)) return;
  if (warm && !GaussSeidel::fits(laws_) &&
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
               best_, 11))
    return;
  for (const double rho : {100.0, 1e4})
    if (proximal(
            {.rho = rho, .rounds = 40, .inner = 30, .halvings = 12, .tolerance = tolerance_, .inner_tolerance = 1e-4},
            best_, 12))
      return;
  // 13, 14
  sweep_patiently();
}

/// Starts from very many sweeps from the best, then from sweeps from scattered starts: the multipliers of the best,
/// those of each block between none and twice themselves.
void LawSolver::sweep_patiently() {
  if (!GaussSeidel::fits(laws_)) return;
  const auto& blocks = laws_.problem().blocks();
  for (int round = 0; round < kMostRounds; ++round) {
    start_ = best_;
    sweeps_.run(laws_, kManySweeps, start_);
    if (proximal({.rho = 100.0, .rounds = 20, .inner = 10, .halvings = 8, .tolerance = tolerance_}, start_, 13)) return;
  }
  std::minstd_rand chance(1);
  std::uniform_real_distribution<double> factor(0.0, 2.0);
  const std::size_t starts = std::min(kScattered, kScatteredBlocks / std::max(std::size_t{1}, blocks.size()));
  for (std::size_t k = 0; k < starts; ++k) {
    start_ = best_;
    for (const LawBlock& block : blocks) start_.rows.segment(block.first, block.size) *= factor(chance);
    sweeps_.run(laws_, kSweeps << (k % 4), start_);
    const double rho = k % 2 == 0 ? 100.0 : 10.0;
    if (proximal({.rho = rho, .rounds = 20, .inner = 10, .halvings = 8, .tolerance = tolerance_}, start_, 14)) return;
  }
}

/// Improves the multipliers of a small problem to what polishing reaches; false where the laws do not hold.
bool LawSolver::solve_in_row_space(double goal, int most) {
  rows_.reduce(laws_);
  row_newton_.forget();
  rows_.place(best_.rows, lambda_);
  rows_.velocities(lambda_, u_);
  double residual = best_residual_;
  const auto run_newton = [&](double rho, int most) {
    residual = row_newton_.run(rows_, {.rho = rho, .factorizations = most, .tolerance = goal}, lambda_, u_);
    out_.factorizations += row_newton_.factorizations();
  };
  int settling = kSettling;
  for (int attempt = 0; attempt < kRowAttempts && !(residual < tolerance_); ++attempt, settling *= 2) {
    row_sweeps_.run(rows_, 2 * settling, settling, lambda_, u_);
    out_.stage = 1;
    run_newton(100.0, kMostInAttempt);
  }
  for (const double rho : kPolishingRho)
    if (!(residual < goal)) run_newton(rho, most);
  rows_.collect(lambda_, at_work_.rows);
  at_work_.whitened.resize(0);
  take_if_better(laws_.residual(at_work_, v_), v_, out_.stage);
  return done();
}

/// Keeps the multipliers at work where they are the best so far.
void LawSolver::take_if_better(double residual, const Eigen::VectorXd& v, int stage) {
  if (!(residual < best_residual_)) return;
  best_residual_ = residual;
  best_ = at_work_;
  out_.v = v;
  out_.stage = stage;
}

const LawSolution& LawSolver::solve(const LawProblem& problem, const Eigen::VectorXd& guess) {
  const bool small = RowSpace::fits(problem);
  laws_.prepare(problem, small);
  matrix_.attend(laws_);
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
  double goal = finish_ == Finish::polished ? kPolish * tolerance_ : tolerance_;
  const bool again = warm && has_corrected_ && best_residual_ < goal;
  if (again) goal *= kAfterCorrection;
  const bool holds = best_residual_ < goal;
  const bool solved = holds || (small && solve_in_row_space(goal, again ? 1 : kMostAfterSweeps));
  if (!done()) run_stages(warm);
  if (!solved && done() && best_residual_ > goal) {
    const int stage = out_.stage;
    proximal({.rho = 1e3, .rounds = 20, .inner = 3, .halvings = 2, .factorizations = again ? 1 : 20, .tolerance = goal},
             best_, stage);
  }
  has_corrected_ = !holds && !again;
  laws_.expand(best_);
  out_.lambda = best_.rows;
  out_.residual = best_residual_;
  out_.inconsistency = laws_.inconsistency();
  out_.solved = done();
  return out_;
}

}  // namespace cardan
