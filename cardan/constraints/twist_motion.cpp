#include "cardan/constraints/twist_motion.hpp"

#include <algorithm>
#include <stdexcept>

namespace cardan {

TwistMotionConstraint::TwistMotionConstraint(const Model& model, PrescribedTwist motion) : motion_(std::move(motion)) {
  const auto held = std::count(motion_.held.begin(), motion_.held.end(), true);
  if (motion_.frame < 0 || motion_.frame >= model.frames())
    throw std::invalid_argument("system: a motion is of a frame that the model does not have");
  frame_ = model.frame(motion_.frame);
  if (frame_.body == 0) throw std::invalid_argument("system: \"" + frame_.name + "\" is fixed and cannot be moved");
  if (motion_.twist.size() != held || motion_.twist.derivatives() != 1)
    throw std::invalid_argument("system: a twist must have an entry with one derivative for each row that it holds");
}

template <class T>
void TwistMotionConstraint::set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const {
  const Transform<T>& X = at.X_0(frame_.body);  // world to body
  const Vec3<T> x(frame_.X.r);                  // the frame's origin in the body
  const MotionVector<T>&v = at.velocity(frame_.body), &a = at.bias_acceleration(frame_.body);
  // velocity and velocity-product acceleration of the frame in body axes, then along the axes that are asked for
  const Vec3<T> velocity = v.linear + cross(v.angular, x);
  Vec3<T> acceleration = a.linear + cross(a.angular, x) + cross(v.angular, velocity);
  if (motion_.in_frame_axes) acceleration = acceleration - cross(v.angular, velocity);  // axes that turn with it
  const Mat3<T> E = motion_.in_frame_axes ? Mat3<T>(frame_.X.E) : transpose(X.E);       // body axes to those
  const Vec3<T> parts[] = {E * v.angular, E * velocity}, biases[] = {E * a.angular, E * acceleration};
  T wanted[12];
  motion_.twist.evaluate_at(at.t, wanted);
  int row = 0;
  for (int c = 0; c < 6; ++c) {
    if (!motion_.held[static_cast<std::size_t>(c)]) continue;
    Vec3<T> axis;
    axis[c % 3] = T(1.0);
    const Vec3<T> along = transpose(E) * axis;
    rows.on_bodies[0].row[static_cast<std::size_t>(row)] =
        c < 3 ? ForceVector<T>{along, {}} : ForceVector<T>{cross(x, along), along};
    rows.gap[row] = T(0.0);
    rows.drift[row] = parts[c / 3][c % 3] - wanted[row];
    rows.k[row] = wanted[rows.size() + row] - biases[c / 3][c % 3];
    ++row;
  }
}

template void TwistMotionConstraint::set_rows(const Instant&, ConstraintRows&) const;
template void TwistMotionConstraint::set_rows(const InstantOf<Dual8>&, ConstraintRowsOf<Dual8>&) const;
template void TwistMotionConstraint::set_rows(const SymbolicInstant&, ConstraintRowsOf<Expr>&) const;

}  // namespace cardan
