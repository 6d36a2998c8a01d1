#include "cardan/algorithms/jacobian.hpp"
#include "cardan/compile/internal/pose_layout.hpp"
#include "cardan/compile/internal/trace_parts.hpp"

namespace cardan {

void trace_pose(const FunctionCall<Expr>& call) {
  forward_kinematics(call.model, call.workspace, call.in[0], call.kinematics);
  write_pose(frame_pose(call.model, call.kinematics, call.frame), call.out.data());
}

void trace_jacobian(const FunctionCall<Expr>& call) {
  forward_kinematics(call.model, call.workspace, call.in[0], call.kinematics);
  frame_jacobian(call.model, call.kinematics, call.frame, MatrixView<Expr>(call.out.data(), 6, call.model.nv()));
}

}  // namespace cardan
