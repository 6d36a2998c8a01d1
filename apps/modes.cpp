// cardan modes: where a mechanism rests, and how it swings about that.
#include "apps/command.hpp"
#include "apps/modes_report.hpp"
#include "cardan/io/load.hpp"
#include "cardan/simulate/simulate.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kModesFooter = R"(Example:
  cardan modes examples/double_pendulum.urdf

Finds the equilibrium that the mechanism sinks to from its initial state (loads, springs and loops in balance) and
the modes of small motions about it: frequency as it is seen, frequency without damping, damping ratio (1 is critical,
negative grows), and the shape as velocities of the joints, the largest 1. A mode that only decays or grows has
frequency 0. Exit code 1 where there is no equilibrium to be found.)";

struct ModesArguments : ModelArguments {
  bool json = false;
};

void modes(const ModesArguments& a) {
  Scene scene = load(a.file, a.how_to_load(false));
  assemble(scene);
  const ModesReport report = find_modes_of(scene, "modes");
  write_output("", a.json ? modes_json(report) : modes_text(scene.model, report));
}

}  // namespace

void add_modes(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("modes", "Show where a mechanism rests, and how it swings about that");
  const auto arguments = std::make_shared<ModesArguments>();
  ModesArguments& a = *arguments;
  command
      ->add_option("SCENE", a.file,
                   "The scene (TOML), robot (URDF), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  command->add_flag("--json", a.json, "For machines: everything as JSON");
  add_model_options(*command, a);
  command->footer(kModesFooter);
  command->callback([arguments, &action] { action = [arguments] { modes(*arguments); }; });
}

}  // namespace cardan::command
