// `cardan view` from outside: its address, its end, the page that it saves, refusals.
#include "tests/apps/run_command.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace cardan::view_command_test {
namespace {

using test::Outcome;

const std::string kExamples = std::string(CARDAN_SOURCE_DIR) + "/examples/";

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class View : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "view");
    return test::run_command(arguments, folder);
  }
  test::TemporaryFolder folder;
};

/// Waits for a process; nothing after five seconds.
std::optional<int> end_of(pid_t process) {
  for (int i = 0; i < 500; ++i) {
    int status = 0;
    if (::waitpid(process, &status, WNOHANG) == process) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return std::nullopt;
}

/// Ends a process that a failed test would leave behind.
class Guard {
 public:
  explicit Guard(pid_t process) : process_(process) {}
  ~Guard() {
    if (process_ > 0 && ::kill(process_, SIGKILL) == 0) ::waitpid(process_, nullptr, 0);
  }
  void has_ended() { process_ = -1; }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  pid_t process_;
};

/// Whether any process has this one as its parent.
bool has_children(pid_t process) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0])) == 0) continue;
    const std::string stat = test::file_contents(entry.path() / "stat");
    const std::size_t end = stat.rfind(')');
    if (end != std::string::npos && std::atoi(stat.c_str() + end + 4) == process) return true;
  }
  return false;
}

TEST_F(View, PrintsItsAddressAndEndsWithCtrlCThoughPagesAreOpen) {
  const std::string out = folder.path("stdout"), scene = kExamples + "four_bar.toml";
  const pid_t process = ::fork();
  ASSERT_GE(process, 0);
  if (process == 0) {
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    ::execl(CARDAN_COMMAND, CARDAN_COMMAND, "view", scene.c_str(), static_cast<char*>(nullptr));
    ::_exit(99);
  }
  Guard guard(process);
  std::string address;
  for (int i = 0; i < 1000 && address.find('\n') == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    address = test::file_contents(out);
  }
  ASSERT_TRUE(address.starts_with("http://127.0.0.1:")) << address;
  const std::size_t token = address.find("/?token=");
  ASSERT_NE(token, std::string::npos);
  EXPECT_GE(address.size() - token - 8, 17u);  // and the line's end

  // a connection that says nothing, and one in the middle of a request
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(17))));
  const int silent = ::socket(AF_INET, SOCK_STREAM, 0), halfway = ::socket(AF_INET, SOCK_STREAM, 0);
  for (const int socket : {silent, halfway})
    ASSERT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&server), sizeof server), 0);
  ASSERT_EQ(::send(halfway, "GET / HTTP", 10, MSG_NOSIGNAL), 10);
  EXPECT_FALSE(has_children(process));

  ::kill(process, SIGINT);
  const std::optional<int> status = end_of(process);
  ASSERT_TRUE(status);
  guard.has_ended();
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 0);
  const int again = ::socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_NE(::connect(again, reinterpret_cast<sockaddr*>(&server), sizeof server), 0) << "somebody still listens";
  for (const int socket : {silent, halfway, again}) ::close(socket);
}

TEST_F(View, SavesThePageOfTheRun) {
  const std::string page = folder.path("page.html");
  const Outcome outcome = run({kExamples + "four_bar.toml", "--save", page});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "wrote " + page + "\n");
  const std::string text = test::file_contents(page);
  for (const char* part : {"<title>four-bar linkage</title>", "\"run\":{\"frames\":201", "<h2>Summary</h2>", "</html>"})
    EXPECT_TRUE(says(text, part)) << part;
}

TEST_F(View, ShowsARunOfAnEarlierDay) {
  const std::string csv = folder.path("four_bar.csv"), page = folder.path("page.html");
  ASSERT_EQ(test::run_command({"simulate", kExamples + "four_bar.toml", "--duration", "1", "--out", csv}, folder).code,
            0);
  const Outcome alone = run({csv, "--save", page});
  EXPECT_EQ(alone.code, 1);
  EXPECT_TRUE(says(alone.err, "expected --model SCENE for a run"));
  ASSERT_EQ(run({csv, "--model", kExamples + "four_bar.toml", "--save", page}).code, 0);
  EXPECT_TRUE(says(test::file_contents(page), "\"run\":{\"frames\":101"));
  const Outcome other = run({csv, "--model", kExamples + "knee.toml", "--save", page});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(says(other.err, "expected the column")) << other.err;
}

TEST_F(View, RefusesInOneLine) {
  const auto refused = [&](std::vector<std::string> arguments, int code) {
    const Outcome outcome = run(std::move(arguments));
    EXPECT_EQ(outcome.code, code);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(says(refused({folder.path("none.toml"), "--no-browser"}, 1), "none.toml"));
  EXPECT_TRUE(says(refused({folder.write("a.toml", "cardan = 1\nbodi = 2\n"), "--no-browser"}, 1), "a.toml:2:1"));
  EXPECT_TRUE(says(refused({folder.write("a.xyz", ""), "--no-browser"}, 1), ".toml"));
  EXPECT_TRUE(says(refused({kExamples + "knee.toml", "--save", folder.path("no/page.html")}, 1), "no folder"));
  EXPECT_TRUE(says(refused({kExamples + "knee.toml", "--port", "70000"}, 2), "--port"));
  EXPECT_TRUE(says(refused({}, 2), "FILE"));
}

TEST_F(View, HelpHasAnExample) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.out, "cardan view examples/"));
}

}  // namespace
}  // namespace cardan::view_command_test
