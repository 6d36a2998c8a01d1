// Solves a LawProblem: contact, friction, limits and equality rows together. Stages, from the quickest to the most
// patient (law_stages.hpp): the warm start as it is, Newton's method on its modes, sweeps of Gauss-Seidel before it,
// and for what is left proximal and interior-point methods. Each answer is certified in m/s on the laws themselves;
// what no stage solves is returned with its residual. The same problems in the same order give the same bits.
#pragma once

#include "cardan/solve/gauss_seidel.hpp"
#include "cardan/solve/law_stages.hpp"
#include "cardan/solve/row_sweeps.hpp"

#include <random>

namespace cardan {

struct LawSolution {
  Eigen::VectorXd v, lambda;
  double residual = 0.0;       // certificate [m/s]
  double inconsistency = 0.0;  // of equality rows [m/s]
  bool solved = false;         // residual below the tolerance
  int factorizations = 0;
  const LawStage* stage = nullptr;  // that gave it; null: the guess
};

class LawSolver {
 public:
  /// Whether a solution within the tolerance is good enough, or improved by a few more steps where that is cheap.
  enum class Finish { polished, tolerance };
  explicit LawSolver(double tolerance = 1e-8, Finish finish = Finish::polished)
      : tolerance_(tolerance), finish_(finish) {}
  double tolerance() const { return tolerance_; }

  /// `guess` has a multiplier for each row, or is empty. The solution is valid until the next call.
  const LawSolution& solve(const LawProblem& problem, const Eigen::VectorXd& guess = {});
  /// Solves the last problem again, of which v_free alone may have changed, from the last solution.
  const LawSolution& solve_again();

 private:
  const LawSolution& solve_from_guess();
  bool done() const { return best_residual_ < tolerance_; }
  bool fits(const LawStage& stage) const;
  void run(const LawStage& stage);
  bool set_start(const LawStage& stage, int round);
  void sweep(int sweeps);
  void scatter();
  void run_modes(const ModeNewtonOptions& options, const LawStage* stage);
  void run_proximal(const ProximalOptions& options, double tolerance, const LawStage* stage);
  void polish(int factorizations);
  void take_if_better(double residual, const Eigen::VectorXd& v, const LawStage* stage);

  double tolerance_;
  Finish finish_;
  PreparedLaws laws_;
  NewtonMatrix matrix_;
  ModeNewton modes_;
  ProximalNewton proximal_;
  InteriorPoint interior_;
  GaussSeidel sweeps_;
  RowSpace rows_;  // of small problems, once they are swept
  RowSweeps row_sweeps_;
  std::vector<double> lambda_, u_;  // in row space
  bool is_warm_ = false, knows_modes_ = false, knows_sweeps_ = false, is_small_ = false, is_reduced_ = false;
  double goal_ = 0.0;  // of the certificate, with polishing
  Multipliers zero_, guess_, best_, start_;
  double best_residual_ = 0.0;
  std::minstd_rand chance_;
  bool has_corrected_ = false;  // the last guess
  LawSolution out_;
};

}  // namespace cardan
