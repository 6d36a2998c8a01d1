// The algorithms on symbols, in sources of their own because they take long to compile.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/views.hpp"
#include "cardan/symbolic/expr.hpp"

#include <vector>

namespace cardan {

/// Holds what a function of a model runs on.
template <class T>
struct FunctionCall {
  const Model& model;
  Workspace<T>& workspace;
  Kinematics<T>& kinematics;
  int frame;  // of a function that needs one
  const In<T>* in;
  Out<T> out;
};

void trace_forward_dynamics(const FunctionCall<Expr>& call);
void trace_inverse_dynamics(const FunctionCall<Expr>& call);
void trace_bias(const FunctionCall<Expr>& call);
void trace_gravity(const FunctionCall<Expr>& call);
void trace_mass_matrix(const FunctionCall<Expr>& call);
void trace_pose(const FunctionCall<Expr>& call);
void trace_jacobian(const FunctionCall<Expr>& call);

}  // namespace cardan
