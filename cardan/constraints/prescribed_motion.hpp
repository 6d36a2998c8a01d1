// Prescribed motions as constraints: joints and bodies that follow time. The multipliers are the forces that this
// takes.
#pragma once

#include "cardan/constraints/constraint_rows_by.hpp"
#include "cardan/program/time_function.hpp"

#include <optional>

namespace cardan {

/// Prescribes a joint's motion as a function of time; the drive force that it needs is computed. For joints whose
/// velocities are the rates of their coordinates, and positions also for ball and free joints.
struct PrescribedMotion {
  enum class Kind {
    position,     // with two derivatives; quaternions of length one
    velocity,     // with one, from the position where it starts
    acceleration  // from the state where it starts
  };
  /// What the numbers of a position are.
  enum class Coordinates { plain, quaternion, pose };

  int body = 0;  // that the joint moves
  Kind kind = Kind::position;
  TimeFunction motion;                           // an entry for each coordinate
  Coordinates coordinates = Coordinates::plain;  // set by JointMotionConstraint

  /// Computes what it prescribes at t: the acceleration, and of the others what the kind says.
  template <class T>
  struct ValuesOf {
    T q[7], v[6], a[6];
  };
  using Values = ValuesOf<double>;
  Values at(double t) const;
  /// The same of plain coordinates, on any scalar.
  template <class T>
  ValuesOf<T> plain_at(const T& t) const;
};

/// Prescribes the motion of a body's point, its orientation, or both as functions of time, with two derivatives.
struct PrescribedBodyMotion {
  int frame = 0;                                 // of the model: whose body is moved
  Vec3<double> at;                               // the point, in that frame
  std::optional<TimeFunction> position;          // of the point in the world
  std::optional<TimeFunction> rpy;               // of the frame in the world: roll, pitch, yaw
  std::optional<TimeFunction> orientation = {};  // instead: a quaternion (w, x, y, z) of length one
};

/// gap = q - q(t) on the joint's manifold, J = 1, k = q''(t); of a prescribed velocity no gap, of a prescribed
/// acceleration only k.
class JointMotionConstraint final : public ConstraintRowsBy<JointMotionConstraint> {
 public:
  /// Throws std::invalid_argument where the motion does not fit the model.
  JointMotionConstraint(const Model& model, PrescribedMotion motion);
  const PrescribedMotion& motion() const { return motion_; }

  std::string name() const override { return "motion of joint \"" + joint_name_ + "\""; }
  Touches touches() const override;
  int rows() const override { return n_; }
  bool is_workless() const override { return false; }
  bool is_holonomic() const override { return motion_.kind == PrescribedMotion::Kind::position; }
  std::string beyond_code() const override {
    return motion_.coordinates == PrescribedMotion::Coordinates::plain ? "" : "it turns a ball or free joint";
  }
  void add_time_texts(TimeTexts& texts) const override { motion_.motion.add_to(texts); }

 private:
  friend class ConstraintRowsBy<JointMotionConstraint>;
  template <class T>
  void set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const;

  PrescribedMotion motion_;
  std::string joint_name_;
  Joint type_;
  int q_, v_, n_;  // first coordinate and velocity, and how many
};

/// A point: gap = p - p(t) in world axes. An orientation: gap = log(R(t)' R) and omega - omega(t) in the frame's
/// axes, with R = Rz(yaw) Ry(pitch) Rx(roll) or that of the quaternion.
class BodyMotionConstraint final : public ConstraintRowsBy<BodyMotionConstraint> {
 public:
  /// Throws std::invalid_argument where the motion does not fit the model.
  BodyMotionConstraint(const Model& model, PrescribedBodyMotion motion);

  std::string name() const override { return "motion of body \"" + frame_.name + "\""; }
  Touches touches() const override { return {.bodies = {frame_.body}}; }
  bool is_workless() const override { return false; }
  std::string beyond_code() const override {
    return motion_.rpy || motion_.orientation ? "it leads an orientation" : "";
  }
  int rows() const override { return (motion_.position ? 3 : 0) + (motion_.rpy || motion_.orientation ? 3 : 0); }
  void add_time_texts(TimeTexts& texts) const override {
    for (const auto* path : {&motion_.position, &motion_.rpy, &motion_.orientation})
      if (*path) (*path)->add_to(texts);
  }

 private:
  friend class ConstraintRowsBy<BodyMotionConstraint>;
  template <class T>
  void set_rows(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const;
  template <class T>
  void hold_point(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const;
  template <class T>
  void hold_orientation(const InstantOf<T>& at, ConstraintRowsOf<T>& rows) const;

  PrescribedBodyMotion motion_;
  Frame frame_;
};

}  // namespace cardan
