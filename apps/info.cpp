// cardan info: what is in a scene or robot file.
#include "apps/accuracy.hpp"
#include "apps/command.hpp"
#include "apps/describe.hpp"
#include "apps/unheeded.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/collision/collision_world.hpp"
#include "cardan/constraints/assembly.hpp"
#include "cardan/io/load.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kInfoFooter = R"(Example:
  cardan info examples/double_pendulum.urdf
  cardan info examples/humanoid.urdf --accuracy

Shows the moving bodies with their joints and coordinates, friction, damping, armature and limits of joints, masses,
centers of mass and inertias, couplings, loops, prescribed motions, forces, records, how the mechanism can move
(freedoms, driven ones, constraints that repeat others), the frames that can be named, shapes and pairs of them that may
touch, and warnings where the model is doubtful: a start outside the limits of joints, shapes that overlap at the start,
meshes that are not closed.

--accuracy adds how many of the 16 digits of a double to expect of accelerations at the start, and why: the condition of
the mass matrix with its largest and smallest inertia, what forward dynamics of inverse dynamics gives back, depth and
masses of the tree, and the loop that is closest to singular.

)";

/// Counts what can touch; doubts about shapes become warnings. Nothing where no shape collides.
std::optional<CollisionCounts> look_at_shapes(const Scene& scene, std::vector<std::string>& warnings) {
  try {
    CollisionWorld world(scene.model, scene.contact);
    if (world.shapes().empty()) return {};
    for (const std::string& open : world.open_meshes()) warnings.push_back(open);
    Workspace<double> workspace(scene.model);
    Kinematics<double> kinematics(scene.model);
    forward_kinematics<double>(scene.model, workspace, scene.initial.q, kinematics);
    world.update(kinematics);
    for (const BodyDistance& d : world.distances())
      if (d.contact.gap < -1e-9)
        warnings.push_back(fmt::format("initial state: {} (shape {}) and {} (shape {}) overlap by {:.6g} m", d.a,
                                       d.shape_a, d.b, d.shape_b, -d.contact.gap));
    return CollisionCounts{world.shapes().size(), world.owners().size(), world.pairs()};
  } catch (const std::exception& problem) {  // pairs that cannot be tested, meshes that were not found
    warnings.push_back(std::string("shapes: ") + problem.what());
    return {};
  }
}

/// Says why the tree's mass matrix is singular at the start; nothing where a joint depends on time, whose coordinate
/// may well move nothing at some moment.
std::string why_singular(const Scene& scene) {
  const Model& model = scene.model;
  if (scene.initial.q.size() != static_cast<std::size_t>(model.nq())) return {};
  for (int body = 1; body <= model.bodies(); ++body)
    if (follows_time(scene, body)) return {};
  Workspace<double> workspace(model);
  return explain_singular_mass_matrix(model, workspace, scene.initial.q);
}

struct InfoArguments : ModelArguments {
  bool json = false, accuracy = false;
};

}  // namespace

void add_info(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("info", "Show the bodies, joints, coordinates and masses of a scene or robot");
  const auto arguments = std::make_shared<InfoArguments>();
  command
      ->add_option("FILE", arguments->file,
                   "The scene (TOML), robot (URDF), MuJoCo (XML), Gazebo (SDF) or OpenSim (OSIM) model")
      ->required()
      ->option_text(" ");
  command->add_flag("--json", arguments->json, "For machines: everything as JSON");
  command->add_flag("--accuracy", arguments->accuracy, "How many digits of accelerations to expect, and why");
  add_model_options(*command, *arguments);
  command->footer(std::string(kInfoFooter) + kPackageHelp);
  command->callback([arguments, &action] {
    action = [arguments] {
      Scene scene = load(arguments->file, arguments->how_to_load(true));
      const Model& model = scene.model;
      const std::vector<std::string> assembled =
          is_scene(arguments->file) ? assemble(scene) : std::vector<std::string>{};
      std::vector<std::string> warnings = model.warnings();
      warnings.insert(warnings.end(), scene.warnings.begin(), scene.warnings.end());
      for (const SingularJoint& joint : singular_joints(model, scene.initial.q))
        if (!follows_time(scene, joint.body)) warnings.push_back("initial state: " + joint.what);
      std::optional<Mobility> mobility;
      std::vector<double> q = scene.initial.q;
      ConstraintSet set(model);
      for (const auto& constraint : scene.constraints) set.add(constraint);
      if (set.size() > 0) {
        const Assembly assembly = assemble(model, set, 0.0, scene.initial);
        if (assembly.closed) {
          q = assembly.state.q;
          mobility = analyze_mobility(model, set, 0.0, q);
        } else {
          warnings.push_back("initial state: " + assembly.complaint());
        }
      }
      if (const std::string start = start_outside_limits(model, scene.initial.q); !start.empty())
        warnings.push_back(start);
      if (const std::string why = why_singular(scene); !why.empty()) warnings.push_back("initial state: " + why);
      const auto collision = look_at_shapes(scene, warnings);
      std::optional<Accuracy> accuracy;
      if (arguments->accuracy) accuracy = estimate_accuracy(scene, set, mobility, q);
      const Description description{scene, mobility, collision, accuracy, assembled, warnings};
      write_output("", arguments->json ? describe_as_json(description) : describe(description));
    };
  });
}

}  // namespace cardan::command
