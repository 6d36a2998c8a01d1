#include "cardan/simulate/motion_constraints.hpp"

#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"

namespace cardan {

namespace {

void size_rows(int n, ConstraintRows& rows) {
  for (Eigen::VectorXd* v : {&rows.k, &rows.gap, &rows.drift}) v->setZero(n);
}

Vec3<double> three(std::span<const double> values, std::size_t first) {
  return {values[first], values[first + 1], values[first + 2]};
}

}  // namespace

void JointMotionConstraint::prepare(MovingBodies&, ConstraintRows& rows) {
  const Link& link = model_.link(motion_.body);
  for (int i = 0; i < link.nv; ++i) rows.velocities.push_back(link.v + i);
  rows.on_velocities.setIdentity(link.nv, link.nv);
  size_rows(link.nv, rows);
}

void JointMotionConstraint::evaluate(double t, const MovingBodies&, const double* q, const double* v,
                                     ConstraintRows& rows) {
  const Link& link = model_.link(motion_.body);
  const auto n = static_cast<std::size_t>(link.nv);
  const auto values = motion_.motion(t);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    rows.k[row] = values[values.size() - n + i];
    if (motion_.kind != PrescribedMotion::Kind::position) continue;
    rows.gap[row] = q[link.q + static_cast<int>(i)] - values[i];
    rows.drift[row] = v[link.v + static_cast<int>(i)] - values[n + i];
  }
}

void BodyMotionConstraint::prepare(MovingBodies& bodies, ConstraintRows& rows) {
  const int body = model_.frame(motion_.frame).body;
  bodies.follow(body);
  const int n = (motion_.position ? 3 : 0) + (motion_.rpy ? 3 : 0);
  rows.on_bodies.push_back({body, std::vector<ForceVector<double>>(static_cast<std::size_t>(n))});
  size_rows(n, rows);
}

void BodyMotionConstraint::evaluate(double t, const MovingBodies& bodies, const double*, const double*,
                                    ConstraintRows& rows) {
  if (motion_.position) hold_point(t, bodies, rows);
  if (motion_.rpy) hold_orientation(t, bodies, rows);
}

void BodyMotionConstraint::hold_point(double t, const MovingBodies& bodies, ConstraintRows& rows) {
  const Frame& frame = model_.frame(motion_.frame);
  const Transform<double>& X = bodies.X_0(frame.body);  // world to body
  const Vec3<double> x = frame.X.r + rotate_back(frame.X.E, motion_.at);
  const MotionVector<double>&v = bodies.v(frame.body), &a = bodies.a(frame.body);
  const Vec3<double> velocity = v.linear + cross(v.angular, x);
  const Vec3<double> acceleration = a.linear + cross(a.angular, x) + cross(v.angular, velocity);
  const Vec3<double> p = X.r + rotate_back(X.E, x), p_dot = rotate_back(X.E, velocity),
                     p_dot_dot = rotate_back(X.E, acceleration);
  const auto wanted = (*motion_.position)(t);
  for (int c = 0; c < 3; ++c) {
    Vec3<double> axis;
    axis[c] = 1.0;
    const Vec3<double> f = rotate(X.E, axis);
    rows.on_bodies[0].row[static_cast<std::size_t>(c)] = {cross(x, f), f};
    const auto i = static_cast<std::size_t>(c);
    rows.gap[c] = p[c] - wanted[i];
    rows.drift[c] = p_dot[c] - wanted[3 + i];
    rows.k[c] = wanted[6 + i] - p_dot_dot[c];
  }
}

void BodyMotionConstraint::hold_orientation(double t, const MovingBodies& bodies, ConstraintRows& rows) {
  const Frame& frame = model_.frame(motion_.frame);
  const Mat3<double> E = frame.X.E * bodies.X_0(frame.body).E;  // world axes to the frame's
  const auto wanted = (*motion_.rpy)(t);
  const Vec3<double> angle = three(wanted, 0), rate = three(wanted, 3), rate_dot = three(wanted, 6);
  // R = Rz Ry Rx: roll turns about an axis that pitch and yaw carry, pitch about one that yaw carries
  const Mat3<double> yaw = rotation_rpy(0.0, 0.0, angle[2]), pitch = rotation_rpy(0.0, angle[1], 0.0);
  const Vec3<double> z{0.0, 0.0, 1.0}, y = yaw * Vec3<double>{0.0, 1.0, 0.0},
                                       x = yaw * (pitch * Vec3<double>{1.0, 0.0, 0.0});
  const Vec3<double> carried = rate[2] * z + rate[1] * y;
  const Vec3<double> omega = carried + rate[0] * x;
  const Vec3<double> omega_dot = rate_dot[2] * z + rate_dot[1] * y + rate_dot[0] * x +
                                 (rate[1] * rate[2]) * cross(z, y) + rate[0] * cross(carried, x);
  const Vec3<double> error = log_so3(transpose(rotation_rpy(angle[0], angle[1], angle[2])) * transpose(E));
  const Vec3<double> v = frame.X.E * bodies.v(frame.body).angular, a = frame.X.E * bodies.a(frame.body).angular;
  const Vec3<double> drift = v - E * omega, k = E * omega_dot - a;
  const int first = motion_.position ? 3 : 0;
  for (int c = 0; c < 3; ++c) {
    Vec3<double> axis;
    axis[c] = 1.0;
    rows.on_bodies[0].row[static_cast<std::size_t>(first + c)] = {rotate_back(frame.X.E, axis), {}};
    rows.gap[first + c] = error[c];
    rows.drift[first + c] = drift[c];
    rows.k[first + c] = k[c];
  }
}

}  // namespace cardan
