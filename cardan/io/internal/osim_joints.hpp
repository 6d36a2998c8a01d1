// Joints of an OpenSim model and their coordinates.
#pragma once

#include "cardan/io/internal/osim_frames.hpp"
#include "cardan/io/internal/osim_functions.hpp"

#include <optional>

namespace cardan::io {

struct OsimCoordinate {
  XmlElement element;  // false where the file does not list it
  std::string name;
  std::string word;  // what texts of its joint call it
  std::string
      ref;  // what a scene calls it: JOINT, or JOINT.k where there are several; empty if it has no rate of its own
  std::string joint;
  double value = 0.0, speed = 0.0;
};

struct OsimJoint {
  XmlElement element;
  std::string type, name;
  OsimPlace parent, child;   // frames of the joint on the two bodies
  bool is_reversed = false;  // its coordinates say how the parent's frame lies in the child's
  std::vector<OsimCoordinate> coordinates;
  TomlNode table;  // type and what belongs to it
  bool is_expression = false;
};

class OsimJoints {
 public:
  /// Reads the joints in JointSet, or in the bodies as files up to version 3 have them.
  OsimJoints(const XmlElement& model, const OsimFrames& frames, LeftOut& left_out);

  std::vector<OsimJoint>& joints() { return joints_; }
  const std::vector<OsimJoint>& joints() const { return joints_; }
  /// All names that texts of joints use.
  const std::set<std::string>& words() const { return words_; }
  /// Writes what each joint becomes; functions need the scene.
  void write_types(OsimFunctions& functions);
  /// Tells whether a coordinate is a length: what its element says, else what its joint does with it.
  bool is_translation(const OsimCoordinate& coordinate) const;
  /// Finds a coordinate by its name or path. Throws where there is none.
  const OsimCoordinate& coordinate(const std::string& path, const XmlElement& where) const;

 private:
  void add(const XmlElement& element, const XmlElement& body);
  void read_coordinates(OsimJoint& joint);
  void write_type(OsimJoint& joint, OsimFunctions& functions);
  void write_custom(OsimJoint& joint, OsimFunctions& functions);
  bool write_native_custom(OsimJoint& joint, const std::vector<XmlElement>& axes);
  void check_axis(const XmlElement& axis, const OsimJoint& joint) const;
  void check_uses(const OsimJoint& joint, const std::vector<XmlElement>& axes) const;

  const OsimFrames& frames_;
  LeftOut& left_out_;
  std::vector<OsimJoint> joints_;
  std::set<std::string> words_, names_, coordinate_names_;
};

}  // namespace cardan::io
