// What solvers of a LawProblem share: the factored mass matrix, the scale d of each block, and the equality rows made
// independent. With M = L'L and the equality rows J_E scaled by their blocks, B = L^-T J_E' is factored by a QR with
// column pivots, B = Q R; the whitened rows J_w = Q' L span the same space, satisfy J_w M^-1 J_w' = 1, and do not
// repeat one another. lambda_E is then the multiplier of least norm, and what right sides contradict one another is
// projected away and reported.
#pragma once

#include "cardan/solve/law_problem.hpp"
#include "cardan/solve/law_projection.hpp"

namespace cardan {

/// Multipliers of a problem: all rows, of which those of equality blocks are unused, and the whitened ones.
struct Multipliers {
  Eigen::VectorXd rows, whitened;
};

class PreparedLaws {
 public:
  /// Factors the mass matrix, where the problem does not, and ranks the equality rows; the problem must outlive it.
  void prepare(const LawProblem& problem, bool keep_responses = false);

  const LawProblem& problem() const { return *problem_; }
  int velocities() const { return problem_->velocities(); }
  /// Mean of the diagonal of J M^-1 J' of the block: the velocity that a unit impulse gives [1/kg, 1/(kg m^2)].
  double d(int block) const { return d_[static_cast<std::size_t>(block)]; }
  /// d with the equality rows held.
  double constrained_d(int block) const { return constrained_d_[static_cast<std::size_t>(block)]; }
  /// L^-T J' of a block of up to four rows, where responses were kept: four vectors, entry k of the first at [4 k].
  const double* response(std::size_t block) const {
    return responses_.data() + 4 * block * static_cast<std::size_t>(velocities());
  }
  /// Geometric mean of d.
  double typical_d() const { return typical_d_; }

  int rank() const { return static_cast<int>(Jw_.rows()); }
  const Eigen::MatrixXd& Jw() const { return Jw_; }
  const Eigen::VectorXd& bw() const { return bw_; }
  /// By how much the right sides of equality rows contradict one another [m/s].
  double inconsistency() const { return inconsistency_; }
  /// Finds the multipliers of the equality rows, and writes them into rows.
  void expand(Multipliers& lambda) const;
  /// Finds the whitened multipliers from those of the rows.
  void whiten(Multipliers& lambda) const;

  void multiply_mass(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
  /// x = L^-T x and x = L^-1 x, one after the other M^-1 x.
  void solve_upper(Eigen::VectorXd& x) const;
  void solve_lower(Eigen::VectorXd& x) const;
  /// The part of the mass matrix that a velocity belongs to.
  int part_of(int velocity) const { return part_of_[static_cast<std::size_t>(velocity)]; }
  /// The factor of a part of the mass matrix.
  const BranchFactor& factor(std::size_t part) const { return *factors_[part]; }
  /// out += J' lambda: blocks that are no equalities, and whitened rows.
  void add_impulse(const Multipliers& lambda, Eigen::VectorXd& out) const;
  /// v = v_free + M^-1 J' lambda.
  void velocity(const Multipliers& lambda, Eigen::VectorXd& v) const;
  /// J v + b of a block.
  Block3 row_velocity(const LawBlock& block, const Eigen::VectorXd& v) const;

  /// What a load depends on: A lambda + B v + c; `balls` supplies the multipliers of balls.
  Eigen::Vector3d load(const Load& load, int index, const Multipliers& lambda, const Eigen::VectorXd& balls,
                       const Eigen::VectorXd& v) const;
  /// Bound plus loads of a ball.
  double radius(const LawBlock& block, const Multipliers& lambda, const Eigen::VectorXd& balls,
                const Eigen::VectorXd& v) const;
  /// The block that a row belongs to.
  int block_of(int row) const { return block_of_[static_cast<std::size_t>(row)]; }
  /// d (load)/d (whitened multipliers), 3 x rank; empty where the load does not depend on equality rows.
  const Eigen::MatrixXd& load_by_whitened(const LawBlock& block, int index) const {
    return load_by_whitened_[static_cast<std::size_t>(block.first_load + index)];
  }

  /// Certifies multipliers: max over the blocks of d |lambda - P(lambda - u/d)| [m/s], with v recomputed from lambda;
  /// v receives it.
  double residual(const Multipliers& lambda, Eigen::VectorXd& v) const;

 private:
  void factor_mass();
  void scale_blocks(bool keep_responses);
  void whiten_equalities();

  const LawProblem* problem_ = nullptr;
  std::vector<BranchFactor> own_factors_;     // of parts that come without one; others may follow
  std::vector<const BranchFactor*> factors_;  // of the parts
  std::vector<double> d_, constrained_d_;
  double typical_d_ = 1.0, inconsistency_ = 0.0;
  std::vector<int> block_of_, equality_rows_, part_of_, touched_;
  std::vector<double> responses_;  // four vectors of velocities for each block, or for one
  Eigen::MatrixXd Jw_, T_;         // T_: rank x equality rows, scaled
  Eigen::VectorXd bw_;
  std::vector<Eigen::MatrixXd> load_by_whitened_;
};

}  // namespace cardan
