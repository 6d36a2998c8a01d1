// The ways in which LawSolver tries to solve a problem, from the quickest to the most patient: a table. Words:
//   mode         open, stick or slip (cone, ball), closed or open (one-sided row)
//   certificate  the largest error of the laws themselves, in m/s (PreparedLaws::residual)
//   sweep        one pass of Gauss-Seidel over all blocks
//   rho          stiffness of the proximal terms: d/rho is what a row gives way by, in units of its own response d
//   softened     equality rows as stiff springs with multipliers, which ends cycles of self-locking
#pragma once

#include "cardan/solve/interior_point.hpp"
#include "cardan/solve/mode_newton.hpp"
#include "cardan/solve/proximal_newton.hpp"

#include <span>

namespace cardan {

struct LawStage {
  enum class Fits { always, with_loads, with_equalities };
  enum class Start { guess, last, best, nothing, scattered, interior_point };
  enum class Method { modes, proximal };

  const char* name;
  const char* why;  // what is solved by it and by nothing before it
  Fits fits = Fits::always;
  Start start = Start::best;
  int sweeps = 0;  // from there, where sweeps know all laws
  int repeat = 1;
  InteriorPointOptions interior{};
  Method method = Method::modes;
  ModeNewtonOptions modes{};
  ProximalOptions proximal{};
};

/// All of them, in order. Tolerances are set by whoever runs them.
std::span<const LawStage> law_stages();

}  // namespace cardan
