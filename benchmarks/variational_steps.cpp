#include "benchmarks/variational_steps.hpp"

#include "benchmarks/timing.hpp"
#include "cardan/io/load.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/simulate/system_workspace.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan::bench {

namespace {

Scene chain_of_rods(int links) {
  const MassProperties rod{1.0, {0.0, 0.0, -0.5}, {0.083, 0.083, 0.001, 0.0, 0.0, 0.0}};
  ModelBuilder builder;
  std::string carrier = "world";
  for (int i = 0; i < links; ++i) {
    const std::string name = fmt::format("rod {}", i);
    builder.body(name, rod).joint(carrier, name, Revolute{{0.0, 1.0, 0.0}},
                                  {Mat3<double>::identity(), {0.0, 0.0, i == 0 ? 0.0 : -1.0}});
    carrier = name;
  }
  Scene scene;
  scene.model = builder.build();
  scene.initial = State(scene.model);
  for (int i = 0; i < links; ++i) scene.initial.q[static_cast<std::size_t>(i)] = i == 0 ? 2.0 : i == 1 ? 0.7 : 0.02;
  return scene;
}

/// Makes steps without end.
struct Steps {
  Steps(const Scene& scene, const char* method, double h) : system(System(scene)), step(h) {
    IntegratorOptions options;
    options.step = h;
    integrator = make_integrator(method, system, options);
    integrator->start(0.0, system.begin(0.0, scene.initial));
  }
  void operator()(int) { integrator->step(integrator->time() + 2.0 * step); }

  SystemWorkspace system;
  double step;
  std::unique_ptr<Integrator> integrator;
};

}  // namespace

void time_variational(nlohmann::json& rows) {
  struct Case {
    std::string name;
    Scene scene;
    double h;
  };
  const std::string examples = CARDAN_EXAMPLES "/";
  std::vector<Case> cases{{"double_pendulum", chain_of_rods(2), 5e-3},
                          {"heavy_top", load(examples + "heavy_top.toml"), 1e-3},
                          {"torus_chain_10", load(examples + "torus_chain_10.toml"), 2e-3}};
  for (const int links : {10, 20, 40, 80}) cases.push_back({fmt::format("chain{}", links), chain_of_rods(links), 1e-4});
  fmt::print("\nsteps of variational and munthe_kaas_4\n");
  for (const Case& c : cases) {
    Steps ours(c.scene, "variational", c.h), other(c.scene, "munthe_kaas_4", c.h);
    const auto ns = time_together({std::ref(ours), std::ref(other)}, 1, {.rounds = 5});
    if (!std::isfinite(ours.integrator->state().q[0]))
      throw std::runtime_error("bench: " + c.name + " has flown apart");
    fmt::print("  {:<16} {:>9.0f} ns {:>9.0f} ns, {:.2f} times, {:.0f} ns a velocity, {:.2f} evaluations a step\n",
               c.name, ns[0], ns[1], ns[0] / ns[1], ns[0] / c.scene.model.nv(),
               static_cast<double>(ours.integrator->evaluations()) * c.h / ours.integrator->time());
    rows.push_back({{"model", c.name},
                    {"quantity", "variational_step"},
                    {"backend", "compiled"},
                    {"cardan_ns", ns[0]},
                    {"munthe_kaas_4_ns", ns[1]}});
  }
}

}  // namespace cardan::bench
