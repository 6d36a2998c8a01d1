// One state with its kinematics, evaluated once and lent to every element (force, constraint) that acts there.
#pragma once

#include "cardan/algorithms/element_memory.hpp"
#include "cardan/algorithms/kinematics.hpp"

namespace cardan {

/// Poses and velocities of the bodies at a time and state; `bodies.a` is their acceleration while no joint accelerates
/// (velocity products), where it was asked for. z are the states of the element that is being evaluated, u the inputs
/// that a program writes. The memory, if there is one, holds what elements have found out about these kinematics.
template <class T>
struct InstantOf {
  const Model& model;
  T t;
  VectorView<const T> q, v, z, u;
  const Kinematics<T>& bodies;
  ElementMemory* memory = nullptr;

  /// Returns the instant as the element sees it whose own states are the n of z from `first` on.
  InstantOf of_element(int first, int n) const {
    return {model, t, q, v, VectorView<const T>(z.data() + first, n), u, bodies, memory};
  }

  const Transform<T>& X_0(int body) const { return bodies.X_0[static_cast<std::size_t>(body)]; }
  const MotionVector<T>& velocity(int body) const { return bodies.v[static_cast<std::size_t>(body)]; }
  /// Velocity-product acceleration.
  const MotionVector<T>& bias_acceleration(int body) const { return bodies.a[static_cast<std::size_t>(body)]; }
  /// Computes where a point of a body is in the world; the point is given in the body's internal frame.
  Vec3<T> position(int body, const Vec3<T>& point) const { return X_0(body).r + rotate_back(X_0(body).E, point); }
  /// Computes the velocity of such a point in world axes.
  Vec3<T> point_velocity(int body, const Vec3<T>& point) const {
    const MotionVector<T>& v_body = velocity(body);
    return rotate_back(X_0(body).E, v_body.linear + cross(v_body.angular, point));
  }
};
using Instant = InstantOf<double>;

/// Memory that holds the kinematics of one state after another.
class StateKinematics {
 public:
  explicit StateKinematics(const Model& model)
      : model_(model), workspace_(model), kinematics_(model), at_rest_(static_cast<std::size_t>(model.nv())) {}

  /// Evaluates poses and velocities.
  Instant at(double t, In<double> q, In<double> v, In<double> z = none(), In<double> u = none()) {
    forward_kinematics(model_, workspace_, q, v, kinematics_);
    memory_.next_instant();
    return {model_, t, q, v, z, u, kinematics_, &memory_};
  }
  /// Gives the instant as at() does where the kinematics are already those of q and v, or where nobody looks at them.
  Instant as_evaluated(double t, In<double> q, In<double> v, In<double> z, In<double> u) {
    return {model_, t, q, v, z, u, kinematics_, &memory_};
  }
  /// Evaluates velocity-product accelerations as well.
  Instant with_accelerations(double t, In<double> q, In<double> v, In<double> u = none()) {
    forward_kinematics(model_, workspace_, q, v, at_rest_, kinematics_);
    memory_.next_instant();
    return {model_, t, q, v, none(), u, kinematics_, &memory_};
  }
  /// Evaluates all at rest.
  Instant at_rest(double t, In<double> q) { return with_accelerations(t, q, at_rest_); }

  const Model& model() const { return model_; }
  Workspace<double>& workspace() { return workspace_; }
  const Kinematics<double>& kinematics() const { return kinematics_; }

 private:
  static In<double> none() { return {nullptr, 0}; }

  Model model_;
  Workspace<double> workspace_;
  Kinematics<double> kinematics_;
  ElementMemory memory_;
  std::vector<double> at_rest_;
};

}  // namespace cardan
