// cardan compare: runs side by side on one page.
#include "apps/command.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/csv.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/report.hpp"
#include "cardan/io/svg_plot.hpp"
#include "cardan/io/trajectory_file.hpp"

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

struct Run {
  std::string name;
  CsvTable table;
  std::size_t time = 0;

  bool has(const std::string& column) const { return table.find(column) < table.columns.size(); }
  std::vector<double> values(const std::string& column) const {
    const std::size_t c = table.find(column);
    std::vector<double> out;
    for (const auto& row : table.rows) out.push_back(row[c]);
    return out;
  }
  double first_time() const { return table.rows.front()[time]; }
  double last_time() const { return table.rows.back()[time]; }
  /// Linear between rows; NaN outside.
  double at(double t, std::size_t column) const {
    const auto after = std::lower_bound(table.rows.begin(), table.rows.end(), t,
                                        [&](const auto& row, double x) { return row[time] < x; });
    if (after == table.rows.end()) return NAN;
    if ((*after)[time] == t) return (*after)[column];
    if (after == table.rows.begin()) return NAN;
    const auto& before = *(after - 1);
    const double s = (t - before[time]) / ((*after)[time] - before[time]);
    return (1.0 - s) * before[column] + s * (*after)[column];
  }
};

Run load_run(const std::string& file, const std::vector<std::string>& set) {
  Run out{std::filesystem::path(file).stem().string(), {}};
  if (std::filesystem::path(file).extension() == ".csv") {
    out.table = load_csv(file);
  } else {
    const RunOfScene done = run_scene(load(file, {false, false, false, set}), false);
    if (done.run.summary.end != RunSummary::End::done) throw std::runtime_error(early_end("compare", done.run));
    out.table = parse_csv(trajectory_csv(done.run), file);
  }
  out.time = out.table.find("t");
  if (out.time == out.table.columns.size())
    throw std::runtime_error(fmt::format("compare: {}: expected a column \"t\", found none", io::printable(file)));
  if (out.table.rows.empty())
    throw std::runtime_error(fmt::format("compare: {}: expected rows of numbers, found none", io::printable(file)));
  return out;
}

/// Computes the largest difference of a column of two runs at the times of the first that are among those of the
/// second; NaN where either has none.
double largest_difference(const Run& a, const Run& b, const std::string& column) {
  const std::size_t of_a = a.table.find(column), of_b = b.table.find(column);
  double out = 0.0;
  for (const auto& row : a.table.rows) {
    const double t = row[a.time];
    if (t < b.first_time() || t > b.last_time()) continue;
    const double difference = std::abs(b.at(t, of_b) - row[of_a]);
    if (!(difference <= out)) out = difference;
    if (std::isnan(out)) break;
  }
  return out;
}

/// Says which runs are compared over a part of their time only; throws where two have no time in common.
std::vector<std::string> common_parts(const std::vector<Run>& runs) {
  std::vector<std::string> out;
  const Run& first = runs.front();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const double from = std::max(first.first_time(), runs[i].first_time()),
                 to = std::min(first.last_time(), runs[i].last_time());
    const std::string both =
        fmt::format("{:g} to {:g} s in {} and {:g} to {:g} s in {}", first.first_time(), first.last_time(),
                    io::printable(first.name), runs[i].first_time(), runs[i].last_time(), io::printable(runs[i].name));
    const bool any = std::any_of(first.table.rows.begin(), first.table.rows.end(),
                                 [&](const auto& row) { return row[first.time] >= from && row[first.time] <= to; });
    if (!any) throw std::runtime_error("compare: expected runs with times in common, found " + both);
    const double slack = 1e-9 * (first.last_time() - first.first_time());
    if (from > std::min(first.first_time(), runs[i].first_time()) + slack ||
        to < std::max(first.last_time(), runs[i].last_time()) - slack)
      out.push_back(fmt::format("only t = {:g} to {:g} s: {}", from, to, both));
  }
  return out;
}

/// Runs that blow up would flatten all others: what lies far outside of what the calmest of them does is cut off.
void clip(std::vector<io::PlotCurve>& curves) {
  double calm = INFINITY;
  for (const io::PlotCurve& curve : curves) {
    double size = 0.0;
    for (const double y : curve.y) size = std::isfinite(y) ? std::max(size, std::abs(y)) : INFINITY;
    calm = std::min(calm, size);
  }
  for (io::PlotCurve& curve : curves)
    for (double& y : curve.y)
      if (std::isfinite(calm) && std::abs(y) > 100.0 * (calm + 1e-12)) y = NAN;
}

void compare(const CompareArguments& a) {
  require_folder(a.out);
  std::vector<Run> runs;
  for (const std::string& file : a.files) {
    runs.push_back(load_run(file, a.set));
    for (std::size_t i = 0; i + 1 < runs.size(); ++i)
      if (runs[i].name == runs.back().name) runs.back().name = file;
  }
  std::vector<std::string> columns;
  for (const Run& run : runs)
    for (const std::string& column : run.table.columns)
      if (column != "t" && std::find(columns.begin(), columns.end(), column) == columns.end() &&
          std::count_if(runs.begin(), runs.end(), [&](const Run& r) { return r.has(column); }) > 1)
        columns.push_back(column);
  if (columns.empty()) throw std::runtime_error("compare: expected runs with columns in common, found none");

  const std::vector<std::string> parts = common_parts(runs);
  std::string figures, text = fmt::format("{:<26}{}\n", "largest difference from", io::printable(runs[0].name));
  for (const std::string& column : columns) {
    std::vector<io::PlotCurve> curves;
    for (const Run& run : runs)
      if (run.has(column) && curves.size() < io::kMostPlotLines)
        curves.push_back({run.name, run.values("t"), run.values(column)});
    clip(curves);
    figures += io::plot(column, {"t [s]", column}, curves);
    if (!runs[0].has(column)) continue;
    text += fmt::format("  {:<24}", io::printable(column));
    for (std::size_t i = 1; i < runs.size(); ++i)
      text += runs[i].has(column) ? fmt::format(" {:>11.3e}", largest_difference(runs[0], runs[i], column))
                                  : fmt::format(" {:>11}", "-");
    text += "\n";
  }
  for (const std::string& joint : a.phase) {
    std::vector<io::PlotCurve> curves;
    for (const Run& run : runs)
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
