#include "apps/optimize_report.hpp"

#include "apps/command.hpp"
#include "apps/compared_runs.hpp"
#include "apps/run_page.hpp"
#include "apps/table.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace cardan::command {

namespace {

std::string shown(double value) { return fmt::format("{:.10g}", value); }

/// Rows of what, start, found.
std::vector<std::vector<std::string>> rows_of(const Optimum& found, const Search& search, const SceneFamily& family) {
  std::vector<std::vector<std::string>> out;
  for (std::size_t i = 0; i < family.names.size(); ++i) {
    const auto [low, high] = search.ranges[i];
    out.push_back({io::printable(family.names[i]), shown(found.start.numbers[i]), shown(found.found.numbers[i]),
                   fmt::format("within {:g} to {:g}", low, high)});
  }
  out.push_back({io::printable(search.minimize), shown(found.start.value), shown(found.found.value), "minimized"});
  for (std::size_t k = 0; k < search.subject_to.size(); ++k)
    out.push_back({io::printable(search.subject_to[k]), shown(found.start.constraints[k]),
                   shown(found.found.constraints[k]), "to be >= 0"});
  return out;
}

std::string evaluations_of(const Optimum& found) {
  return found.failed > 0 ? fmt::format("{}, of which {} failed", found.evaluations, found.failed)
                          : fmt::format("{}", found.evaluations);
}

ComparedRun run_with(const SceneFamily& family, const std::vector<double>& numbers, const std::string& name) {
  const Trajectory run = simulate(family.scene(numbers));
  if (run.summary.end != RunSummary::End::done) throw std::runtime_error(early_end("optimize", run));
  return ComparedRun::of(name, run);
}

}  // namespace

std::string optimum_text(const Optimum& found, const Search& search, const SceneFamily& family) {
  Table table({"", "start", "found", ""});
  for (std::vector<std::string>& row : rows_of(found, search, family)) table.add(std::move(row));
  std::string out = table.text(0);
  out += fmt::format("{:<26}{}\n", "evaluations", evaluations_of(found));
  out += fmt::format("{:<26}{}\n", "method", found.method);
  for (const std::string& note : found.notes) out += fmt::format("{:<26}{}\n", "note", io::printable(note));
  return out;
}

std::string optimum_json(const Optimum& found, const SceneFamily& family) {
  nlohmann::ordered_json out;
  out["value"] = found.found.value;
  for (std::size_t i = 0; i < family.names.size(); ++i) out["parameters"][family.names[i]] = found.found.numbers[i];
  out["evaluations"] = found.evaluations;
  out["constraints"] = found.found.constraints;
  nlohmann::ordered_json& start = out["start"];
  start["value"] = found.start.value;
  for (std::size_t i = 0; i < family.names.size(); ++i) start["parameters"][family.names[i]] = found.start.numbers[i];
  start["constraints"] = found.start.constraints;
  out["failed"] = found.failed;
  out["method"] = found.method;
  out["notes"] = found.notes;
  return out.dump(2) + "\n";
}

std::string optimum_page(const std::string& file, const Optimum& found, const Search& search,
                         const SceneFamily& family) {
  const std::vector<ComparedRun> runs{run_with(family, found.start.numbers, "before"),
                                      run_with(family, found.found.numbers, "after")};
  ReportText page{fmt::format("{}: before and after", std::filesystem::path(file).stem().string()), {}, found.notes};
  for (const std::vector<std::string>& row : rows_of(found, search, family))
    page.summary.emplace_back(row[0], fmt::format("{} before, {} after, {}", row[1], row[2], row[3]));
  page.summary.emplace_back("evaluations", evaluations_of(found));
  page.summary.emplace_back("method", found.method);
  page.summary.emplace_back("made by", command_line());
  page.summary.emplace_back("cardan", CARDAN_VERSION);
  std::string figures;
  for (const std::string& column : common_columns(runs)) figures += figure_of(runs, column, false);
  return html_page(page, figures);
}

}  // namespace cardan::command
