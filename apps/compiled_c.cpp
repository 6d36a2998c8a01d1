#include "apps/compiled_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cardan::command {

namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "cardan-check-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("compile: no temporary folder can be made");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

/// Runs a program without a shell, so that no file name is taken for a command; what it says goes to the log.
bool run(const std::vector<std::string>& arguments, const std::string& log) {
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 1;
  if (failed || waitpid(child, &status, 0) < 0) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Compilers take minutes to optimize functions of tens of thousands of lines.
const char* optimization(const std::string& source) {
  constexpr std::uintmax_t kLarge = std::uintmax_t{1} << 20;
  std::error_code error;
  if (const auto size = std::filesystem::file_size(source, error); error || size < kLarge) return "-O1";
  fmt::print(stderr, "compile: note: {} is large and is checked without optimization\n", source);
  return "-O0";
}

/// Returns the compiler's first complaint, in one line.
std::string complaint_in(const std::string& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.find("error") != std::string::npos || line.find("warning") != std::string::npos) return line;
  return "it could not be started";
}

}  // namespace

CompiledC::CompiledC(const std::string& folder, const std::string& name) : name_(name) {
  const TemporaryFolder temporary;
  const std::string library = temporary.file("check.so"), log = temporary.file("log");
  const char* chosen = std::getenv("CC");
  const std::string compiler = chosen && *chosen ? chosen : "cc";
  const std::string source = fs::absolute(fs::path(folder) / (name + ".c")).string();
  if (!run({compiler, "-std=c99", optimization(source), "-Wall", "-Wextra", "-Wconversion", "-Werror", "-shared",
            "-fPIC", source, "-o", library, "-lm"},
           log))
    throw std::runtime_error(fmt::format("compile: {} could not compile {}: {}", compiler, source, complaint_in(log)));
  handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) throw std::runtime_error(fmt::format("compile: the generated code cannot be loaded: {}", dlerror()));
}

CompiledC::~CompiledC() { dlclose(handle_); }

void* CompiledC::find(const std::string& function) const {
  void* f = dlsym(handle_, (name_ + "_" + function).c_str());
  if (!f) throw std::runtime_error("compile: the generated code lacks " + name_ + "_" + function);
  return f;
}

void CompiledC::call(const std::string& function, const std::vector<const double*>& in, double* out) const {
  void* f = find(function);
  if (in.size() == 1) return reinterpret_cast<void (*)(const double*, double*)>(f)(in[0], out);
  if (in.size() == 2) return reinterpret_cast<void (*)(const double*, const double*, double*)>(f)(in[0], in[1], out);
  if (in.size() == 4)
    return reinterpret_cast<void (*)(const double*, const double*, const double*, const double*, double*)>(f)(
        in[0], in[1], in[2], in[3], out);
  reinterpret_cast<void (*)(const double*, const double*, const double*, double*)>(f)(in[0], in[1], in[2], out);
}

double relative_difference(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double largest = 0.0, difference = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!std::isfinite(ours[i]) || !std::isfinite(theirs[i])) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(ours[i]));
    difference = std::max(difference, std::abs(ours[i] - theirs[i]));
  }
  return largest > 0.0 ? difference / largest : difference;
}

}  // namespace cardan::command
