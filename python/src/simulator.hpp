// A run that Python moves, alone or beside others.
#pragma once

#include "module.hpp"

#include "cardan/io/scene_spec.hpp"
#include "cardan/simulate/run.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

namespace cardan::python {

/// What Python may choose of [simulation].
struct Choices {
  std::optional<double> duration, step, tolerance, output_every, max_step;
  std::optional<std::string> integrator, formulation;

  void apply(Settings& settings) const {
    if (duration) settings.duration = *duration;
    if (output_every) settings.output_every = *output_every;
    if (tolerance) {
      settings.steps.tolerance = *tolerance;
      settings.tolerance_is_chosen = true;
    }
    if (max_step) settings.steps.largest_step = *max_step;
    if (integrator) settings.choose_integrator(integrator_name(*integrator));
    if (step) {
      settings.choose_step(*step);
      settings.step_is_automatic = false;
    }
    if (formulation) settings.formulation = cardan::formulation(*formulation);
  }
};

inline std::vector<std::string> warnings_of(const Scene& scene, const std::vector<std::string>& notes) {
  std::vector<std::string> out = scene.warnings;
  for (const std::string& warning : scene.model.warnings()) out.push_back(warning);
  out.insert(out.end(), notes.begin(), notes.end());
  return out;
}

/// A run that Python moves.
class PythonSimulator {
 public:
  PythonSimulator(const SceneSpec& spec, const Choices& choices) : scene_(spec.bind()) {
    choices.apply(scene_.settings);
    assemble(scene_);
    workspace_ = std::make_unique<SystemWorkspace>(System(scene_));
    run_ = std::make_unique<Run>(*workspace_, scene_.settings);
    recorder_ = std::make_unique<Recorder>(*workspace_, scene_.records);
    const Settings& settings = scene_.settings;
    const bool is_free = run_->is_adaptive() && !settings.step_is_chosen && !workspace_->system().is_stepped();
    dt_ = is_free ? settings.output_every : settings.steps.step;
    begin(settings.start, scene_.initial);
  }

  const Scene& scene() const { return scene_; }
  double t() const { return run_->time(); }
  double dt() const { return dt_; }
  void set_dt(double dt) {
    if (!(dt > 0.0)) throw std::invalid_argument(fmt::format("dt: expected a positive number, found {}", dt));
    dt_ = dt;
  }
  State& state() { return state_; }
  std::span<double> u() { return workspace_->inputs(); }

  void reset() {
    const std::vector<double> first = first_values(scene_.inputs);
    std::copy(first.begin(), first.end(), u().begin());
    begin(scene_.settings.start, scene_.initial);
  }
  void begin(double t, const State& state) {
    run_->start(t, state);
    written_.assign(u().begin(), u().end());
    take();
  }
  void step(int count) {
    for (int i = 0; i < count; ++i) {
      if (!std::equal(written_.begin(), written_.end(), u().begin())) {
        run_->restart();
        written_.assign(u().begin(), u().end());
      }
      const double until = run_->time() + dt_;
      while (run_->time() < until - 1e-9 * dt_) run_->step(until);
    }
    take();
  }
  std::span<const double> records() { return (*recorder_)(t(), state_, workspace_->energy(state_, t())); }
  const std::vector<RecordedColumns>& layout() const { return recorder_->layout(); }
  double energy() { return workspace_->energy(state_, t()).total(); }
  std::vector<std::string> notes() const { return warnings_of(scene_, run_->notes()); }

 private:
  /// Copies the present state to where views of Python look.
  void take() {
    const State now = run_->output(run_->time());
    const auto copy = [](const std::vector<double>& from, std::vector<double>& to) {
      to.resize(from.size());
      std::copy(from.begin(), from.end(), to.begin());
    };
    copy(now.q, state_.q);
    copy(now.v, state_.v);
    copy(now.z, state_.z);
  }

  Scene scene_;
  std::unique_ptr<SystemWorkspace> workspace_;
  std::unique_ptr<Run> run_;
  std::unique_ptr<Recorder> recorder_;
  State state_;
  std::vector<double> written_;  // inputs that the run knows
  double dt_ = 0.0;
};

/// Runs the same work on so many threads, at most one for each of `jobs`; 0: as many as there are cores.
template <class Work>
void on_threads(int threads, std::size_t jobs, const Work& work) {
  const unsigned cores =
      threads > 0 ? static_cast<unsigned>(threads) : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (unsigned i = 1; i < cores && i < jobs; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace cardan::python
