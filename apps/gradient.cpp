// cardan gradient: derivatives of what a run ends with.
#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/scene_family.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace cardan::command {

namespace {

constexpr const char* kGradientFooter = R"(Examples:
  cardan gradient examples/cart_pole.toml --of q.pole.final,energy.max --by length,body.cart.mass
  cardan gradient examples/pendulum.toml --of q.lower.rms --by initial.q.upper,initial.v.upper --check --json

OUTCOME is a column of the run and what to take of it: .final, .min, .max, .rms (all of the outputs) or .integral.
NAME is a parameter, a path as --set takes it, input.NAME, initial.q.JOINT or initial.v.JOINT.
Every step is differentiated as it was made, so that the result is the derivative of the run, not of the motion that it
approximates. --check compares with central differences of runs that make the same steps, and fails beyond 1e-5.
Explicit methods, loops, motions and every smooth force; runs with contact, dry friction, limits that are reached or
sampled controllers are refused with the reason. docs/gradients.md says more.)";

constexpr double kAgreement = 1e-5;  // of a derivative with differences
constexpr double kResolved = 1e-4;   // what rounding leaves of differences, over the agreement

struct GradientArguments {
  std::string file, mode = "tangent";
  std::vector<std::string> of, by, set;
  std::optional<double> duration;
  bool check = false, json = false;
};

/// How far a derivative is from its difference, relative to it or to what the check can resolve.
double disagreement(const OutcomeGradient& of, std::size_t i, double number) {
  const double resolved = kResolved * std::abs(of.value) / (number != 0.0 ? std::abs(number) : 1.0);
  const double size = std::max({std::abs(of.by[i]), std::abs(of.difference[i]), resolved, 1e-12});
  return std::abs(of.by[i] - of.difference[i]) / size;
}

nlohmann::ordered_json as_json(const RunGradient& found, const SceneFamily& family) {
  nlohmann::ordered_json out;
  for (const OutcomeGradient& of : found.outcomes) {
    nlohmann::ordered_json& entry = out[of.name];
    entry["value"] = of.value;
    for (std::size_t i = 0; i < family.names.size(); ++i) entry["by"][family.names[i]] = of.by[i];
    for (std::size_t i = 0; i < of.difference.size(); ++i) entry["difference"][family.names[i]] = of.difference[i];
  }
  out["mode"] = "tangent";
  out["steps"] = found.steps;
  out["not_differentiable"] = nlohmann::ordered_json::array();
  return out;
}

std::string as_text(const RunGradient& found, const SceneFamily& family) {
  std::string out;
  for (const OutcomeGradient& of : found.outcomes) {
    out += fmt::format("{:<34}{:.12g}\n", io::printable(of.name), of.value);
    for (std::size_t i = 0; i < family.names.size(); ++i) {
      out += fmt::format("  by {:<28} {:.12g}", io::printable(family.names[i]), of.by[i]);
      if (!of.difference.empty()) out += fmt::format("    by differences {:.12g}", of.difference[i]);
      out += "\n";
    }
  }
  return out + fmt::format("{:<34}{}, by tangents of each\n", "steps", found.steps);
}

void require_agreement(const RunGradient& found, const SceneFamily& family) {
  for (const OutcomeGradient& of : found.outcomes)
    for (std::size_t i = 0; i < of.difference.size(); ++i)
      if (const double off = disagreement(of, i, family.values[i]); !(off <= kAgreement))
        throw std::runtime_error(fmt::format("gradient: {} by {}: {:.9g}, but {:.9g} by differences ({:.2g} apart)",
                                             of.name, family.names[i], of.by[i], of.difference[i], off));
}

void gradient(const GradientArguments& a) {
  if (a.mode != "tangent")
    throw std::runtime_error(fmt::format("gradient: --mode: expected tangent, found {}{}", io::in_quotes(a.mode),
                                         a.mode == "adjoint" ? ", which is not there yet" : ""));
  const SceneFamily family = scene_family(load_spec(a.file), a.by, {a.set, [&a](Settings& settings) {
                                                                      if (a.duration) settings.duration = *a.duration;
                                                                    }});
  const Scene scene = family.scene(family.values);
  const Interrupt interrupt;
  Progress progress(scene.settings.duration, Progress::Of::seconds);
  GradientOptions options{.check = a.check};
  options.go_on = [&](double t) {
    progress.at(t - scene.settings.start);
    return !interrupt.asked();
  };
  try {
    const RunGradient found = run_gradient(family, a.of, options);
    write_output("", a.json ? as_json(found, family).dump(2) + "\n" : as_text(found, family));
    require_agreement(found, family);
  } catch (const NotDifferentiable& problem) {
    if (a.json) {
      nlohmann::ordered_json out;
      const nlohmann::ordered_json t = std::isfinite(problem.time) ? nlohmann::ordered_json(problem.time) : nullptr;
      for (const std::string& of : a.of) out[of] = {{"value", nullptr}, {"by", nlohmann::ordered_json::object()}};
      out["mode"] = "tangent";
      out["not_differentiable"] = {{{"t", t}, {"what", problem.what_is_not}}};
      write_output("", out.dump(2) + "\n");
    }
    throw std::runtime_error(fmt::format("gradient: {}: {}", io::printable(a.file), problem.what()));
  } catch (const std::invalid_argument& problem) {
    throw std::runtime_error(fmt::format("gradient: {}: {}", io::printable(a.file), problem.what()));
  }
}

}  // namespace

void add_gradient(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("gradient", "Differentiate what a run ends with by numbers of its scene");
  const auto arguments = std::make_shared<GradientArguments>();
  GradientArguments& a = *arguments;
  command->add_option("SCENE", a.file, "The scene or model")->required()->option_text(" ");
  command->add_option("--of", a.of, "Outcomes to differentiate")
      ->required()
      ->delimiter(',')
      ->option_text("COLUMN.final,...");
  command->add_option("--by", a.by, "Numbers of the scene")->required()->delimiter(',')->option_text("NAME,...");
  command->add_option("--mode", a.mode, "tangent: one tangent for each number, moved beside the state")
      ->option_text("tangent");
  command->add_flag("--check", a.check, "Compare with differences of whole runs");
  command->add_flag("--json", a.json, "Write JSON");
  command->add_option("--duration", a.duration, "How long the run is, in seconds")
      ->check(CLI::PositiveNumber)
      ->option_text("S");
  add_set_option(*command, a.set);
  command->footer(kGradientFooter);
  command->callback([arguments, &action] { action = [arguments] { gradient(*arguments); }; });
}

}  // namespace cardan::command
