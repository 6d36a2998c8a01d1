// Proximal method of multipliers with semismooth Newton. Each round minimizes over v, as it were, the augmented
// Lagrangian around the present multipliers: with y_i = (lambda_i d_i/rho - u_i(v)) / (d_i/rho + R_i) and p_i =
// P_i(y_i),
//   F1 = M (v - v_free) - J' p - J_w' lambda_w = 0,   F2 = J_w v + b_w = 0,
// by Newton's method with the exact derivative of P, also of radii that depend on loads; then lambda = p. It works on
// velocities and never needs the multipliers to be unique. Where a round needs a single step, the modes (open,
// sticking, sliding) are probably final: rho then grows at once, and falls back if that was wrong.
#pragma once

#include "cardan/solve/newton_matrix.hpp"

#include <limits>

namespace cardan {

struct ProximalOptions {
  double rho = 100.0, growth = 4.0;
  int rounds = 20, inner = 10, halvings = 4;
  int factorizations = 1000;       // at most
  double tolerance = 1e-8;         // of the certificate [m/s]
  double inner_tolerance = 0.02;   // of Newton's method, relative to the tolerance
  bool softened = false;           // whitened rows as springs with multipliers, not exact
  bool constrained_scale = false;  // rho relative to d with the equality rows held
  bool frozen_radius = false;      // radii keep their value for a round
  bool hurry = false;  // after a round of a single step modes (open, sticking, sliding) are probably final: rho grows
                       // at once, and falls back if that was wrong
};

class ProximalNewton {
 public:
  /// Improves the multipliers with a matrix that attends to the laws; the best found are left in `lambda`. Returns
  /// their certificate [m/s].
  double run(const PreparedLaws& laws, const ProximalOptions& options, NewtonMatrix& matrix, Multipliers& lambda);
  /// How many matrices the last run factored.
  int factorizations() const { return factorizations_; }
  const Eigen::VectorXd& velocity() const { return best_v_; }

 private:
  struct Iterate {
    Eigen::VectorXd v, lambda_w;
    Multipliers p;
    std::vector<Block3> y;
    std::vector<double> radius;
    Eigen::VectorXd F1, F2;
    double merit = 0.0;
  };
  double stiffness(std::size_t block) const;
  void evaluate(Iterate& x);
  void linearize(const Iterate& x);
  bool improve(Iterate& x);

  const PreparedLaws* laws_ = nullptr;
  const ProximalOptions* options_ = nullptr;
  double rho_ = 1.0;
  Multipliers lambda_;  // the proximal center
  std::vector<double> frozen_;
  NewtonMatrix* matrix_ = nullptr;
  Iterate now_, trial_;
  Eigen::VectorXd step_, scratch_, best_v_, v_;
  int factorizations_ = 0;
};

}  // namespace cardan
