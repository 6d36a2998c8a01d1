// Puts the bodies of an OpenSim model on its joints, with masses, starts and what it looks like.
#pragma once

#include "cardan/io/internal/osim_joints.hpp"
#include "cardan/io/internal/scene_build.hpp"

namespace cardan::io {

class OsimTree {
 public:
  OsimTree(const OsimFrames& frames, const OsimJoints& joints, LeftOut& left_out, TomlNode& scene)
      : frames_(frames), joints_(joints), left_out_(left_out), scene_(scene) {}

  /// Turns joints round whose child is the ground; before anything is written of them.
  static void turn_from_ground(std::vector<OsimJoint>& joints);
  /// Adds the bodies to the scene.
  void write();
  /// Adds the markers as frames.
  void write_markers(const XmlElement& model);

 private:
  void add(const XmlElement& body, const OsimJoint& joint);
  void add_free(const XmlElement& body);
  MassProperties mass(const XmlElement& body) const;
  std::vector<TomlNode> shapes(const XmlElement& body, const std::string& path) const;
  void put_coordinates(const OsimJoint& joint, TomlNode& table) const;

  const OsimFrames& frames_;
  const OsimJoints& joints_;
  LeftOut& left_out_;
  TomlNode& scene_;
};

}  // namespace cardan::io
