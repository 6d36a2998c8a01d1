// cardan convert: a model of one format in another.
#include "apps/command.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/export.hpp"
#include "cardan/io/internal/robot_scene.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kConvertFooter = R"(Examples:
  cardan convert examples/four_bar.toml four_bar.toml
  cardan convert examples/double_pendulum.urdf pendulum.xml

Reads a scene (TOML), a robot (URDF), a MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model and writes what the ending of
OUT says: a scene (.toml), a robot (.urdf) or a MuJoCo model (.xml). OUT may be - for a scene on the standard output.

As a scene: names, numbers and texts stay as they are, comments do not, and files that it names are named from the new
place. As a robot or MuJoCo model: the tree with its coordinates in their order; joints of several freedoms become
several joints. What of the model is not read, or cannot be written, goes to stderr, a line each; with --strict that is
a refusal.)";

struct ConvertArguments {
  std::string in, out;
  bool strict = false;
  std::vector<std::string> set{};
};

/// Says what is lost, or refuses it.
void tell(const ConvertArguments& a, const std::string& what) {
  if (a.strict) throw std::runtime_error("convert: " + what);
  fmt::print(stderr, "convert: {}\n", io::printable(what));
}

std::string ending_of(const std::string& path) { return std::filesystem::path(path).extension().string(); }

SceneSpec read(const ConvertArguments& a) {
  if (ending_of(a.in) != ".urdf") return load_spec(a.in);
  const Scene robot = load(a.in, {.strict = a.strict});
  for (const std::string& warning : robot.warnings) tell(a, warning);
  return io::robot_scene(robot, a.in);
}

/// The text of the file, after a line for each thing that it cannot say.
std::string written(const ConvertArguments& a, const SceneSpec& spec, const Scene& scene) {
  const std::string ending = ending_of(a.out);
  if (ending == ".toml") return spec.to_toml(a.out);
  if (is_standard_output(a.out)) return spec.to_toml();
  Exported out = ending == ".urdf" ? to_urdf(scene, a.out) : to_mjcf(scene, a.out);
  for (const std::string& what : out.left_out) tell(a, "not written: " + what);
  return std::move(out.text);
}

void convert(const ConvertArguments& a) {
  const std::vector<std::string> endings{".toml", ".urdf", ".xml", ".mjcf"};
  if (!is_standard_output(a.out) && std::find(endings.begin(), endings.end(), ending_of(a.out)) == endings.end())
    throw std::runtime_error(
        fmt::format("convert: expected a file that ends in .toml, .urdf or .xml, found {}", io::in_quotes(a.out)));
  std::error_code error;
  if (std::filesystem::equivalent(a.in, a.out, error))
    throw std::runtime_error(fmt::format("convert: expected two files, found {} for both", io::in_quotes(a.out)));
  require_folder(a.out);
  SceneSpec spec = read(a);
  for (const std::string& change : a.set) spec.set(change);
  const Scene scene = spec.bind();  // what is written can be read
  for (const std::string& warning : scene.warnings) tell(a, warning);
  write_output(a.out, written(a, spec, scene));
}

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("convert", "Write a model in another format");
  const auto arguments = std::make_shared<ConvertArguments>();
  ConvertArguments& a = *arguments;
  command->add_option("IN", a.in, "The scene (TOML), robot (URDF), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  command->add_option("OUT", a.out, "The scene (.toml), robot (.urdf) or MuJoCo model (.xml) to write")
      ->required()
      ->option_text(" ");
  command->add_flag("--strict", a.strict, "Refuse a model of which something is not read or written");
  add_set_option(*command, a.set);
  command->footer(kConvertFooter);
  command->callback([arguments, &action] { action = [arguments] { convert(*arguments); }; });
}

}  // namespace cardan::command
