// cardan plot: columns of a run as lines over time, or over another column, in an SVG file.
#include "apps/command.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/csv.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/svg_plot.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kPlotFooter = R"(Examples:
  cardan simulate examples/cart_pole.toml --out build/cart.csv
  cardan plot build/cart.csv --columns tip,push --out build/cart.svg
  cardan plot build/cart.csv --columns v.pole --over q.pole --out build/phase.svg

A name that is no column stands for all that begin with it and a dot: tip for tip.x, tip.y and tip.z. Without --columns
it lists what the file has. No browser is needed.
)";

struct PlotArguments {
  std::string file, out, over = "t", title, label;
  std::vector<std::string> columns;
};

/// The columns that a name stands for. Throws where there is none.
std::vector<std::size_t> columns_of(const CsvTable& table, const std::string& file, const std::string& name) {
  const std::size_t exact = table.find(name);
  if (exact < table.columns.size()) return {exact};
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < table.columns.size(); ++k)
    if (table.columns[k].starts_with(name + ".")) out.push_back(k);
  if (out.empty())
    throw std::runtime_error(fmt::format("plot: {}: no column {}{}", io::printable(file), io::in_quotes(name),
                                         io::did_you_mean(name, table.columns)));
  return out;
}

std::vector<double> column(const CsvTable& table, std::size_t k) {
  std::vector<double> out;
  for (const std::vector<double>& row : table.rows) out.push_back(row[k]);
  return out;
}

std::string list_of(const CsvTable& table) {
  std::string out;
  for (const std::string& name : table.columns) out += io::printable(name) + "\n";
  return out;
}

void plot(const PlotArguments& a) {
  const CsvTable table = load_csv(a.file);
  if (a.columns.empty()) return write_output("", list_of(table));
  if (a.out.empty()) throw std::runtime_error("plot: --out: expected the name of a file (.svg), found none");
  if (!is_standard_output(a.out) && std::filesystem::path(a.out).extension() != ".svg")
    throw std::runtime_error(
        fmt::format("plot: --out: expected a name that ends in .svg, found {}", io::in_quotes(a.out)));
  require_folder(a.out);
  std::vector<std::size_t> chosen;
  for (const std::string& name : a.columns)
    for (const std::size_t k : columns_of(table, a.file, name)) chosen.push_back(k);
  if (chosen.size() > io::kMostPlotLines)
    throw std::runtime_error(fmt::format("plot: --columns: expected at most {} columns in a plot, found {}",
                                         io::kMostPlotLines, chosen.size()));
  const std::vector<std::size_t> over = columns_of(table, a.file, a.over);
  if (over.size() != 1)
    throw std::runtime_error(fmt::format("plot: --over: expected one column, found {} that begin with {}", over.size(),
                                         io::in_quotes(a.over)));
  const std::vector<double> x = column(table, over[0]);
  std::vector<io::PlotCurve> curves;
  std::vector<std::string> names;
  for (const std::size_t k : chosen) {
    const std::vector<double> y = column(table, k);
    names.push_back(table.columns[k]);
    if (a.over == "t")
      curves.push_back(io::thinned(x, {names.back(), [&y](std::size_t row) { return y[row]; }}));
    else
      curves.push_back({names.back(), x, y});
  }
  const std::string title = a.title.empty() ? fmt::format("{}", fmt::join(a.columns, ", ")) : a.title;
  const std::string x_label = a.over == "t" ? "time (s)" : a.over;
  write_output(a.out, io::svg_file(title, io::PlotAxes{x_label, a.label}, curves));
  if (!is_standard_output(a.out)) write_output("", fmt::format("wrote {}\n", io::printable(a.out)));
}

}  // namespace

void add_plot(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("plot", "Draw columns of a run (CSV) as an SVG");
  const auto arguments = std::make_shared<PlotArguments>();
  PlotArguments& a = *arguments;
  command->add_option("RUN", a.file, "The run, as simulate --out writes it, or any table of numbers (CSV)")
      ->required()
      ->option_text(" ");
  command->add_option("--columns", a.columns, "What is drawn; listed if not given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("A,B,...");
  command->add_option("--over", a.over, "The column across; time if not given")->option_text("COLUMN");
  command->add_option("--out", a.out, "The file that is written")->option_text("X.svg");
  command->add_option("--title", a.title, "Above the plot; the columns if not given")->option_text("TEXT");
  command->add_option("--label", a.label, "Beside the vertical axis")->option_text("TEXT");
  command->footer(kPlotFooter);
  command->callback([arguments, &action] { action = [arguments] { plot(*arguments); }; });
}

}  // namespace cardan::command
