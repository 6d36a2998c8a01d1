#include "cardan/view/internal/studio.hpp"

#include "cardan/view/internal/base64.hpp"
#include "cardan/view/internal/page_server.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cardan::view {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// For the browser to start, and for each frame after that.
constexpr std::chrono::seconds kSilence{120};

std::string json_of(const StudioOrder& order) {
  const io::Json json{{"kind", order.kind},     {"from", order.from}, {"to", order.to},
                      {"speed", order.speed},   {"fps", order.fps},   {"width", order.width},
                      {"height", order.height}, {"dark", order.dark}, {"transparent", order.transparent}};
  return json.dump();
}

/// Takes in what the page has drawn.
class StudioSession final : public Session {
 public:
  using Page = std::function<std::string(const std::string& policy, const std::string& order)>;
  StudioSession(Page page, std::string order) : page_(std::move(page)), order_(std::move(order)) {}

  std::string page(const std::string& policy) const override { return page_(policy, order_); }
  LiveMessages handle(std::string_view request) override {
    heard_ = Clock::now();
    const io::Json message = io::Json::parse(request, nullptr, false);
    if (!message.is_object()) return {};
    const std::string what = message.value("do", "");
    if (what == "progress") share_ = message.value("share", 0.0);
    if (what == "piece") result_ += base64_decoded(message.value("data", ""));
    if (what == "failed") failure_ = message.value("why", "it does not say why");
    if (what == "done") is_done_ = true;
    return {};
  }

  bool has_ended() const { return is_done_ || failure_; }
  bool is_late() const { return Clock::now() - heard_ > kSilence; }
  double share() const { return share_; }
  const std::optional<std::string>& failure() const { return failure_; }
  bool is_done() const { return is_done_; }
  std::string take_result() { return std::move(result_); }

 private:
  Page page_;
  std::string order_, result_;
  std::optional<std::string> failure_;
  double share_ = 0.0;
  bool is_done_ = false;
  Clock::time_point heard_ = Clock::now();
};

/// A browser without a window, with a folder of its own; both are gone when this is.
class Browser {
 public:
  Browser(const std::string& program, const std::string& address) {
    std::string folder = (fs::temp_directory_path() / "cardan-browser-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
      throw std::runtime_error(fmt::format("no folder for the browser in {}", fs::temp_directory_path().string()));
    folder_ = folder;
    std::vector<std::string> words{program, "--headless", "--user-data-dir=" + folder_, "--no-first-run",
                                   "--no-default-browser-check", "--disable-extensions", "--disable-sync",
                                   "--disable-background-networking", "--disable-component-update",
                                   "--disable-dev-shm-usage", "--mute-audio",
                                   // the same picture on every machine, with a graphics card or without
                                   "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                                   "--ignore-gpu-blocklist", "--window-size=800,600"};
    if (::geteuid() == 0) words.emplace_back("--no-sandbox");  // Chromium's sandbox refuses to work for root
    words.push_back(address);
    start(words);
  }
  ~Browser() {
    if (process_ > 0) {
      ::kill(-process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    std::error_code error;
    for (int i = 0; i < 50 && fs::exists(folder_, error); ++i) {  // its helpers may still write as they end
      fs::remove_all(folder_, error);
      if (error) ::usleep(20'000);
    }
  }
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  bool has_ended() {
    if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    return process_ <= 0;
  }

 private:
  void start(std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    ::posix_spawn_file_actions_init(&quiet);
    ::posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t own_group;  // so that its helpers end with it
    ::posix_spawnattr_init(&own_group);
    ::posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&own_group, 0);
    if (::posix_spawn(&process_, words.front().c_str(), &quiet, &own_group, arguments.data(), environ) != 0)
      process_ = -1;
    ::posix_spawnattr_destroy(&own_group);
    ::posix_spawn_file_actions_destroy(&quiet);
  }

  std::string folder_;
  pid_t process_ = -1;
};

}  // namespace

std::string find_browser() {
  const char* path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "" : path;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"})
    for (std::size_t at = 0; at < folders.size();) {
      const std::size_t end = std::min(folders.find(':', at), folders.size());
      const fs::path file = fs::path(folders.substr(at, end - at)) / name;
      if (end > at && ::access(file.c_str(), X_OK) == 0) return file.string();
      at = end + 1;
    }
  return {};
}

std::string draw_in_browser(const StudioOrder& order,
                            const std::function<std::string(const std::string& policy, const std::string& order)>& page,
                            const std::function<bool(double share)>& go_on) {
  StudioSession session(page, json_of(order));
  PageServer server(session, 0);
  Browser browser(order.browser, server.address());
  bool gave_up = false, wanted = true;
  server.run([&] {
    gave_up = browser.has_ended() || session.is_late();
    wanted = go_on(session.share());
    return wanted && !gave_up && !session.has_ended();
  });
  if (session.failure()) throw std::runtime_error(*session.failure());
  if (!wanted) throw std::runtime_error("interrupted");
  if (!session.is_done())
    throw std::runtime_error(fmt::format("{} {}", order.browser,
                                         session.is_late() ? "does not answer" : "ended before it had drawn anything"));
  return session.take_result();
}

}  // namespace cardan::view
