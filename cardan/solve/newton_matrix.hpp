// The linear systems of Newton's method on a LawProblem,
//   [ M - J' S_v   -J' S_w - J_w' ] [dv]          [F1]
//   [ J_w                0        ] [dlambda_w] = -[F2],
// where the blocks answer a change of velocity with dlambda_i = -D_i J_i dv + e_i g_i' (dv, dlambda_w); the second term
// belongs to balls that slip under a load.
//
// A = M + J' D J is factored by fronts (FrontLayout), on a tree without fill. Whitened rows and balls that ride on
// loads touch all velocities: they border A. With w the whitened multipliers and s_k = g_k' (dv, w),
//   A dv = f1 + J_w' w + C s,   J_w dv + w / k = f2,   G_v dv + G_w w - s = 0   (c_k = J_i' e_i; 1/k = 0 for exact
//   rows)
// is reduced to a dense system for (w, s). Small systems with a border are dense as a whole, with pivoting.
// A is not symmetric where contacts slide, and a pivot may vanish: then the couplings of normal and tangent are left
// out of this step, which makes A definite.
#pragma once

#include "cardan/solve/frontal_factor.hpp"
#include "cardan/solve/prepared_laws.hpp"

namespace cardan {

/// How a block answers.
struct BlockSlope {
  Block33 D = Block33::Zero();
  int ride = -1;  // index of g, -1: none
  Block3 e = Block3::Zero();
};

class NewtonMatrix {
 public:
  /// Turns to new laws, which must outlive its use; nothing is computed before it is needed.
  void attend(const PreparedLaws& laws);
  /// Starts a new set of slopes, one for each block. `softened`: whitened rows act as springs of this stiffness instead
  /// of exact rows; 0: exact.
  void begin(double softened);
  BlockSlope& slope(int block) { return slopes_[static_cast<std::size_t>(block)]; }
  const BlockSlope& slope(int block) const { return slopes_[static_cast<std::size_t>(block)]; }
  /// Lets a block ride along e on g, which is zero at first: an entry for each velocity and each whitened row.
  Eigen::VectorXd& ride(int block, const Block3& e);
  const Eigen::VectorXd& ridden(int block) const { return rides_[static_cast<std::size_t>(slope(block).ride)]; }
  /// g += factor times the row of (-D_i J_i) that belongs to this multiplier.
  void add_row(int multiplier, double factor, Eigen::VectorXd& g) const;

  /// Factors the matrix of the present slopes.
  [[nodiscard]] bool factor();
  /// Solves in place for (dv, dlambda_w), given -(F1, F2).
  void solve(Eigen::VectorXd& x);
  int size() const { return laws_->velocities() + exact_rows(); }
  int exact_rows() const { return softened_ > 0.0 ? 0 : laws_->rank(); }

 private:
  bool has_border() const { return laws_->rank() > 0 || ride_count_ > 0; }
  bool is_dense() const;
  void arrange();
  void assemble_dense();
  bool factor_fronts();
  void add_block(std::size_t block);
  void drop_couplings();
  void factor_border();
  void solve_border(Eigen::VectorXd& x);

  const PreparedLaws* laws_ = nullptr;
  double softened_ = 0.0;
  std::vector<BlockSlope> slopes_;
  std::vector<Eigen::VectorXd> rides_;
  std::size_t ride_count_ = 0;
  bool arranged_ = false;
  FrontLayout layout_;
  FrontalFactor fronts_;
  std::vector<double> smallest_pivot_;
  Eigen::MatrixXd dense_, border_, response_;  // response_ = A^-1 [J_w' C]
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_factor_, border_factor_;
  Eigen::VectorXd border_x_, permuted_;
};

}  // namespace cardan
