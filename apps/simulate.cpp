// cardan simulate: runs a scene or robot through time.
#include "cardan/simulate/simulate.hpp"
#include "apps/command.hpp"
#include "apps/run_page.hpp"
#include "apps/run_summary.hpp"
#include "apps/trajectory_stream.hpp"
#include "cardan/io/internal/scene_initial.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <filesystem>
#include <memory>
#include <tuple>

namespace cardan::command {

namespace {

std::string simulate_footer() {
  return fmt::format(R"(Example:
  cardan simulate examples/heavy_top.toml --out build/top.csv --report build/top.html

Options here go before those of the scene's [simulation]. Where neither speaks: 10 s, an output every 10 ms,
munthe_kaas_54 with a tolerance of 1e-8; where only a step is given, munthe_kaas_4.
Integrators: {}.
For adaptive ones (dopri5, munthe_kaas_54, cvode) --step is the first step that is tried.

--out writes t, q.JOINT, v.JOINT, energy, kinetic, potential, u.INPUT and what the scene's [[record]] tables ask
for with all digits, while the run goes on; a name that ends in .bin gets
the same as doubles after two lines of text. --input reads t and columns that are inputs of the scene ([[input]]),
linear between rows and held after the last; other inputs keep their default. --report writes one HTML page in which the mechanism moves, with plots
and the summary; it needs no network and no other file, so it can be mailed.
Ctrl-C, or a step that cannot be made, ends the run: what was computed is written, and the exit code is 1.

{})",
                     fmt::join(integrator_names(), ", "), kPackageHelp);
}

const CLI::Validator kPositive(
    [](std::string& text) -> std::string {
      double value = 0.0;
      const bool good = CLI::detail::lexical_cast(text, value) && value > 0.0 && std::isfinite(value);
      return good ? std::string() : fmt::format("expected a positive number, found {}", io::in_quotes(text));
    },
    "");

struct SimulateArguments : ModelArguments {
  std::string integrator, formulation;
  std::optional<std::string> out, report;
  std::string input;
  std::optional<double> duration, step, output_every, tolerance, max_step;
  bool json = false, profile = false;
  std::vector<std::string> q, v;
};

/// Puts what the command line says over what the scene says.
void apply(const SimulateArguments& a, Settings& settings) {
  if (a.duration) settings.duration = *a.duration;
  if (a.output_every) settings.output_every = *a.output_every;
  if (a.tolerance) {
    settings.steps.tolerance = *a.tolerance;
    settings.tolerance_is_chosen = true;
  }
  if (a.max_step) settings.steps.largest_step = *a.max_step;
  if (!a.integrator.empty()) settings.choose_integrator(integrator_name(a.integrator));
  if (a.step) {
    settings.choose_step(*a.step);
    settings.step_is_automatic = false;
  }
  try {
    if (!a.formulation.empty()) settings.formulation = formulation(a.formulation);
    if (a.profile) settings.profile = std::make_shared<RunProfile>();
  } catch (const std::invalid_argument& problem) {
    throw std::runtime_error(std::string("simulate: ") + problem.what());
  }
}

/// Found now rather than after a long run.
void require_place(const SimulateArguments& a, const char* option, const std::optional<std::string>& given) {
  if (!given) return;
  const std::string& path = *given;
  if (path.empty())
    throw std::runtime_error(fmt::format("simulate: {}: expected the name of a file, found none", option));
  std::error_code error;
  if (std::filesystem::equivalent(path, a.file, error))
    throw std::runtime_error(fmt::format("simulate: {}: expected another file than the scene itself, found {}", option,
                                         io::in_quotes(path)));
  require_folder(path);
}

void require_places(const SimulateArguments& a) {
  require_place(a, "--out", a.out);
  require_place(a, "--report", a.report);
  if (a.out && a.report &&
      std::filesystem::path(*a.out).lexically_normal() == std::filesystem::path(*a.report).lexically_normal())
    throw std::runtime_error(
        fmt::format("simulate: --out and --report: expected two files, found {} for both", io::in_quotes(*a.out)));
}

void print_summary(const SimulateArguments& a, const RunOfScene& done, bool is_written) {
  // the summary makes room for a motion or page that goes to the standard output
  const bool to_terminal = !(a.out && is_standard_output(*a.out)) && !(a.report && is_standard_output(*a.report));
  const auto print = [&](const std::string& all) {
    if (to_terminal)
      write_output("", all);
    else
      fmt::print(stderr, "{}", all);
  };
  if (a.json) return print(summary_json(done.run, *done.workspace, done.warnings));
  std::string text;
  for (const auto& [what, value] : summary_lines(done.run, *done.workspace))
    text += fmt::format("{:<26}{}\n", what, value);
  if (a.profile) text += profile_table(*done.workspace->profile());
  for (const std::string& warning : done.warnings) text += fmt::format("{:<26}{}\n", "warning", io::printable(warning));
  if (is_written)
    for (const auto& path : {a.out, a.report})
      if (path) text += fmt::format("{:<26}{}\n", "wrote", io::printable(*path));
  print(text);
}

void simulate(const SimulateArguments& a) {
  LoadOptions how = a.how_to_load(a.report.has_value());
  how.inputs = a.input;
  Scene scene = load(a.file, how);
  apply(a, scene.settings);
  for (const std::string& text : a.q) set_initial(scene, InitialKind::coordinates, text);
  for (const std::string& text : a.v) set_initial(scene, InitialKind::velocities, text);
  require_places(a);
  std::optional<TrajectoryStream> stream;
  if (a.out) stream.emplace(*a.out);
  const RunOfScene done = run_scene(
      std::move(scene), a.report.has_value(),
      [&](const Trajectory& so_far) {
        if (stream) stream->write(so_far);
      },
      [&] {
        if (stream) stream->send_if_due();
      });
  try {
    if (stream) stream->finish(done.run);
    if (a.report) write_output(*a.report, page_of(done, a.file));
  } catch (const std::exception&) {  // a full disk: the summary is not lost with it
    print_summary(a, done, false);
    throw;
  }
  print_summary(a, done, true);
  if (done.run.summary.end != RunSummary::End::done)
    throw std::runtime_error(fmt::format("{} (of {})", early_end("simulate", done.run), io::printable(a.file)));
  if (!done.broken.empty()) throw std::runtime_error("simulate: " + done.broken + ": the result does not hold");
}

}  // namespace

void add_simulate(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("simulate", "Run a scene or robot through time");
  const auto arguments = std::make_shared<SimulateArguments>();
  SimulateArguments& a = *arguments;
  command
      ->add_option("SCENE", a.file,
                   "The scene (TOML), robot (URDF), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  const auto number = [&](const char* name, std::optional<double>& value, const char* what, const char* unit) {
    command->add_option(name, value, what)->check(kPositive)->option_text(unit);
  };
  number("--duration", a.duration, "How long, in seconds", "S");
  number("--step", a.step, "The step of the integrator, in seconds", "H");
  number("--tolerance", a.tolerance, "Of one step, for adaptive integrators", "TOL");
  number("--max-step", a.max_step, "The longest step of any integrator, in seconds", "H");
  number("--output-every", a.output_every, "Seconds between outputs", "S");
  command->add_option("--integrator", a.integrator, "Which method")->option_text("NAME");
  command
      ->add_option("--formulation", a.formulation, "How the equations are made: recursive, reduced, redmax or maximal")
      ->option_text("NAME");
  command->add_option("--input", a.input, "Lead inputs through time: a column t and one for each input")
      ->option_text("FILE.csv");
  command->add_option("--out", a.out, "Write the motion as CSV")->option_text("RUN.csv");
  command->add_option("--report", a.report, "Write a page that shows the motion, with plots")->option_text("RUN.html");
  command->add_flag("--profile", a.profile, "Print where the time of the run went");
  command->add_flag("--json", a.json, "For machines: the summary as JSON");
  add_model_options(*command, a);
  for (const auto& [option, texts, what] : {std::tuple("--q", &a.q, "Start a joint at these coordinates"),
                                            std::tuple("--v", &a.v, "Start a joint with these velocities")})
    command->add_option(option, *texts, what)->allow_extra_args(false)->option_text("JOINT=VALUE");
  command->footer(simulate_footer());
  command->callback([arguments, &action] { action = [arguments] { simulate(*arguments); }; });
}

}  // namespace cardan::command
