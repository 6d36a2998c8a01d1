// The linear systems of Newton's method on a LawProblem,
//   [ M - J' S_v   -J' S_w - J_w' ] [dv]          [F1]
//   [ J_w                0        ] [dlambda_w] = -[F2],
// where the blocks answer a change of velocity with dlambda_i = -D_i J_i dv + e_i g_i' (dv, dlambda_w); the second term
// belongs to balls that slip under a load. Dense, or sparse where there are many velocities.
#pragma once

#include "cardan/solve/prepared_laws.hpp"

#include <Eigen/SparseLU>

#include <memory>

namespace cardan {

/// How a block answers.
struct BlockSlope {
  Block33 D = Block33::Zero();
  int ride = -1;  // index of g, -1: none
  Block3 e = Block3::Zero();
};

class NewtonMatrix {
 public:
  /// Starts a new set of slopes, one for each block. `softened`: whitened rows act as springs of this stiffness instead
  /// of exact rows; 0: exact.
  void begin(const PreparedLaws& laws, double softened);
  BlockSlope& slope(int block) { return slopes_[static_cast<std::size_t>(block)]; }
  const BlockSlope& slope(int block) const { return slopes_[static_cast<std::size_t>(block)]; }
  /// Lets a block ride along e on g, which is zero at first: an entry for each velocity and each whitened row.
  Eigen::VectorXd& ride(int block, const Block3& e);
  const Eigen::VectorXd& ridden(int block) const { return rides_[static_cast<std::size_t>(slope(block).ride)]; }
  /// g += factor times the row of (-D_i J_i) that belongs to this multiplier.
  void add_row(int multiplier, double factor, Eigen::VectorXd& g) const;

  /// Factors the matrix of the present slopes; counts.
  [[nodiscard]] bool factor();
  /// Solves in place for (dv, dlambda_w), given -(F1, F2).
  void solve(Eigen::VectorXd& x);
  int size() const { return laws_->velocities() + exact_rows(); }
  int exact_rows() const { return softened_ > 0.0 ? 0 : laws_->rank(); }

 private:
  template <class Add>
  void assemble(const Add& add) const;

  const PreparedLaws* laws_ = nullptr;
  double softened_ = 0.0;
  std::vector<BlockSlope> slopes_;
  std::vector<Eigen::VectorXd> rides_;
  std::size_t ride_count_ = 0;
  Eigen::MatrixXd dense_;
  Eigen::PartialPivLU<Eigen::MatrixXd> dense_factor_;
  Eigen::SparseMatrix<double> sparse_;
  std::vector<Eigen::Triplet<double>> triplets_;
  std::unique_ptr<Eigen::SparseLU<Eigen::SparseMatrix<double>>> sparse_factor_;
};

}  // namespace cardan
