// Feedback: forces at joints that follow from where the mechanism is. Continuous, or sampled: then the force is found
// at 0, period, 2 period, ... and held in between, and the controller's own states take one Euler step at each sample.
#pragma once

#include "cardan/forces/signal_function.hpp"

#include <functional>
#include <optional>

namespace cardan {

/// Where a controller acts.
struct ControlledJoints {
  std::string name{};             // of the controller
  std::vector<int> velocities{};  // one force for each
  std::vector<double> limit{};    // of each force, symmetric (N or N m)
  double period = 0.0;            // s; 0: continuous

  /// All velocities of these joints (bodies that they move), with the limits of their actuators.
  static ControlledJoints of(const Model& model, std::string name, const std::vector<int>& bodies);
};

class Controller : public Force {
 public:
  std::string name() const override { return "controller \"" + joints_.name + "\""; }
  const ControlledJoints& joints() const { return joints_; }
  bool is_actuator() const override { return true; }
  Touches touches() const override;
  void add(const Instant& at, Pushes& pushes) const override;
  /// Exact, but for laws that are functions of the program's own.
  void add_tangent(const Instant& at, Tangent& tangent) const override;
  double period() const override { return joints_.period; }
  /// One that is sampled follows nothing between its samples.
  void add_time_texts(TimeTexts& texts) const override {
    if (joints_.period <= 0.0) add_texts_of_law(texts);
  }
  void sample(const Instant& at, std::span<double> z) const override;
  void initial_states(std::span<double> z) const override;
  void rate(const Instant& at, std::span<double> z_dot) const override;
  void add_dual(const Instant& here, const DualInstant& at, DualPushes& pushes) const override;
  void rate_dual(const Instant& here, const DualInstant& at, std::span<Dual8> z_dot) const override;
  std::string beyond_code() const override;
  void add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const override;
  void rate_symbolic(const SymbolicInstant& at, std::span<Expr> z_dot) const override;
  /// What sample() would set, on dual numbers.
  void sample_dual(const DualInstant& at, std::span<Dual8> z) const;
  /// Computes the forces that it exerts at the instant, z its own states: within their limits, held if sampled.
  void efforts(const Instant& at, std::span<double> tau) const;

 protected:
  Controller(ControlledJoints joints, int states) : joints_(std::move(joints)), states_(states) {}
  std::size_t count() const { return joints_.velocities.size(); }

  /// Computes the forces that it wants; `at.z` are the states of the control law.
  virtual void control(const Instant& at, std::span<double> tau) const = 0;
  /// Computes how those states change; `tau` is what is wanted of the joints.
  virtual void law_rate(const Instant&, std::span<const double>, std::span<double>) const {}
  virtual void law_start(std::span<double>) const {}
  /// The same on dual numbers; by default they throw std::logic_error: a law that a program's own function computes has
  /// no derivatives.
  virtual void control_dual(const DualInstant& at, std::span<Dual8> tau) const;
  virtual bool has_derivatives() const { return true; }
  virtual void law_rate_dual(const DualInstant& at, std::span<const Dual8> tau, std::span<Dual8> z_dot) const;
  /// The same on symbols.
  virtual void control_symbolic(const SymbolicInstant& at, std::span<Expr> tau) const;
  virtual void law_rate_symbolic(const SymbolicInstant& at, std::span<const Expr> tau, std::span<Expr> z_dot) const;
  /// Adds what the control law depends on beside the velocities that it acts on.
  virtual void add_dependencies(Touches&) const {}
  virtual void add_texts_of_law(TimeTexts&) const {}

 private:
  template <class T>
  void limit(std::span<T> tau) const;
  int held() const { return joints_.period > 0.0 ? static_cast<int>(count()) : 0; }
  template <class T>
  InstantOf<T> of_law(const InstantOf<T>& at) const {
    return at.of_element(held(), states_);
  }

  ControlledJoints joints_;
  int states_;  // of the control law; those of a sampled controller come after the held forces
};

/// tau = kp (target - q) + kd (target' - v) + ki (integral of target - q), which stops while a limit is reached. For
/// joints whose velocities are the rates of their coordinates; one entry for each velocity.
struct Gains {
  std::vector<double> kp, kd, ki;
};
std::shared_ptr<const Force> pid_controller(const Model& model, ControlledJoints joints, TimeFunction target,
                                            Gains gains);

/// The forces of inverse dynamics that give the accelerations target'' + kd (target' - v) + kp (target - q), so that
/// errors obey a linear equation. Joints that are not controlled move as they do without force. The tree's bodies and
/// gravity are accounted for; springs, dampers and other elements are not.
std::shared_ptr<const Force> computed_torque_controller(const Model& model, ControlledJoints joints,
                                                        TimeFunction target, Gains gains);

/// The forces that hold the tree at rest against gravity, at these joints.
std::shared_ptr<const Force> gravity_compensation(const Model& model, ControlledJoints joints);

/// Forces and rates of own states as functions of the instant; signals of own states are those of the control law.
std::shared_ptr<const Force> signal_controller(ControlledJoints joints, SignalFunction force,
                                               std::optional<SignalFunction> rate = {},
                                               std::vector<double> initial = {});

/// Forces by a function of the program's own, which must be the same on every thread.
using ControlFunction = std::function<void(const Instant& at, std::span<double> tau)>;
std::shared_ptr<const Force> function_controller(ControlledJoints joints, ControlFunction function);

}  // namespace cardan
