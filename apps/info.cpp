// cardan info: what is in a scene or robot file.
#include "apps/command.hpp"
#include "apps/describe.hpp"
#include "cardan/constraints/assembly.hpp"
#include "cardan/io/load.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/simulate/simulate.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kInfoFooter = R"(Example:
  cardan info examples/double_pendulum.urdf

Shows the moving bodies with their joints and coordinates, masses, couplings, loops, how the mechanism can
move (freedoms, constraints that repeat others), the frames that can be named, and warnings where the model is
doubtful.)";

struct InfoArguments {
  std::string file, base = "fixed";
  bool json = false;
};

}  // namespace

void add_info(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("info", "Show the bodies, joints, coordinates and masses of a scene or robot");
  const auto arguments = std::make_shared<InfoArguments>();
  command->add_option("FILE", arguments->file, "The scene (TOML) or robot (URDF)")->required()->option_text(" ");
  command->add_flag("--json", arguments->json, "For machines: everything as JSON");
  add_base_option(*command, arguments->base);
  command->footer(kInfoFooter);
  command->callback([arguments, &action] {
    action = [arguments] {
      Scene scene = load(arguments->file, {arguments->base == "free", true});
      const Model& model = scene.model;
      const std::vector<std::string> assembled =
          is_scene(arguments->file) ? assemble(scene) : std::vector<std::string>{};
      std::vector<std::string> warnings = model.warnings();
      warnings.insert(warnings.end(), scene.warnings.begin(), scene.warnings.end());
      for (const SingularJoint& joint : singular_joints(model, scene.initial.q))
        warnings.push_back("initial state: " + joint.what);
      std::optional<Mobility> mobility;
      if (ConstraintSet set(model); set.size() > 0) {
        const Assembly assembly = assemble(model, set, 0.0, scene.initial);
        if (assembly.closed)
          mobility = analyze_mobility(model, set, 0.0, assembly.state.q);
        else
          warnings.push_back("initial state: " + assembly.complaint());
      }
      const Description description{model, mobility, assembled, warnings};
      write_output("", arguments->json ? describe_as_json(description) : describe(description));
    };
  });
}

}  // namespace cardan::command
