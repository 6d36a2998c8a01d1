// The algorithms on symbols, each in a source of its own because they take long to compile.
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/symbolic/expr.hpp"

#include <vector>

namespace cardan {

using Symbolic = std::vector<Expr>;

void trace_forward_dynamics(const Model& model, const Symbolic& q, const Symbolic& v, const Symbolic& tau, Symbolic& a);
void trace_inverse_dynamics(const Model& model, const Symbolic& q, const Symbolic& v, const Symbolic& a, Symbolic& tau);
void trace_bias(const Model& model, const Symbolic& q, const Symbolic& v, Symbolic& tau);
void trace_gravity(const Model& model, const Symbolic& q, Symbolic& tau);
void trace_mass_matrix(const Model& model, const Symbolic& q, Symbolic& H);
void trace_pose(const Model& model, const Symbolic& q, int frame, Symbolic& pose);
void trace_jacobian(const Model& model, const Symbolic& q, int frame, Symbolic& J);

}  // namespace cardan
