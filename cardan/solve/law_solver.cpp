#include "cardan/solve/law_solver.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr std::size_t kScatteredBlocks = 3200;  // of all scattered starts
constexpr int kMostPolishing = 12;              // factorizations
constexpr double kPolishingRho[] = {1e6, 1e4, 1e3};
constexpr double kPolish = 1e-5;  // of the tolerance: what a few more steps usually reach, so that nothing creeps

/// After a guess that had to be corrected the next one is accepted only at this part of the goal: the correction holds
/// the one impulse that stopped what had crept, which as a guess would set that moving again.
constexpr double kAfterCorrection = 0.1;

}  // namespace

/// Keeps multipliers where they are the best so far.
void LawSolver::take_if_better(double residual, const Eigen::VectorXd& v, const LawStage* stage) {
  if (!(residual < best_residual_)) return;
  best_residual_ = residual;
  best_ = start_;
  out_.v = v;
  out_.stage = stage;
}

void LawSolver::run_modes(const ModeNewtonOptions& options, const LawStage* stage) {
  ModeNewtonOptions own = options;
  own.tolerance = tolerance_;
  own.goal = goal_;
  const double residual = modes_.run(laws_, own, matrix_, start_);
  out_.factorizations += modes_.factorizations();
  take_if_better(residual, modes_.velocity(), stage);
}

void LawSolver::run_proximal(const ProximalOptions& options, double tolerance, const LawStage* stage) {
  ProximalOptions own = options;
  own.tolerance = tolerance;
  const double residual = proximal_.run(laws_, own, matrix_, start_);
  out_.factorizations += proximal_.factorizations();
  take_if_better(residual, proximal_.velocity(), stage);
}

/// Sweeps over the blocks from start_, in row space where that is small.
void LawSolver::sweep(int sweeps) {
  if (!is_small_) return sweeps_.run(laws_, sweeps, start_);
  if (!is_reduced_) rows_.reduce(laws_);
  is_reduced_ = true;
  rows_.place(start_.rows, lambda_);
  rows_.velocities(lambda_, u_);
  row_sweeps_.run(rows_, sweeps, lambda_, u_);
  rows_.collect(lambda_, start_.rows);
}

/// Starts from the multipliers of the best, those of each block between none and twice themselves.
void LawSolver::scatter() {
  start_ = best_;
  std::uniform_real_distribution<double> factor(0.0, 2.0);
  for (const LawBlock& block : laws_.problem().blocks())
    start_.rows.segment(block.first, block.size) *= factor(chance_);
}

/// False where there is no such start.
bool LawSolver::set_start(const LawStage& stage, int round) {
  using Start = LawStage::Start;
  if (stage.start == Start::guess) start_ = guess_;
  if (stage.start == Start::best) start_ = best_;
  if (stage.start == Start::nothing) start_ = zero_;
  if (stage.start == Start::scattered) {
    const std::size_t blocks = std::max(std::size_t{1}, laws_.problem().blocks().size());
    if (static_cast<std::size_t>(round) >= kScatteredBlocks / blocks) return false;
    scatter();
  }
  if (stage.start == Start::interior_point) {
    const double residual = interior_.run(laws_, stage.interior, matrix_, start_);
    out_.factorizations += interior_.factorizations();
    if (!std::isfinite(residual)) return false;
  }
  if (stage.sweeps > 0) sweep(stage.start == Start::scattered ? stage.sweeps << (round % 4) : stage.sweeps);
  return true;
}

bool LawSolver::fits(const LawStage& stage) const {
  if (stage.method == LawStage::Method::modes && !knows_modes_) return false;
  if (stage.sweeps > 0 && !knows_sweeps_) return false;
  if (stage.fits == LawStage::Fits::with_equalities) return laws_.rank() > 0;
  return stage.fits == LawStage::Fits::always || !knows_modes_;
}

void LawSolver::run(const LawStage& stage) {
  for (int round = 0; round < stage.repeat && !done(); ++round) {
    if (!set_start(stage, round)) return;
    if (stage.method == LawStage::Method::modes)
      run_modes(stage.modes, &stage);
    else
      run_proximal(stage.proximal, tolerance_, &stage);
  }
}

/// Improves what is solved already, with the modes that it has; softer rows where stiff ones do not converge.
void LawSolver::polish(int factorizations) {
  const auto sharpen = [&](auto&& run) {
    if (!(best_residual_ > goal_)) return;
    start_ = best_;
    run();
  };
  if (knows_modes_)
    for (const double rho : kPolishingRho)
      sharpen([&] { run_modes({.rho = rho, .factorizations = factorizations}, out_.stage); });
  sharpen([&] {
    run_proximal({.rho = 1e3, .rounds = 20, .inner = 3, .halvings = 2, .factorizations = factorizations}, goal_,
                 out_.stage);
  });
}

const LawSolution& LawSolver::solve(const LawProblem& problem, const Eigen::VectorXd& guess) {
  is_small_ = RowSpace::fits(problem);
  laws_.prepare(problem, is_small_);
  matrix_.attend(laws_);
  knows_modes_ = ModeNewton::fits(problem);
  knows_sweeps_ = GaussSeidel::fits(laws_);
  zero_.rows.setZero(problem.rows());
  zero_.whitened.setZero(laws_.rank());
  guess_ = zero_;
  is_warm_ = guess.size() == problem.rows() && guess.size() > 0 && !guess.isZero(0.0);
  if (is_warm_) {
    guess_.rows = guess;
    laws_.whiten(guess_);
  }
  return solve_from_guess();
}

const LawSolution& LawSolver::solve_again() {
  guess_ = best_;
  is_warm_ = true;
  return solve_from_guess();
}

const LawSolution& LawSolver::solve_from_guess() {
  is_reduced_ = false;
  chance_.seed(1);
  out_.factorizations = 0;
  out_.stage = nullptr;
  best_ = start_ = guess_;
  best_residual_ = laws_.residual(best_, out_.v);
  goal_ = finish_ == Finish::polished ? kPolish * tolerance_ : tolerance_;
  const bool again = is_warm_ && has_corrected_ && best_residual_ < goal_;
  if (again) goal_ *= kAfterCorrection;
  const bool holds = best_residual_ < goal_;
  if (!holds) {
    for (const LawStage& stage : law_stages()) {
      if (done()) break;
      if (fits(stage)) run(stage);
    }
    if (done() && best_residual_ > goal_) polish(again ? 1 : kMostPolishing);
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
