// Factorizes J' A J + diag(r) in linear time, where J is the Jacobian of all bodies and A couples bodies only along the
// tree: blocks A_ii on every body and A_ip between a body and its parent. Alg. 10 of Sueda's notes with its terms P^r
// and P^m, and springs between neighbors beside them: with x_i = X x_p + S y,
//   D = S'M S + r,  U = S'(M X + C'),  M_p += X'M X + X'C' + C X - U' D^-1 U,
// where M is the articulated inertia of body i and C its block with the parent. The inverse of H where A is the
// inertia, and the preconditioner of implicit steps where springs couple bodies in other ways, too.
#pragma once

#include "cardan/algorithms/kinematics.hpp"

#include <Eigen/Dense>

#include <vector>

namespace cardan {

class ArticulatedFactor {
 public:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  explicit ArticulatedFactor(const Model& model);

  /// Sets A to the inertia of the bodies and r to the armature of the joints.
  void reset();
  Matrix6& own(int body) { return joints_[static_cast<std::size_t>(body)].M; }
  /// A_pi: rows of the parent, columns of the body.
  Matrix6& with_parent(int body) { return joints_[static_cast<std::size_t>(body)].C; }
  double& diagonal(int v) { return diagonal_[static_cast<std::size_t>(v)]; }

  /// Factorizes with the X and S of these kinematics; uses up what was set. False if a pivot is not positive.
  [[nodiscard]] bool factorize(const Kinematics<double>& bodies);
  void solve(const double* x, double* y) const;

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
  struct Joint {
    Matrix6 M, C, X;
    Columns S, U;  // U transposed
    Eigen::LLT<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>> D;
  };
  Model model_;
  std::vector<Joint> joints_;  // entry 0 is the world
  std::vector<double> diagonal_;
  mutable std::vector<Vector6> pull_, motion_;
};

}  // namespace cardan
