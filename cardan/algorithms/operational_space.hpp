// What frames of a mechanism (its handles) feel of it: a = Phi f + b with Phi = J H^-1 J' and b = J_dot v + J H^-1
// (tau - C), the projection method (section 7.2.1). Rows and columns are 6 for each frame, in the frame's own axes
// about its own origin; f are forces on the frames from outside. Phi is singular where the frames cannot move in all
// ways.
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/jacobian.hpp"

#include <span>

namespace cardan {

/// Scratch for a number of frames of one model.
template <class T>
class OperationalSpaceWorkspace {
 public:
  OperationalSpaceWorkspace(const Model& model, int frames)
      : kinematics(model),
        tau(static_cast<std::size_t>(model.nv())),
        x(tau),
        J_(6 * x.size() * static_cast<std::size_t>(frames)),
        frames_(frames) {}

  int frames() const { return frames_; }
  /// 6 x nv, of the k-th frame.
  MatrixView<T> J(int k) {
    const int nv = static_cast<int>(x.size());
    return {J_.data() + static_cast<std::ptrdiff_t>(6 * k) * nv, 6, nv};
  }

  Kinematics<T> kinematics;
  std::vector<T> tau, x;  // one for each velocity

 private:
  std::vector<T> J_;
  int frames_;
};

namespace detail {

template <class T>
void check_frames(const Model& model, const char* function, const OperationalSpaceWorkspace<T>& s,
                  std::span<const int> frames) {
  check_size(function, "frames", s.frames(), static_cast<int>(frames.size()));
  for (const int frame : frames)
    if (frame < 0 || frame >= model.frames())
      throw std::invalid_argument(std::string(function) + ": the model has no frame " + std::to_string(frame));
}

}  // namespace detail

/// Phi, 6m x 6m for m frames, by 6m products with H^-1 of O(n) each.
template <class T>
void operational_space_inverse_inertia(const Model& model, Workspace<T>& w, OperationalSpaceWorkspace<T>& s, In<T> q,
                                       std::span<const int> frames, OutMatrix<T> Phi) {
  constexpr const char* name = "operational_space_inverse_inertia";
  detail::check_size(name, "q", model.nq(), q.size());
  detail::check_frames(model, name, s, frames);
  const int m = s.frames(), n = model.nv();
  detail::check_size(name, "Phi", 6 * m, 6 * m, Phi.rows(), Phi.cols());
  forward_kinematics(model, w, q, s.kinematics);
  for (int k = 0; k < m; ++k) frame_jacobian(model, s.kinematics, frames[static_cast<std::size_t>(k)], s.J(k));
  for (int k = 0; k < m; ++k)
    for (int c = 0; c < 6; ++c) {
      // column by column: the motion of all frames under a unit force on one of them
      for (int j = 0; j < n; ++j) s.tau[static_cast<std::size_t>(j)] = s.J(k)(c, j);
      inverse_mass_matrix_product(model, w, q, In<T>(s.tau), Out<T>(s.x));
      for (int row = 0; row < 6 * m; ++row) {
        T sum(0.0);
        for (int j = 0; j < n; ++j) sum += s.J(row / 6)(row % 6, j) * s.x[static_cast<std::size_t>(j)];
        Phi(row, 6 * k + c) = sum;
      }
    }
}

/// b: the spatial accelerations of the frames under tau and f_ext, gravity acting, if nothing else touches them.
template <class T>
void operational_space_bias(const Model& model, Workspace<T>& w, OperationalSpaceWorkspace<T>& s, In<T> q, In<T> v,
                            In<T> tau, std::span<const int> frames, Out<T> b, ExternalForces<T> f_ext = {}) {
  constexpr const char* name = "operational_space_bias";
  detail::check_frames(model, name, s, frames);
  detail::check_size(name, "b", 6 * s.frames(), b.size());
  forward_dynamics(model, w, q, v, tau, Out<T>(s.x), f_ext);
  forward_kinematics(model, w, q, v, In<T>(s.x), s.kinematics);
  for (int k = 0; k < s.frames(); ++k) {
    const MotionVector<T> a = frame_acceleration(model, s.kinematics, frames[static_cast<std::size_t>(k)]);
    for (int c = 0; c < 6; ++c) b[6 * k + c] = a[c];
  }
}

/// I = Phi^-1 and p = -I b: the articulated-body inertia at the frames, f = I a + p. False, and nothing written, where
/// Phi is singular: the frames then have fewer freedoms than 6 for each.
bool operational_space_inertia(MatrixView<const double> Phi, In<double> b, MatrixView<double> I, Out<double> p);

// compiled once, in the library
extern template void operational_space_inverse_inertia<double>(const Model&, Workspace<double>&,
                                                               OperationalSpaceWorkspace<double>&, In<double>,
                                                               std::span<const int>, MatrixView<double>);
extern template void operational_space_bias<double>(const Model&, Workspace<double>&,
                                                    OperationalSpaceWorkspace<double>&, In<double>, In<double>,
                                                    In<double>, std::span<const int>, Out<double>,
                                                    ExternalForces<double>);

}  // namespace cardan
