// Friction by a single quadratic program (Anitescu and Hart 2004; Sueda's notes, 1.88): with s directions t_k around
// each normal and C the rows of all normals and directions,
//   min lambda' C M^-1 C' lambda / 2 + lambda' C v_free,  lambda >= 0,  mu lambda_n - sum_k lambda_k >= 0.
// The optimality conditions are one linear complementarity problem, [A -E'; E 0], solved by Lemke's method. Two errors
// come with it: the cone becomes a pyramid, so that a body slides along the pyramid's edges where friction is mu and
// across its faces where it is mu cos(pi/s); and contacts that slide by |u_t| open by mu |u_t|, since the program knows
// only one velocity that is normal to the pyramid.
#pragma once

#include "cardan/solve/law_solver.hpp"

namespace cardan {

struct PyramidOptions {
  int sides = 4;
  double tolerance = 1e-8;  // m/s, of the exact laws, below which the answer counts as solved
};

struct PyramidSolution {
  LawSolution laws;  // with the residual of the exact laws
  bool found = false;
  int pivots = 0;
};
PyramidSolution solve_by_pyramid(const LawProblem& problem, const PyramidOptions& options = {});

}  // namespace cardan
