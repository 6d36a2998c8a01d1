// Coordinates and rates of the joint that closes a loop, found from where its two frames are and how they move.
// With X_P, X_S the transforms from the world to the loop's frames on predecessor and successor, X_J(q) that of the
// joint and S^+ the pseudo-inverse of its S, the coordinates satisfy S^+ log(X_S X_P^-1 X_J(q)^-1) = 0, so that near a
// closed loop
//   dq = S^+ d log(...),  d q_dot = S^+ (d v_rel - dS q_dot),  dT = -S^+' (dS' T),
// the last of which keeps T' S = 0 for the directions T that the joint holds.
#pragma once

#include "cardan/algorithms/instant.hpp"
#include "cardan/constraints/joint_subspace.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/symbolic/expr.hpp"

#include <utility>
#include <vector>

namespace cardan {

class LoopMotion {
 public:
  /// `freedoms`: how many different things its velocities do; rows measure angles as lengths of the radius `length`.
  LoopMotion(const LoopJoint& loop, int freedoms, double length);

  const LoopJoint& loop() const { return loop_; }
  int rows() const { return 6 - freedoms_; }
  /// Coordinates and rates of the joint.
  const std::vector<double>& coordinates() const { return q_; }
  const std::vector<double>& rates() const { return v_; }
  /// How far the successor's frame is from where the joint leads, in the coordinates of that frame.
  const MotionVector<double>& error() const { return error_; }

  /// Finds the coordinates at an instant, from the last ones on, and the rates.
  void find(const Instant& at);
  /// Lets the next search begin at these coordinates.
  void start_from(const std::vector<double>& coordinates);
  /// Lets the next search look everywhere, where the last one has found nothing.
  void forget() { given_up_ = false; }

  /// The joint on any scalar, and the directions that it holds as columns of T.
  template <class T>
  struct Of {
    JointMotionOf<T> joint;
    MotionVector<T> error;
    T coordinates[7], rates[6];
    ForceVector<T> across[6];
  };
  /// Gives what find() has found.
  Of<double> here() const;
  /// The same near that instant, by the implicit function theorem.
  Of<Dual8> near(const InstantOf<Dual8>& at) const;
  /// Says why a joint of this type cannot be recorded in a loop; empty where it can: its directions are constant, and
  /// its pose is a formula of where the two frames are.
  static std::string beyond_code(const Joint& type);
  /// The same on symbols: exact where the loop is closed, and up to the square of the gap elsewhere.
  Of<Expr> recorded(const InstantOf<Expr>& at) const;
  /// The velocity of the successor against the predecessor, where the joint's transform is X_J.
  template <class T>
  MotionVector<T> relative_velocity(const InstantOf<T>& at, const Transform<T>& X_J) const {
    return as<T>(loop_.successor.X) * at.velocity(loop_.successor.body) -
           X_J * as<T>(loop_.predecessor.X) * at.velocity(loop_.predecessor.body);
  }

  /// The force on the successor, in the axes of the loop's frame on it, of a drive in the joint itself (Eq. 8.28).
  ForceVector<double> drive(const double* joint_forces) const;
  /// Such a force as forces on predecessor and successor, in their own coordinates.
  std::pair<ForceVector<double>, ForceVector<double>> on_both_bodies(const ForceVector<double>& on_successor) const;

 protected:
  const SplitSubspace& split() const { return split_; }

 private:
  /// Finds q_ such that what is left of the error cannot be moved by the joint.
  void find_coordinates(const Transform<double>& X);
  /// Newton's method from where q_ is; returns the length of what is left.
  double improve_coordinates(const Transform<double>& X);

  LoopJoint loop_;
  int nv_, freedoms_;  // velocities, and how many different things they do
  double length_;
  std::vector<double> q_, v_;
  bool given_up_ = false;  // coordinates that close the loop were searched for everywhere and not found
  JointMotion joint_;
  MotionVector<double> error_;  // of the successor against the joint, in its coordinates
  SplitSubspace split_;         // of the joint's S
};

}  // namespace cardan
