// Puts the links of an SDF file on joints: a tree from the world, and loops for the joints that close it.
#pragma once

#include "cardan/io/internal/sdf_joints.hpp"
#include "cardan/io/internal/sdf_shapes.hpp"

namespace cardan::io {

class SdfTree {
 public:
  SdfTree(const SdfModels& models, SdfShapes& shapes, const std::vector<SdfJoint>& joints, LeftOut& left_out,
          TomlNode& scene);

  /// Adds bodies, frames and loops to the scene.
  void write(const Vec3<double>& gravity);

 private:
  void choose();
  bool is_fixed(const std::string& link) const;
  bool moves_with(const std::string& link, const std::string& ancestor) const;
  void add_link(const SdfPart& link, const Vec3<double>& gravity);
  void add_on_joint(const SdfPart& link, SdfJoint joint, const MassProperties& mass, std::vector<TomlNode> shapes);
  void add_loop(const SdfJoint& joint);
  std::string unique(std::string name);

  const SdfModels& models_;
  SdfShapes& shapes_;
  std::vector<SdfJoint> joints_;
  LeftOut& left_out_;
  TomlNode& scene_;
  std::map<std::string, std::size_t> carried_by_;  // links and the joint of the tree that they move on
  std::vector<std::size_t> loops_;
  std::set<std::string> static_, names_{"world"};
};

}  // namespace cardan::io
