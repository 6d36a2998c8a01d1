// cardan info: what is in a robot file.
#include "apps/command.hpp"
#include "apps/describe.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kFooter = R"(Example:
  cardan info examples/double_pendulum.urdf

Shows the moving bodies with their joints and coordinates, masses, couplings, loops, the frames
that can be named, and warnings where the model is doubtful.)";

struct Arguments {
  std::string file, base = "fixed";
  bool json = false;
};

}  // namespace

void add_info(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("info", "Show the bodies, joints, coordinates and masses of a robot");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("FILE", arguments->file, "The robot (URDF)")->required()->option_text(" ");
  command->add_flag("--json", arguments->json, "For machines: everything as JSON");
  add_base_option(*command, arguments->base);
  command->footer(kFooter);
  command->callback([arguments, &action] {
    action = [arguments] {
      std::vector<std::string> warnings;
      const Model model = load_model(arguments->file, arguments->base, &warnings);
      warnings.insert(warnings.begin(), model.warnings().begin(), model.warnings().end());
      write_output("", arguments->json ? describe_as_json(model, warnings) : describe(model, warnings));
    };
  });
}

}  // namespace cardan::command
