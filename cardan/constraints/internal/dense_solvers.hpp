// The methods that work on the mass matrix as a dense array.
#pragma once

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/constraints/internal/constraint_cluster.hpp"
#include "cardan/math/orthogonal.hpp"

namespace cardan {

/// [H J'; J 0] [a; -lambda] = [f; k] at once.
class DirectSolver : public ConstraintSolver {
 public:
  explicit DirectSolver(const ConstraintSet& set);
  void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
             Out<double> lambda) override;
  int rank() const override { return rank_; }

 private:
  Eigen::MatrixXd H_, J_, whole_;
  Eigen::VectorXd scale_, right_, left_;
  Orthogonal factor_;
  int rank_ = 0;
};

/// H = L'L, Y = L^-T J', A = Y'Y.
class DualSolver : public ConstraintSolver {
 public:
  explicit DualSolver(const ConstraintSet& set);
  void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
             Out<double> lambda) override;
  int rank() const override { return static_cast<int>(factor_.rank()); }
  Regularity regularity() const override { return regularity_; }

 private:
  Eigen::MatrixXd H_, Y_;
  Eigen::VectorXd z_, w_;
  std::vector<double> scale_;  // of the pivots
  Regularity regularity_;
  Orthogonal factor_;  // of Y
};

/// Complete pivoting on each cluster's J chooses independent velocities y; a = G y + g and G'HG y = G'(f - Hg).
class EliminationSolver : public ConstraintSolver {
 public:
  explicit EliminationSolver(const ConstraintSet& set);
  void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
             Out<double> lambda) override;
  int rank() const override { return rank_; }

  /// J G = 0 and J g = k of the last solution (Eq. 8.48); the columns belong to independent().
  const Eigen::MatrixXd& G() const { return G_; }
  const Eigen::VectorXd& g() const { return g_; }
  /// The velocities that were chosen to be y.
  const std::vector<int>& independent() const { return independent_; }

 private:
  struct Cluster : ConstraintCluster {
    Eigen::FullPivLU<Eigen::MatrixXd> lu;
  };
  void eliminate(const ConstraintSet& set, In<double> k);
  void find_multipliers(const ConstraintSet& set, const Eigen::VectorXd& forces, Out<double> lambda);

  std::vector<Cluster> clusters_;
  std::vector<int> untouched_;  // velocities in no constraint
  Eigen::MatrixXd H_, G_;
  Eigen::VectorXd g_;
  std::vector<int> independent_;
  int rank_ = 0;
};

}  // namespace cardan
