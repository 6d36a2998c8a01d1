// Constrains a mechanism besides its joints: rows J a = k on the accelerations, and the same on velocities and
// positions. A row acts on bodies (loops) and on velocities directly (couplings); its multiplier is the constraint
// force. Constraints never change: what an evaluation remembers for the next one (a warm start) is kept by whoever
// evaluates, one for each thread.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/math/dual_matrix.hpp"
#include "cardan/symbolic/symbolic_matrix.hpp"

#include <Eigen/Dense>

#include <memory>
#include <string>
#include <vector>

namespace cardan {

/// The rows of one constraint at one instant.
template <class T>
struct ConstraintRowsOf {
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  /// The force on the body, in its own coordinates, that belongs to a unit multiplier of each row.
  struct OnBody {
    int body = 0;
    std::vector<ForceVector<T>> row;
  };
  std::vector<OnBody> on_bodies;  // as in Touches::bodies

  std::vector<int> velocities;                                       // as in Touches::velocities
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> on_velocities{};  // rows x velocities

  Vector k;      // J a = k
  Vector gap;    // by how much positions violate the constraint
  Vector drift;  // J v minus what it should be

  int size() const { return static_cast<int>(k.size()); }
  /// Makes room for n rows, all zero.
  void resize(const Touches& touches, int n) {
    on_bodies.clear();
    for (const int body : touches.bodies)
      on_bodies.push_back({body, std::vector<ForceVector<T>>(static_cast<std::size_t>(n))});
    velocities = touches.velocities;
    on_velocities.setZero(n, static_cast<Eigen::Index>(touches.velocities.size()));
    for (Vector* x : {&k, &gap, &drift}) x->setZero(n);
  }
};
using ConstraintRows = ConstraintRowsOf<double>;

/// Keeps what a constraint remembers from one evaluation to the next.
class ConstraintMemory {
 public:
  virtual ~ConstraintMemory() = default;
  /// Call before a state far from the previous one: the next evaluation then searches from scratch.
  virtual void reset_warm_start() {}
};

class Constraint {
 public:
  virtual ~Constraint() = default;

  /// For messages: "loop "b4"".
  virtual std::string name() const = 0;
  /// What it acts on. Where only the relative motion of the bodies matters (Touches::relative), everything above their
  /// common ancestor is left alone.
  virtual Touches touches() const = 0;
  virtual int rows() const = 0;
  /// True if its forces do no work along motions that it allows; prescribed motions do work.
  virtual bool is_workless() const { return true; }
  /// False if it has rows that follow from no condition on positions: rolling, prescribed velocities.
  virtual bool is_holonomic() const { return true; }
  /// Adds the texts of time that it follows, with their derivatives: no step passes over where these jump.
  virtual void add_time_texts(TimeTexts&) const {}
  virtual std::unique_ptr<ConstraintMemory> make_memory() const { return nullptr; }
  /// Sets all of `rows`, which is sized for touches() and rows(); velocity-product accelerations are in the instant.
  /// `memory` is what make_memory gave.
  virtual void evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const = 0;
  /// Sets the rows on dual numbers, near the instant that `memory` was last evaluated at; the time is not varied. What
  /// an evaluation searches for (coordinates of a loop's joint) follows by the implicit function theorem. By default
  /// throws std::logic_error: rows that are written for numbers alone have no derivatives; make_constraint
  /// (constraint_of.hpp) gives them to constraints that write their gap.
  virtual void differentiate(const InstantOf<Dual8>& at, const ConstraintMemory* memory,
                             ConstraintRowsOf<Dual8>& rows) const;
  /// Says why its rows cannot be recorded as code; empty where they can.
  virtual std::string beyond_code() const { return "its rows are written for numbers alone"; }
  /// Sets the rows on symbols, the time among them. Throws std::logic_error where they are beyond code.
  virtual void evaluate_symbolic(const SymbolicInstant& at, ConstraintRowsOf<Expr>& rows) const;
};
using Constraints = std::vector<std::shared_ptr<const Constraint>>;

}  // namespace cardan
