// Solves a LawProblem island by island: parts of the mass matrix that no row connects move on their own. Islands are
// small problems where the whole would be large, and one that rests needs no work beyond its certificate. Each island
// has a solver of its own, which keeps its memory, and the arrangement of its matrices as long as its contacts stay.
#pragma once

#include "cardan/solve/pyramid_friction.hpp"
#include "cardan/solve/staggered_projections.hpp"

#include <deque>

namespace cardan {

/// By which method the laws of an island are solved. Of all but the exact one an island counts as solved where the
/// method has found what it looks for; the residual is always that of the exact laws.
enum class LawMethod { exact, staggered_projections, pyramid };

class IslandSolver {
 public:
  explicit IslandSolver(double tolerance = 1e-8, LawSolver::Finish finish = LawSolver::Finish::polished,
                        LawMethod method = LawMethod::exact)
      : tolerance_(tolerance), finish_(finish), method_(method) {}

  struct Result {
    Eigen::VectorXd v, lambda;
    double residual = 0.0, inconsistency = 0.0;  // the largest [m/s]
    int islands = 0, unsolved = 0;               // with rows
    int factorizations = 0;
    long rounds = 0;  // of staggered projections
    /// The island of each part of the mass matrix, -1 where nothing acts on it.
    std::vector<int> island_of_part;
  };
  /// `guess` has a multiplier for each row, or is empty.
  const Result& solve(const LawProblem& problem, const Eigen::VectorXd& guess = {});
  /// Solves the last problem again, of which v_free alone may have changed, from the last solution: a certificate where
  /// that still holds. By the exact method only.
  const Result& solve_again(const LawProblem& problem);

 private:
  struct Island {
    Island(double tolerance, LawSolver::Finish finish) : solver(tolerance, finish) {}
    LawSolver solver;
    LawSolution other;  // of a method that is not exact
    LawProblem problem;
    Eigen::VectorXd guess;
    std::vector<int> velocities, rows;  // of the whole problem
  };
  void divide(const LawProblem& problem);
  void join_rows(const LawProblem& problem);
  void extract(const LawProblem& problem, int island, const Eigen::VectorXd& guess);
  void solve_island(const LawProblem& problem, int island, const Eigen::VectorXd& guess);
  const LawSolution& solve_laws(Island& island, const LawProblem& problem, const Eigen::VectorXd& guess);
  void put(const Island& island, const LawSolution& solution);
  void count(const LawSolution& solution);
  int root(int part);
  void join(int a, int b);
  int any_part(const LawProblem& problem, const LawBlock& block) const;

  double tolerance_;
  LawSolver::Finish finish_;
  LawMethod method_;
  std::deque<Island> islands_;
  bool is_whole_ = false;  // one island is all: it is not copied
  std::vector<int> part_of_velocity_, group_, number_, block_of_row_, island_of_block_, new_velocity_, new_row_,
      columns_;
  Result out_;
};

}  // namespace cardan
