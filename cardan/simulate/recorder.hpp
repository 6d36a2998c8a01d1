// Finds the numbers that records ask for.
#pragma once

#include "cardan/contact/collision_world.hpp"
#include "cardan/simulate/records.hpp"
#include "cardan/simulate/system_workspace.hpp"

namespace cardan {

class Recorder {
 public:
  /// The workspace must outlive it.
  Recorder(SystemWorkspace& workspace, Records records);

  const std::vector<RecordedColumns>& layout() const { return records_.layout(); }
  /// What the records say of this state, column by column; valid until the next call.
  std::span<const double> operator()(double t, const State& state, const Energy& energy);

 private:
  void move_frames(double t, const State& state);
  void append(const Records::OfFrame& record);
  void append(const Records::OfContact& record);
  void append(const Records::Expression& record);

  SystemWorkspace& system_;
  const Records records_;
  bool frames_ = false, accelerations_ = false;  // whether any record needs them
  Workspace<double> workspace_;
  Kinematics<double> kinematics_;
  std::optional<CollisionWorld> world_;  // for gaps
  std::vector<double> a_, row_, inputs_, scratch_;
};

}  // namespace cardan
