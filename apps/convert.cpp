// cardan convert: a model of another format as a scene file.
#include "apps/command.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kConvertFooter = R"(Example:
  cardan convert examples/four_bar.toml four_bar.toml

Reads a scene (TOML), a MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model and writes it as a scene: names, numbers and texts stay as they are, comments
do not, and files that it names are named from the new place. What of the model is not read goes to stderr, a line each; with --strict that is a refusal. OUT may be - for the
standard output.)";

struct ConvertArguments {
  std::string in, out;
  bool strict = false;
  std::vector<std::string> set{};
};

void convert(const ConvertArguments& a) {
  if (!is_standard_output(a.out) && std::filesystem::path(a.out).extension() != ".toml")
    throw std::runtime_error(
        fmt::format("convert: expected a file that ends in .toml, found {}", io::in_quotes(a.out)));
  std::error_code error;
  if (std::filesystem::equivalent(a.in, a.out, error))
    throw std::runtime_error(fmt::format("convert: expected two files, found {} for both", io::in_quotes(a.out)));
  require_folder(a.out);
  SceneSpec spec = load_spec(a.in);
  for (const std::string& change : a.set) spec.set(change);
  const Scene scene = spec.bind();  // what is written can be read
  for (const std::string& warning : scene.warnings) {
    if (a.strict) throw std::runtime_error("convert: " + warning);
    fmt::print(stderr, "convert: {}\n", io::printable(warning));
  }
  write_output(a.out, is_standard_output(a.out) ? spec.to_toml() : spec.to_toml(a.out));
}

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("convert", "Write a model of another format as a scene");
  const auto arguments = std::make_shared<ConvertArguments>();
  ConvertArguments& a = *arguments;
  command->add_option("IN", a.in, "The scene (TOML), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  command->add_option("OUT", a.out, "The scene to write")->required()->option_text(" ");
  command->add_flag("--strict", a.strict, "Refuse a model of which something is not read");
  add_set_option(*command, a.set);
  command->footer(kConvertFooter);
  command->callback([arguments, &action] { action = [arguments] { convert(*arguments); }; });
}

}  // namespace cardan::command
