#include "benchmarks/ladders.hpp"

#include "benchmarks/bench_row.hpp"
#include "benchmarks/hinged_ladder.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/model/model_builder.hpp"

#include <fmt/format.h>

#include <memory>

namespace cardan::bench {

namespace {

constexpr Effort kEffort{5, 3, 100000};

/// One state of a mechanism, solved by the method `sparse`.
struct Eliminated {
  Eliminated(std::string name_, const Model& model, State state_)
      : name(std::move(name_)),
        bodies(model.bodies()),
        state(std::move(state_)),
        dynamics(ConstraintSet(model), ConstraintMethod::sparse),
        tau(static_cast<std::size_t>(model.nv())),
        a(tau.size()) {}
  void operator()(int) { dynamics.forward_dynamics(0.0, state.q, state.v, tau, a); }

  std::string name;
  int bodies;
  State state;
  ConstrainedDynamics dynamics;
  std::vector<double> tau, a;
};

/// A binary tree of hinged bars, axes alternating.
Model binary_tree(int bodies) {
  ModelBuilder builder("tree");
  const MassProperties bar{1.0, {0.5, 0.0, 0.0}, {0.001, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0}};
  for (int i = 1; i <= bodies; ++i) {
    const std::string name = "bar" + std::to_string(i);
    builder.body(name, bar).joint(i == 1 ? "world" : "bar" + std::to_string(i / 2), name,
                                  Revolute{i % 2 ? Vec3<double>{0.0, 0.0, 1.0} : Vec3<double>{0.0, 1.0, 0.0}},
                                  {Mat3<double>::identity(), {i == 1 ? 0.0 : 1.0, 0.0, 0.0}});
  }
  return builder.build();
}

std::unique_ptr<Eliminated> eliminated_tree(int bodies) {
  const Model model = binary_tree(bodies);
  const States states = random_states(model, 1);
  State state(model);
  state.q = states.q[0];
  state.v = states.v[0];
  return std::make_unique<Eliminated>("tree", model, state);
}

std::unique_ptr<Eliminated> eliminated_ladder(int rungs, int rows) {
  const HingedLadder ladder(rungs, rows, false);
  return std::make_unique<Eliminated>(fmt::format("ladder, {} rows a loop", rows), ladder.ladder, ladder.ladder_state);
}

}  // namespace

void time_ladders(nlohmann::json& rows) {
  const Model chain_model = chain(100);
  const States states = random_states(chain_model, 1);
  Workspace<double> w(chain_model);
  std::vector<double> a(static_cast<std::size_t>(chain_model.nv()));
  const Call plain = [&](int) { forward_dynamics<double>(chain_model, w, states.q[0], states.v[0], states.tau[0], a); };
  fmt::print("\n  elimination on the graph of bodies; \"joint\": one of a chain of 100 by plain forward dynamics\n");
  fmt::print("  {:<28} {:>7} {:>10} {:>10} {:>8} {:>9}\n", "", "bodies", "ns a body", "ns a joint", "joints", "of 100");
  for (const int loop_rows : {2, 3, 5, 0}) {
    double small = 0.0;
    for (const int bodies : {99, 999, 9999}) {
      const auto system = loop_rows == 0 ? eliminated_tree(bodies) : eliminated_ladder(bodies / 3, loop_rows);
      const auto ns = time_together({std::ref(*system), plain}, 1, kEffort);
      const double body = ns[0] / system->bodies, joint = ns[1] / 100.0;
      if (small == 0.0) small = body;
      fmt::print("  {:<28} {:>7} {:>10.0f} {:>10.1f} {:>8.1f} {:>9.2f}\n", system->name, system->bodies, body, joint,
                 body / joint, body / small);
      auto row = bench_row(fmt::format("{}{}_{}", loop_rows == 0 ? "tree" : "ladder", system->bodies, loop_rows),
                           "constrained_dynamics", "sparse", ns[0]);
      row["joint_ns"] = joint;
      rows.push_back(row);
    }
  }
}

}  // namespace cardan::bench
