// Forward dynamics of chains with revolute joints (RC), chains of tori that roll on each other (TC) and the windmill
// (WM), by Method I (everything compiled), Method II (the joints compiled) and the generic algorithm (invented joints
// interpreted), in nanoseconds a call and a coordinate; and the mass matrix by the first two. The sizes up to which
// Method I is chosen rest on these tables (docs/compiling.md).
#include "benchmarks/paper_table.hpp"

#include "benchmarks/bench_row.hpp"
#include "benchmarks/models.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/compile/compiled_model.hpp"
#include "cardan/io/load.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace {

using namespace cardan;
using namespace cardan::bench;

constexpr int kNearby = 8;
constexpr std::pair<const char*, const char*> kScenes[] = {
    {"TC10", "torus_chain_10"}, {"TC20", "torus_chain_20"}, {"WM", "windmill"}};

struct Measured {
  double ns[3];  // Method I, Method II, generic
  double compile_ms;
  int instructions, coordinates;
};

/// Near the scene's own state, where the surfaces are regular.
States states_near(const Scene& scene) {
  States out = random_states(scene.model, kNearby);
  for (std::size_t i = 0; i < out.q.size(); ++i)
    for (std::size_t k = 0; k < out.q[i].size(); ++k) out.q[i][k] = scene.initial.q[k] + 0.03 * out.q[i][k];
  return out;
}

Measured measure(const Model& model, const States& s) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<double> out(static_cast<std::size_t>(model.nv()));
  const auto start = std::chrono::steady_clock::now();
  const CompiledModel symbolic(model, {ModelFunction::forward_dynamics}, {Method::symbolic, {}, 0});
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const CompiledModel joints(model, {ModelFunction::forward_dynamics}, {Method::joints, {}, 0});
  CompiledWorkspace w1(symbolic), w2(joints);
  Workspace<double> w3(model);
  const std::vector<double> ns =
      time_together({[&](int i) { forward_dynamics(symbolic, w1, s.q[at(i)], s.v[at(i)], s.tau[at(i)], out); },
                     [&](int i) { forward_dynamics(joints, w2, s.q[at(i)], s.v[at(i)], s.tau[at(i)], out); },
                     [&](int i) { forward_dynamics<double>(model, w3, s.q[at(i)], s.v[at(i)], s.tau[at(i)], out); }},
                    kNearby);
  return {{ns[0], ns[1], ns[2]}, ms, symbolic.functions()[0].instructions, model.nv()};
}

/// Times the whole mass matrix by both methods; gives the instructions of Method I as well.
std::array<double, 3> measure_mass_matrix(const Model& model, const States& s) {
  const CompiledModel symbolic(model, {ModelFunction::mass_matrix}, {Method::symbolic, {}, 0}),
      joints(model, {ModelFunction::mass_matrix}, {Method::joints, {}, 0});
  CompiledWorkspace w1(symbolic), w2(joints);
  std::vector<double> H(static_cast<std::size_t>(model.nv() * model.nv()));
  const auto call = [&](const CompiledModel& compiled, CompiledWorkspace& w) {
    return [&](int i) { compiled.run(ModelFunction::mass_matrix, w, {s.q[static_cast<std::size_t>(i)]}, H); };
  };
  const std::vector<double> ns = time_together({call(symbolic, w1), call(joints, w2)}, kNearby);
  return {ns[0], ns[1], static_cast<double>(symbolic.functions()[0].instructions)};
}

void print_mass_matrix(const std::string& name, const Model& model, const States& states, nlohmann::json& rows) {
  const auto [first, second, instructions] = measure_mass_matrix(model, states);
  rows.push_back(bench_row(name, "whole_mass_matrix", "method I", first));
  rows.push_back(bench_row(name, "whole_mass_matrix", "method II", second));
  fmt::print("| {} | {} | {} | {:.0f} | {:.0f} |\n", name, model.nv(), instructions, first, second);
}

void print(const std::string& name, const Measured& m, nlohmann::json& rows) {
  const char* backends[] = {"method I", "method II", "generic"};
  for (int i = 0; i < 3; ++i) rows.push_back(bench_row(name, "forward_dynamics", backends[i], m.ns[i]));
  fmt::print("| {} | {} | {} | {:.1f} | {:.0f} ({:.1f}) | {:.0f} ({:.1f}) | {:.0f} ({:.1f}) |\n", name, m.coordinates,
             m.instructions, m.compile_ms, m.ns[0], m.ns[0] / m.coordinates, m.ns[1], m.ns[1] / m.coordinates, m.ns[2],
             m.ns[2] / m.coordinates);
}

}  // namespace

namespace cardan::bench {

void print_paper_table(nlohmann::json& rows) {
  fmt::print(
      "\n| mechanism | coordinates | instructions | compiled in ms | Method I ns (a coordinate) | "
      "Method II | generic |\n|---|---|---|---|---|---|---|\n");
  double per_coordinate[2] = {0.0, 0.0};
  for (const int n : {20, 50, 100, 200, 300}) {
    const Model model = chain(n);
    const Measured m = measure(model, random_states(model, kNearby));
    print(fmt::format("RC{}", n), m, rows);
    if (n == 100) per_coordinate[0] = m.ns[0] / m.coordinates;
  }
  for (const auto& [name, file] : kScenes) {
    const Scene scene = load(std::string(CARDAN_EXAMPLES "/") + file + ".toml");
    const Measured m = measure(scene.model, states_near(scene));
    print(name, m, rows);
    if (std::string(name) == "TC20") per_coordinate[1] = m.ns[0] / m.coordinates;
  }
  fmt::print("\na coordinate of TC20 costs {:.2f} times one of RC100 (Method I)\n",
             per_coordinate[1] / per_coordinate[0]);
  fmt::print(
      "\n| whole mass matrix | coordinates | instructions | Method I ns | Method II ns |\n|---|---|---|---|---|\n");
  for (const int n : {20, 30, 40}) {
    const Model model = chain(n);
    print_mass_matrix(fmt::format("RC{}", n), model, random_states(model, kNearby), rows);
  }
  for (const auto& [name, file] : kScenes) {
    const Scene scene = load(std::string(CARDAN_EXAMPLES "/") + file + ".toml");
    print_mass_matrix(name, scene.model, states_near(scene), rows);
  }
}

}  // namespace cardan::bench
