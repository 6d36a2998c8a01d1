// Differentiates a force by what it touches: the instant is displaced in one direction after another.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/model/state.hpp"

namespace cardan::detail {

/// The touched bodies and coordinates of an instant on another scalar, equal to it but for a displacement.
template <class T>
class DisplacedInstant {
 public:
  DisplacedInstant(const Instant& at, const Touches& touches)
      : at_(at),
        bodies_(at.model),
        q_(converted(at.q)),
        v_(converted(at.v)),
        z_(converted(at.z)),
        u_(converted(at.u)),
        x_(static_cast<std::size_t>(at.model.nv()), T(0.0)) {
    for (const int body : touches.bodies) reset(body);
  }

  InstantOf<T> instant() const { return {at_.model, T(at_.t), q_, v_, z_, u_, bodies_}; }

  /// Displaces a body by the twist x (in its own coordinates, to first order) and changes its velocity by dv.
  void displace(int body, const MotionVector<T>& x, const MotionVector<T>& dv) {
    reset(body);
    Transform<T>& X = bodies_.X_0[static_cast<std::size_t>(body)];
    const Mat3<T> E = X.E;
    X.r += rotate_back(E, x.linear);
    for (int c = 0; c < 3; ++c) {  // E becomes (1 - [x]x) E
      const Vec3<T> turned = cross(x.angular, Vec3<T>{E(0, c), E(1, c), E(2, c)});
      for (int r = 0; r < 3; ++r) X.E(r, c) -= turned[r];
    }
    bodies_.v[static_cast<std::size_t>(body)] += dv;
  }
  void reset(int body) {
    const auto i = static_cast<std::size_t>(body);
    const MotionVector<double>& v = at_.velocity(body);
    bodies_.X_0[i] = as<T>(at_.X_0(body));
    if constexpr (std::same_as<T, double>)
      bodies_.v[i] = v;
    else
      bodies_.v[i] = {Vec3<T>(v.angular), Vec3<T>(v.linear)};
  }
  /// Moves the coordinates that belong to velocity k by dx on their manifold, and changes that velocity by dv.
  void displace_velocity(int k, const T& dx, const T& dv) {
    const int body = at_.model.body_of_dof(k);
    const Link& link = at_.model.link(body);
    std::vector<T> from;
    for (int i = 0; i < link.nq; ++i) from.emplace_back(at_.q[link.q + i]);
    x_[static_cast<std::size_t>(k)] = dx;
    at_.model.joint(body).integrate(from.data(), x_.data() + link.v, T(1.0), q_.data() + link.q);
    x_[static_cast<std::size_t>(k)] = T(0.0);
    v_[static_cast<std::size_t>(k)] = T(at_.v[k]) + dv;
  }

 private:
  static std::vector<T> converted(const VectorView<const double>& values) {
    std::vector<T> out;
    for (int i = 0; i < values.size(); ++i) out.emplace_back(values[i]);
    return out;
  }

  const Instant& at_;
  Kinematics<T> bodies_;
  std::vector<T> q_, v_, z_, u_, x_;
};

/// Forces on what a force touches, on any scalar.
template <class T>
struct TouchedPushes {
  explicit TouchedPushes(const Model& model)
      : bodies(static_cast<std::size_t>(model.bodies()) + 1),
        velocities(static_cast<std::size_t>(model.nv()), T(0.0)) {}
  PushesOf<T> pushes() { return {bodies, velocities}; }
  void clear(const Touches& touches) {
    for (const int body : touches.bodies) bodies[static_cast<std::size_t>(body)] = {};
    for (const int k : touches.velocities) velocities[static_cast<std::size_t>(k)] = T(0.0);
  }
  /// Calls visit(row, value) in the order of the rows of a Tangent.
  template <class Visit>
  void each(const Touches& touches, const Visit& visit) const {
    Eigen::Index row = 0;
    for (const int body : touches.bodies)
      for (int c = 0; c < 6; ++c) visit(row++, bodies[static_cast<std::size_t>(body)][c]);
    for (const int k : touches.velocities) visit(row++, velocities[static_cast<std::size_t>(k)]);
  }

  std::vector<ForceVector<T>> bodies;
  std::vector<T> velocities;
};

/// Adds K and D of add(instant, pushes) by dual numbers: the six directions of a body in one evaluation.
template <class Add>
void add_dual_tangent(const Instant& at, const Touches& touches, Tangent& tangent, const Add& add) {
  using D = Dual<8>;
  DisplacedInstant<D> displaced(at, touches);
  TouchedPushes<D> found(at.model);
  const auto keep = [&](Eigen::MatrixXd& out, Eigen::Index first, int directions) {
    found.clear(touches);
    PushesOf<D> pushes = found.pushes();
    add(displaced.instant(), pushes);
    found.each(touches, [&](Eigen::Index row, const D& value) {
      for (int i = 0; i < directions; ++i) out(row, first + i) += value.d[i];
    });
  };
  MotionVector<D> unit;
  for (int c = 0; c < 6; ++c) unit[c] = D::variable(0.0, c);
  Eigen::Index first = 0;
  for (const int body : touches.bodies) {
    displaced.displace(body, unit, {});
    keep(tangent.K, first, 6);
    displaced.displace(body, {}, unit);
    keep(tangent.D, first, 6);
    displaced.reset(body);
    first += 6;
  }
  for (const int k : touches.velocities) {
    displaced.displace_velocity(k, D::variable(0.0, 0), D(0.0));
    keep(tangent.K, first, 1);
    displaced.displace_velocity(k, D(0.0), D::variable(0.0, 0));
    keep(tangent.D, first, 1);
    displaced.displace_velocity(k, D(0.0), D(0.0));
    ++first;
  }
}

}  // namespace cardan::detail
