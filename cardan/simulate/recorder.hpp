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
  bool needs_accelerations() const;
  void evaluate(double t, const State& state);
  void append(const Records::OfFrame& record);
  void append(const Records::OfForces& record);
  void append(const Records::OfContact& record);
  void append(const Records::Expression& record);
  /// Moment and force in world axes.
  ForceVector<double> wrench_of(const Records::OfForces& record) const;
  /// Fills in the generalized forces, and returns their power.
  double efforts_of(const Records::OfForces& record);
  double multipliers_of(const Constraint& motion);
  void append(const LineRecord& record);

  SystemWorkspace& system_;
  const Records records_;
  bool frames_ = false, accelerations_ = false;  // whether any record needs them
  Workspace<double> workspace_;
  Kinematics<double> kinematics_;
  std::optional<CollisionWorld> world_;  // for gaps
  LineRecorder lines_;
  std::vector<double> a_, row_, inputs_, scratch_, efforts_;

  bool forces_ = false, elements_ = false;  // whether records speak of forces, or of elements with states
  Loads loads_;
  State state_;  // that is being recorded
  double t_ = 0.0;
  /// Work so far of each record of work: the integral of its power by the trapezoidal rule from output to output.
  struct Work {
    double t = 0.0, power = 0.0, sum = 0.0;
  };
  std::vector<Work> works_;
  std::size_t next_work_ = 0;
};

}  // namespace cardan
