#include "apps/run_page.hpp"

#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/run_summary.hpp"
#include "cardan/io/text.hpp"
#include "cardan/view/page.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cardan::command {

RunOfScene run_scene(Scene scene) {
  assemble(scene);
  auto workspace = std::make_unique<SystemWorkspace>(System(scene));
  Trajectory run = [&] {
    const Interrupt interrupt;
    Progress progress(scene.settings.duration);
    return cardan::simulate(scene, *workspace, {.go_on = [&](double t) {
                              progress.at(t);
                              return !interrupt.asked();
                            }});
  }();
  std::vector<std::string> warnings = scene.warnings;
  for (const std::string& warning : scene.model.warnings()) warnings.push_back(warning);
  for (const std::string& warning : unheeded(run)) warnings.push_back(warning);
  return {std::move(scene), std::move(workspace), std::move(run), std::move(warnings)};
}

std::string early_end(const std::string& command, const Trajectory& run) {
  const RunSummary& summary = run.summary;
  if (summary.end == RunSummary::End::failed) return command + ": " + summary.failure;
  return fmt::format("{}: interrupted at t = {:g} s of {:g} s", command, summary.end_time, run.settings.duration);
}

std::string page_of(const RunOfScene& done, const std::string& file) {
  std::vector<std::string> notes = done.warnings;
  if (done.run.summary.end != RunSummary::End::done) notes.insert(notes.begin(), early_end("simulate", done.run));
  return view::run_page(done.scene, done.workspace->system(), done.run,
                        {done.run.model().name(), summary_lines(done.run, *done.workspace),
                         view::setting_lines(file, done.run.settings), std::move(notes)});
}

void require_folder(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw std::runtime_error(fmt::format("{}: cannot be written: there is no folder {}", io::printable(path),
                                         io::in_quotes(folder.string())));
}

}  // namespace cardan::command
