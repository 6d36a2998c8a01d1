#include "cardan/constraints/prescribed_motion.hpp"

#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"

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

JointMotionConstraint::JointMotionConstraint(const Model& model, PrescribedMotion motion) : motion_(std::move(motion)) {
  require(motion_.body >= 1 && motion_.body <= model.bodies(), "a motion is of a joint that the model does not have");
  const Link& link = model.link(motion_.body);
  joint_name_ = model.joint_name(motion_.body);
  q_ = link.q;
  v_ = link.v;
  n_ = link.nv;
  const std::string joint = "joint \"" + joint_name_ + "\"";
  require(link.nq == link.nv, joint + ": motions can be prescribed only where coordinates have rates as velocities");
  require(motion_.motion.size() == n_, joint + ": its motion must have an entry for each coordinate");
  require(motion_.kind != PrescribedMotion::Kind::position || motion_.motion.derivatives() == 2,
          joint + ": a prescribed position needs two derivatives");
}

Touches JointMotionConstraint::touches() const {
  Touches out;
  for (int i = 0; i < n_; ++i) out.velocities.push_back(v_ + i);
  return out;
}

void JointMotionConstraint::evaluate(const Instant& at, ConstraintMemory*, ConstraintRows& rows) const {
  double values[18];
  motion_.motion.evaluate(at.t, values);
  const int last = n_ * motion_.motion.derivatives();  // the highest derivative is the acceleration
  rows.on_velocities.setIdentity();
  for (int i = 0; i < n_; ++i) {
    rows.k[i] = values[last + i];
    if (motion_.kind != PrescribedMotion::Kind::position) continue;
    rows.gap[i] = at.q[q_ + i] - values[i];
    rows.drift[i] = at.v[v_ + i] - values[n_ + i];
  }
}

BodyMotionConstraint::BodyMotionConstraint(const Model& model, PrescribedBodyMotion motion)
    : motion_(std::move(motion)) {
  require(motion_.frame >= 0 && motion_.frame < model.frames(), "a motion is of a frame that the model does not have");
  frame_ = model.frame(motion_.frame);
  require(frame_.body != 0, "\"" + frame_.name + "\" is fixed and cannot be moved");
  require(motion_.position || motion_.rpy, "a motion of a body must have a position or angles");
  for (const auto* f : {&motion_.position, &motion_.rpy})
    require(!*f || ((*f)->size() == 3 && (*f)->derivatives() == 2),
            "a motion of a body must have three entries with two derivatives");
}

void BodyMotionConstraint::evaluate(const Instant& at, ConstraintMemory*, ConstraintRows& rows) const {
  if (motion_.position) hold_point(at, rows);
  if (motion_.rpy) hold_orientation(at, rows);
}

void BodyMotionConstraint::hold_point(const Instant& at, ConstraintRows& rows) const {
  const Transform<double>& X = at.X_0(frame_.body);  // world to body
  const Vec3<double> x = frame_.X.r + rotate_back(frame_.X.E, motion_.at);
  const MotionVector<double>&v = at.velocity(frame_.body), &a = at.bias_acceleration(frame_.body);
  const Vec3<double> velocity = v.linear + cross(v.angular, x);
  const Vec3<double> acceleration = a.linear + cross(a.angular, x) + cross(v.angular, velocity);
  const Vec3<double> p = X.r + rotate_back(X.E, x), p_dot = rotate_back(X.E, velocity),
                     p_dot_dot = rotate_back(X.E, acceleration);
  double wanted[9];
  motion_.position->evaluate(at.t, wanted);
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

void BodyMotionConstraint::hold_orientation(const Instant& at, ConstraintRows& rows) const {
  const Mat3<double> E = frame_.X.E * at.X_0(frame_.body).E;  // world axes to the frame's
  double wanted[9];
  motion_.rpy->evaluate(at.t, wanted);
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
  const Vec3<double> v = frame_.X.E * at.velocity(frame_.body).angular,
                     a = frame_.X.E * at.bias_acceleration(frame_.body).angular;
  const Vec3<double> drift = v - E * omega, k = E * omega_dot - a;
  const int first = motion_.position ? 3 : 0;
  for (int c = 0; c < 3; ++c) {
    Vec3<double> axis;
    axis[c] = 1.0;
    rows.on_bodies[0].row[static_cast<std::size_t>(first + c)] = {rotate_back(frame_.X.E, axis), {}};
    rows.gap[first + c] = error[c];
    rows.drift[first + c] = drift[c];
    rows.k[first + c] = k[c];
  }
}

}  // namespace cardan
