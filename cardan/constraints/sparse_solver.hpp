// Every body has its own acceleration and every joint its own force: a large sparse symmetric system (Eq. 8.64) whose
// size grows with the mechanism and not with the length of its loops. A ladder of many rungs, whose mass matrix is
// full, is solved in linear time.
#pragma once

#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/constraints/joint_subspace.hpp"

#include <Eigen/SparseCholesky>

namespace cardan {

/// Where constraints repeat one another, the forces have least norm together with those of all joints.
class SparseSolver : public ConstraintSolver {
 public:
  explicit SparseSolver(const ConstraintSet& set);
  void solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
             Out<double> lambda) override;
  /// It does not find out: repeated rows cost nothing here.
  int rank() const override { return rows_; }

 private:
  using Matrix = Eigen::SparseMatrix<double>;
  struct JointRows {
    JointMotion motion;
    SplitSubspace split;
    int first = 0;  // row of its T' among the joint forces
  };
  void take_joints(const Kinematics<double>& bodies);
  bool factor_and_refine(const ConstraintSet& set);
  void find_places(const ConstraintSet& set);
  /// Calls add(row, column, value) for each contribution to the matrix.
  template <class Add>
  void fill(const ConstraintSet& set, const Add& add) const;
  template <class Add>
  void add_energy(int body, const ForceVector<double>& own, double weight, const Add& add) const;

  Model model_;
  int rows_, size_ = 0, first_loop_row_ = 0;
  /// Joints as springs, beside being rows: this changes nothing in the solution, since they do not give way, and lets
  /// bodies without mass or inertia of their own be factored too.
  double stiffness_ = 0.0;
  double softness_;
  std::vector<JointRows> joints_;  // from body 1 on
  std::vector<int> places_;        // of the contributions among the values of the matrix
  Matrix matrix_;
  Eigen::VectorXd right_, x_, residual_, change_;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower> factor_;
};

}  // namespace cardan
