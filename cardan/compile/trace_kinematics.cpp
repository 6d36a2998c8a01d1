#include "cardan/algorithms/jacobian.hpp"
#include "cardan/compile/pose_layout.hpp"
#include "cardan/compile/trace_parts.hpp"

namespace cardan {

void trace_pose(const Model& model, const Symbolic& q, int frame, Symbolic& pose) {
  Workspace<Expr> w(model);
  Kinematics<Expr> k(model);
  forward_kinematics(model, w, q, k);
  write_pose(frame_pose(model, k, frame), pose.data());
}

void trace_jacobian(const Model& model, const Symbolic& q, int frame, Symbolic& J) {
  Workspace<Expr> w(model);
  Kinematics<Expr> k(model);
  forward_kinematics(model, w, q, k);
  frame_jacobian(model, k, frame, MatrixView<Expr>(J.data(), 6, model.nv()));
}

}  // namespace cardan
