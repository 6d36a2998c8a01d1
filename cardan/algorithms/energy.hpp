// Kinetic and potential energy, center of mass, momentum, from the kinematics (sections 2.12, 9.4).
#pragma once

#include "cardan/algorithms/kinematics.hpp"

namespace cardan {

/// Sum of 1/2 v.Iv, rotors (armature) included: 1/2 v' H v. Needs velocities.
template <class T>
T kinetic_energy(const Model& model, const Kinematics<T>& k, In<T> v) {
  detail::check_size("kinetic_energy", "v", model.nv(), v.size());
  T sum(0.0);
  for (int i = 1; i <= model.bodies(); ++i)
    sum += kinetic_energy(RigidBodyInertia<T>(model.link(i).I), k.v[static_cast<std::size_t>(i)]);
  for (int i = 0; i < model.nv(); ++i) sum += T(0.5 * model.armature(i)) * v[i] * v[i];
  return sum;
}

namespace detail {
/// Sum of m c over the moving bodies, in world coordinates.
template <class T>
Vec3<T> first_moment(const Model& model, const Kinematics<T>& k) {
  Vec3<T> sum;
  for (int i = 1; i <= model.bodies(); ++i) {
    const auto& I = model.link(i).I;
    const Transform<T>& X = k.X_0[static_cast<std::size_t>(i)];
    sum += rotate_back(X.E, Vec3<T>(I.h)) + T(I.m) * X.r;
  }
  return sum;
}
}  // namespace detail

/// -m g.c, zero at the world's origin. Needs poses.
template <class T>
T potential_energy(const Model& model, const Kinematics<T>& k) {
  return -dot(Vec3<T>(model.gravity()), detail::first_moment(model, k));
}

/// Computes the center of mass of the moving bodies, in world coordinates. Needs poses.
template <class T>
Vec3<T> center_of_mass(const Model& model, const Kinematics<T>& k) {
  return (T(1.0) / T(model.total_mass())) * detail::first_moment(model, k);
}

/// Total momentum of the moving bodies about the world's origin, in world axes. Needs velocities.
template <class T>
ForceVector<T> momentum(const Model& model, const Kinematics<T>& k) {
  ForceVector<T> sum;
  for (int i = 1; i <= model.bodies(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    sum += transpose_apply(k.X_0[b], RigidBodyInertia<T>(model.link(i).I) * k.v[b]);
  }
  return sum;
}

/// Computes the momentum about the center of mass, in world axes.
template <class T>
ForceVector<T> centroidal_momentum(const Model& model, const Kinematics<T>& k) {
  const Transform<T> to_center{Mat3<T>::identity(), center_of_mass(model, k)};
  return to_center * momentum(model, k);
}

}  // namespace cardan
