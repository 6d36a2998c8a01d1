#include "apps/compared_runs.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/io/svg_plot.hpp"
#include "cardan/io/trajectory_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan::command {

namespace {

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

}  // namespace

ComparedRun ComparedRun::of(const std::string& name, CsvTable table, const std::string& file) {
  ComparedRun out{name, std::move(table)};
  out.time = out.table.find("t");
  if (out.time == out.table.columns.size())
    throw std::runtime_error(fmt::format("compare: {}: expected a column \"t\", found none", io::printable(file)));
  if (out.table.rows.empty())
    throw std::runtime_error(fmt::format("compare: {}: expected rows of numbers, found none", io::printable(file)));
  return out;
}

ComparedRun ComparedRun::of(const std::string& name, const Trajectory& run) {
  return of(name, parse_csv(trajectory_csv(run), name), name);
}

std::vector<double> ComparedRun::values(const std::string& column) const {
  const std::size_t c = table.find(column);
  std::vector<double> out;
  for (const auto& row : table.rows) out.push_back(row[c]);
  return out;
}

double ComparedRun::at(double t, std::size_t column) const {
  const auto after = std::lower_bound(table.rows.begin(), table.rows.end(), t,
                                      [&](const auto& row, double x) { return row[time] < x; });
  if (after == table.rows.end()) return NAN;
  if ((*after)[time] == t) return (*after)[column];
  if (after == table.rows.begin()) return NAN;
  const auto& before = *(after - 1);
  const double s = (t - before[time]) / ((*after)[time] - before[time]);
  return (1.0 - s) * before[column] + s * (*after)[column];
}

std::vector<std::string> common_columns(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> columns;
  for (const ComparedRun& run : runs)
    for (const std::string& column : run.table.columns)
      if (column != "t" && std::find(columns.begin(), columns.end(), column) == columns.end() &&
          std::count_if(runs.begin(), runs.end(), [&](const ComparedRun& r) { return r.has(column); }) > 1)
        columns.push_back(column);
  return columns;
}

double largest_difference(const ComparedRun& a, const ComparedRun& b, const std::string& column) {
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

std::vector<std::string> common_parts(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> out;
  const ComparedRun& first = runs.front();
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

std::string figure_of(const std::vector<ComparedRun>& runs, const std::string& column, bool cut_off) {
  std::vector<io::PlotCurve> curves;
  for (const ComparedRun& run : runs)
    if (run.has(column) && curves.size() < io::kMostPlotLines)
      curves.push_back({run.name, run.values("t"), run.values(column)});
  if (cut_off) clip(curves);
  return io::plot(column, {"t [s]", column}, curves);
}

}  // namespace cardan::command
