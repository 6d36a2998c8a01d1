// Block Gauss-Seidel for a LawProblem (Moreau, Jean): block by block, multipliers are moved to where their own law
// holds while all others rest,
//   lambda_n = max(0, lambda_n - u_n / G_nn),   lambda_t = P_disc(lambda_t - u_t / g_t),   v += M^-1 J_i' (change),
// with G = J_i M^-1 J_i' and g_t the largest eigenvalue of its tangent part. It converges slowly, but sweeps soon tell
// which contacts open, stick or slide: a start for Newton's method, which then finishes.
#pragma once

#include "cardan/solve/prepared_laws.hpp"

namespace cardan {

class GaussSeidel {
 public:
  /// Tells whether it knows all laws of the problem: no equality rows, no balls under load.
  static bool fits(const PreparedLaws& laws);
  /// Improves the multipliers of the rows.
  void run(const PreparedLaws& laws, int sweeps, Multipliers& lambda);

 private:
  /// Consecutive velocities.
  struct Range {
    int first = 0, size = 0;
  };
  struct Block {
    std::size_t first_response = 0;                 // M^-1 J_i' on the parts that it touches, row by row
    int response_size = 0;                          // of one row
    std::size_t first_part = 0, last_part = 0;      // ranges of these parts
    std::size_t first_column = 0, last_column = 0;  // ranges of its columns
    std::size_t first_entry = 0;                    // J by columns, four numbers each
    Block33 G = Block33::Zero();
    double per_normal = 0.0, per_tangent = 0.0;  // 1/G_nn, 1/g_t
  };
  void respond(const PreparedLaws& laws);
  void gather_ranges(const PreparedLaws& laws, const LawBlock& block, Block& own);
  Block3 row_velocity(const PreparedLaws& laws, const LawBlock& block, const Block& own) const;
  void push(const Block& own, int rows, const Block3& change);
  void relax(const PreparedLaws& laws, std::size_t block, Multipliers& lambda);

  std::vector<Block> blocks_;
  std::vector<Range> ranges_;
  std::vector<double> responses_, entries_;
  Eigen::VectorXd v_, x_;
};

}  // namespace cardan
