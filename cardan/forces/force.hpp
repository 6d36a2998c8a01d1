// What acts on a mechanism: springs, dampers, applied wrenches, whatever a user writes. A force speaks of bodies and of
// joint velocities, never of a formulation: it adds wrenches on bodies and generalized forces at velocities, and says
// how they change. With d x_i a small displacement (twist) of body i in its own coordinates,
//   d wrench_i = K_ij d x_j + D_ij d v_j,
// K stiffness and D damping with the sign of a derivative: a spring that holds has a negative K.
#pragma once

#include "cardan/algorithms/instant.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/program/time_text.hpp"
#include "cardan/symbolic/expr.hpp"

#include <Eigen/Dense>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cardan {

/// What an element depends on and acts on, asked once: gives the sparsity.
struct Touches {
  std::vector<int> bodies{};      // of the model, never the world
  std::vector<int> velocities{};  // and the coordinates that belong to them
  int states = 0;                 // of its own, z, with first-order equations
  /// For constraints: only the motion of the bodies against one another matters, so that nothing above their common
  /// ancestor feels them.
  bool relative = false;
  /// For forces: each velocity is pushed as its own coordinate and velocity say, so that K and D are diagonal.
  bool separate = false;
};

/// Where forces are added up.
template <class T>
class PushesOf {
 public:
  PushesOf(std::span<ForceVector<T>> bodies, VectorView<T> velocities) : bodies_(bodies), velocities_(velocities) {}
  /// The wrench on a body in its own coordinates: moment about its origin, then force.
  ForceVector<T>& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  /// The generalized force at a velocity.
  T& velocity(int k) { return velocities_[k]; }

 private:
  std::span<ForceVector<T>> bodies_;
  VectorView<T> velocities_;
};
using Pushes = PushesOf<double>;
using DualInstant = InstantOf<Dual8>;
using DualPushes = PushesOf<Dual8>;
using SymbolicInstant = InstantOf<Expr>;
using SymbolicPushes = PushesOf<Expr>;

/// K and D of one force between what it touches: six rows and columns for each body, in the order of Touches, then one
/// for each velocity.
struct Tangent {
  Eigen::MatrixXd K, D;

  void resize(const Touches& touches) {
    const auto n = static_cast<Eigen::Index>(6 * touches.bodies.size() + touches.velocities.size());
    K.setZero(n, n);
    D.setZero(n, n);
  }
};

class SwitchBoard;

class Force {
 public:
  virtual ~Force() = default;

  /// For messages: "spring "front"".
  virtual std::string name() const = 0;
  virtual Touches touches() const = 0;
  virtual void add(const Instant& at, Pushes& pushes) const = 0;
  /// Adds K and D to the blocks, which have been sized and zeroed. By default, central differences of add(); ForceOf
  /// gives them exactly.
  virtual void add_tangent(const Instant& at, Tangent& tangent) const;

  /// Adds negative semidefinite K and D near the exact ones: an implicit step with them is stable at any length. By
  /// default the symmetric parts of the exact ones without their positive eigenvalues.
  virtual void add_definite_tangent(const Instant& at, Tangent& tangent) const;
  /// Adds its forces on dual numbers, at a displacement from the instant `here` that lies in their dual parts; the time
  /// is not varied. By default add() and add_tangent() at `here`, which is all for forces that have no states and read
  /// no inputs; throws std::logic_error where there are states.
  virtual void add_dual(const Instant& here, const DualInstant& at, DualPushes& pushes) const;
  /// dz/dt of its own states, likewise.
  virtual void rate_dual(const Instant& here, const DualInstant& at, std::span<Dual8> z_dot) const;
  /// Says why it cannot be recorded as code, such as "its path goes over surfaces"; empty where it can.
  virtual std::string beyond_code() const { return "it is written for numbers alone"; }
  /// Adds its forces on symbols, the time among them. Throws std::logic_error where it is beyond code.
  virtual void add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const;
  /// dz/dt of its own states, likewise.
  virtual void rate_symbolic(const SymbolicInstant& at, std::span<Expr> z_dot) const;
  /// True if it is a motor that something commands: a controller, or an input.
  virtual bool is_actuator() const { return false; }
  /// True if the energy below accounts for all work that it does.
  virtual bool is_conservative() const { return false; }
  /// Potential energy (J).
  virtual double energy(const Instant&) const { return 0.0; }

  /// Adds the texts of time that it follows: no step passes over where these jump.
  virtual void add_time_texts(TimeTexts&) const {}

  /// True if its texts choose by the state, which jumps.
  virtual bool has_switches() const { return false; }
  /// Returns a copy whose texts are bound to the board.
  virtual std::shared_ptr<const Force> bound_to(SwitchBoard&) const { return nullptr; }

  /// True if it takes something from the initial state, such as a rest length.
  virtual bool needs_start() const { return false; }
  /// Returns the force with what it takes from the initial state filled in.
  virtual std::shared_ptr<const Force> started_at(const Instant&) const { return nullptr; }

  /// Where its own states start.
  virtual void initial_states(std::span<double>) const {}
  /// dz/dt of its own states.
  virtual void rate(const Instant&, std::span<double>) const {}
  /// Seconds from one sample to the next, for forces that look at the mechanism only now and then; 0: always.
  virtual double period() const { return 0.0; }
  /// Looks: updates its own states.
  virtual void sample(const Instant&, std::span<double>) const {}
};
using Forces = std::vector<std::shared_ptr<const Force>>;

}  // namespace cardan
