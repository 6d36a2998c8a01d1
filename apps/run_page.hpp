// Runs a scene under the eyes of a user, and shows the run as a page.
#pragma once

#include "cardan/simulate/simulate.hpp"
#include "cardan/view/contact_arrows.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cardan::command {

/// A scene that has run, with its loops closed, and what made it run.
struct RunOfScene {
  Scene scene;
  std::unique_ptr<SystemWorkspace> workspace;
  Trajectory run;
  std::vector<std::string> warnings;  // of scene, model and run
  std::string broken;                 // why the result does not hold, though the run came to its end
  view::ContactArrows contacts;       // at every output, where a page was asked for
};

/// Runs a scene with progress on a terminal, until its end or Ctrl-C. `for_page`: keeps what page_of draws beside the
/// motion. `on_output` sees every row as soon as it is there. Throws where the run cannot even begin.
/// `on_step` is called after every step.
RunOfScene run_scene(Scene scene, bool for_page, std::function<void(const Trajectory&)> on_output = {},
                     std::function<void()> on_step = {});

/// Says why a run ended early: "simulate: interrupted at t = 1 s of 10 s".
std::string early_end(const std::string& command, const Trajectory& run);

/// The page of a run, with its summary. `policy` and `studio` (PageText) where a server shows it.
std::string page_of(const RunOfScene& done, const std::string& file, const std::string& policy = {},
                    const std::string& studio = {});

/// Complains where the file's folder is missing: found now rather than after a long run.
void require_folder(const std::string& path);

}  // namespace cardan::command
