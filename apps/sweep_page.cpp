#include "apps/sweep_page.hpp"

#include "cardan/io/internal/csv.hpp"
#include "cardan/io/report.hpp"
#include "cardan/io/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace cardan::command {

namespace {

std::string_view without_break(std::string_view line) {
  return line.ends_with('\n') ? line.substr(0, line.size() - 1) : line;
}

/// Columns of numbers; a field that is none is NaN.
struct ResultTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  ResultTable(const std::string& header, const std::map<long, std::string>& lines)
      : names(csv_fields(without_break(header))), columns(names.size()) {
    for (const auto& [run, line] : lines) {
      const std::vector<std::string> row = csv_fields(without_break(line));
      for (std::size_t c = 0; c < names.size(); ++c) {
        char* end = nullptr;
        const double value = c < row.size() ? std::strtod(row[c].c_str(), &end) : NAN;
        columns[c].push_back(c < row.size() && end != row[c].c_str() ? value : NAN);
      }
    }
  }
};

/// Where a function on a grid has a value: straight pieces through the cells (marching squares), each a curve's part
/// with a break behind it.
io::PlotCurve contour(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& values,
                      double level) {
  io::PlotCurve out{fmt::format("{:.4g}", level), {}, {}};
  const auto at = [&](std::size_t i, std::size_t k) { return values[i * y.size() + k]; };
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    for (std::size_t k = 0; k + 1 < y.size(); ++k) {
      const std::size_t corner[5][2] = {{i, k}, {i + 1, k}, {i + 1, k + 1}, {i, k + 1}, {i, k}};
      std::size_t crossings = 0;
      for (int side = 0; side < 4; ++side) {
        const double a = at(corner[side][0], corner[side][1]) - level,
                     b = at(corner[side + 1][0], corner[side + 1][1]) - level;
        if (!((a < 0.0) != (b < 0.0)) || !std::isfinite(a) || !std::isfinite(b)) continue;
        const double s = a / (a - b);
        out.x.push_back((1.0 - s) * x[corner[side][0]] + s * x[corner[side + 1][0]]);
        out.y.push_back((1.0 - s) * y[corner[side][1]] + s * y[corner[side + 1][1]]);
        if (++crossings % 2 == 0) {
          out.x.push_back(NAN);
          out.y.push_back(NAN);
        }
      }
      if (crossings % 2 == 1) {
        out.x.pop_back();
        out.y.pop_back();
      }
    }
  return out;
}

/// The least of 1, 2 and 5 times a power of ten that is not smaller.
double round_step(double size) {
  const double power = std::pow(10.0, std::floor(std::log10(size)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= size * (1.0 - 1e-9)) return factor * power;
  return 10.0 * power;
}

/// The value that a column has in all runs; nothing where it varies by more than rounding, or there is none.
std::optional<double> constant(const std::vector<double>& values) {
  double least = INFINITY, largest = -INFINITY;
  for (const double value : values)
    if (std::isfinite(value)) {
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  const bool same = largest - least <= 1e-9 * std::max(std::abs(least), std::abs(largest));
  return least <= largest && same ? std::optional(least) : std::nullopt;
}

std::string contours(const SweepPlan& plan, const std::string& title, const std::vector<double>& values) {
  const auto grid = [&](std::size_t i) {
    const Variation& v = plan.variations()[i];
    std::vector<double> out;
    for (long k = 0; k < v.count; ++k)
      out.push_back(v.low + static_cast<double>(k) / static_cast<double>(v.count - 1) * (v.high - v.low));
    return out;
  };
  double least = INFINITY, largest = -INFINITY;
  for (const double value : values)
    if (std::isfinite(value)) {
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  std::vector<io::PlotCurve> curves;
  const double step = round_step((largest - least) / 8.0);
  for (double k = std::floor(least / step) + 1.0; k * step < largest; ++k)
    curves.push_back(contour(grid(0), grid(1), values, k * step));
  return io::plot(title, {plan.variations()[0].name, plan.variations()[1].name}, curves);
}

}  // namespace

long failed_runs(const SweepPlan& plan, const std::map<long, std::string>& lines) {
  const std::size_t status = plan.variations().size() + 1;
  return std::count_if(lines.begin(), lines.end(),
                       [&](const auto& entry) { return csv_fields(without_break(entry.second))[status] != "ok"; });
}

long noted_runs(const std::map<long, std::string>& lines) {
  return std::count_if(lines.begin(), lines.end(),
                       [](const auto& entry) { return !csv_fields(without_break(entry.second)).back().empty(); });
}

std::string sweep_page(const SweepPlan& plan, const std::string& header, const std::map<long, std::string>& lines,
                       const std::string& scene) {
  const ResultTable table(header, lines);
  const std::size_t variations = plan.variations().size(), first = variations + 2;
  const bool on_grid = !plan.is_random() && variations == 2 && plan.variations()[0].count > 1 &&
                       plan.variations()[1].count > 1 && static_cast<long>(lines.size()) == plan.runs();
  const long failed = failed_runs(plan, lines);
  ReportText text{"Sweep of " + scene, {{"runs", fmt::format("{}", lines.size())}, {"cardan", CARDAN_VERSION}}, {}};
  for (const Variation& v : plan.variations())
    text.summary.emplace_back(v.name, plan.is_random()
                                          ? fmt::format("{:g} to {:g}, random, seed {}", v.low, v.high, plan.seed())
                                          : fmt::format("{:g} to {:g}, {} values", v.low, v.high, v.count));
  std::string figures;
  for (std::size_t c = first; c < table.names.size(); ++c) {
    const std::string& name = table.names[c];
    if (!name.ends_with(".final") && !name.ends_with(".max")) continue;
    if (const auto value = constant(table.columns[c])) {
      text.summary.emplace_back(name, fmt::format("{:g} in all runs", *value));
      continue;
    }
    if (on_grid) {
      figures += contours(plan, name, table.columns[c]);
      continue;
    }
    for (std::size_t v = 0; v < variations; ++v) {
      const bool line = !plan.is_random() && variations == 1;
      std::vector<io::PlotCurve> curves{{"", table.columns[1 + v], table.columns[c], true}};
      if (!line) {  // single points: breaks between them
        io::PlotCurve points{"", {}, {}, true};
        for (std::size_t i = 0; i < curves[0].x.size(); ++i) {
          points.x.insert(points.x.end(), {curves[0].x[i], NAN});
          points.y.insert(points.y.end(), {curves[0].y[i], NAN});
        }
        curves = {points};
      }
      figures += io::plot(name, {plan.variations()[v].name, name}, curves);
    }
  }
  if (failed > 0) text.notes.push_back(fmt::format("{} runs failed: the column status of sweep.csv says why", failed));
  if (const long noted = noted_runs(lines); noted > 0)
    text.notes.push_back(fmt::format(
        "{} runs start on another branch of their loops than the scene as given, or may: the column note of sweep.csv "
        "says which",
        noted));
  if (first == table.names.size() - 1)
    text.notes.emplace_back("The scene records nothing: [[record]] tables say what is plotted here");
  return html_page(text, figures);
}

}  // namespace cardan::command
