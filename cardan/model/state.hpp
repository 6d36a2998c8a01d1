// Positions and velocities of a whole model, and moving along its configuration manifold joint by joint.
#pragma once

#include "cardan/model/model.hpp"

#include <optional>
#include <vector>

namespace cardan {

/// Coordinates, velocities, and the states z of elements with first-order equations of their own (none in a bare
/// model).
struct State {
  std::vector<double> q, v, z;

  State() = default;
  /// The zero pose, at rest.
  explicit State(const Model& model) : q(model.neutral()), v(static_cast<std::size_t>(model.nv())) {}
};

/// out = q moved by the velocity v during h, each joint on its own manifold. out may be q.
template <class T>
void integrate(const Model& model, const T* q, const T* v, const T& h, T* out) {
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    model.joint(i).integrate(q + link.q, v + link.v, h, out + link.q);
  }
}

/// v = the constant velocity that leads from q0 to q1 in unit time.
template <class T>
void difference(const Model& model, const T* q0, const T* q1, T* v) {
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    model.joint(i).difference(q0 + link.q, q1 + link.q, v + link.v);
  }
}

/// Brings coordinates back to their best range without moving anything: unit quaternions, rotation vectors no longer
/// than pi (their rates change with them).
void normalize(const Model& model, State& state);

/// Brings the quaternions of a joint's coordinates to unit length. One further from it than rounding explains is a
/// mistake: returns its length, and leaves it.
[[nodiscard]] std::optional<double> normalize_quaternions(const Joint& joint, double* q);

}  // namespace cardan
