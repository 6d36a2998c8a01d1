// Solves a LawProblem island by island: parts of the mass matrix that no row connects move on their own. Islands are
// small dense problems where the whole would be large, and one that rests needs no work beyond its certificate.
#pragma once

#include "cardan/solve/law_solver.hpp"

namespace cardan {

class IslandSolver {
 public:
  explicit IslandSolver(double tolerance = 1e-8) : solver_(tolerance) {}

  struct Result {
    Eigen::VectorXd v, lambda;
    double residual = 0.0, inconsistency = 0.0;  // the largest [m/s]
    int islands = 0, unsolved = 0;               // with rows
    int factorizations = 0;
    /// The island of each part of the mass matrix, -1 where nothing acts on it.
    std::vector<int> island_of_part;
  };
  /// `guess` has a multiplier for each row, or is empty.
  const Result& solve(const LawProblem& problem, const Eigen::VectorXd& guess = {});

 private:
  void divide(const LawProblem& problem);
  void solve_island(const LawProblem& problem, int island, const Eigen::VectorXd& guess);

  LawSolver solver_;
  LawProblem part_;
  std::vector<int> part_of_velocity_, group_, island_of_block_, new_velocity_, new_row_, velocities_, columns_;
  Eigen::VectorXd part_guess_;
  Result out_;
};

}  // namespace cardan
