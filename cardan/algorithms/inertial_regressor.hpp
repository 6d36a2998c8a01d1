// Joint forces as they follow from inertial parameters, tau = Y(q, v, a) pi + armature a: inverse dynamics is linear in
// the ten numbers of each body, pi = (m, m c, Ixx, Iyy, Izz, Ixy, Ixz, Iyz), mass, first moment and inertia about the
// origin of the body's own frame. Column k of body i is what the wrench
//   f = I_k a + v x* I_k v,   I_k the inertia of a unit of that number, a without gravity,
// asks of the joints that carry i (Atkeson, An and Hollerbach 1986). Only some combinations of pi move anything: the
// base parameters (Gautier and Khalil 1990).
#pragma once

#include "cardan/algorithms/kinematics.hpp"

#include <Eigen/Core>

#include <vector>

namespace cardan {

inline constexpr int kInertialParameters = 10;  // of a body

/// The inertia of which these are the numbers, in the order above.
template <class T>
RigidBodyInertia<T> inertia_of(const T* pi) {
  return {pi[0], Vec3<T>{pi[1], pi[2], pi[3]}, Sym3<T>{pi[4], pi[5], pi[6], pi[7], pi[8], pi[9]}};
}

/// Y: nv rows, ten columns for each moving body. Needs poses, velocities and accelerations.
template <class T>
void inverse_dynamics_regressor(const Model& model, const Kinematics<T>& k, OutMatrix<T> Y) {
  detail::check_size("inverse_dynamics_regressor", "Y", model.nv(), kInertialParameters * model.bodies(), Y.rows(),
                     Y.cols());
  detail::set_zero(Y);
  const Vec3<double>& g = model.gravity();
  for (int i = 1; i <= model.bodies(); ++i) {
    const auto n = static_cast<std::size_t>(i);
    const Transform<T> X = as<T>(model.frame(model.body_frame(i)).X);
    MotionVector<T> a_internal = k.a[n];
    a_internal.linear -= rotate(k.X_0[n].E, Vec3<T>{T(g[0]), T(g[1]), T(g[2])});
    const MotionVector<T> v = X * k.v[n], a = X * a_internal;
    for (int p = 0; p < kInertialParameters; ++p) {
      T unit[kInertialParameters] = {};
      unit[p] = T(1.0);
      const RigidBodyInertia<T> I = inertia_of(unit);
      ForceVector<T> f = transpose_apply(X, I * a + cross(v, I * v));
      for (int b = i; b != 0; b = model.link(b).parent) {
        const Link& link = model.link(b);
        for (int c = link.v; c < link.v + link.nv; ++c)
          Y(c, kInertialParameters * (i - 1) + p) = dot(k.S[static_cast<std::size_t>(c)], f);
        f = transpose_apply(k.X[static_cast<std::size_t>(b)], f);
      }
    }
  }
}

/// pi of the model: ten numbers for each moving body, with what is fixed to it.
Eigen::VectorXd inertial_parameters(const Model& model);

/// Parameters that joint forces tell apart: tau = Y(:, columns) (combination pi) + armature a.
struct BaseParameters {
  std::vector<int> columns;     // of Y that are independent, ascending
  Eigen::MatrixXd combination;  // base parameters by pi: the identity in these columns
};
/// Finds them by the rank of Y at random states (a fixed seed).
BaseParameters base_parameters(const Model& model);

// compiled once, in the library
extern template void inverse_dynamics_regressor<double>(const Model&, const Kinematics<double>&, MatrixView<double>);

}  // namespace cardan
