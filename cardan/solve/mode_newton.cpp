#include "cardan/solve/mode_newton.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kOnRim = 1.0 - 1e-9;         // of the radius: what the guess has this much of slips
constexpr double kMostFollowed = 1.0 - 1e-6;  // of f: where a slip is slow, its direction hardly resists a turn
constexpr int kRounds = 6;                    // with one matrix
constexpr double kStale = 0.3;                // a round that leaves more of the residual needs a new matrix
constexpr int kStalls = 3;                    // below the tolerance: the end
constexpr double kHolds = 100.0;              // of the residual: a slip that may be none
constexpr double kSharpest = 1e-3;            // of the goal: nothing to gain beyond it

}  // namespace

bool ModeNewton::fits(const LawProblem& problem) {
  const auto& blocks = problem.blocks();
  return !blocks.empty() &&
         std::none_of(blocks.begin(), blocks.end(), [](const LawBlock& block) { return block.loads > 0; });
}

/// Takes over multipliers with the velocities that they lead to.
void ModeNewton::start(const Multipliers& lambda) {
  const LawProblem& problem = laws_->problem();
  laws_->velocity(lambda, v_);
  whitened_ = lambda.whitened;
  blocks_.resize(problem.blocks().size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LawBlock& law = problem.blocks()[i];
    if (law.law == Law::equal) continue;
    blocks_[i].lambda = get_block(lambda.rows, law);
    blocks_[i].u = laws_->row_velocity(law, v_);
    blocks_[i].mode = mode_of_guess(law, blocks_[i]);
  }
}

/// Reads a mode off the multipliers alone: those of a guess say more than its velocities.
ModeNewton::Mode ModeNewton::mode_of_guess(const LawBlock& law, const Block& block) const {
  if (law.law == Law::cone) {
    if (!(block.lambda[0] > 0.0)) return block.u[0] < 0.0 ? 1 : 0;
    return block.lambda.tail<2>().norm() >= kOnRim * law.bound * block.lambda[0] ? 2 : 1;
  }
  if (law.law == Law::ball) return block.lambda.norm() >= kOnRim * law.bound ? 2 : 1;
  Mode out = 0;
  for (int row = 0; row < law.size; ++row)
    if (block.lambda[row] > 0.0 || block.u[row] < 0.0) out |= 1 << row;
  return out;
}

/// The speed of a cone's tangents or of a ball.
double ModeNewton::slip_of(const LawBlock& law, const Block& block) {
  return law.law == Law::cone ? block.u.tail<2>().norm() : block.u.norm();
}

ModeNewton::Mode ModeNewton::mode_of(std::size_t i) const {
  const LawBlock& law = laws_->problem().blocks()[i];
  const Block& block = blocks_[i];
  const Block3 y =
      block.lambda - (block.u + compliance(law).cwiseProduct(block.lambda)) / laws_->d(static_cast<int>(i));
  return cardan::mode(law, y);
}

/// Sets the modes to those of the iterate; a slip slower than `slowest` is to hold. Tells whether any has changed.
bool ModeNewton::update_modes(double slowest) {
  bool changed = false;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LawBlock& law = laws_->problem().blocks()[i];
    if (law.law == Law::equal) continue;
    Mode mode = mode_of(i);
    if (law.law != Law::at_least && mode == 2 && slip_of(law, blocks_[i]) < slowest) mode = 1;
    changed |= mode != blocks_[i].mode;
    blocks_[i].mode = mode;
  }
  return changed;
}

/// Returns what a slipping tangent, or a ball on its rim, wants at dv = 0 and without a normal; sets its part of K.
Block3 ModeNewton::slip_residual(const LawBlock& law, double d, const Block& block, Block33* K) const {
  const bool is_cone = law.law == Law::cone;
  Block3 along = Block3::Ones();  // the rows that slip
  if (is_cone) along[0] = 0.0;
  const Block3 lambda = along.cwiseProduct(block.lambda), y = lambda - along.cwiseProduct(block.u) / d;
  const double length = y.norm(), radius = law.bound * (is_cone ? std::max(0.0, block.lambda[0]) : 1.0);
  if (!(length > 0.0)) return -lambda;
  const Block3 e = y / length;
  const double f = std::min(kMostFollowed, radius / length);
  Block33 across = -e * e.transpose();
  for (int k = is_cone ? 1 : 0; k < law.size; ++k) across(k, k) += 1.0;
  if (K != nullptr) {
    *K += f / (1.0 - f) / d * across;
    if (is_cone) K->col(0).tail<2>() = law.bound * (*K)(0, 0) * e.tail<2>();
  }
  const Block3 r = radius * e - lambda;
  return e * e.dot(r) + across * r / (1.0 - f);
}

/// Sets K of all blocks.
void ModeNewton::set_slopes() {
  const auto& laws = laws_->problem().blocks();
  matrix_->begin(0.0);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LawBlock& law = laws[i];
    const Block& block = blocks_[i];
    if (law.law == Law::equal || block.mode == 0) continue;
    Block33& K = matrix_->slope(static_cast<int>(i)).D;
    const double d = laws_->d(static_cast<int>(i));
    const Block3 stiff = (Block3::Constant(d / options_->rho) + compliance(law)).cwiseInverse();
    const bool slips = law.law != Law::at_least && block.mode == 2;
    for (int row = 0; row < law.size; ++row)
      if (law.law == Law::at_least ? (block.mode >> row & 1) != 0 : !slips || (law.law == Law::cone && row == 0))
        K(row, row) = stiff[row];
    if (slips) (void)slip_residual(law, d, block, &K);
  }
}

/// Sets k of a block: the change of its multipliers at dv = 0.
void ModeNewton::set_response(std::size_t i) {
  const LawBlock& law = laws_->problem().blocks()[i];
  Block& block = blocks_[i];
  const Block33& K = matrix_->slope(static_cast<int>(i)).D;
  const Block3 wanted = block.u + compliance(law).cwiseProduct(block.lambda);
  if (law.law == Law::at_least) {
    for (int row = 0; row < law.size; ++row)
      block.k[row] = (block.mode >> row & 1) != 0 ? -K(row, row) * wanted[row] : -block.lambda[row];
  } else if (block.mode == 0) {
    block.k = -block.lambda;
  } else if (block.mode == 1) {
    block.k = -K.diagonal().cwiseProduct(wanted);
  } else {
    block.k = slip_residual(law, laws_->d(static_cast<int>(i)), block, nullptr);
    if (law.law != Law::cone) return;
    block.k[0] = -K(0, 0) * wanted[0];
    block.k.tail<2>() -= K.col(0).tail<2>() * wanted[0];
  }
}

/// Adds the corrections that the present modes ask for.
void ModeNewton::correct() {
  const LawProblem& problem = laws_->problem();
  const int n = laws_->velocities(), exact = matrix_->exact_rows();
  step_.setZero(n + exact);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LawBlock& law = problem.blocks()[i];
    if (law.law == Law::equal) continue;
    set_response(i);
    const auto columns = problem.columns(law);
    const auto J = problem.J(law);
    for (int row = 0; row < law.size; ++row)
      if (const double k = blocks_[i].k[row]; k != 0.0)
        for (std::size_t c = 0; c < columns.size(); ++c) step_[columns[c]] += J(row, static_cast<Eigen::Index>(c)) * k;
  }
  if (exact > 0) {
    step_.tail(exact) = -laws_->bw();
    step_.tail(exact).noalias() -= laws_->Jw() * v_;
  }
  matrix_->solve(step_);
  v_ += step_.head(n);
  if (exact > 0) whitened_ += step_.tail(exact);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LawBlock& law = problem.blocks()[i];
    if (law.law == Law::equal) continue;
    const auto columns = problem.columns(law);
    const auto J = problem.J(law);
    Block3 du = Block3::Zero();
    for (int row = 0; row < law.size; ++row)
      for (std::size_t c = 0; c < columns.size(); ++c)
        du[row] += J(row, static_cast<Eigen::Index>(c)) * step_[columns[c]];
    Block& block = blocks_[i];
    block.lambda += block.k - matrix_->slope(static_cast<int>(i)).D * du;
    block.u += du;
  }
}

/// Certifies the multipliers with the velocities that were carried along, as PreparedLaws::residual does.
double ModeNewton::certificate() const {
  const auto& laws = laws_->problem().blocks();
  double worst = 0.0, error_of_rows = 0.0;
  if (laws_->rank() > 0) error_of_rows = (laws_->Jw() * v_ + laws_->bw()).norm();
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const double d = laws_->d(static_cast<int>(i));
    const Block& block = blocks_[i];
    const double error = laws[i].law == Law::equal ? std::sqrt(d) * error_of_rows
                                                   : law_error(laws[i], d, laws[i].bound, block.lambda, block.u);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

ModeNewton::Round ModeNewton::round(double& residual) {
  const double before = residual;
  correct();
  residual = certificate();
  if (!std::isfinite(residual)) return Round::needs_matrix;
  if (residual < kSharpest * options_->goal || (residual < options_->goal && ++sharp_ == 2)) return Round::sharp;
  const bool stalls = !(residual < kStale * before);
  // what is on its rim and hardly slips converges slowly, and may hold; rows that contradict one another do not
  // converge
  const bool nearly = residual < options_->tolerance && stalls;
  if (nearly && ++stalled_ == kStalls) return Round::sharp;
  return update_modes(nearly ? kHolds * residual : 0.0) || stalls ? Round::needs_matrix : Round::goes_on;
}

double ModeNewton::run(const PreparedLaws& laws, const ModeNewtonOptions& options, NewtonMatrix& matrix,
                       Multipliers& lambda) {
  laws_ = &laws;
  options_ = &options;
  matrix_ = &matrix;
  factorizations_ = sharp_ = stalled_ = 0;
  const double first = laws.residual(lambda, best_v_);
  start(lambda);
  double residual = first;
  for (Round result = Round::needs_matrix; result != Round::sharp && factorizations_ < options.factorizations;) {
    set_slopes();
    ++factorizations_;
    if (!matrix.factor()) break;
    result = Round::goes_on;
    for (int k = 0; k < kRounds && result == Round::goes_on; ++k) result = round(residual);
    if (!std::isfinite(residual)) break;
  }
  // what holds of it, from the multipliers alone
  trial_ = lambda;
  trial_.whitened = whitened_;
  const auto& blocks = laws.problem().blocks();
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (blocks[i].law != Law::equal) set_block(blocks[i], project(blocks[i], blocks_[i].lambda), trial_.rows);
  const double found = laws.residual(trial_, row_error_);
  if (!(found < first)) return first;
  lambda = trial_;
  best_v_ = row_error_;
  return found;
}

}  // namespace cardan
