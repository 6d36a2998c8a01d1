// Solves a LawProblem: contact, friction, limits and equality rows together. Stages, from the quickest to the most
// patient: the warm start as it is, the proximal Newton method from it, interior point and proximal Newton, softened
// equality rows, other scales. Each answer is certified in m/s on the laws themselves; what no stage solves is returned
// with its residual. The same problem gives the same bits.
#pragma once

#include "cardan/solve/interior_point.hpp"
#include "cardan/solve/proximal_newton.hpp"

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
  explicit LawSolver(double tolerance = 1e-8) : tolerance_(tolerance) {}
  double tolerance() const { return tolerance_; }

  /// `guess` has a multiplier for each row, or is empty. The solution is valid until the next call.
  const LawSolution& solve(const LawProblem& problem, const Eigen::VectorXd& guess = {});

 private:
  bool proximal(const ProximalOptions& options, const Multipliers& start, int stage);
  bool interior(const InteriorPointOptions& options, Multipliers& out);
  bool done() const { return best_residual_ < tolerance_; }
  void run_stages(bool warm);

  double tolerance_;
  PreparedLaws laws_;
  ProximalNewton proximal_;
  InteriorPoint interior_;
  Multipliers zero_, best_, start_;
  double best_residual_ = 0.0;
  LawSolution out_;
};

}  // namespace cardan
