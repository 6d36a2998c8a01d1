// What a run writes beside its states: where a frame is and how it moves, what holds and drives the mechanism, and
// expressions of everything written.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/dynamics/line_record.hpp"
#include "cardan/forces/signal_function.hpp"
#include "cardan/model/model.hpp"
#include "cardan/program/interpreter.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cardan {

/// The columns that every run writes: t, q.JOINT for a joint of one coordinate, q.JOINT.k (k from 0) for others, the
/// same with v, then energy, kinetic, potential.
std::vector<std::string> trajectory_columns(const Model& model);

/// What is recorded of a point of a frame, in the world's axes.
enum class FrameQuantity {
  position,          // m
  orientation,       // unit quaternion (w, x, y, z) with w >= 0
  pose,              // position, then orientation
  velocity,          // m/s
  angular_velocity,  // rad/s
  acceleration       // m/s^2
};
/// As users write them, in this order.
const std::vector<std::string>& frame_quantity_names();

/// What is recorded of a joint, a loop, a motion or a controller.
enum class ForceQuantity {
  force,    // N: of joints and loops
  moment,   // N m, likewise
  wrench,   // moment, then force
  bearing,  // likewise: the wrench of a joint without the active force of its drive (3.35)
  effort,   // generalized forces: of joints, motions and controllers
  power,    // W, likewise
  work      // J since the start, likewise
};
const std::vector<std::string>& force_quantity_names();
/// What is recorded of contacts between two bodies, or of all.
enum class ContactQuantity {
  force,  // on the second body, or of all on what moves, mean over the last step (N)
  gap,    // smallest distance, negative where bodies overlap (m)
  count   // points that carry a force
};
const std::vector<std::string>& contact_quantity_names();

/// The columns of one record, which belong together.
struct RecordedColumns {
  std::string name, unit;
  std::vector<std::string> columns;
};

/// Where the force of a joint's drive enters, as the line of a gear's teeth does: a line through a point, fixed in a
/// frame on the parent. The active force is T_a tau with T_a = f/(f . S), f the unit force along the line
/// (Example 3.2).
struct JointDrive {
  int frame = 0;
  Vec3<double> at, along;
};

/// Which of the model's loops.
struct LoopIndex {
  int index;
};

/// Records in the order in which they are written. Names of columns must differ: std::invalid_argument otherwise.
class Records {
 public:
  struct OfFrame {
    int frame;
    Vec3<double> at;
    FrameQuantity quantity;
  };
  /// Of joints and loops: what the joint exerts on the body that it moves (a loop: on body b), about the origin of the
  /// joint's moving frame (a loop: of its frame on b), in world axes. Generalized forces: of a joint, springs, dampers,
  /// controllers and motions together.
  struct OfForces {
    using Owner = std::variant<int, LoopIndex, std::shared_ptr<const Constraint>, std::shared_ptr<const Force>>;
    Owner owner;  // the body that a joint moves, a loop, a motion or a controller
    ForceQuantity quantity;
    int efforts = 1;
    std::optional<JointDrive> drive{};  // none: T_a = S (S'S)^-1, in the axes of the body that the joint moves
  };
  struct OfContact {
    std::string a, b;  // empty: all
    ContactQuantity quantity;
  };
  /// Of an instant: what an input is, for instance.
  struct OfSignal {
    SignalFunction value;
  };
  struct Expression {
    std::vector<std::size_t> inputs;  // columns
    Interpreter interpreter;
  };
  /// Gives the expression for the symbols x.
  using SymbolicFunction = std::function<Expr(std::span<const Expr> x)>;

  Records() = default;
  explicit Records(const Model& model) : columns_(trajectory_columns(model)) {}

  /// Records a quantity of the point `at` of the frame. Columns NAME.x, NAME.y, ...
  void add(const std::string& name, int frame, FrameQuantity quantity, const Vec3<double>& at = {});
  /// Records a quantity of a joint, loop, motion or controller; NAME.x, NAME.y, NAME.z or, of a wrench, NAME.mx to
  /// NAME.fz; of several efforts NAME.k.
  void add(const std::string& name, OfForces record);
  /// Records a quantity of a spring, cable or muscle: NAME, or NAME.0, NAME.1, ... for a joint of several velocities.
  void add(const std::string& name, const LineRecord& record);
  /// Records a quantity of the contacts between two bodies; empty names stand for all contacts.
  void add(const std::string& name, const std::string& a, const std::string& b, ContactQuantity quantity);
  /// Records a number that follows from the instant.
  void add(const std::string& name, SignalFunction value, const std::string& unit = {});
  /// Records a function of earlier columns, by name. Throws GraphTooLarge, and std::invalid_argument on a column that
  /// there is not.
  void add(const std::string& name, const std::vector<std::string>& inputs, const SymbolicFunction& function,
           const std::string& unit = {});
  /// Records an expression given as text, which uses columns whose names are words (and dots) by their names. Throws
  /// ParseError.
  void add(const std::string& name, const std::string& expression, const std::string& unit = {});

  /// All columns so far, those of the states included.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Which of the columns it is; the number of columns if none.
  std::size_t find(const std::string& column) const;
  const std::vector<RecordedColumns>& layout() const { return layout_; }
  using Entry = std::variant<OfFrame, OfForces, OfContact, Expression, LineRecord, OfSignal>;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void add_columns(RecordedColumns columns);

  std::vector<std::string> columns_;
  std::vector<RecordedColumns> layout_;
  std::vector<Entry> entries_;
};

}  // namespace cardan
