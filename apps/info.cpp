// cardan info: what is in a scene or robot file.
#include "apps/command.hpp"
#include "apps/describe.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"
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

Shows the moving bodies with their joints and coordinates, masses, centers of mass and inertias, couplings,
loops, prescribed motions, forces, records, how the mechanism can move (freedoms, driven ones, constraints that
repeat others), the frames that can be named, and warnings where the model is doubtful.)";

struct InfoArguments {
  std::string file, base = "fixed";
  bool json = false, strict = false;
};

}  // namespace

void add_info(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("info", "Show the bodies, joints, coordinates and masses of a scene or robot");
  const auto arguments = std::make_shared<InfoArguments>();
  command->add_option("FILE", arguments->file, "The scene (TOML) or robot (URDF)")->required()->option_text(" ");
  command->add_flag("--json", arguments->json, "For machines: everything as JSON");
  add_base_option(*command, arguments->base);
  add_strict_option(*command, arguments->strict);
  command->footer(kInfoFooter);
  command->callback([arguments, &action] {
    action = [arguments] {
      Scene scene = load(arguments->file, {arguments->base == "free", true, arguments->strict});
      const Model& model = scene.model;
      const std::vector<std::string> assembled =
          is_scene(arguments->file) ? assemble(scene) : std::vector<std::string>{};
      std::vector<std::string> warnings = model.warnings();
      warnings.insert(warnings.end(), scene.warnings.begin(), scene.warnings.end());
      for (const SingularJoint& joint : singular_joints(model, scene.initial.q))
        warnings.push_back("initial state: " + joint.what);
      std::optional<Mobility> mobility;
      ConstraintSet set(model);
      for (const auto& constraint : scene.constraints) set.add(constraint);
      if (set.size() > 0) {
        const Assembly assembly = assemble(model, set, 0.0, scene.initial);
        if (assembly.closed)
          mobility = analyze_mobility(model, set, 0.0, assembly.state.q);
        else
          warnings.push_back("initial state: " + assembly.complaint());
      }
      Workspace<double> workspace(model);
      if (const std::string why = explain_singular_mass_matrix(model, workspace, scene.initial.q);
          !why.empty() && scene.initial.q.size() == static_cast<std::size_t>(model.nq()))
        warnings.push_back("initial state: " + why);
      const Description description{scene, mobility, assembled, warnings};
      write_output("", arguments->json ? describe_as_json(description) : describe(description));
    };
  });
}

}  // namespace cardan::command
