// Contact stepping that chooses its steps: every step is made once as a whole and once as two halves, and positions are
// compared. Where both halves keep the contacts and nothing bounces, the method is of second order and the error of the
// halves a third of the difference (Richardson); else it is of first order and the difference itself. Steps lie between
// the longest one and 2^-12 of it, where a step is taken as it is.
#pragma once

#include "cardan/contact/internal/contact_stepper.hpp"

namespace cardan {

class ContactDoubling : public Integrator {
 public:
  /// All must outlive it; the log receives what contacts do. The tolerance is one of positions (m, rad) in a step.
  ContactDoubling(RecursiveProblem& mechanism, const Settings& settings, ContactLog& log);

  const char* name() const override { return "stepping"; }
  bool is_adaptive() const override { return true; }
  void start(double t, const State& state) override;
  void step(double t_max) override;
  double time() const override { return time_; }
  double previous_time() const override { return previous_time_; }
  const State& state() const override { return state_; }
  void interpolate(double t, State& out) const override;

 private:
  /// Which pairs act, after the last step of the stepper.
  void list_acting(std::vector<std::pair<int, int>>& out) const;
  /// Makes both attempts at a step of length h; returns its error in units of the tolerance.
  double attempt(double h);
  void accept(double h);

  RecursiveProblem& mechanism_;
  ContactLog& log_;
  ContactLog trial_;  // of the stepper
  const double longest_, tolerance_;
  ContactStepper stepper_;
  double time_ = 0.0, previous_time_ = 0.0, middle_time_ = 0.0, proposed_ = 0.0;
  bool keeps_modes_ = false;
  State state_, before_, middle_, whole_, halves_;
  ContactSummary of_halves_;
  std::vector<std::pair<int, int>> first_, second_;
  std::vector<double> x_;
};

}  // namespace cardan
