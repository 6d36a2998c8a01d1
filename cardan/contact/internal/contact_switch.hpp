// Contact in the mode that fits: located events while contacts are few and events rare, stepping while they are not.
// Events give way to stepping where more than 12 contacts are closed or near, where 20 events or 400 steps of the
// smooth integrator fall into 20 steps, or where an event cannot be resolved; stepping gives way to events after 50
// steps without an impact (100 the next time, and so on) and with at most 8 contacts. Each switch is noted in the
// summary.
#pragma once

#include "cardan/contact/internal/contact_events.hpp"

namespace cardan {

/// True if events are to be tried: nothing that they cannot follow, and at most 12 points that may touch.
bool events_fit(const System& system);

class ContactSwitch : public Integrator {
 public:
  /// All must outlive it; `stepping` are the options of contact stepping.
  ContactSwitch(RecursiveProblem& mechanism, const Settings& settings, const IntegratorOptions& stepping,
                ContactLog& log);

  const char* name() const override { return "auto"; }
  bool is_adaptive() const override { return false; }
  void start(double t, const State& state) override;
  void step(double t_max) override;
  double time() const override { return active_->time(); }
  double previous_time() const override { return active_->previous_time(); }
  const State& state() const override { return active_->state(); }
  void interpolate(double t, State& out) const override { active_->interpolate(t, out); }
  void prepare_output(double t, const State& state) override;

 private:
  void step_by_events(double t_max);
  void step_by_stepping(double t_max);
  void merge();
  void note(const char* mode);

  ContactLog& log_;
  ContactLog log_of_events_, log_of_stepping_;
  const double h_;
  ContactEvents events_;
  ContactStepper stepping_;
  Integrator* active_;
  bool is_new_ = true;
  State present_;
  double changed_ = 0.0;  // when the last switch was
  double last_impact_ = 0.0;
  long impacts_ = 0;
  double window_ = 0.0;  // where counting began
  int steps_in_window_ = 0;
  double wait_ = 25.0;  // steps without impacts before events are tried again, doubled with each change to stepping
  bool events_failed_ = false;  // then stepping goes on to the end
};

}  // namespace cardan
