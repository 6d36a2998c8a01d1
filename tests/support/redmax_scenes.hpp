// Scenes of the public REDMAX test set (shared data, redmax/semantics.md) that consist of joints, torques and joint
// springs alone, as models. Units there are cm, g and s.
#pragma once

#include "cardan/model/model_builder.hpp"
#include "cardan/model/state.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cardan::test {

struct RedmaxScene {
  explicit RedmaxScene(const nlohmann::json& scene);

  nlohmann::json data;
  Model model;
  State start;
  std::vector<double> stiffness, damping;  // for each velocity
  std::vector<double> torques(double t) const;
  /// The joint's torque less springs about the initial configuration and dampers.
  void joint_forces(double t, const double* q, const double* v, double* tau) const;
  /// Kinetic and potential energy, springs included.
  double kinetic(const State& state) const;
  double potential(const State& state) const;
  /// A row of the scene's q or qdot in the order of the model.
  std::vector<double> in_model_order(const nlohmann::json& row) const;
  /// Velocity indices of the first coordinate of each joint with a rotation vector.
  std::vector<int> rotation_vectors;
  /// Ball joints with Euler angles that the reference rewrites in other orders: the scene's number of the joint.
  struct EulerAngles {
    std::size_t joint;
    int first;          // velocity index of the first angle
    std::string order;  // such as "XYZ"
  };
  std::vector<EulerAngles> euler_angles;

 private:
  std::vector<int> place_;  // of the scene's coordinates in the model
};

/// What the scene calls the body that joint `index` moves; -1: the world.
std::string redmax_body(int index);

/// Node k of a chain of mass points.
std::string redmax_node(int chain, int k);

/// Whether joints and loops have the bearings that the reference's stepper knows.
enum class RedmaxFriction { none, in_joints };

/// The scene as a scene file; `simulation` is added to its [simulation].
std::string redmax_scene_file(const nlohmann::json& scene, const std::string& simulation,
                              RedmaxFriction friction = RedmaxFriction::none);

/// The scene with this number, or nothing.
const nlohmann::json* find_scene(const nlohmann::json& file, int id);

}  // namespace cardan::test
