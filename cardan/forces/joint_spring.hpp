// The springs and dampers that joints carry (DofProperties): tau = -stiffness (x - rest) - damping v, where x are
// the coordinates; for ball and free joints the increment that leads from the zero pose (a rotation vector, a twist).
// There dx/dt = T(x)^-1 v with the tangent operator T of the group, so the same power takes tau = -T^-T stiffness (x -
// rest).
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/model/coordinate_spring.hpp"

namespace cardan {

/// Springs and dampers of a few coordinates that are plain numbers.
class CoordinateSprings final : public Force {
 public:
  explicit CoordinateSprings(std::vector<CoordinateSpring> springs) : springs_(std::move(springs)) {}

  std::string name() const override { return "springs of joints"; }
  Touches touches() const override;
  void add(const Instant& at, Pushes& pushes) const override;
  void add_tangent(const Instant& at, Tangent& tangent) const override;
  void add_definite_tangent(const Instant& at, Tangent& tangent) const override;
  std::string beyond_code() const override { return {}; }
  void add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const override;
  bool is_conservative() const override;
  double energy(const Instant& at) const override;

 private:
  std::vector<CoordinateSpring> springs_;
};

/// Spring and damper of one joint on a group: a ball, a free joint.
class JointSpring final : public Force {
 public:
  /// `body`: that the joint moves.
  JointSpring(const Model& model, int body);
  /// True if the joint has stiffness or damping.
  static bool has_any(const Model& model, int body);

  std::string name() const override { return "spring of joint \"" + joint_name_ + "\""; }
  Touches touches() const override;
  void add(const Instant& at, Pushes& pushes) const override;
  /// Exact for ball and free joints: with x moved by T(x)^-1 d, tau is differentiated on dual numbers.
  void add_tangent(const Instant& at, Tangent& tangent) const override;
  std::string beyond_code() const override;
  void add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const override;
  bool is_conservative() const override { return !damped_; }
  double energy(const Instant& at) const override;

 private:
  static constexpr int kMost = 6;
  /// stiffness (x - rest) and x of every velocity.
  void stretch(const Instant& at, double* x, double* pull) const;

  std::string joint_name_;
  int body_, first_, n_;
  bool damped_ = false, elastic_ = false;
  bool is_ball_or_free_ = false;
};

/// Makes the springs and dampers of all joints that have any, those of plain coordinates first.
Forces joint_springs(const Model& model);

}  // namespace cardan
