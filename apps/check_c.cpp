#include "apps/check_c.hpp"

#include "cardan/compile/compiled_model.hpp"
#include "cardan/model/sample_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line.empty() ? "it could not be started" : line;
}

/// The generated functions, loaded into this process.
class Library {
 public:
  explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw std::runtime_error(fmt::format("compile: the generated code cannot be loaded: {}", dlerror()));
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void call(const std::string& name, const std::vector<const double*>& in, double* out) const {
    void* f = dlsym(handle_, name.c_str());
    if (!f) throw std::runtime_error("compile: the generated code lacks " + name);
    if (in.size() == 1) return reinterpret_cast<void (*)(const double*, double*)>(f)(in[0], out);
    if (in.size() == 2) return reinterpret_cast<void (*)(const double*, const double*, double*)>(f)(in[0], in[1], out);
    reinterpret_cast<void (*)(const double*, const double*, const double*, double*)>(f)(in[0], in[1], in[2], out);
  }

 private:
  void* handle_;
};

/// What the library's generic algorithms say.
std::vector<double> expected(const CompiledModel& generic, CompiledWorkspace& w, ModelFunction f, const SampleState& s,
                             const std::vector<double>& x) {
  std::vector<double> out(static_cast<std::size_t>(signature(generic.model(), f).output.size));
  const std::size_t inputs = signature(generic.model(), f).inputs.size();
  if (inputs == 1)
    generic.run(f, w, {s.q}, out);
  else if (inputs == 2)
    generic.run(f, w, {s.q, s.v}, out);
  else
    generic.run(f, w, {s.q, s.v, x}, out);
  return out;
}

}  // namespace

std::vector<CheckedFunction> check_c(const Model& model, const std::vector<ModelFunction>& functions, int frame,
                                     const std::string& folder, const std::string& name, int states) {
  const TemporaryFolder temporary;
  const std::string library = temporary.file("check.so"), log = temporary.file("log");
  const char* chosen = std::getenv("CC");
  const std::string compiler = chosen && *chosen ? chosen : "cc";
  const std::string source = (fs::path(folder) / (name + ".c")).string();
  if (!run({compiler, "-std=c99", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-shared", "-fPIC", source,
            "-o", library, "-lm"},
           log))
    throw std::runtime_error(fmt::format("compile: {} could not compile {}: {}", compiler, source, first_line(log)));
  const Library code(library);

  CompileOptions by_algorithms;  // no code of ours: the generic algorithms
  by_algorithms.method = Method::joints;
  by_algorithms.executable.backend = Backend::interpreter;
  by_algorithms.frame = frame;
  const CompiledModel generic(model, functions, by_algorithms);
  CompiledWorkspace w(generic);
  std::vector<CheckedFunction> out;
  for (const ModelFunction f : functions) {
    double worst = 0.0;
    for (const SampleState& s : sample_states(model, states, 1, 1.0)) {
      const std::vector<double>& x = f == ModelFunction::forward_dynamics ? s.tau : s.a;
      const std::vector<double> ours = expected(generic, w, f, s, x);
      std::vector<double> theirs(ours.size(), std::nan(""));
      std::vector<const double*> in{s.q.data(), s.v.data(), x.data()};
      in.resize(signature(model, f).inputs.size());
      code.call(name + "_" + cardan::name(f), in, theirs.data());
      double largest = 0.0, difference = 0.0;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        largest = std::max(largest, std::abs(ours[i]));
        if (!(std::abs(ours[i] - theirs[i]) <= difference)) difference = std::abs(ours[i] - theirs[i]);
      }
      const double error = largest > 0.0 ? difference / largest : difference;
      if (!(error <= worst)) worst = error;
    }
    out.push_back({f, worst});
  }
  return out;
}

}  // namespace cardan::command
