// The proximal method of multipliers with semismooth Newton (ProximalNewton) in row space. With s_i = d_i / rho and the
// multipliers lambda of the last round, a round looks for multipliers p with
//   p_i = P_i(y_i),   y_i = (s_i lambda_i - u_i(p)) / (s_i + R_i),   u = G p + c;
// a step solves ((s_i + R_i) 1 + D_i G) dp = (s_i + R_i) (P(y) - p), D the slopes of P, with pivoting. As long as modes
// (open, sticking, sliding) and rho stay, the factored matrix serves again: rounds that only sharpen the multipliers
// cost two substitutions. The multipliers of the next round are P(p): P(y), the same in exact numbers, has the rounding
// of u in it 1/s times.
#pragma once

#include "cardan/solve/row_space.hpp"

namespace cardan {

struct RowNewtonOptions {
  double rho = 100.0;
  int rounds = 20, inner = 6, halvings = 4;
  int factorizations = 30;  // at most
  double tolerance = 1e-8;  // of the certificate [m/s]
};

class RowNewton {
 public:
  /// Improves multipliers, with u = G lambda + c, as long as each round brings them nearer to the laws. Returns their
  /// certificate [m/s].
  double run(const RowSpace& rows, const RowNewtonOptions& options, std::vector<double>& lambda,
             std::vector<double>& u);
  /// How many matrices the last run factored.
  int factorizations() const { return factorizations_; }
  /// Turns to another problem: nothing that was factored holds.
  void forget() { factored_modes_.clear(); }

 private:
  struct Iterate {
    std::vector<double> p, u, y, gap;  // gap: P(y) - p
    double merit = 0.0;
  };
  void evaluate(Iterate& x);
  bool factor(const Iterate& x);
  void set_modes(const Iterate& x);
  bool improve(Iterate& x, int most);
  void solve(std::vector<double>& step);

  const RowSpace* rows_ = nullptr;
  const RowNewtonOptions* options_ = nullptr;
  double rho_ = 1.0, factored_rho_ = 0.0;
  std::vector<double> center_, trial_lambda_, trial_u_, step_;
  Iterate now_, trial_;
  std::vector<int> modes_, factored_modes_;  // of the blocks
  std::vector<Block33> slopes_;
  std::vector<int> active_, pivots_;  // places with a slope
  std::vector<double> matrix_, packed_;
  int stride_ = 0, factorizations_ = 0;
};

}  // namespace cardan
