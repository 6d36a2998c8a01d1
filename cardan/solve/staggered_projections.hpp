// Staggered projections (Kaufman et al. 2008; Sueda's notes, Alg. 7): two quadratic programs in turn, each with the
// multipliers of the other held,
//   contact:  normals lambda_n >= 0 with u_n >= 0 (2.113), a complementarity problem for Lemke's method;
//   friction: tangents with |lambda_t| <= mu lambda_n, each for itself, that leave the least kinetic energy (2.114),
// until the contact impulses change by less than `tolerance` of themselves in the norm of J M^-1 J'. The box in place
// of Coulomb's disc is a pyramid of four sides: along its diagonals friction is sqrt 2 too large. Not every problem
// makes the rounds converge.
#pragma once

#include "cardan/solve/law_solver.hpp"

namespace cardan {

struct StaggeredOptions {
  double tolerance = 1e-9;  // of the change of contact impulses
  int rounds = 1000;
};

struct StaggeredSolution {
  LawSolution laws;  // with the residual of the exact laws
  bool converged = false;
  int rounds = 0;
};
/// `guess` has a multiplier for each row, or is empty; its friction is the first.
StaggeredSolution solve_by_staggered_projections(const LawProblem& problem, const StaggeredOptions& options = {},
                                                 const Eigen::VectorXd& guess = {});

}  // namespace cardan
