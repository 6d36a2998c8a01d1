// cardan view: a mechanism in the browser, simulated while one looks.
#include "apps/command.hpp"
#include "apps/interrupt.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/load.hpp"
#include "cardan/view/page_server.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
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

The page is served to this machine only (127.0.0.1), and only to who knows the token in the address.
--save writes a page with the finished run instead, as `cardan simulate --report` does, and serves nothing.)";

struct ViewArguments {
  std::string file, save, base = "fixed";
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

void save_page(const ViewArguments& a) {
  require_folder(a.save);
  Scene scene = load(a.file, {a.base == "free", true, false, a.set});
  const RunOfScene done = run_scene(scene);
  write_output(a.save, page_of(done, a.file));
  write_output("", fmt::format("wrote {}\n", a.save));
  if (done.run.summary.end != RunSummary::End::done) throw std::runtime_error(early_end("view", done.run));
}

void view(const ViewArguments& a) {
  if (!a.save.empty()) return save_page(a);
  view::LiveSession session(a.file, a.base == "free", a.set);
  view::PageServer server(session, a.port);
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
  auto* command = program.add_subcommand("view", "Show a scene or robot in the browser, moving");
  const auto arguments = std::make_shared<ViewArguments>();
  ViewArguments& a = *arguments;
  command->add_option("FILE", a.file, "The scene (TOML) or robot (URDF)")->required()->option_text(" ");
  command->add_option("--port", a.port, "Where to serve; 0 is a free one")
      ->check(CLI::Range(0, 65535))
      ->option_text("N");
  command->add_flag("--no-browser", a.no_browser, "Only print the address");
  command->add_option("--save", a.save, "Simulate, write the page and end")->option_text("FILE.html");
  add_base_option(*command, a.base);
  add_set_option(*command, a.set);
  command->footer(kViewFooter);
  command->callback([arguments, &action] { action = [arguments] { view(*arguments); }; });
}

}  // namespace cardan::command
