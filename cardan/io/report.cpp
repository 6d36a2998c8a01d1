#include "cardan/io/report.hpp"

#include "cardan/io/svg_plot.hpp"
#include "cardan/io/trajectory_file.hpp"

#include <fmt/format.h>

namespace cardan {

namespace {

using io::PlotLine;

constexpr const char* kStyle = R"(
body { font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 1180px; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.8em; margin: 0 0 .9rem; overflow-wrap: anywhere; }
h2 { font-size: 1.08em; margin: 0 0 .3rem; }
table { border-collapse: collapse; margin-bottom: 1.2rem; }
th, td { text-align: left; padding: .22rem 1.6rem .22rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
th { font-weight: 600; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.notes { border-left: 4px solid #d55e00; padding: .3rem .9rem; margin: 0 0 1.2rem; background: #fdf4ec; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 1.4rem 2rem; }
figure { margin: 0; break-inside: avoid; }
figure > svg { width: 100%; height: auto; display: block; }
svg text { font-size: 15px; fill: #333; }
polyline, .key path { fill: none; stroke-width: 1.7; stroke-linejoin: round; }
.key path { stroke-width: 2.2; }
.grid path { stroke: #e4e4e4; }
.frame { fill: none; stroke: #888; }
figcaption { padding-left: 11%; font-size: .9em; }
figcaption span { display: inline-block; margin-right: 1.1rem; }
.key { width: 30px; height: 10px; margin-right: .35rem; vertical-align: middle; }
@page { margin: 14mm; }
@media print {
  body { margin: 0; max-width: none; font-size: 9pt; }
  .plots { grid-template-columns: 1fr 1fr; gap: 1rem 1.2rem; }
  svg text { font-size: 18px; }
}
)";

/// Coordinates (q) or velocities (v), in plots that keep the lines of a joint together.
std::string state_plots(const Trajectory& trajectory, const std::string& title, const std::string& unit, char kind) {
  const Model& model = trajectory.model();
  const auto columns = trajectory_columns(model);
  const std::size_t before = kind == 'q' ? 1 : 1 + static_cast<std::size_t>(model.nq());
  std::vector<std::vector<PlotLine>> plots;
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    const auto first = static_cast<std::size_t>(kind == 'q' ? link.q : link.v);
    const auto count = static_cast<std::size_t>(kind == 'q' ? link.nq : link.nv);
    if (plots.empty() || plots.back().size() + count > io::kMostPlotLines) plots.emplace_back();
    for (std::size_t i = first; i < first + count; ++i)
      plots.back().push_back({columns[before + i], [&trajectory, kind, i](std::size_t row) {
                                return kind == 'q' ? trajectory.q(row)[i] : trajectory.v(row)[i];
                              }});
  }
  std::string out;
  for (std::size_t i = 0; i < plots.size(); ++i)
    out += io::plot(plots.size() == 1 ? title : fmt::format("{} ({} of {})", title, i + 1, plots.size()), unit,
                    trajectory.times(), plots[i]);
  return out;
}

std::string energy_plots(const Trajectory& trajectory, bool conservative) {
  const std::vector<Energy>& energies = trajectory.energies();
  const PlotLine lines[] = {{"total", [&](std::size_t i) { return energies[i].total(); }},
                            {"kinetic", [&](std::size_t i) { return energies[i].kinetic; }},
                            {"potential", [&](std::size_t i) { return energies[i].potential; }}};
  std::string out = io::plot("Energies", "J", trajectory.times(), lines);
  if (!conservative) return out;
  const PlotLine drift[] = {
      {"total - first total", [&](std::size_t i) { return energies[i].total() - energies[0].total(); }}};
  return out + io::plot("Drift of the energy", "J", trajectory.times(), drift);
}

/// A plot for every record.
std::string recorded_plots(const Trajectory& trajectory) {
  std::string out;
  std::size_t column = 0;
  for (const RecordedColumns& record : trajectory.layout()) {
    std::vector<PlotLine> lines;
    for (const std::string& name : record.columns) {
      lines.push_back({name, [&trajectory, column](std::size_t row) { return trajectory.recorded(row)[column]; }});
      ++column;
    }
    out += io::plot(record.name, record.unit, trajectory.times(), lines);
  }
  return out;
}

}  // namespace

std::string html_page(const ReportText& text, const std::string& figures) {
  const std::string title = io::escape_html(text.title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<table>\n",
      title, kStyle);
  for (const auto& [what, value] : text.summary)
    out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", io::escape_html(what), io::escape_html(value));
  out += "</table>\n";
  for (const std::string& note : text.notes) out += fmt::format("<p class=\"notes\">{}</p>\n", io::escape_html(note));
  return out + "<div class=\"plots\">\n" + figures + "</div>\n</body>\n</html>\n";
}

std::string html_report(const Trajectory& trajectory, const ReportText& text) {
  return html_page(text, state_plots(trajectory, "Coordinates", "rad, m", 'q') +
                             state_plots(trajectory, "Velocities", "rad/s, m/s", 'v') +
                             energy_plots(trajectory, text.conservative) + recorded_plots(trajectory));
}

}  // namespace cardan
