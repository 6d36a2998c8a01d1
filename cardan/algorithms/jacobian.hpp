// Jacobians of frames: J v is the frame's spatial velocity and J a + J_dot v its spatial acceleration, both in the
// frame's own axes about its own origin, angular part first (Eq. 2.17, 2.54). From the kinematics, in O(depth).
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/joints/subspace_rate.hpp"

namespace cardan {

namespace detail {

/// Calls visit(body, X) for every body that carries the frame, tip to base; X takes body coordinates to the frame's.
template <class T, class Visit>
void along_path(const Model& model, const Kinematics<T>& k, int frame, const Visit& visit) {
  Transform<T> X = as<T>(model.frame(frame).X);
  for (int i = model.frame(frame).body; i > 0; i = model.link(i).parent) {
    visit(i, X);
    X = X * k.X[static_cast<std::size_t>(i)];
  }
}

template <class T>
void set_column(const MatrixView<T>& J, int column, const MotionVector<T>& m) {
  for (int c = 0; c < 6; ++c) J(c, column) = m[c];
}

}  // namespace detail

/// 6 x nv, in the frame's own axes. Needs poses.
template <class T>
void frame_jacobian(const Model& model, const Kinematics<T>& k, int frame, OutMatrix<T> J) {
  detail::check_size("frame_jacobian", "J", 6, model.nv(), J.rows(), J.cols());
  detail::set_zero(J);
  detail::along_path(model, k, frame, [&](int i, const Transform<T>& X) {
    const Link& link = model.link(i);
    for (int c = link.v; c < link.v + link.nv; ++c) detail::set_column(J, c, X * k.S[static_cast<std::size_t>(c)]);
  });
}

/// Computes the Jacobian in world axes, velocities still those of the frame's origin.
template <class T>
void frame_jacobian_world_axes(const Model& model, const Kinematics<T>& k, int frame, OutMatrix<T> J) {
  frame_jacobian(model, k, frame, J);
  const Mat3<T> R = frame_pose(model, k, frame).R;
  for (int c = 0; c < model.nv(); ++c)
    detail::set_column(J, c, {R * Vec3<T>{J(0, c), J(1, c), J(2, c)}, R * Vec3<T>{J(3, c), J(4, c), J(5, c)}});
}

/// dJ/dt, in the frame's own axes. Needs poses and velocities; w holds the sines and cosines of the same q.
template <class T>
void frame_jacobian_rate(const Model& model, Workspace<T>& w, In<T> q, In<T> v, const Kinematics<T>& k, int frame,
                         OutMatrix<T> J_dot) {
  detail::check_size("frame_jacobian_rate", "q", model.nq(), q.size());
  detail::check_size("frame_jacobian_rate", "v", model.nv(), v.size());
  detail::check_size("frame_jacobian_rate", "J_dot", 6, model.nv(), J_dot.rows(), J_dot.cols());
  compute_sincos(model, w, q);
  detail::set_zero(J_dot);
  const MotionVector<T> v_frame = frame_velocity(model, k, frame);
  detail::along_path(model, k, frame, [&](int i, const Transform<T>& X) {
    const Link& link = model.link(i);
    // d(X S)/dt = (v_i - v_frame) x X S + X S_dot
    const MotionVector<T> relative = X * k.v[static_cast<std::size_t>(i)] - v_frame;
    for (int c = link.v; c < link.v + link.nv; ++c)
      detail::set_column(J_dot, c, cross(relative, X * k.S[static_cast<std::size_t>(c)]));
    dispatch(link.kernel, [&]<class Kernel>(Kernel) {
      if constexpr (has_changing_S<Kernel>) {
        const At<Kernel> at{model, link, i};
        const auto rate = subspace_rate<T, Kernel::nv>(model.joint(i), at.coordinates(w, q), at(v));
        for (int c = 0; c < Kernel::nv; ++c) {
          const MotionVector<T> add = X * rate.column[c];
          for (int row = 0; row < 6; ++row) J_dot(row, link.v + c) += add[row];
        }
      }
    });
  });
}

/// All joints' columns in world coordinates about the world's origin, 6 x nv: the Jacobian of any body is these
/// columns on its path. In one pass over the tree.
template <class T>
void world_jacobian(const Model& model, const Kinematics<T>& k, OutMatrix<T> J) {
  detail::check_size("world_jacobian", "J", 6, model.nv(), J.rows(), J.cols());
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    for (int c = link.v; c < link.v + link.nv; ++c)
      detail::set_column(J, c, inverse_apply(k.X_0[static_cast<std::size_t>(i)], k.S[static_cast<std::size_t>(c)]));
  }
}

// compiled once, in the library
extern template void frame_jacobian<double>(const Model&, const Kinematics<double>&, int, MatrixView<double>);
extern template void frame_jacobian_world_axes<double>(const Model&, const Kinematics<double>&, int,
                                                       MatrixView<double>);
extern template void frame_jacobian_rate<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                 const Kinematics<double>&, int, MatrixView<double>);
extern template void world_jacobian<double>(const Model&, const Kinematics<double>&, MatrixView<double>);

}  // namespace cardan
