// Derivatives of a vector that depends on configuration and velocity, by central differences in the tangent space.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/model.hpp"

#include <functional>

namespace cardan {

/// Sets nv numbers at (q, v).
using TangentFunction = std::function<void(In<double> q, In<double> v, Out<double> out)>;

/// Adds d f/dq to by_q and d f/dv to by_v; good to about nine digits.
void add_tangent_differences(const Model& model, const TangentFunction& f, In<double> q, In<double> v,
                             OutMatrix<double> by_q, OutMatrix<double> by_v);

}  // namespace cardan
