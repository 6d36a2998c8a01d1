// Constrains a mechanism besides its joints: rows J a = k on the accelerations, and the same on velocities and
// positions. A row acts on bodies (loops) and on velocities directly (couplings), and carries the law that its
// multiplier (the constraint force) obeys. Constraints never change: what an evaluation remembers for the next one
// (a warm start) is kept by whoever evaluates, one for each thread.
#pragma once

#include "cardan/forces/force.hpp"

#include <Eigen/Dense>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace cardan {

/// How motion along a row and its multiplier depend on each other.
struct RowLaw {
  enum class Kind {
    equal,     // motion as given, any multiplier
    at_least,  // motion not below what is given, multiplier not negative
    within,    // multiplier between lower and upper
    cone       // Coulomb's law with the coefficient mu, three rows a contact: normal, then two tangents
  };
  Kind kind = Kind::equal;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double mu = 0.0;
};

/// The rows of one constraint at one instant.
struct ConstraintRows {
  /// The force on the body, in its own coordinates, that belongs to a unit multiplier of each row.
  struct OnBody {
    int body = 0;
    std::vector<ForceVector<double>> row;
  };
  std::vector<OnBody> on_bodies;  // as in Touches::bodies

  std::vector<int> velocities;    // as in Touches::velocities
  Eigen::MatrixXd on_velocities;  // rows x velocities

  Eigen::VectorXd k;      // J a = k
  Eigen::VectorXd gap;    // by how much positions violate the constraint
  Eigen::VectorXd drift;  // J v minus what it should be

  int size() const { return static_cast<int>(k.size()); }
};

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
  virtual RowLaw law() const { return {}; }
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
};
using Constraints = std::vector<std::shared_ptr<const Constraint>>;

}  // namespace cardan
