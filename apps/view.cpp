// cardan view: a mechanism in the browser, simulated while one looks.
#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/view/internal/page_server.hpp"
#include "cardan/view/page.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cardan::command {

namespace {

constexpr const char* kViewFooter = R"(Example:
  cardan view examples/four_bar.toml

Opens the page in a browser where there is one, and prints its address. The page plays the simulation live: drag the
sliders of coordinates (loops close again), pull at a body with Shift and the mouse, change the formula of an
expression joint, drop another scene or robot on it. Ctrl-C ends the command and the page's motion with it.

A run (CSV) is shown with the mechanism that --model names.

The page is served to this machine only (127.0.0.1), and only to who knows the token in the address.
--save writes a page with the finished run instead, as `cardan simulate --report` does, and serves nothing.

)";

struct ViewArguments {
  std::string file, save, model, base = "fixed";
  int port = 0;
  bool no_browser = false;
  std::vector<std::string> set;
};

/// Asks the desktop to show an address, where there is a desktop; says nothing if that fails.
class Browser {
 public:
  void show(const std::string& address) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    std::string program = "xdg-open", argument = address;
    char* arguments[] = {program.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    ::posix_spawn_file_actions_init(&quiet);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
    if (::posix_spawnp(&process_, program.c_str(), &quiet, nullptr, arguments, environ) != 0) process_ = -1;
    ::posix_spawn_file_actions_destroy(&quiet);
  }
  /// Takes note of its end, so that no dead process stays behind.
  void look() {
    if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
  }

 private:
  pid_t process_ = -1;
};

/// A run (CSV) with the mechanism that it is of: --model, or the scene or robot beside it that has its name.
struct Replay {
  Scene scene;
  Trajectory run;
};

Replay load_replay(const ViewArguments& a) {
  std::string model = a.model;
  for (const char* ending : {".toml", ".urdf", ".xml"})
    if (const auto beside = std::filesystem::path(a.file).replace_extension(ending);
        model.empty() && std::filesystem::exists(beside))
      model = beside.string();
  if (model.empty())
    throw std::runtime_error(
        fmt::format("view: {}: expected --model SCENE for a run, whose file names no mechanism, found none",
                    io::printable(a.file)));
  Scene scene = load(model, {a.base == "free", true, false, a.set});
  scene.contact = {};  // nothing is simulated
  Trajectory run = load_trajectory(scene.model, a.file);
  run.settings = scene.settings;
  run.settings.duration = run.times().back();
  return {std::move(scene), std::move(run)};
}

std::string replay_page(const Replay& replay, const std::string& file, const std::string& policy) {
  const Trajectory& run = replay.run;
  return view::run_page(
      replay.scene, System(replay.scene), run,
      {run.model().name(),
       {{"run", file},
        {"time", fmt::format("{:g} to {:g} s, {} outputs", run.times().front(), run.times().back(), run.size())}},
       {},
       replay.scene.warnings},
      policy);
}

class ReplaySession final : public view::Session {
 public:
  ReplaySession(Replay replay, std::string file) : replay_(std::move(replay)), file_(std::move(file)) {}
  std::string page(const std::string& policy) const override { return replay_page(replay_, file_, policy); }

 private:
  Replay replay_;
  std::string file_;
};

bool is_run(const std::string& file) { return std::filesystem::path(file).extension() == ".csv"; }

void save_page(const ViewArguments& a) {
  require_folder(a.save);
  if (is_run(a.file)) {
    write_output(a.save, replay_page(load_replay(a), a.file, {}));
    return write_output("", fmt::format("wrote {}\n", a.save));
  }
  Scene scene = load(a.file, {a.base == "free", true, false, a.set});
  const RunOfScene done = run_scene(scene, true);
  write_output(a.save, page_of(done, a.file));
  write_output("", fmt::format("wrote {}\n", a.save));
  if (done.run.summary.end != RunSummary::End::done) throw std::runtime_error(early_end("view", done.run));
}

void view(const ViewArguments& a) {
  if (!a.save.empty()) return save_page(a);
  std::unique_ptr<view::Session> session;
  if (is_run(a.file))
    session = std::make_unique<ReplaySession>(load_replay(a), a.file);
  else
    session = std::make_unique<view::LiveSession>(a.file, a.base == "free", a.set);
  view::PageServer server(*session, a.port);
  const Interrupt interrupt;
  write_output("", server.address() + "\n");
  Browser browser;
  if (!a.no_browser) browser.show(server.address());
  server.run([&] {
    browser.look();
    return !interrupt.asked();
  });
}

}  // namespace

void add_view(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("view", "Show a scene, robot or run in the browser, moving");
  const auto arguments = std::make_shared<ViewArguments>();
  ViewArguments& a = *arguments;
  command->add_option("FILE", a.file, "The scene (TOML), robot (URDF) or run (CSV)")->required()->option_text(" ");
  command
      ->add_option("--model", a.model,
                   "Whose run a CSV file is; a scene or robot of the same name beside it if not given")
      ->option_text("SCENE");
  command->add_option("--port", a.port, "Where to serve; 0 is a free one")
      ->check(CLI::Range(0, 65535))
      ->option_text("N");
  command->add_flag("--no-browser", a.no_browser, "Only print the address");
  command->add_option("--save", a.save, "Simulate, write the page and end")->option_text("FILE.html");
  add_base_option(*command, a.base);
  add_set_option(*command, a.set);
  command->footer(std::string(kViewFooter) + kPackageHelp);
  command->callback([arguments, &action] { action = [arguments] { view(*arguments); }; });
}

}  // namespace cardan::command
