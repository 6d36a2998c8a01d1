// Finds the numbers that records ask for.
#pragma once

#include "cardan/collision/collision_world.hpp"
#include "cardan/dynamics/records.hpp"
#include "cardan/simulate/system_workspace.hpp"

#include <functional>

namespace cardan {

class Recorder {
 public:
  /// The workspace must outlive it.
  Recorder(SystemWorkspace& workspace, Records records);

  const std::vector<RecordedColumns>& layout() const { return records_.layout(); }
  /// True if a record asks for work, the integral of a power.
  bool records_work() const { return !works_.empty(); }
  /// Adds up the work from the last call (or output) to t: Gauss's rule with three points on the states in between,
  /// which is as good as the integrator's own. Without such calls outputs are joined by the trapezoidal rule.
  void work_until(double t, const std::function<State(double)>& state_at);
  /// Adds the work of impulses where prescribed velocities jump; t is just after it.
  void jump(double t, const State& before, const State& after);
  /// What the records say of this state, column by column; valid until the next call.
  std::span<const double> operator()(double t, const State& state, const Energy& energy);
  /// Names the columns of forces that the equations do not determine at this state, because constraints repeat one
  /// another.
  std::vector<std::string> not_unique(double t, const State& state);

 private:
  bool needs_accelerations() const;
  void evaluate(double t, const State& state);
  void append(const Records::OfFrame& record);
  void append(const Records::OfForces& record);
  void append(const Records::OfContact& record);
  void append(const Records::Expression& record);
  /// Moment and force in world axes.
  ForceVector<double> wrench_of(const Records::OfForces& record) const;
  /// What the bearings of a joint carry: its wrench without the active force of its drive.
  ForceVector<double> bearing_of(const Records::OfForces& record) const;
  /// Fills in the generalized forces, and returns their power.
  double efforts_of(const Records::OfForces& record);
  double multipliers_of(const Constraint& motion);
  /// Computes the columns of forces of joints, loops and motions if the constraints had these multipliers.
  std::vector<double> forces_under(const Eigen::VectorXd& multipliers);
  void append(const LineRecord& record);
  void append(const Records::OfSignal& record);
  Instant instant() const;

  SystemWorkspace& system_;
  const Records records_;
  bool frames_ = false, accelerations_ = false;  // whether any record needs them
  Workspace<double> workspace_;
  Kinematics<double> kinematics_;
  mutable ElementMemory memory_;         // of elements at these kinematics
  std::optional<CollisionWorld> world_;  // for gaps
  LineRecorder lines_;
  std::vector<double> a_, row_, inputs_, scratch_, efforts_;

  bool forces_ = false, elements_ = false;  // whether records speak of forces, or of elements with states
  Loads loads_;
  State state_;  // that is being recorded
  double t_ = 0.0;
  /// Work so far of each record of work.
  struct Work {
    double t = 0.0, power = 0.0, sum = 0.0;
  };
  std::vector<Work> works_;
  std::size_t next_work_ = 0;
};

}  // namespace cardan
