#include "apps/run_page.hpp"

#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/run_summary.hpp"
#include "apps/slow_run.hpp"
#include "apps/unheeded.hpp"
#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/constraints/twist_motion.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/view/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace cardan::command {

namespace {

/// Says where loops are open at the end of a run, as they may be where feedback alone closes them.
std::string open_at_end(const Trajectory& run, SystemWorkspace& workspace) {
  constexpr double kOpen = 1e-6;  // m or rad
  State last;
  const auto q = run.q(run.size() - 1), v = run.v(run.size() - 1);
  last.q.assign(q.begin(), q.end());
  last.v.assign(v.begin(), v.end());
  const double error = workspace.constraint_error(run.times().back(), last);
  if (error <= kOpen) return {};
  return fmt::format("the constraints are open by {:.3g} m or rad at the end", error);
}

/// Names recorded forces that are one choice of many. Where it is so in passing alone, in a singular position, nothing
/// is said: two rows must agree.
std::vector<std::string> shared_forces(const Scene& scene, const Trajectory& run, SystemWorkspace& workspace) {
  if (run.size() == 0) return {};
  Recorder recorder(workspace, scene.records);
  const auto at = [&](std::size_t row) { return recorder.not_unique(run.times()[row], run.at(run.times()[row])); };
  std::vector<std::string> names = at(run.size() - 1);
  if (names.empty()) return {};
  const std::vector<std::string> other = at(run.size() / 2);
  std::erase_if(names,
                [&](const std::string& name) { return std::find(other.begin(), other.end(), name) == other.end(); });
  if (names.empty()) return {};
  return {
      fmt::format("not unique: {}: constraints repeat one another and may share these forces in many ways, of which "
                  "one is recorded",
                  fmt::join(names, ", "))};
}

/// Names records of work that lack the impulses of impacts: power is that of forces.
std::vector<std::string> work_without_impulses(const Scene& scene, const Trajectory& run) {
  if (!run.summary.contact || run.summary.contact->impacts == 0) return {};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scene.records.entries().size(); ++i)
    if (const auto* record = std::get_if<Records::OfForces>(&scene.records.entries()[i]);
        record != nullptr && record->quantity == ForceQuantity::work &&
        !std::holds_alternative<std::shared_ptr<const Force>>(record->owner))
      names.push_back(scene.records.layout()[i].name);
  if (names.empty()) return {};
  return {fmt::format("work of forces alone: {}: the impulses of {} impact{} are not in it", fmt::join(names, ", "),
                      run.summary.contact->impacts, run.summary.contact->impacts == 1 ? "" : "s")};
}

/// Names records of efforts of joints that are zero because a frame is led from outside.
std::vector<std::string> efforts_from_outside(const Scene& scene, const Trajectory& run) {
  const auto leads = [](const auto& constraint) {
    return dynamic_cast<const BodyMotionConstraint*>(constraint.get()) != nullptr ||
           dynamic_cast<const TwistMotionConstraint*>(constraint.get()) != nullptr;
  };
  const auto motion = std::find_if(scene.constraints.begin(), scene.constraints.end(), leads);
  std::vector<std::string> out;
  if (motion == scene.constraints.end()) return out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < scene.records.entries().size(); ++i) {
    const std::size_t first = column;
    column += scene.records.layout()[i].columns.size();
    const auto* record = std::get_if<Records::OfForces>(&scene.records.entries()[i]);
    if (record == nullptr || !std::holds_alternative<int>(record->owner) || record->quantity < ForceQuantity::effort)
      continue;
    bool any = false;
    for (std::size_t row = 0; row < run.size(); ++row)
      for (std::size_t c = first; c < column; ++c) any = any || run.recorded(row)[c] != 0.0;
    if (!any)
      out.push_back(fmt::format(
          "record \"{}\": nothing acts at joint \"{}\": {} is led from outside, and its own record "
          "(motion = ...) has the force; a motion of joints asks their motors",
          scene.records.layout()[i].name, scene.model.joint_name(std::get<int>(record->owner)), (*motion)->name()));
  }
  return out;
}

}  // namespace

RunOfScene run_scene(Scene scene, bool for_page, std::function<void(const Trajectory&)> on_output,
                     std::function<void()> on_step) {
  assemble(scene);
  auto workspace = std::make_unique<SystemWorkspace>(System(scene));
  view::ContactArrows contacts;
  Trajectory run = [&] {
    const Interrupt interrupt;
    Progress progress(scene.settings.duration);
    SlowRun slow(*workspace, workspace->system().settings());
    State latest = scene.initial;
    SimulateOptions options;
    options.go_on = [&](double t) {
      progress.at(t - scene.settings.start);
      slow.at(t, latest);
      if (on_step) on_step();
      return !interrupt.asked();
    };
    options.on_output = [&](const Trajectory& so_far) {
      if (for_page) contacts.add(workspace->contact_log());
      if (on_output) on_output(so_far);
      latest = so_far.at(so_far.times().back());
    };
    return cardan::simulate(scene, *workspace, options);
  }();
  std::vector<std::string> warnings = scene.warnings;
  for (const SingularJoint& joint : singular_joints(scene.model, scene.initial.q))
    if (!follows_time(scene, joint.body)) warnings.push_back("at the start: " + joint.what);
  for (const std::string& warning : scene.model.warnings()) warnings.push_back(warning);
  for (const std::string& warning : unheeded(run, *workspace)) warnings.push_back(warning);
  for (const std::string& warning : shared_forces(scene, run, *workspace)) warnings.push_back(warning);
  for (const std::string& warning : work_without_impulses(scene, run)) warnings.push_back(warning);
  for (const std::string& note : run.summary.notes) warnings.push_back(note);
  for (const std::string& warning : efforts_from_outside(scene, run)) warnings.push_back(warning);
  for (const std::string& warning : doubts(run, *workspace)) warnings.push_back(warning);
  std::string open = run.size() > 0 ? open_at_end(run, *workspace) : std::string();
  if (!open.empty() && run.settings.stabilization == Stabilization::baumgarte)
    warnings.push_back(std::exchange(open, {}) + ": Baumgarte's feedback does not keep up");
  return {std::move(scene),    std::move(workspace), std::move(run),
          std::move(warnings), std::move(open),      std::move(contacts)};
}

std::string early_end(const std::string& command, const Trajectory& run) {
  const RunSummary& summary = run.summary;
  if (summary.end == RunSummary::End::failed) {
    const bool blew_up = summary.failure.find("not finite") != std::string::npos;
    return command + ": " + summary.failure +
           (blew_up ? "; try a smaller step, munthe_kaas_54 with a tolerance, or an implicit method where it is stiff"
                    : "");
  }
  return fmt::format("{}: interrupted at t = {:g} s of {:g} s", command, summary.end_time,
                     run.settings.start + run.settings.duration);
}

std::string page_of(const RunOfScene& done, const std::string& file, const std::string& policy,
                    const std::string& studio) {
  std::vector<std::string> notes = done.warnings;
  if (done.run.summary.end != RunSummary::End::done) notes.insert(notes.begin(), early_end("simulate", done.run));
  auto settings = view::setting_lines(file, done.run.settings);
  settings.emplace_back("command", io::printable(command_line()));
  settings.emplace_back("cardan", CARDAN_VERSION);
  return view::run_page(done.scene, done.workspace->system(), done.run,
                        {done.run.model().name(), summary_lines(done.run, *done.workspace), std::move(settings), notes,
                         health_lines(done.run, *done.workspace), notes.empty(), studio},
                        policy, &done.contacts);
}

void require_folder(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw std::runtime_error(fmt::format("{}: cannot be written: there is no folder {}", io::printable(path),
                                         io::in_quotes(folder.string())));
}

}  // namespace cardan::command
