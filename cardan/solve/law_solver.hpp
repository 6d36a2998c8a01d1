// Solves a LawProblem: contact, friction, limits and equality rows together. Stages, from the quickest to the most
// patient: the warm start as it is, the proximal Newton method from it (after sweeps of Gauss-Seidel where these know
// all laws), interior point and proximal Newton, softened equality rows, other scales. Each answer is certified in m/s
// on the laws themselves; what no stage solves is returned with its residual. The same problems
// in the same order give the same bits.
#pragma once

#include "cardan/solve/gauss_seidel.hpp"
#include "cardan/solve/interior_point.hpp"
#include "cardan/solve/proximal_newton.hpp"
#include "cardan/solve/row_newton.hpp"
#include "cardan/solve/row_sweeps.hpp"

namespace cardan {

struct LawSolution {
  Eigen::VectorXd v, lambda;
  double residual = 0.0;       // certificate [m/s]
  double inconsistency = 0.0;  // of equality rows [m/s]
  bool solved = false;         // residual below the tolerance
  int factorizations = 0;
  int stage = 0;  // that gave it
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

 private:
  bool proximal(const ProximalOptions& options, const Multipliers& start, int stage);
  bool interior(const InteriorPointOptions& options, Multipliers& out);
  bool done() const { return best_residual_ < tolerance_; }
  bool swept(bool convex);
  void run_stages(bool warm);
  void sweep_patiently();
  bool solve_in_row_space(double goal, int most);
  void take_if_better(double residual, const Eigen::VectorXd& v, int stage);

  double tolerance_;
  Finish finish_;
  PreparedLaws laws_;
  NewtonMatrix matrix_;
  ProximalNewton proximal_;
  InteriorPoint interior_;
  GaussSeidel sweeps_;
  RowSpace rows_;
  RowSweeps row_sweeps_;
  RowNewton row_newton_;
  std::vector<double> lambda_, u_;  // in row space
  Multipliers zero_, best_, start_, at_work_;
  Eigen::VectorXd v_;
  double best_residual_ = 0.0;
  bool has_corrected_ = false;  // the last guess
  LawSolution out_;
};

}  // namespace cardan
