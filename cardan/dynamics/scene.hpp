// A mechanism, what acts on it, where it starts and how it is to be simulated: plain values that readers fill and
// programs may change before they make a System of them.
#pragma once

#include "cardan/collision/contact_rules.hpp"
#include "cardan/constraints/assembly.hpp"
#include "cardan/dynamics/bearing.hpp"
#include "cardan/dynamics/records.hpp"
#include "cardan/dynamics/scene_view.hpp"
#include "cardan/dynamics/settings.hpp"
#include "cardan/forces/input.hpp"

namespace cardan {

struct Scene {
  Model model{};
  State initial{};               // at the time settings.start; with z where an earlier run is continued
  State unstrained{};            // where lengths that nobody gave are measured; empty: at the initial state
  Forces forces{};               // beside the springs and dampers of joints, which are the model's
  Inputs inputs{};               // that forces read; a program may write them
  std::vector<double> breaks{};  // times at which steps end because something bends there, rising
  Constraints constraints{};     // beside loops and couplings, which are the model's: prescribed motions, for instance
  ContactRules contact{};        // the ground, and which shapes of the model touch
  std::vector<Bearing> bearings{};  // of joints, with friction that grows with the load
  Settings settings{};
  Records records{};
  /// Joints whose initial position or velocity the user gave: the last to be moved when loops are closed.
  KeptJoints kept{};
  /// Initial coordinates beyond limits of their joints are put on these as they are given.
  bool starts_within_limits = false;
  /// The run starts at the static equilibrium nearest to the initial state.
  bool starts_at_equilibrium = false;
  /// The numbers that the scene's texts may use, as the file names them.
  std::vector<std::pair<std::string, double>> parameters{};
  /// How pages show it at first.
  SceneView view{};
  /// Put before messages about the whole scene: "scene: pendulum.toml:1:1".
  std::string where{};
  /// What was left out or guessed, a line each; the model's own doubts are in model.warnings().
  std::vector<std::string> warnings{};
};

/// A scene of a model alone, at its zero pose and at rest.
inline Scene scene_of(const Model& model) {
  Scene out;
  out.model = model;
  out.initial = State(model);
  out.records = Records(model);
  return out;
}

/// True if the joint that moves the body depends on time, which then is its last coordinate: that it moves nothing at
/// some moment is no singularity.
bool follows_time(const Scene& scene, int body);

}  // namespace cardan
