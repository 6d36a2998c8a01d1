// Newton's method on the modes of a guess. Where little has changed since the last step, its multipliers already tell
// which blocks are open, stick or slip: with these modes the laws are equations, and a few corrections solve them. Each
// block answers a change of velocity with a change of its multipliers,
//   d lambda = k - K J dv,   s = d/rho,
//   stick:  K = 1/(s + R),                              k = -K (u + R lambda)
//   slip:   K_tt = f/(1 - f)/d (1 - e e'),  K_tn = m e K_nn,
//           k_t  = (e e' + (1 - e e')/(1 - f)) (r e - lambda_t) + m e k_n
//   open:   K = 0,                                      k = -lambda
// where a slipping tangent (or a ball on its rim, without a normal) opposes y = lambda_t - u_t/d: e = y/|y|, r the
// radius m lambda_n, f = r/|y| the part of a turn of e that the multiplier follows; normals stick. With
// M dv = J' d lambda this is (M + J' K J) dv = J' k, with equality rows as a border. Corrections are added to the
// multipliers themselves, so that rounding does not grow with the stiffness rho/d, at islands of any size.
#pragma once

#include "cardan/solve/newton_matrix.hpp"

namespace cardan {

struct ModeNewtonOptions {
  double rho = 1e6;
  int factorizations = 12;  // at most
  double tolerance = 1e-8;  // of the certificate [m/s]
  double goal = 1e-12;      // and what it is improved to where that is cheap
};

class ModeNewton {
 public:
  /// Tells whether it knows all laws of a problem: no friction that grows with a load.
  static bool fits(const LawProblem& problem);
  /// Improves multipliers, with a matrix that attends to the laws. Returns their certificate [m/s]; `lambda` is left
  /// alone where it does not improve.
  double run(const PreparedLaws& laws, const ModeNewtonOptions& options, NewtonMatrix& matrix, Multipliers& lambda);
  /// How many matrices the last run factored.
  int factorizations() const { return factorizations_; }
  const Eigen::VectorXd& velocity() const { return best_v_; }

 private:
  /// 0: the multipliers are zero. Of cones and balls 1: stick, 2: slip; of at_least a bit for each row that is closed.
  using Mode = int;
  struct Block {
    Block3 lambda = Block3::Zero(), u = Block3::Zero();
    Block3 k = Block3::Zero();
    Mode mode = 0;
  };
  enum class Round { sharp, goes_on, needs_matrix };
  void start(const Multipliers& lambda);
  Mode mode_of_guess(const LawBlock& law, const Block& block) const;
  Mode mode_of(std::size_t block) const;
  static double slip_of(const LawBlock& law, const Block& block);
  bool update_modes(double slowest);
  void set_slopes();
  void set_response(std::size_t block);
  Block3 slip_residual(const LawBlock& law, double d, const Block& block, Block33* K) const;
  void correct();
  double certificate() const;
  Round round(double& residual);

  const PreparedLaws* laws_ = nullptr;
  const ModeNewtonOptions* options_ = nullptr;
  NewtonMatrix* matrix_ = nullptr;
  std::vector<Block> blocks_;
  Eigen::VectorXd v_, whitened_, step_, best_v_, row_error_;
  Multipliers trial_;
  int factorizations_ = 0, sharp_ = 0, stalled_ = 0;
};

}  // namespace cardan
