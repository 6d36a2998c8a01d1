// Whether the mass matrix of a tree is singular within rounding: a point mass at the end of an arm, a massless body, a
// joint in a pose where its coordinates move the body alike. Its inverse would be noise there.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/workspace.hpp"

namespace cardan {

/// Returns the first velocity, from the tips, at which factorizing H meets a pivot that is not above rounding; -1 where
/// H is regular. Takes the time and memory of a dense matrix.
int singular_velocity(const Model& model, Workspace<double>& w, In<double> q);

/// The largest nv for which callers ask as a matter of course.
inline constexpr int kMostCheckedVelocities = 1000;

/// "the mass matrix is singular at joint "b" ..." where it is, else empty; nothing is said of larger models.
std::string explain_singular_mass_matrix(const Model& model, Workspace<double>& w, In<double> q);

}  // namespace cardan
