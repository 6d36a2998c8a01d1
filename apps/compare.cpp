// cardan compare: runs side by side on one page.
#include "apps/command.hpp"
#include "apps/compared_runs.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/report.hpp"
#include "cardan/io/svg_plot.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kCompareFooter = R"(Example:
  cardan simulate examples/double_pendulum.urdf --integrator rk4 --step 0.01 --out build/coarse.csv
  cardan simulate examples/double_pendulum.urdf --out build/fine.csv
  cardan compare build/coarse.csv build/fine.csv --out build/compare.html

Takes runs (CSV) and scenes or robots, which are run first. Writes one page with a plot for every column that at least
two of them have, and prints the largest difference of each from the first run, at the first run's times. Runs of
different length are compared over the time that they have in common, which is then printed.
--phase JOINT adds a plot of that joint's velocity over its coordinate.)";

struct CompareArguments {
  std::vector<std::string> files, set, phase;
  std::string out = "compare.html";
};

ComparedRun load_run(const std::string& file, const std::vector<std::string>& set) {
  const std::string name = std::filesystem::path(file).stem().string();
  if (std::filesystem::path(file).extension() == ".csv") return ComparedRun::of(name, load_csv(file), file);
  const RunOfScene done = run_scene(load(file, {false, false, false, set}), false);
  if (done.run.summary.end != RunSummary::End::done) throw std::runtime_error(early_end("compare", done.run));
  return ComparedRun::of(name, done.run);
}

void compare(const CompareArguments& a) {
  require_folder(a.out);
  std::vector<ComparedRun> runs;
  for (const std::string& file : a.files) {
    runs.push_back(load_run(file, a.set));
    for (std::size_t i = 0; i + 1 < runs.size(); ++i)
      if (runs[i].name == runs.back().name) runs.back().name = file;
  }
  const std::vector<std::string> columns = common_columns(runs);
  if (columns.empty()) throw std::runtime_error("compare: expected runs with columns in common, found none");

  const std::vector<std::string> parts = common_parts(runs);
  std::string figures, text = fmt::format("{:<26}{}\n", "largest difference from", io::printable(runs[0].name));
  for (const std::string& column : columns) {
    figures += figure_of(runs, column, true);
    if (!runs[0].has(column)) continue;
    text += fmt::format("  {:<24}", io::printable(column));
    for (std::size_t i = 1; i < runs.size(); ++i)
      text += runs[i].has(column) ? fmt::format(" {:>11.3e}", largest_difference(runs[0], runs[i], column))
                                  : fmt::format(" {:>11}", "-");
    text += "\n";
  }
  for (const std::string& joint : a.phase) {
    std::vector<io::PlotCurve> curves;
    for (const ComparedRun& run : runs)
      if (run.has("q." + joint) && run.has("v." + joint))
        curves.push_back({run.name, run.values("q." + joint), run.values("v." + joint)});
    if (curves.empty())
      throw std::runtime_error(fmt::format(
          "compare: --phase {}: expected a joint with one coordinate, found none of this name", io::in_quotes(joint)));
    figures = io::plot("phase of " + joint, {"q." + joint, "v." + joint}, curves) + figures;
  }
  for (const std::string& part : parts) text += fmt::format("{:<26}{}\n", "compared", part);
  ReportText page{"Comparison", {{"cardan", CARDAN_VERSION}}, {}};
  for (const std::string& part : parts) page.notes.push_back("Compared: " + part);
  for (std::size_t i = 0; i < runs.size(); ++i)
    page.summary.emplace_back(runs[i].name,
                              fmt::format("{}: {} rows to t = {:g} s", a.files[i], runs[i].table.rows.size(),
                                          runs[i].table.rows.back()[runs[i].time]));
  write_output(a.out, html_page(page, figures));
  write_output("", text + fmt::format("{:<26}{}\n", "wrote", io::printable(a.out)));
}

}  // namespace

void add_compare(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("compare", "Show several runs on one page");
  const auto arguments = std::make_shared<CompareArguments>();
  CompareArguments& a = *arguments;
  command->add_option("RUNS", a.files, "Runs (CSV), scenes (TOML) or robots (URDF)")
      ->required()
      ->expected(2, 100)
      ->option_text(" ");
  command->add_option("--out", a.out, "The page")->option_text("PAGE.html")->capture_default_str();
  command->add_option("--phase", a.phase, "Plot a joint's velocity over its coordinate")
      ->allow_extra_args(false)
      ->option_text("JOINT");
  add_set_option(*command, a.set);
  command->footer(kCompareFooter);
  command->callback([arguments, &action] { action = [arguments] { compare(*arguments); }; });
}

}  // namespace cardan::command
