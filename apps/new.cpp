// cardan new: a commented scene to begin with.
#include "apps/command.hpp"
#include "apps/run_page.hpp"
#include "apps/templates.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kNewFooter = R"(Example:
  cardan new pendulum
  cardan new arm.toml --from muscle-arm
  cardan simulate arm.toml --report arm.html

Writes the scene NAME as NAME.toml, with comments, to change and run; --list tells which there are. With --from NAME is
the file to write, and the scene is the one that --from names. A file that is there already stays, unless --force is given.
With --from, - is the standard output.)";

struct NewArguments {
  std::string name, from;
  bool list = false, force = false;
};

const SceneTemplate& find_template(const std::string& name) {
  std::vector<std::string> known;
  for (const SceneTemplate& scene : scene_templates()) {
    if (scene.name == name) return scene;
    known.push_back(scene.name);
  }
  const std::string near = io::did_you_mean(name, known);
  throw std::runtime_error(fmt::format("new: unknown scene {}{}", io::in_quotes(name),
                                       near.empty() ? fmt::format(": expected {}", fmt::join(known, ", ")) : near));
}

/// Says what a scene is: its first line without the comment's sign.
std::string_view title_of(const SceneTemplate& scene) {
  const std::string_view line = scene.text.substr(0, scene.text.find('\n'));
  return line.substr(line.find_first_not_of("# "));
}

void list_templates() {
  std::size_t width = 0;
  for (const SceneTemplate& scene : scene_templates()) width = std::max(width, scene.name.size());
  for (const SceneTemplate& scene : scene_templates()) fmt::print("{:{}}  {}\n", scene.name, width, title_of(scene));
}

void write_new(const NewArguments& a) {
  if (a.list) return list_templates();
  const std::filesystem::path file(a.name);
  const bool is_file = !a.from.empty() || file.extension() == ".toml";
  const std::string path = is_file ? a.name : a.name + ".toml";
  const SceneTemplate& scene = find_template(!a.from.empty() ? a.from : is_file ? file.stem().string() : a.name);
  if (!is_standard_output(path)) {
    if (std::filesystem::path(path).extension() != ".toml")
      throw std::runtime_error(fmt::format("new: expected a file that ends in .toml, found {}", io::in_quotes(path)));
    std::error_code error;
    if (!a.force && std::filesystem::exists(path, error))
      throw std::runtime_error(fmt::format("new: {} is there already: --force replaces it", io::in_quotes(path)));
    require_folder(path);
  }
  write_output(path, scene.text);
  if (!is_standard_output(path))
    fmt::print("{}: {}\nRun it: cardan simulate {}, or look at it: cardan view {}\n", path, title_of(scene), path,
               path);
}

}  // namespace

void add_new(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("new", "Write a commented scene to begin with");
  const auto arguments = std::make_shared<NewArguments>();
  NewArguments& a = *arguments;
  auto* list = command->add_flag("--list", a.list, "Name the scenes that there are");
  auto* name = command->add_option("NAME", a.name, "The scene, or with --from the file to write")->option_text(" ");
  command->add_option("--from", a.from, "The scene that the file begins with")->option_text("SCENE");
  command->add_flag("--force", a.force, "Replace a file that is there already");
  command->footer(kNewFooter);
  command->callback([arguments, list, name, &action] {
    if (list->empty() && name->empty()) throw CLI::RequiredError("NAME or --list");
    action = [arguments] { write_new(*arguments); };
  });
}

}  // namespace cardan::command
