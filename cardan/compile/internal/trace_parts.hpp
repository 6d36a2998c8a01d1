// The algorithms on symbols, in sources of their own because they take long to compile.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/views.hpp"
#include "cardan/symbolic/expr.hpp"

#include <vector>

namespace cardan {

template <class T>
class ForwardDerivativeWorkspace;

/// Holds what a function of a model runs on.
template <class T>
struct FunctionCall {
  const Model& model;
  Workspace<T>& workspace;
  Kinematics<T>& kinematics;
  int frame;  // of a function that needs one
  const In<T>* in;
  Out<T> out;
  ForwardDerivativeWorkspace<T>* derivatives = nullptr;  // of a function that needs one

  /// One of the square matrices that stand one after the other in the output.
  MatrixView<T> square(int which) const {
    const int n = model.nv();
    return {out.data() + which * n * n, n, n};
  }
  /// One of the vectors that do.
  Out<T> row(int which) const { return {out.data() + which * model.nv(), model.nv()}; }
};

void trace_forward_dynamics(const FunctionCall<Expr>& call);
void trace_inverse_dynamics(const FunctionCall<Expr>& call);
void trace_bias(const FunctionCall<Expr>& call);
void trace_gravity(const FunctionCall<Expr>& call);
void trace_mass_matrix(const FunctionCall<Expr>& call);
void trace_pose(const FunctionCall<Expr>& call);
void trace_jacobian(const FunctionCall<Expr>& call);
void trace_inverse_mass_matrix(const FunctionCall<Expr>& call);
void trace_inverse_dynamics_derivatives(const FunctionCall<Expr>& call);
void trace_forward_dynamics_derivatives(const FunctionCall<Expr>& call);
void trace_forward_dynamics_adjoint(const FunctionCall<Expr>& call);

}  // namespace cardan
