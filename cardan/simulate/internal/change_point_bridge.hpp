// Leads a linkage through its change points: configurations, such as a parallelogram on one line, at which constraints
// repeat one another and two ways go on. The motion is smooth there, but accelerations of states nearby are known the
// worse the nearer they are: an adaptive method that shortens its steps is lost, and a step whose stages come too near
// is kicked. So near a change point steps keep their length (of the adaptive method before, by the classical method of
// order 4); a step that was kicked, which shows where velocities are brought back to the constraints, is made again by
// other lengths, most of them longer. Where none helps, the run ends and says where it is.
#pragma once

#include "cardan/dynamics/settings.hpp"
#include "cardan/integrate/integrator.hpp"
#include "cardan/simulate/system_workspace.hpp"

namespace cardan {

class ChangePointBridge final : public Integrator {
 public:
  /// True if there are loops, solved by a method that tells how near they are to a change point, and steps that can be
  /// made again.
  static bool fits(SystemWorkspace& workspace, const Settings& settings);
  ChangePointBridge(SystemWorkspace& workspace, std::unique_ptr<Integrator> integrator, const Settings& settings);

  const char* name() const override { return own_->name(); }
  bool is_adaptive() const override { return own_->is_adaptive(); }
  void start(double t, const State& state) override;
  void step(double t_max) override;
  double time() const override { return now_->time(); }
  double previous_time() const override { return now_->previous_time(); }
  const State& state() const override { return now_->state(); }
  void interpolate(double t, State& out) const override { now_->interpolate(t, out); }

 private:
  /// Makes a step; one over a change point at which the bridge breaks is left to the method itself.
  void try_step(double t_max);
  bool was_kicked() const;
  /// Makes a step that was kicked again, by other lengths.
  void leap(double t0, const State& from, double t_max);
  void look();
  Integrator& build(double step);
  /// Hands the present state over.
  void go_on(Integrator& integrator);
  void rewind(double t, const State& from);

  SystemWorkspace& workspace_;
  Settings settings_;
  std::unique_ptr<Integrator> own_, bridge_, spare_;
  Integrator* now_;
  double widest_ = 0.0;  // the largest clearance so far
  struct Place {
    double t = 0.0;
    State state{};  // of the model; empty where it is not kept
  };
  Place earlier_;            // where the last step began
  bool is_near_ = false;     // a change point
  bool has_broken_ = false;  // the bridge over it
  double last_step_ = 0.0;   // of the method itself
  long bridged_ = 0, kicked_ = 0, bridged_evaluations_ = 0;
};

}  // namespace cardan
