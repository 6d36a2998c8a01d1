// The spring and damper that one joint carries (DofProperties): tau = -stiffness (x - rest) - damping v, where x are
// the coordinates; for ball and free joints the increment that leads from the zero pose (a rotation vector, a twist).
// There dx/dt = T(x)^-1 v with the tangent operator T of the group, so the same power takes tau = -T^-T stiffness (x -
// rest).
#pragma once

#include "cardan/forces/force.hpp"

namespace cardan {

class JointSpring final : public Force {
 public:
  /// `body`: that the joint moves.
  JointSpring(const Model& model, int body);
  /// True if the joint has stiffness or damping.
  static bool has_any(const Model& model, int body);

  std::string name() const override { return "spring of joint \"" + joint_name_ + "\""; }
  Touches touches() const override;
  void add(const Instant& at, Pushes& pushes) const override;
  void add_tangent(const Instant& at, Tangent& tangent) const override;
  bool is_conservative() const override { return !damped_; }
  double energy(const Instant& at) const override;

 private:
  static constexpr int kMost = 6;
  /// stiffness (x - rest) and x of every velocity.
  void stretch(const Instant& at, double* x, double* pull) const;

  std::string joint_name_;
  int body_, first_, n_;
  bool flat_, damped_ = false, elastic_ = false;
};

/// Springs and dampers of all joints that have any.
Forces joint_springs(const Model& model);

}  // namespace cardan
