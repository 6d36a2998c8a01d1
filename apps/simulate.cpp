// cardan simulate: runs a scene or robot through time.
#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/run_summary.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/report.hpp"
#include "cardan/io/text.hpp"
#include "cardan/io/trajectory_file.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kSimulateFooter = R"(Example:
  cardan simulate examples/heavy_top.toml --out build/top.csv --report build/top.html

Options here go before those of the scene's [simulation]. Where neither speaks: 10 s, steps of 1 ms,
munthe_kaas_4, an output every 10 ms. Integrators: euler, symplectic_euler, rk4, dopri5,
linearly_implicit_euler, bdf1, bdf2, munthe_kaas_1, munthe_kaas_2, munthe_kaas_4, munthe_kaas_54,
generalized_alpha, and cvode where SUNDIALS was there when this was built. For adaptive ones (dopri5,
munthe_kaas_54, cvode) --step is the first step that is tried.

--out writes t, q.JOINT, v.JOINT, energy, kinetic, potential and what the scene's [[record]] tables ask
for with all digits; a name that ends in .bin gets
the same as doubles after two lines of text. --report writes one HTML page that needs nothing else.
Ctrl-C, or a step that cannot be made, ends the run: what was computed is written, and the exit code is 1.)";

struct SimulateArguments {
  std::string file, out, report, integrator, formulation, base = "fixed";
  std::optional<double> duration, step, output_every, tolerance;
  bool json = false;
};

SimulationOptions options_of(const SimulateArguments& a, SimulationSettings settings) {
  const auto prefer = [](std::optional<double>& setting, const std::optional<double>& argument) {
    if (argument) setting = argument;
  };
  prefer(settings.duration, a.duration);
  prefer(settings.step, a.step);
  prefer(settings.output_every, a.output_every);
  prefer(settings.tolerance, a.tolerance);
  if (!a.integrator.empty()) settings.integrator = a.integrator;
  if (!a.formulation.empty()) settings.formulation = a.formulation;

  const std::vector<std::string> known{"recursive", "redmax", "maximal"};
  const std::string& formulation = settings.formulation;
  if (!formulation.empty() && std::find(known.begin(), known.end(), formulation) == known.end())
    throw std::runtime_error(fmt::format("simulate: unknown formulation {}{}", io::in_quotes(formulation),
                                         io::did_you_mean(formulation, known)));
  if (!formulation.empty() && formulation != "recursive")
    throw std::runtime_error(
        fmt::format("simulate: formulation \"{}\" is not available yet: expected recursive", formulation));
  return simulation_options(settings);
}

/// Found now rather than after a long run.
void require_folder(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw std::runtime_error(fmt::format("{}: cannot be written: there is no folder {}", io::printable(path),
                                         io::in_quotes(folder.string())));
}

std::string early_end(const RunSummary& summary, double duration) {
  if (summary.end == RunSummary::End::failed) return "simulate: " + summary.failure;
  return fmt::format("simulate: interrupted at t = {:g} s of {:g} s", summary.end_time, duration);
}

void write_files(const SimulateArguments& a, const FinishedRun& run, std::vector<std::string> notes) {
  if (!a.out.empty()) {
    const bool binary = std::filesystem::path(a.out).extension() == ".bin";
    write_output(a.out, binary ? trajectory_binary(run.trajectory) : trajectory_csv(run.trajectory));
  }
  if (a.report.empty()) return;
  if (run.summary.end != RunSummary::End::done)
    notes.insert(notes.begin(), early_end(run.summary, run.options.duration));
  write_output(a.report, html_report(run.trajectory, {run.system.model().name(), summary_lines(run), std::move(notes),
                                                      run.system.is_conservative()}));
}

void print_summary(const SimulateArguments& a, const FinishedRun& run, const std::vector<std::string>& warnings) {
  if (a.json) return write_output("", summary_json(run, warnings));
  std::string text;
  for (const auto& [what, value] : summary_lines(run)) text += fmt::format("{:<26}{}\n", what, value);
  for (const std::string& warning : warnings) text += fmt::format("{:<26}{}\n", "warning", io::printable(warning));
  for (const std::string& path : {a.out, a.report})
    if (!path.empty()) text += fmt::format("{:<26}{}\n", "wrote", io::printable(path));
  write_output("", text);
}

void simulate(const SimulateArguments& a) {
  const Scene scene = load(a.file, {a.base == "free", false});
  const SimulationOptions options = options_of(a, scene.simulation);
  for (const std::string& path : {a.out, a.report}) require_folder(path);
  System system(scene.model, scene.loads, system_options(scene.simulation));
  Simulator simulator(system, options);
  Recorder recorder(system, scene.records);
  Trajectory trajectory(scene.model, recorder.layout());
  RunSummary summary;
  {
    const Interrupt interrupt;
    Progress progress(options.duration);
    summary = simulator.run(
        scene.initial,
        [&](double t, const State& state) {
          const Energy energy = system.energy(state);
          trajectory.add(t, state, energy, recorder(t, state, energy));
        },
        [&](double t) {
          progress.at(t);
          return !interrupt.asked();
        });
  }
  std::vector<std::string> warnings = scene.warnings;
  for (const std::string& warning : scene.model.warnings()) warnings.push_back(warning);
  for (const std::string& warning : unheeded(trajectory)) warnings.push_back(warning);
  const FinishedRun run{system, options, summary, trajectory};
  write_files(a, run, warnings);
  print_summary(a, run, warnings);
  if (summary.end != RunSummary::End::done) throw std::runtime_error(early_end(summary, options.duration));
}

}  // namespace

void add_simulate(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("simulate", "Run a scene or robot through time");
  const auto arguments = std::make_shared<SimulateArguments>();
  SimulateArguments& a = *arguments;
  command->add_option("SCENE", a.file, "The scene (TOML) or robot (URDF)")->required()->option_text(" ");
  const auto number = [&](const char* name, std::optional<double>& value, const char* what, const char* unit) {
    command->add_option(name, value, what)->check(CLI::PositiveNumber)->option_text(unit);
  };
  number("--duration", a.duration, "How long, in seconds", "S");
  number("--step", a.step, "The step of the integrator, in seconds", "H");
  number("--tolerance", a.tolerance, "Of one step, for adaptive integrators", "TOL");
  number("--output-every", a.output_every, "Seconds between outputs", "S");
  command->add_option("--integrator", a.integrator, "Which method")->option_text("NAME");
  command->add_option("--formulation", a.formulation, "How the equations are made: recursive")->option_text("NAME");
  command->add_option("--out", a.out, "Write the motion as CSV")->option_text("RUN.csv");
  command->add_option("--report", a.report, "Write a page with plots")->option_text("RUN.html");
  command->add_flag("--json", a.json, "For machines: the summary as JSON");
  add_base_option(*command, a.base);
  command->footer(kSimulateFooter);
  command->callback([arguments, &action] { action = [arguments] { simulate(*arguments); }; });
}

}  // namespace cardan::command
