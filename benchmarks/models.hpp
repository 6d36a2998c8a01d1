// The mechanisms that are timed: the robots of the reference data where it is present, and chains.
#pragma once

#include "benchmarks/peer.hpp"
#include "cardan/model/model_builder.hpp"

namespace cardan::bench {

struct NamedModel {
  std::string name;
  Model model;
};

/// n revolute joints about x, y, z in turn; equal links that are neither symmetric nor aligned with their joints.
/// The bodies are link0, link1, ...
ModelBuilder chain_builder(int n);
Model chain(int n);

/// All robots of the folder (a floating base for those that walk), then chains of 20, 50 and 100.
std::vector<NamedModel> all_models(const std::string& robot_folder);

/// Random configurations, velocities, accelerations and forces; always the same for the same model.
States random_states(const Model& model, int count);

}  // namespace cardan::bench
