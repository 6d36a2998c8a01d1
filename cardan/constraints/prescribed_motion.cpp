#include "cardan/constraints/prescribed_motion.hpp"

#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace cardan {

namespace {

Vec3<double> three(std::span<const double> values, std::size_t first) {
  return {values[first], values[first + 1], values[first + 2]};
}

void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument("system: " + what);
}

}  // namespace

namespace {

/// Angular velocity in the turning frame and its rate: 2 Im(conj(q) q_dot), 2 Im(conj(q) q_dot_dot) of a unit
/// quaternion.
Vec3<double> turning(const double* q, const double* rate) {
  const Vec3<double> u{q[1], q[2], q[3]}, w{rate[1], rate[2], rate[3]};
  return 2.0 * (q[0] * w - rate[0] * u - cross(u, w));
}

}  // namespace

template <class T>
PrescribedMotion::ValuesOf<T> PrescribedMotion::plain_at(const T& t) const {
  ValuesOf<T> out{};
  T values[21];
  motion.evaluate_at(t, values);
  const int n = motion.size(), first = kind == Kind::position ? 0 : kind == Kind::velocity ? 1 : 2;
  int derivative = -first;
  for (T* part : {out.q, out.v, out.a}) {
    if (derivative >= 0) std::copy_n(values + derivative * n, n, part);
    ++derivative;
  }
  return out;
}

PrescribedMotion::Values PrescribedMotion::at(double t) const {
  if (coordinates == Coordinates::plain) return plain_at(t);
  Values out{};
  double values[21];
  motion.evaluate(t, values);
  const int n = motion.size();
  const double *q = values, *q_dot = values + n, *q_dot_dot = values + 2 * n;
  std::copy_n(q, n, out.q);
  const Vec3<double> w = turning(q, q_dot), w_dot = turning(q, q_dot_dot);
  for (int i = 0; i < 3; ++i) {
    out.v[i] = w[i];
    out.a[i] = w_dot[i];
  }
  if (coordinates == Coordinates::quaternion) return out;
  const Mat3<double> to_body = transpose(quaternion_to_matrix(Quaternion<double>{q[0], q[1], q[2], q[3]}));
  const Vec3<double> u = to_body * Vec3<double>{q_dot[4], q_dot[5], q_dot[6]};
  const Vec3<double> u_dot = to_body * Vec3<double>{q_dot_dot[4], q_dot_dot[5], q_dot_dot[6]} - cross(w, u);
  for (int i = 0; i < 3; ++i) {
    out.v[3 + i] = u[i];
    out.a[3 + i] = u_dot[i];
  }
  return out;
}

JointMotionConstraint::JointMotionConstraint(const Model& model, PrescribedMotion motion) : motion_(std::move(motion)) {
  require(motion_.body >= 1 && motion_.body <= model.bodies(), "a motion is of a joint that the model does not have");
  const Link& link = model.link(motion_.body);
  joint_name_ = model.joint_name(motion_.body);
  type_ = model.joint(motion_.body);
  q_ = link.q;
  v_ = link.v;
  n_ = link.nv;
  const std::string joint = "joint \"" + joint_name_ + "\"", type = type_.type_name();
  const bool on_group = type == "spherical" || type == "free";
  if (on_group)
    motion_.coordinates =
        type == "free" ? PrescribedMotion::Coordinates::pose : PrescribedMotion::Coordinates::quaternion;
  using Kind = PrescribedMotion::Kind;
  require(link.nq == link.nv || on_group,
          joint + ": motions can be prescribed only where coordinates have rates as velocities");
  require(!on_group || motion_.kind == Kind::position, joint + ": only its position can be prescribed");
  require(motion_.motion.size() == link.nq, joint + ": its motion must have an entry for each coordinate");
  require(motion_.kind != Kind::position || motion_.motion.derivatives() == 2,
          joint + ": a prescribed position needs two derivatives");
  require(motion_.kind != Kind::velocity || motion_.motion.derivatives() == 1,
          joint + ": a prescribed velocity needs one derivative");
}

Touches JointMotionConstraint::touches() const {
  Touches out;
  for (int i = 0; i < n_; ++i) out.velocities.push_back(v_ + i);
  return out;
}

template <class T>
void JointMotionConstraint::set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
  PrescribedMotion::ValuesOf<T> wanted;
  if constexpr (std::same_as<T, Expr>) {
    wanted = motion_.plain_at(at.t);
  } else {
    const PrescribedMotion::Values values = motion_.at(value_of(at.t));
    std::transform(values.q, values.q + 7, wanted.q, [](double x) { return T(x); });
    std::transform(values.v, values.v + 6, wanted.v, [](double x) { return T(x); });
    std::transform(values.a, values.a + 6, wanted.a, [](double x) { return T(x); });
  }
  using Kind = PrescribedMotion::Kind;
  T gap[6];
  if constexpr (!std::same_as<T, Expr>)
    if (motion_.kind == Kind::position && type_.nq() != type_.nv()) type_.difference(wanted.q, at.q.data() + q_, gap);
  for (int i = 0; i < n_; ++i) {
    rows.on_velocities(i, i) = T(1.0);
    rows.k[i] = wanted.a[i];
    if (motion_.kind == Kind::position) rows.gap[i] = type_.nq() == type_.nv() ? at.q[q_ + i] - wanted.q[i] : gap[i];
    if (motion_.kind != Kind::acceleration) rows.drift[i] = at.v[v_ + i] - wanted.v[i];
  }
}

template void JointMotionConstraint::set_rows(const Instant&, ConstraintRows&) const;
template void JointMotionConstraint::set_rows(const InstantOf<Dual8>&, ConstraintRowsOf<Dual8>&) const;
template void JointMotionConstraint::set_rows(const SymbolicInstant&, ConstraintRowsOf<Expr>&) const;

BodyMotionConstraint::BodyMotionConstraint(const Model& model, PrescribedBodyMotion motion)
    : motion_(std::move(motion)) {
  require(motion_.frame >= 0 && motion_.frame < model.frames(), "a motion is of a frame that the model does not have");
  frame_ = model.frame(motion_.frame);
  require(frame_.body != 0, "\"" + frame_.name + "\" is fixed and cannot be moved");
  require(motion_.position || motion_.rpy || motion_.orientation, "a motion of a body must have a position or angles");
  require(!motion_.orientation || (motion_.orientation->size() == 4 && motion_.orientation->derivatives() == 2),
          "a quaternion must have four entries with two derivatives");
  for (const auto* f : {&motion_.position, &motion_.rpy})
    require(!*f || ((*f)->size() == 3 && (*f)->derivatives() == 2),
            "a motion of a body must have three entries with two derivatives");
}

template <class T>
void BodyMotionConstraint::hold_point(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
  const Transform<T>& X = at.X_0(frame_.body);  // world to body
  const Vec3<T> x(frame_.X.r + rotate_back(frame_.X.E, motion_.at));
  const MotionVector<T>&v = at.velocity(frame_.body), &a = at.bias_acceleration(frame_.body);
  const Vec3<T> velocity = v.linear + cross(v.angular, x);
  const Vec3<T> acceleration = a.linear + cross(a.angular, x) + cross(v.angular, velocity);
  const Vec3<T> p = X.r + rotate_back(X.E, x), p_dot = rotate_back(X.E, velocity),
                p_dot_dot = rotate_back(X.E, acceleration);
  T wanted[9];
  motion_.position->evaluate_at(at.t, wanted);
  for (int c = 0; c < 3; ++c) {
    Vec3<T> axis;
    axis[c] = T(1.0);
    const Vec3<T> f = rotate(X.E, axis);
    rows.on_bodies[0].row[static_cast<std::size_t>(c)] = {cross(x, f), f};
    const auto i = static_cast<std::size_t>(c);
    rows.gap[c] = p[c] - wanted[i];
    rows.drift[c] = p_dot[c] - wanted[3 + i];
    rows.k[c] = wanted[6 + i] - p_dot_dot[c];
  }
}

namespace {

/// An orientation that turns: R to the world, angular velocity and its rate in world axes.
struct Turning {
  Mat3<double> R;
  Vec3<double> omega, omega_dot;
};

/// R = Rz Ry Rx: roll turns about an axis that pitch and yaw carry, pitch about one that yaw carries.
Turning turning_by_angles(const TimeFunction& rpy, double t) {
  double wanted[9];
  rpy.evaluate(t, wanted);
  const Vec3<double> angle = three(wanted, 0), rate = three(wanted, 3), rate_dot = three(wanted, 6);
  const Mat3<double> yaw = rotation_rpy(0.0, 0.0, angle[2]), pitch = rotation_rpy(0.0, angle[1], 0.0);
  const Vec3<double> z{0.0, 0.0, 1.0}, y = yaw * Vec3<double>{0.0, 1.0, 0.0},
                                       x = yaw * (pitch * Vec3<double>{1.0, 0.0, 0.0});
  const Vec3<double> carried = rate[2] * z + rate[1] * y;
  const Vec3<double> omega_dot = rate_dot[2] * z + rate_dot[1] * y + rate_dot[0] * x +
                                 (rate[1] * rate[2]) * cross(z, y) + rate[0] * cross(carried, x);
  return {rotation_rpy(angle[0], angle[1], angle[2]), carried + rate[0] * x, omega_dot};
}

Turning turning_by_quaternion(const TimeFunction& orientation, double t) {
  double q[12];
  orientation.evaluate(t, q);
  const Mat3<double> R = quaternion_to_matrix(Quaternion<double>{q[0], q[1], q[2], q[3]});
  return {R, R * turning(q, q + 4), R * turning(q, q + 8)};
}

}  // namespace

template <class T>
void BodyMotionConstraint::hold_orientation(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
  const double t = value_of(at.t);
  const auto wanted = motion_.rpy ? turning_by_angles(*motion_.rpy, t) : turning_by_quaternion(*motion_.orientation, t);
  const Mat3<T> to_frame(frame_.X.E), E = to_frame * at.X_0(frame_.body).E;  // world axes to the frame's
  const Vec3<T> error = log_so3(transpose(Mat3<T>(wanted.R)) * transpose(E));
  const Vec3<T> v = to_frame * at.velocity(frame_.body).angular,
                a = to_frame * at.bias_acceleration(frame_.body).angular;
  const Vec3<T> drift = v - E * Vec3<T>(wanted.omega), k = E * Vec3<T>(wanted.omega_dot) - a;
  const int first = motion_.position ? 3 : 0;
  for (int c = 0; c < 3; ++c) {
    Vec3<T> axis;
    axis[c] = T(1.0);
    rows.on_bodies[0].row[static_cast<std::size_t>(first + c)] = {rotate_back(to_frame, axis), {}};
    rows.gap[first + c] = error[c];
    rows.drift[first + c] = drift[c];
    rows.k[first + c] = k[c];
  }
}

template <class T>
void BodyMotionConstraint::set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
  if (motion_.position) hold_point(at, rows);
  if constexpr (!std::same_as<T, Expr>)
    if (motion_.rpy || motion_.orientation) hold_orientation(at, rows);
}

template void BodyMotionConstraint::set_rows(const Instant&, ConstraintRows&) const;
template void BodyMotionConstraint::set_rows(const InstantOf<Dual8>&, ConstraintRowsOf<Dual8>&) const;
template void BodyMotionConstraint::set_rows(const SymbolicInstant&, ConstraintRowsOf<Expr>&) const;

}  // namespace cardan
