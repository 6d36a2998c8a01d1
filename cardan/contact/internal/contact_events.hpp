// Motion with contact by located events (book Table 11.1, with friction and impacts): a smooth integrator runs while
// every law stays in its mode; steps end where one leaves it.
//   gap falls through zero                 impact, if it closes at a speed; then modes are selected anew
//   normal force falls through zero        release
//   mu lambda_n - |lambda_t| falls below 0 stick becomes slip, opposed to the friction that held last
//   slip comes to a stop                   stick, or slip the other way
//   features cease to touch                a corner runs off an edge
// An event is bracketed on the dense output of the step and then located by repeating the step up to it, so that its
// state is as good as the integrator's own.
//
// Impacts that follow one another in intervals of a geometric series, the last below 1e-6 s, end in rest (Zeno): the
// series is summed and velocities along the normals are set to zero. Where no accelerations exist (Painleve), contacts
// that slide stop at once by an impulse within their friction ("impact without collision"); where that does not hold
// either, a step of 1e-6 s is made by contact stepping.
#pragma once

#include "cardan/contact/internal/contact_flow.hpp"
#include "cardan/contact/internal/contact_stepper.hpp"

#include <deque>

namespace cardan {

class ContactEvents : public Integrator {
 public:
  /// All must outlive it; the log receives what contacts do.
  ContactEvents(RecursiveProblem& mechanism, const Settings& settings, ContactLog& log);

  const char* name() const override { return "events"; }
  bool is_adaptive() const override { return inner_->is_adaptive(); }
  void start(double t, const State& state) override;
  void step(double t_max) override;
  double time() const override { return time_; }
  double previous_time() const override { return previous_time_; }
  const State& state() const override { return state_; }
  void interpolate(double t, State& out) const override;
  /// Logs the forces of contacts at that instant, in the modes of the step that it is in.
  void prepare_output(double t, const State& state) override;

  /// Begins at a state that contact stepping has led to: what touches within its tolerance is closed.
  void go_on_from_stepping(double t, const State& state);
  /// How many events there were since this time, of the last thousand.
  int events_since(double t) const;
  /// Contacts that are closed, and all that are nearer than this distance.
  int contacts_within(double distance);

 private:
  static constexpr double kTouching = 1e-9;  // m: contacts this near an event take part in it
  static constexpr double kAtRest = 1e-8;    // m/s: slower along a normal does not bounce
  static constexpr double kEndless = 1e9;    // m: thickness of what nothing passes through

  struct Alarm {
    enum class Kind { gap, force, margin, stop, motion, lost };
    Kind kind = Kind::gap;
    int unit = -1;    // of the units; -1: another that comes near
    LawUnit other{};  // then
    double value = 0.0;
  };
  struct Bracket {
    double from, to, value_from, value_to;
  };
  std::unique_ptr<Integrator> make_inner(double first_step);
  void restart_inner(double first_step);
  /// Lists what is violated at a state.
  void look(double t, const State& state, std::vector<Alarm>& out);
  /// Evaluates one alarm's function at a state: negative where it is violated.
  double value(const Alarm& alarm, double t, const State& state);
  double value_in_step(const Alarm& alarm, double t);
  /// Repeats the step from its beginning to t; false where the integrator needs more than one step for it.
  bool repeat_until(double t);
  /// Finds the earliest event within the step; the inner integrator then ends there.
  enum class Found { none, event, shortened };
  Found locate(double h);
  double fastest(double h);
  Found refine(const Alarm& alarm, Bracket bracket);
  /// Applies impacts and selects modes at the present state.
  void handle();
  void bounce();
  void sharpen();
  bool is_zeno(const LawUnit& closing, double speed);
  void rest_on_all();
  /// Stops contacts that slide though no force can hold them: an impact without collision. False if friction would not
  /// hold it either.
  bool jam();
  void select_modes();
  void log_event(ContactEvent::Kind kind, const LawUnit& unit, double t);
  void log_forces(double t, const State& state);
  void fall_back(double t_max);
  void count(const Integrator& from);

  RecursiveProblem& mechanism_;
  const System system_;
  const Settings settings_;
  ContactLog& log_;
  ContactFlow flow_;
  std::unique_ptr<Integrator> inner_;
  StepRows rows_;
  Impact impact_;
  IslandSolver impact_solver_;
  ContactLog fallback_log_;
  std::unique_ptr<ContactStepper> fallback_;
  const Integrator* shown_ = nullptr;  // whose last step is the present one

  double time_ = 0.0, previous_time_ = 0.0, last_length_ = 0.0;
  State state_, before_, scratch_;  // before_: at the beginning of the step
  bool is_new_ = true, restarts_ = true, falls_back_ = false;
  std::optional<Alarm> cause_;  // of the present event
  std::vector<Alarm> alarms_;
  std::vector<LawUnit> earlier_;  // units before an event
  std::vector<LawUnit> within_;   // units of the last step, before what happened at its end
  std::vector<Block3> impulses_;
  Eigen::VectorXd v_, zero_;
  std::vector<LawProblem::Mass> mass_;
  std::vector<std::pair<int, int>> trees_;
  std::deque<double> event_times_;
  struct Bounces {
    LawUnit::Kind of;
    int a, b;  // shapes of a contact; velocity and side of a limit
    std::vector<double> times;
  };
  std::vector<Bounces> bounces_;
  int events_at_once_ = 0, falls_at_once_ = 0;
  double touching_ = kTouching;                     // of the present event
  double last_event_ = -1.0, smallest_ = kEndless;  // of pairs that may pass through each other (m)
  long counted_evaluations_ = 0, counted_rejected_ = 0;
};

}  // namespace cardan
