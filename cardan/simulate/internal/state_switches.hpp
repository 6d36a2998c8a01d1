// Follows the choices that texts make by the state (if, sign, floor, tables) through a run. Choices are held during a
// step, so that what is integrated is smooth; where a step leads over the place at which one changes, the time is
// located in the step, which is made again up to there, and the run goes on from there with the other choice. Where
// both choices lead back to that place (a brake that holds), the run slides along it: the force is the mean of both,
// weighted such that the state stays there (Filippov's solution).
#pragma once

#include "cardan/dynamics/settings.hpp"
#include "cardan/integrate/integrator.hpp"
#include "cardan/simulate/system_workspace.hpp"

#include <functional>
#include <limits>

namespace cardan {

class StateSwitches {
 public:
  /// Gives states of the model within the last step.
  using StateAt = std::function<State(double t)>;

  StateSwitches(SystemWorkspace& workspace, const Settings& settings);
  ~StateSwitches() { board_.release(); }
  StateSwitches(const StateSwitches&) = delete;
  StateSwitches& operator=(const StateSwitches&) = delete;

  bool is_idle() const { return is_idle_; }
  /// Lets texts choose by themselves from now on.
  void stop();
  /// Holds what texts choose at a state of the model.
  void start(double t, const State& state);
  /// When choices change, once a step has found it; infinity else.
  double due() const { return due_; }
  /// Changes the choices that are due; throws StepFailure, which names the force, where they change again and again and
  /// nothing slides.
  void change();

  /// Looks for the first change of a choice in the last step; true if there is one before its end.
  bool look(const Integrator& integrator, const StateAt& state_at);

  bool is_sliding() const { return !sliding_.empty(); }
  /// Makes one step along the place where texts jump, at most to t_max, from a state of the problem; or the first one
  /// away from it.
  void slide(Integrator& integrator, double t_max);
  /// Says which force slid along a jump, and from when on; empty where none did.
  const std::string& note() const { return note_; }

 private:
  void evaluate(double t, const State& state);
  bool differs() const;
  /// Holds the choices of the slide, so far from those before it (0) to those after (1).
  void hold_between(double part);
  double margin_after(Integrator& integrator, double t0, const State& from, double part, double& t1);
  void begin_slide(std::span<const std::size_t> changed);
  std::string name_of(std::size_t choice) const;

  SystemWorkspace& workspace_;
  SwitchBoard& board_;
  const double duration_, longest_slide_;
  bool is_idle_;
  std::vector<double> held_, next_;
  double due_ = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> changes_;  // of each choice: the last times
  std::vector<std::size_t> sliding_;          // choices that a slide is between; the first leads
  std::vector<double> before_, after_;
  std::vector<double> slides_;  // when they began
  std::string note_;
};

}  // namespace cardan
