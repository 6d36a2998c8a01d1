// One call from a scene to its motion.
#pragma once

#include "cardan/simulate/trajectory.hpp"

namespace cardan {

struct SimulateOptions {
  /// Asked after every step; false ends the run.
  Simulator::GoOn go_on{};
  /// Called at every output, after the row has been added.
  std::function<void(const Trajectory& so_far)> on_output{};
};

/// Runs a scene with its own settings. A step that fails ends the run: summary.end says so and the rows until then are
/// there. Throws std::invalid_argument on a scene that makes no sense, std::runtime_error where its loops cannot be
/// closed.
Trajectory simulate(const Scene& scene, const SimulateOptions& options = {});
/// Runs a scene with a workspace that the caller keeps.
Trajectory simulate(const Scene& scene, SystemWorkspace& workspace, const SimulateOptions& options = {});

/// Closes the loops of a scene's initial state, puts joints where their motions begin and, where the scene asks for it,
/// moves it to its equilibrium; doubts about where it starts become warnings of the scene. Returns
/// which joints had to move, a line each; throws ModelError that names the worst loop and where the scene has it, where
/// they cannot be closed.
std::vector<std::string> assemble(Scene& scene);

/// Says in one line where the initial state of a scene that was put together is on another branch of its loops than a
/// configuration of the same joints (`whose`: "in the scene as given"; docs/loops.md); empty where it is on the same
/// one, where there are no loops, and where there are more than 200 rows of constraints.
std::string on_another_branch(const Scene& scene, const std::vector<double>& q, const std::string& whose);

/// Computes how far the initial state of a scene that was put together is from a position in which branches of its
/// loops meet: the smallest singular value of the rows that act, over the largest; 1 without loops.
double singular_margin(const Scene& scene);

}  // namespace cardan
