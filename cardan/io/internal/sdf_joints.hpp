// Joints of SDF as those of scenes: in the tree, where the child moves on no other joint; else as a loop.
#pragma once

#include "cardan/io/internal/scene_build.hpp"
#include "cardan/io/internal/sdf_models.hpp"

namespace cardan::io {

/// A joint as the tree and other elements speak of it.
struct SdfJoint {
  SdfPart part;
  std::string type, parent, child;  // links by their full names, or "world"
  std::vector<Vec3<double>> axes;   // unit vectors in the joint's frame
  TomlNode table;                   // type, axis or joints, and what acts at its coordinates
  bool is_reversed = false;         // the parent moves on it: the child is fixed to the world
};

class SdfJoints {
 public:
  SdfJoints(const SdfModels& models, LeftOut& left_out) : models_(models), left_out_(left_out) {}

  SdfJoint read(const SdfPart& part) const;
  /// mimic of an axis, a gearbox: couplings between joints of the tree.
  void add_couplings(const std::vector<SdfJoint>& joints, TomlNode& scene) const;

 private:
  Vec3<double> axis(const SdfPart& joint, const char* tag) const;
  void put_dynamics(const SdfJoint& joint, TomlNode& table) const;
  void add_gearbox(const SdfJoint& gearbox, const std::vector<SdfJoint>& joints, TomlNode& scene) const;
  void add_mimic(const SdfJoint& joint, const std::vector<SdfJoint>& joints, TomlNode& scene) const;

  const SdfModels& models_;
  LeftOut& left_out_;
};

}  // namespace cardan::io
