// Constraints of an OpenSim model: locked, coupled and prescribed coordinates, and loops.
#pragma once

#include "cardan/io/internal/osim_joints.hpp"

namespace cardan::io {

class OsimConstraints {
 public:
  OsimConstraints(const OsimFrames& frames, const OsimJoints& joints, OsimFunctions& functions, LeftOut& left_out,
                  TomlNode& scene)
      : frames_(frames), joints_(joints), functions_(functions), left_out_(left_out), scene_(scene) {}

  void write(const XmlElement& model);

 private:
  void add_coupler(const XmlElement& coupler);
  void add_loop(const XmlElement& constraint);
  void add_held_coordinates();
  /// The frame or point of one of the two bodies.
  OsimPlace end(const XmlElement& constraint, const char* socket, const char* body, const char* location,
                const char* orientation) const;

  const OsimFrames& frames_;
  const OsimJoints& joints_;
  OsimFunctions& functions_;
  LeftOut& left_out_;
  TomlNode& scene_;
  std::set<std::string> coupled_;  // coordinates that follow others
};

}  // namespace cardan::io
