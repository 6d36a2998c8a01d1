// Acts in the joint of a loop: springs, dampers, a force that a text or an input gives. With the coordinates y of
// that joint, found from where its two frames are (loop_motion.hpp),
//   tau = -stiffness (y - rest) - damping dy/dt + force,
// and the wrench S (S'S)^-1 tau on the successor, its opposite on the predecessor (Eq. 8.28). Coordinates are those
// nearest to `rest`: an angle is within half a turn of it, so that the force follows from the instant alone.
#pragma once

#include "cardan/constraints/loop_motion.hpp"
#include "cardan/forces/force.hpp"
#include "cardan/forces/signal_function.hpp"

#include <optional>

namespace cardan {

class LoopForce final : public Force {
 public:
  /// The springs and dampers that the loop has.
  explicit LoopForce(const LoopJoint& loop);
  /// A force at its velocities from number `first` on, by a text, or by an input of this name.
  LoopForce(const LoopJoint& loop, int first, SignalFunction force, std::string input = {});

  std::string name() const override;
  Touches touches() const override;
  void add(const Instant& at, Pushes& pushes) const override;
  void add_tangent(const Instant& at, Tangent& tangent) const override;
  void add_dual(const Instant& here, const DualInstant& at, DualPushes& pushes) const override;
  bool is_actuator() const override { return !input_.empty(); }
  bool is_conservative() const override;
  double energy(const Instant& at) const override;
  void add_time_texts(TimeTexts& texts) const override;
  bool has_switches() const override { return force_ && force_->has_switches(); }
  std::shared_ptr<const Force> bound_to(SwitchBoard& board) const override;

 private:
  /// Finds coordinates and rates at the instant, once.
  LoopMotion& find(const Instant& at, std::optional<LoopMotion>& unless_remembered) const;
  template <class T>
  void push(const InstantOf<T>& at, const LoopMotion::Of<T>& motion, PushesOf<T>& pushes) const;

  LoopJoint loop_;
  std::vector<DofProperties> springs_;  // empty, or one for each velocity
  std::vector<double> rest_;            // where coordinates are searched from
  int first_ = 0;
  std::optional<SignalFunction> force_;
  std::string input_;
  ElementId id_;
};

/// The motion of a loop whose coordinates will be searched for from where its springs are at rest, or amid its limits.
LoopMotion loop_at_rest(const LoopJoint& loop);
/// True if the loop has springs or dampers.
bool has_springs(const LoopJoint& loop);
/// True if it has limits or dry friction, which are laws (contact/).
bool has_laws(const LoopJoint& loop);

}  // namespace cardan
