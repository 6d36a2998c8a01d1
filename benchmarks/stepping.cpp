#include "benchmarks/stepping.hpp"

#include "benchmarks/bench_row.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/simulate/simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::bench {

namespace {

constexpr double kStep = 1e-3, kOutputEvery = 1e-2;
constexpr int kSteps = 1000;  // of one run with outputs

/// Calls the compiled forward dynamics four times, as often as a step of RK4 has to.
struct FourAccelerations {
  explicit FourAccelerations(const Model& model)
      : states(random_states(model, 1)),
        compiled(compile(model, {ModelFunction::forward_dynamics})),
        w(*compiled),
        a(static_cast<std::size_t>(model.nv())) {}

  void operator()() {
    for (int i = 0; i < 4; ++i) forward_dynamics(*compiled, w, states.q[0], states.v[0], states.tau[0], a);
  }

  States states;
  std::shared_ptr<const CompiledModel> compiled;
  CompiledWorkspace w;
  std::vector<double> a;
};

/// Calls it four times in a chain, each at a state that the result before gave, as the stages of a step are: what
/// a processor can no longer do is begin the next call before the last has ended.
struct FourStages : FourAccelerations {
  using FourAccelerations::FourAccelerations;

  void operator()() {
    std::vector<double>&q = states.q[0], &v = states.v[0];
    for (int i = 0; i < 4; ++i) {
      forward_dynamics(*compiled, w, q, v, states.tau[0], a);
      for (std::size_t k = 0; k < v.size(); ++k) {
        q[k] += 1e-300 * a[k];
        v[k] += 1e-300 * a[k];
      }
    }
  }
};

/// Makes RK4 steps without end, from rest; the arm swings under gravity.
struct Steps {
  explicit Steps(const Model& model) : system(System(model)), integrator(make_integrator("rk4", system, options())) {
    integrator->start(0.0, State(model));
  }
  static IntegratorOptions options() {
    IntegratorOptions options;
    options.step = kStep;
    return options;
  }

  void operator()() { integrator->step(integrator->time() + 2.0 * kStep); }

  SystemWorkspace system;
  std::unique_ptr<Integrator> integrator;
};

/// Simulates kSteps steps with an output every ten of them.
struct Run {
  explicit Run(const Model& model) : system(System(model)), simulator(system, options()), start(model) {}
  static Settings options() {
    Settings options;
    options.duration = kSteps * kStep;
    options.output_every = kOutputEvery;
    options.integrator = "rk4";
    options.steps.step = kStep;
    return options;
  }

  void operator()() {
    simulator.run(start, [this](double, const State& state) { last = state.q[0]; });
    if (!std::isfinite(last)) throw std::runtime_error("bench: the arm has flown apart");
  }

  SystemWorkspace system;
  Simulator simulator;
  State start;
  double last = 0.0;
};

}  // namespace

void time_stepping(nlohmann::json& rows) {
  const std::string robot = "panda_arm";
  const std::vector<NamedModel> models = all_models(CARDAN_ROBOTS);
  const auto named = std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.name == robot; });
  if (named == models.end()) return;  // the reference data is not here
  const Model& model = named->model;
  FourAccelerations four(model);
  FourStages chained(model);
  Steps steps(model);
  Run run(model);
  const auto ns =
      time_together({[&](int) { steps(); }, [&](int) { run(); }, [&](int) { four(); }, [&](int) { chained(); }}, 1);
  const double accelerations = ns[2], chain = ns[3], step = ns[0], step_with_output = ns[1] / kSteps;
  fmt::print("\nstepping {} by rk4, compiled forward dynamics: four accelerations {:.0f} ns, in a chain {:.0f} ns\n",
             robot, accelerations, chain);
  const auto report = [&](const char* quantity, double each) {
    nlohmann::json row = bench_row(robot, quantity, "compiled", each);
    row["four_accelerations_ns"] = accelerations;
    row["four_chained_ns"] = chain;
    rows.push_back(row);
    fmt::print("  {:<28} {:>8.0f} ns, {:.2f} times the accelerations, {:.2f} times the chain\n", quantity, each,
               each / accelerations, each / chain);
  };
  report("rk4_step", step);
  report("rk4_step_with_output", step_with_output);
}

}  // namespace cardan::bench
