// cardan compare-formulations: the same state of a scene by every formulation that takes it.
#include "apps/command.hpp"
#include "apps/table.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

namespace cardan::command {

namespace {

constexpr const char* kFooter = R"(Example:
  cardan compare-formulations examples/four_bar.toml

Evaluates the scene at its start by every formulation that takes it: recursive (joint coordinates, articulated bodies),
reduced (couplings by q = gamma(y)), redmax (joint coordinates by products with the Jacobian of all bodies) and maximal
(a pose for every body, joints as constraints). Shows the largest acceleration of a joint, the largest force that a joint
exerts on the body it moves, by how much both differ from those of the first formulation, and what one evaluation of the
accelerations costs. Where constraints repeat one another, forces are not unique and may differ. A formulation that does
not take the scene says why. --json: all accelerations and forces, for machines.)";

constexpr double kSecondsOfTiming = 0.2;

struct Column {
  std::string name, refusal{};
  Loads loads{};
  double microseconds = 0.0;
};

double largest(const std::vector<double>& x) {
  double out = 0.0;
  for (const double value : x) out = std::max(out, std::abs(value));
  return out;
}
std::vector<double> flat(const std::vector<ForceVector<double>>& forces) {
  std::vector<double> out;
  for (const ForceVector<double>& f : forces)
    for (int c = 0; c < 6; ++c) out.push_back(f[c]);
  return out;
}
double difference(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return largest(a);
}

Column evaluate(Scene scene, Formulation formulation) {
  Column out{formulation_names()[static_cast<std::size_t>(formulation)]};
  scene.settings.formulation = formulation;
  try {
    SystemWorkspace workspace{System(scene)};
    const State start = workspace.model_state(workspace.begin(0.0, scene.initial));
    workspace.loads(0.0, start, out.loads);
    if (!std::isfinite(largest(out.loads.accelerations))) throw std::runtime_error("the equations are singular");
    // the cost, at the state that integrators see
    const State state = workspace.problem_state(start);
    const Sizes sizes = workspace.space().sizes();
    std::vector<double> a(static_cast<std::size_t>(sizes.v)), z_dot(static_cast<std::size_t>(sizes.z));
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    double best = 1e300, total = 0.0;
    for (int i = 0; i < 3 || (total < kSecondsOfTiming && i < 1000); ++i) {
      const auto from = Clock::now();
      workspace.acceleration(Point(0.0, state), a, z_dot);
      const auto to = Clock::now();
      best = std::min(best, std::chrono::duration<double>(to - from).count());
      total = std::chrono::duration<double>(to - begin).count();
    }
    out.microseconds = 1e6 * best;
  } catch (const std::exception& problem) {
    out.refusal = problem.what();
  }
  return out;
}

nlohmann::json as_json(const Scene& scene, const std::vector<Column>& columns) {
  nlohmann::json out;
  for (const Column& c : columns) {
    nlohmann::json entry{{"formulation", c.name}};
    if (!c.refusal.empty()) {
      entry["refused"] = c.refusal;
    } else {
      entry["accelerations"] = c.loads.accelerations;
      entry["microseconds"] = c.microseconds;
      for (int body = 1; body <= scene.model.bodies(); ++body) {
        const ForceVector<double>& f = c.loads.joints[static_cast<std::size_t>(body)];
        entry["joint_forces"][scene.model.joint_name(body)] = std::vector<double>{f[0], f[1], f[2], f[3], f[4], f[5]};
      }
    }
    out.push_back(entry);
  }
  return out;
}

struct Arguments : ModelArguments {
  bool json = false;
};

void compare(const Arguments& a) {
  Scene scene = load(a.file, a.how_to_load(false));
  assemble(scene);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < formulation_names().size(); ++i)
    columns.push_back(evaluate(scene, static_cast<Formulation>(i)));
  const auto first = std::find_if(columns.begin(), columns.end(), [](const Column& c) { return c.refusal.empty(); });
  if (first == columns.end()) throw std::runtime_error("compare-formulations: " + columns.front().refusal);
  if (a.json) {
    write_output("", as_json(scene, columns).dump(2) + "\n");
    return;
  }
  Table table({"formulation", "largest acceleration", "differs by", "largest joint force", "differs by", "cost"});
  std::string refusals;
  for (const Column& c : columns) {
    if (!c.refusal.empty()) {
      refusals += fmt::format("{}: {}\n", c.name, c.refusal);
      continue;
    }
    const std::vector<double> forces = flat(c.loads.joints), expected = flat(first->loads.joints);
    table.add({c.name, fmt::format("{:.6g}", largest(c.loads.accelerations)),
               fmt::format("{:.1e}", difference(c.loads.accelerations, first->loads.accelerations)),
               fmt::format("{:.6g}", largest(forces)), fmt::format("{:.1e}", difference(forces, expected)),
               fmt::format("{:.3g} us", c.microseconds)});
  }
  write_output("", table.text(0) + refusals);
}

}  // namespace

void add_compare_formulations(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("compare-formulations", "Show accelerations, forces and cost by every formulation");
  const auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("SCENE", arguments->file,
                   "The scene (TOML), robot (URDF), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  command->add_flag("--json", arguments->json, "For machines: everything as JSON");
  add_model_options(*command, *arguments);
  command->footer(kFooter);
  command->callback([arguments, &action] { action = [arguments] { compare(*arguments); }; });
}

}  // namespace cardan::command
