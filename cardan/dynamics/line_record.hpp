// What is recorded of a force along a line: a spring, cable or muscle, by its name.
#pragma once

#include "cardan/forces/line_force.hpp"

namespace cardan {

class System;

enum class LineQuantity {
  length,        // m
  speed,         // m/s
  tension,       // N
  power,         // W, positive where it does work: -tension speed
  activation,    // of a muscle
  fiber_length,  // m
  fiber_speed,   // m/s
  pennation,     // rad
  moment_arm     // -dl/dq of the velocities of a joint, m or one
};
/// As users write them, in this order.
const std::vector<std::string>& line_quantity_names();
const char* unit_of(LineQuantity quantity);
/// True if only muscles have it.
bool is_of_muscles(LineQuantity quantity);

struct LineRecord {
  std::string line;
  LineQuantity quantity = LineQuantity::length;
  int first_velocity = 0, velocities = 1;  // of the joint, for moment arms
};

/// Evaluates records of lines at the instants of a run.
class LineRecorder {
 public:
  explicit LineRecorder(const Model& model);
  /// Appends the numbers of a record; at.z are the states of all forces of the system.
  void append(const System& system, const Instant& at, const LineRecord& record, std::vector<double>& row);

 private:
  Model model_;
  Workspace<double> workspace_;
  std::vector<ForceVector<double>> wrenches_;
  std::vector<double> direct_, tau_;
};

}  // namespace cardan
