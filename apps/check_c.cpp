#include "apps/check_c.hpp"

#include "cardan/compile/compiled_model.hpp"
#include "cardan/forces/joint_spring.hpp"
#include "cardan/model/internal/sample_states.hpp"
#include "cardan/model/singularity.hpp"

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

/// What the compiler complains of, in one line.
std::string complaint_in(const std::string& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.find("error") != std::string::npos || line.find("warning") != std::string::npos) return line;
  return "it could not be started";
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

/// Evaluates the library's generic algorithms and force elements.
class Expected {
 public:
  Expected(const Model& model, const std::vector<ModelFunction>& functions, int frame)
      : generic_(model, functions, by_algorithms(frame)), w_(generic_), kinematics_(model), bodies_(bodies_of(model)) {
    for (const auto& force : joint_springs(model))
      if (dynamic_cast<const CoordinateSprings*>(force.get())) springs_.push_back(force);
  }

  std::vector<double> operator()(ModelFunction f, const SampleState& s, std::vector<double> x) {
    const Signature about = signature(generic_.model(), f);
    std::vector<double> out(static_cast<std::size_t>(about.output.size)), pushed(x.size());
    Pushes pushes(bodies_, pushed);
    const Instant at = kinematics_.at(0.0, s.q, s.v);
    if (heeds_springs(f))
      for (const auto& spring : springs_) spring->add(at, pushes);
    if (f == ModelFunction::forward_dynamics)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += pushed[i];
    const In<double> all[] = {s.q, s.v, x};
    generic_.run(f, w_, std::span(all, about.inputs.size()), out);
    if (f == ModelFunction::inverse_dynamics)
      for (std::size_t i = 0; i < out.size(); ++i) out[i] -= pushed[i];
    return out;
  }

 private:
  static CompileOptions by_algorithms(int frame) {  // no code of ours: the generic algorithms
    CompileOptions out;
    out.method = Method::joints;
    out.executable.backend = Backend::interpreter;
    out.frame = frame;
    return out;
  }
  static std::vector<ForceVector<double>> bodies_of(const Model& model) {
    return std::vector<ForceVector<double>>(static_cast<std::size_t>(model.bodies()) + 1);
  }

  CompiledModel generic_;
  CompiledWorkspace w_;
  StateKinematics kinematics_;
  Forces springs_;
  std::vector<ForceVector<double>> bodies_;
};

/// Relative to the largest entry; infinite where one side is no number.
double relative_difference(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double largest = 0.0, difference = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!std::isfinite(ours[i]) || !std::isfinite(theirs[i])) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(ours[i]));
    difference = std::max(difference, std::abs(ours[i] - theirs[i]));
  }
  return largest > 0.0 ? difference / largest : difference;
}

/// Random states near the given one where every joint is regular.
std::vector<SampleState> regular_states(const Model& model, const State& near, int count) {
  std::vector<SampleState> out;
  for (SampleState& s : sample_states(model, 4 * count, 1, 1.0)) {
    std::vector<double> step(static_cast<std::size_t>(model.nv()));
    difference(model, model.neutral().data(), s.q.data(), step.data());
    integrate(model, near.q.data(), step.data(), 0.3, s.q.data());
    if (singular_joints(model, s.q).empty()) out.push_back(std::move(s));
    if (out.size() == static_cast<std::size_t>(count)) break;
  }
  if (out.empty()) throw std::runtime_error("compile: no state near the initial one has only regular joints");
  return out;
}

}  // namespace

std::vector<CheckedFunction> check_c(const Model& model, const std::vector<ModelFunction>& functions, int frame,
                                     const State& near, const std::string& folder, const std::string& name,
                                     int states) {
  const TemporaryFolder temporary;
  const std::string library = temporary.file("check.so"), log = temporary.file("log");
  const char* chosen = std::getenv("CC");
  const std::string compiler = chosen && *chosen ? chosen : "cc";
  const std::string source = fs::absolute(fs::path(folder) / (name + ".c")).string();
  if (!run({compiler, "-std=c99", optimization(source), "-Wall", "-Wextra", "-Wconversion", "-Werror", "-shared",
            "-fPIC", source, "-o", library, "-lm"},
           log))
    throw std::runtime_error(fmt::format("compile: {} could not compile {}: {}", compiler, source, complaint_in(log)));
  const Library code(library);

  Expected expected(model, functions, frame);
  const std::vector<SampleState> sampled = regular_states(model, near, states);
  std::vector<CheckedFunction> out;
  for (const ModelFunction f : functions) {
    double worst = 0.0;
    for (const SampleState& s : sampled) {
      const std::vector<double>& x = f == ModelFunction::forward_dynamics ? s.tau : s.a;
      const std::vector<double> ours = expected(f, s, x);
      std::vector<double> theirs(ours.size(), std::nan(""));
      std::vector<const double*> in{s.q.data(), s.v.data(), x.data()};
      in.resize(signature(model, f).inputs.size());
      code.call(name + "_" + cardan::name(f), in, theirs.data());
      worst = std::max(worst, relative_difference(ours, theirs));
    }
    out.push_back({f, worst});
  }
  return out;
}

}  // namespace cardan::command
