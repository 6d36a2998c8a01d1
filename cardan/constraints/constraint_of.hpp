// Makes a Constraint of an element that writes its gap, once for any scalar:
//   struct String {
//     int a, b;
//     double length;
//     std::string name() const { return "string"; }
//     Touches touches() const { return {.bodies = {a, b}, .relative = true}; }
//     int rows() const { return 1; }
//     template <class T> void gap(const InstantOf<T>& at, T* r) const;   // of poses, coordinates and time
//   };
//   std::shared_ptr<const Constraint> constraint = make_constraint(String{...});
// With g the gap along a motion, J is dg by displacements of what it touches, drift = dg/dt and k = -(d2g/dt2 while no
// joint accelerates); all of them, and their derivatives, come from g on numbers that carry rates. Coordinates that it
// reads are plain numbers whose rates are velocities (Touches::velocities). The time enters by its value alone.
#pragma once

#include "cardan/constraints/constraint_rows_by.hpp"
#include "cardan/math/rate.hpp"

#include <utility>

namespace cardan {

namespace detail {

/// dX/dt of a body's transform under its velocity: E' = -[w]x E, r' = E' v.
template <class T>
Transform<T> transform_rate(const Transform<T>& X, const MotionVector<T>& v) {
  Transform<T> out = X;
  for (int c = 0; c < 3; ++c) {
    const Vec3<T> turned = cross(v.angular, Vec3<T>{X.E(0, c), X.E(1, c), X.E(2, c)});
    for (int r = 0; r < 3; ++r) out.E(r, c) = -turned[r];
  }
  out.r = rotate_back(X.E, v.linear);
  return out;
}

/// Pairs a transform with its rate.
template <class T>
Transform<Rate<T>> with_rate(const Transform<T>& X, const Transform<T>& X_dot) {
  Transform<Rate<T>> out = Transform<Rate<T>>::identity();
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out.E(r, c) = {X.E(r, c), X_dot.E(r, c)};
    out.r[r] = {X.r[r], X_dot.r[r]};
  }
  return out;
}
template <class T>
MotionVector<Rate<T>> with_rate(const MotionVector<T>& v, const MotionVector<T>& v_dot) {
  MotionVector<Rate<T>> out;
  for (int c = 0; c < 6; ++c) out[c] = {v[c], v_dot[c]};
  return out;
}

/// The instant of an element on a scalar with rates: what it touches moves, all else stands still.
template <class R>
struct MovingInstant {
  explicit MovingInstant(const Model& of) : model(of), bodies(of), q(static_cast<std::size_t>(of.nq()), R(0.0)) {}
  InstantOf<R> at(const R& t) const {
    const VectorView<const R> none(nullptr, 0);
    return {model, t, q, none, none, none, bodies};
  }

  const Model& model;
  Kinematics<R> bodies;
  std::vector<R> q;
};

}  // namespace detail

template <class Element>
class ConstraintOf final : public ConstraintRowsBy<ConstraintOf<Element>> {
 public:
  explicit ConstraintOf(Element element) : element_(std::move(element)) {}

  const Element& element() const { return element_; }
  std::string name() const override { return element_.name(); }
  Touches touches() const override { return element_.touches(); }
  int rows() const override { return element_.rows(); }

 private:
  friend class ConstraintRowsBy<ConstraintOf>;
  template <class T>
  void set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
    set_rates(at, rows);
    set_jacobian(at, rows);
  }

  /// The coordinate whose rate is a velocity.
  static int coordinate_of(const Model& model, int velocity) {
    const Link& link = model.link(model.body_of_dof(velocity));
    return link.q + velocity - link.v;
  }

  /// Gap, drift and k from the second derivative along the motion.
  template <class T>
  void set_rates(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
    using R = Rate<T>;
    detail::MovingInstant<Rate<R>> moving(at.model);
    for (int i = 0; i < at.q.size(); ++i) moving.q[static_cast<std::size_t>(i)] = Rate<R>(R(at.q[i]));
    const Touches touched = element_.touches();
    for (const int body : touched.bodies) {
      const auto X = detail::with_rate(at.X_0(body), detail::transform_rate(at.X_0(body), at.velocity(body)));
      const auto v = detail::with_rate(at.velocity(body), at.bias_acceleration(body));
      moving.bodies.X_0[static_cast<std::size_t>(body)] = detail::with_rate(X, detail::transform_rate(X, v));
    }
    for (const int k : touched.velocities) {
      const int q = coordinate_of(at.model, k);
      moving.q[static_cast<std::size_t>(q)] = {R(at.q[q], at.v[k]), R(at.v[k], T(0.0))};
    }
    std::vector<Rate<R>> gap(static_cast<std::size_t>(element_.rows()));
    element_.gap(moving.at(Rate<R>(R(at.t))), gap.data());
    for (int i = 0; i < element_.rows(); ++i) {
      const Rate<R>& g = gap[static_cast<std::size_t>(i)];
      rows.gap[i] = g.value.value;
      rows.drift[i] = g.rate.value;
      rows.k[i] = -g.rate.rate;
    }
  }

  /// J, one displacement after another.
  template <class T>
  void set_jacobian(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
    using R = Rate<T>;
    const Transform<T> still{{}, {}};
    detail::MovingInstant<R> moving(at.model);
    for (int i = 0; i < at.q.size(); ++i) moving.q[static_cast<std::size_t>(i)] = R(at.q[i]);
    for (const auto& on : rows.on_bodies)
      moving.bodies.X_0[static_cast<std::size_t>(on.body)] = detail::with_rate(at.X_0(on.body), still);
    std::vector<R> gap(static_cast<std::size_t>(element_.rows()));
    for (auto& on : rows.on_bodies) {
      Transform<R>& X = moving.bodies.X_0[static_cast<std::size_t>(on.body)];
      for (int c = 0; c < 6; ++c) {
        MotionVector<T> unit;
        unit[c] = T(1.0);
        X = detail::with_rate(at.X_0(on.body), detail::transform_rate(at.X_0(on.body), unit));
        element_.gap(moving.at(R(at.t)), gap.data());
        for (std::size_t i = 0; i < gap.size(); ++i) on.row[i][c] = gap[i].rate;
      }
      X = detail::with_rate(at.X_0(on.body), still);
    }
    for (std::size_t n = 0; n < rows.velocities.size(); ++n) {
      R& q = moving.q[static_cast<std::size_t>(coordinate_of(at.model, rows.velocities[n]))];
      q.rate = T(1.0);
      element_.gap(moving.at(R(at.t)), gap.data());
      q.rate = T(0.0);
      for (std::size_t i = 0; i < gap.size(); ++i)
        rows.on_velocities(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(n)) = gap[i].rate;
    }
  }

  Element element_;
};

template <class Element>
std::shared_ptr<const Constraint> make_constraint(Element element) {
  return std::make_shared<const ConstraintOf<Element>>(std::move(element));
}

}  // namespace cardan
