// Constraint forces are passed from body to body like all others: A = K H^-1 K' comes from one inward pass over the
// articulated inertias with several rows side by side in the lanes of a register, so nothing grows faster than bodies
// times rows. The mass matrix is never formed.
#pragma once

#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/model/workspace.hpp"

namespace cardan {

class ArticulatedSolver : public ConstraintSolver {
 public:
  explicit ArticulatedSolver(const ConstraintSet& set);
  void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
             Out<double> lambda) override;
  int rank() const override { return rank_; }
  void expect_rank(int rank) override { expected_ = rank; }

 private:
  using L = Lanes<double>::type;
  static constexpr int width = Lanes<double>::width;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void place_forces(const ConstraintSet& set, In<double> f);
  void pass_inward(const Model& model, int group);
  void find_multipliers(In<double> k, Out<double> lambda);
  void pass_outward(const Model& model, In<double> lambda, Out<double> a);

  double* force_on(int body, int component) {
    return on_body_.data() + (slot_[static_cast<std::size_t>(body)] * 6 + component) * stride_;
  }

  Workspace<double> workspace_;
  int rows_, stride_;                 // columns: a row of K each, then f, then zeros up to whole registers
  std::vector<std::ptrdiff_t> slot_;  // of a body that a row pulls at; -1: none does
  AlignedVector<double> on_body_;     // of such a body, six components of all columns
  Rows u_, y_;                        // of each velocity, all columns: u, and D^-1 u
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum_;
  int rank_ = 0, expected_ = -1;
};

}  // namespace cardan
