#include "cardan/algorithms/jacobian.hpp"
#include "cardan/compile/record_parts.hpp"

namespace cardan {

void record_pose(const Model& model, const Symbolic& q, int frame, Symbolic& pose) {
  Workspace<Expr> w(model);
  Kinematics<Expr> k(model);
  forward_kinematics(model, w, q, k);
  const Pose<Expr> at = frame_pose(model, k, frame);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose[static_cast<std::size_t>(3 * i + j)] = at.R(i, j);
    pose[static_cast<std::size_t>(9 + i)] = at.p[i];
  }
}

void record_jacobian(const Model& model, const Symbolic& q, int frame, Symbolic& J) {
  Workspace<Expr> w(model);
  Kinematics<Expr> k(model);
  forward_kinematics(model, w, q, k);
  frame_jacobian(model, k, frame, MatrixView<Expr>(J.data(), 6, model.nv()));
}

}  // namespace cardan
