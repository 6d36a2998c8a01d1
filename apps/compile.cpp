// cardan compile: standalone C for a model's functions.
#include "apps/check_c.hpp"
#include "apps/command.hpp"
#include "apps/left_out_of_c.hpp"
#include "apps/scene_acceleration.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/io/load.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include <unistd.h>

namespace cardan::command {

namespace {

namespace fs = std::filesystem;

constexpr int kCheckedStates = 100;
constexpr double kAllowed = 1e-9;

constexpr const char* kCompileFooter = R"(Example:
  cardan compile examples/double_pendulum.urdf --out build/generated --functions forward_dynamics,mass_matrix --check

Writes NAME.h and NAME.c (C99), where NAME is the model's name. They need nothing but the C library's
mathematics, keep no state and allocate no memory. Functions: forward_dynamics, inverse_dynamics,
mass_matrix, bias, gravity, pose and jacobian of a frame, in which bodies, joints and their plain springs act;
inverse_mass_matrix, inverse_dynamics_derivatives, forward_dynamics_derivatives and forward_dynamics_adjoint,
those of the bodies alone; and acceleration, in which all acts and holds: springs, cables, muscles, controllers, loops, couplings, motions,
inputs. What of the scene is not in the code is listed, with the reason.

--check compiles the source with the system's C compiler (cc, or what CC names), all warnings being errors,
runs it on 100 random states and compares the results with the library's.)";

struct CompileArguments : ModelArguments {
  std::string out, functions, frame;
  bool check = false;
};

constexpr const char* kAcceleration = "acceleration";

/// Holds the functions that are asked for.
struct Functions {
  std::vector<ModelFunction> of_model;
  bool acceleration = false;  // by name
};

Functions parse_functions(const std::string& text) {
  Functions all;
  std::vector<ModelFunction>& out = all.of_model;
  if (text.empty()) {
    out = {ModelFunction::forward_dynamics, ModelFunction::inverse_dynamics, ModelFunction::mass_matrix,
           ModelFunction::bias, ModelFunction::gravity};
    return all;
  }
  std::vector<std::string> known;
  for (const ModelFunction f : all_model_functions()) known.push_back(name(f));
  known.push_back(kAcceleration);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    at = comma + 1;
    const auto it = std::find(known.begin(), known.end(), word);
    if (it == known.end())
      throw std::runtime_error(fmt::format("compile: --functions: unknown function {}{}", io::in_quotes(word),
                                           io::did_you_mean(word, known)));
    if (word == kAcceleration) {
      all.acceleration = true;
      continue;
    }
    const ModelFunction f = all_model_functions()[static_cast<std::size_t>(it - known.begin())];
    if (std::find(out.begin(), out.end(), f) == out.end()) out.push_back(f);
  }
  return all;
}

int find_frame(const Model& model, const std::string& frame, const std::vector<ModelFunction>& functions) {
  if (std::none_of(functions.begin(), functions.end(), needs_frame)) return 0;
  if (frame.empty()) throw std::runtime_error("compile: pose and jacobian need a frame: give --frame NAME");
  const int index = model.find_frame(frame);
  if (index >= 0) return index;
  std::vector<std::string> known;
  for (int i = 0; i < model.frames(); ++i) known.push_back(model.frame(i).name);
  throw std::runtime_error(
      fmt::format("compile: --frame: unknown frame {}{}", io::in_quotes(frame), io::did_you_mean(frame, known)));
}

/// Compares what was written with the library; prints a line for each function.
void check(const CompileArguments& a, const Scene& scene, const std::vector<ModelFunction>& functions, int frame,
           const std::string& name, SceneAcceleration* acceleration) {
  if (::isatty(STDERR_FILENO) != 0) fmt::print(stderr, "compile: the C compiler is at work\n");
  const CompiledC code(a.out, name);
  bool good = true;
  const auto tell = [&](const char* function, double error) {
    const bool agrees = error <= kAllowed;
    good = good && agrees;
    fmt::print("checked {:<18} largest difference {:.1e} on {} states{}\n", function, error, kCheckedStates,
               agrees ? "" : "  DIFFERS");
  };
  for (const CheckedFunction& f : check_c(scene.model, functions, frame, scene.initial, code, kCheckedStates))
    tell(cardan::name(f.function), f.error);
  if (acceleration) tell(kAcceleration, acceleration->check(code, kCheckedStates));
  if (!good)
    throw std::runtime_error(
        fmt::format("compile: the generated code differs from the library by more than {:.0e}", kAllowed));
}

/// The accelerations of the scene, where they are asked for or it has more than a tree; null where there can be none.
std::unique_ptr<SceneAcceleration> acceleration_of(const Scene& scene, const Functions& functions,
                                                   std::vector<std::string>& left_out) {
  if (!functions.acceleration && !functions.of_model.empty() && functions.of_model.size() < 5) return nullptr;
  auto out = std::make_unique<SceneAcceleration>(scene);
  if (!functions.acceleration && !out->has_more()) return nullptr;
  if (out->beyond().empty()) return out;
  if (functions.acceleration)
    throw std::runtime_error(fmt::format("compile: acceleration: {}", fmt::join(out->beyond(), "; ")));
  for (const std::string& why : out->beyond()) left_out.push_back("acceleration: " + why);
  return nullptr;
}

void compile_to_c(const CompileArguments& a) {
  const Functions asked = parse_functions(a.functions);
  const std::vector<ModelFunction>& functions = asked.of_model;
  const Scene scene = load(a.file, a.how_to_load(false));
  const Model& model = scene.model;
  const int frame = find_frame(model, a.frame, functions);
  std::vector<std::string> reasons;
  const std::unique_ptr<SceneAcceleration> acceleration = acceleration_of(scene, asked, reasons);
  std::vector<std::string> left_out = left_out_of_c(scene, acceleration != nullptr);
  left_out.insert(left_out.end(), reasons.begin(), reasons.end());
  CExportOptions options{.frame = frame, .joint_springs = true, .left_out = left_out};
  if (acceleration) options.more.push_back(acceleration->in_c());
  const CExport c = export_c(model, functions, options);
  std::error_code error;
  fs::create_directories(a.out, error);
  if (!fs::is_directory(a.out))
    throw std::runtime_error(fmt::format("{}: expected a folder that can be made", io::printable(a.out)));
  for (const auto& [ending, text] : {std::pair{".h", &c.header}, std::pair{".c", &c.source}}) {
    const std::string path = (fs::path(a.out) / (c.name + ending)).string();
    write_output(path, *text);
    fmt::print("wrote {} ({} lines)\n", path, std::count(text->begin(), text->end(), '\n'));
  }
  if (acceleration && acceleration->has_more() && !functions.empty())
    fmt::print("loops, couplings, motions, forces and controllers act in acceleration alone\n");
  for (const std::string& line : left_out) fmt::print("not in the code: {}\n", line);
  if (a.check) check(a, scene, functions, frame, c.name, acceleration.get());
}

}  // namespace

void add_compile(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("compile", "Write standalone C for a model's dynamics");
  const auto arguments = std::make_shared<CompileArguments>();
  command
      ->add_option("FILE", arguments->file,
                   "The scene (TOML), robot (URDF), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  command->add_option("--out", arguments->out, "The folder for the two files")->required()->option_text("DIR");
  command
      ->add_option("--functions", arguments->functions,
                   "Which ones, separated by commas (default: all that need no frame)")
      ->option_text("a,b");
  command->add_option("--frame", arguments->frame, "Whose pose and jacobian")->option_text("NAME");
  command->add_flag("--check", arguments->check, "Compile the result and compare it with the library");
  add_model_options(*command, *arguments);
  command->footer(kCompileFooter);
  command->callback([arguments, &action] { action = [arguments] { compile_to_c(*arguments); }; });
}

}  // namespace cardan::command
