// Forces of an OpenSim model: muscles and actuators, whose excitations and controls are inputs, and passive ones.
#pragma once

#include "cardan/io/internal/osim_paths.hpp"

namespace cardan::io {

/// Tells whether a force of this type is read.
bool is_osim_force(const std::string& tag);

class OsimForces {
 public:
  OsimForces(const XmlElement& model, const OsimFrames& frames, const OsimJoints& joints, OsimFunctions& functions,
             LeftOut& left_out, TomlNode& scene)
      : frames_(frames),
        joints_(joints),
        functions_(functions),
        left_out_(left_out),
        scene_(scene),
        paths_(model, frames, joints, functions, left_out),
        defaults_(model.child("defaults")) {}

  void write(const XmlElement& model);

 private:
  void add(const XmlElement& force);
  void add_muscle(const XmlElement& force, const std::string& name);
  void add_path_actuator(const XmlElement& force, const std::string& name);
  void add_coordinate_actuator(const XmlElement& force, const std::string& name);
  void add_point_actuator(const XmlElement& force, const std::string& name);
  void add_torque_actuator(const XmlElement& force, const std::string& name);
  void add_path_spring(const XmlElement& force, const std::string& name);
  void add_ligament(const XmlElement& force, const std::string& name);
  void add_point_spring(const XmlElement& force, const std::string& name);
  void add_coordinate_spring(const XmlElement& force);
  void add_limit_force(const XmlElement& force);
  void add_bushing(const XmlElement& force, const std::string& name);
  /// Adds [[force]] type = "joint" with a text of q, w (its rate) and u (the input) at a coordinate.
  void add_at_coordinate(const XmlElement& force, const std::string& text, const std::string& input = {});
  XmlElement defaults_of(const XmlElement& object) const;
  /// Adds an input, of the name of what it drives, and returns what texts call it.
  std::string add_input(const std::string& name, const std::string& force = {});

  const OsimFrames& frames_;
  const OsimJoints& joints_;
  OsimFunctions& functions_;
  LeftOut& left_out_;
  TomlNode& scene_;
  OsimPaths paths_;
  XmlElement defaults_;
  std::set<std::string> names_;
};

}  // namespace cardan::io
