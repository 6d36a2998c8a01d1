// One instant of a run as the page draws it: where every body is, and the numbers that are plotted.
#pragma once

#include "cardan/simulate/recorder.hpp"
#include "cardan/view/line_elements.hpp"

#include <string>
#include <vector>

namespace cardan::view {

/// What a column of plotted numbers is.
struct Column {
  std::string name, unit;
  std::string kind;   // "q", "v", "energy", "record" or "tension"
  std::string plot;   // columns of one plot share this title
  std::string label;  // in that plot
  int body = 0;       // that it belongs to; 0: the whole mechanism
};

class Snapshots {
 public:
  /// The system is that of the trajectory or live run; `layout` are its records.
  Snapshots(const System& system, const std::vector<RecordedColumns>& layout);

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<LineElement>& lines() const { return lines_; }

  /// Evaluates a state; what follows is valid until the next call. `recorded` has a number for every recorded column.
  void evaluate(double t, const State& state, const Energy& energy, std::span<const double> recorded);
  /// Three numbers for every moving body: where its frame is in the world.
  const std::vector<double>& positions() const { return positions_; }
  /// Four numbers for every moving body: how its frame is turned, as a quaternion (w, x, y, z).
  const std::vector<double>& rotations() const { return rotations_; }
  /// A number for every column.
  const std::vector<double>& values() const { return values_; }
  /// Points in the world of the lines that bend, line after line.
  const std::vector<Vec3<double>>& traced() const { return traced_; }

 private:
  System system_;
  std::vector<Column> columns_;
  std::vector<LineElement> lines_;
  StateKinematics kinematics_;
  double first_energy_ = 0.0;
  bool started_ = false;
  std::vector<double> positions_, rotations_, values_;
  std::vector<Vec3<double>> traced_;
};

/// Names the units of a joint's coordinates (`of_velocities`: of its velocities); empty where a coordinate has none or
/// only its inventor knows.
std::vector<std::string> coordinate_units(const Joint& joint, bool of_velocities);

}  // namespace cardan::view
