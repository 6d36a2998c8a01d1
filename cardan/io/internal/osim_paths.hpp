// Paths of OpenSim's muscles and other forces: points, and the surfaces that they are wrapped over.
#pragma once

#include "cardan/io/internal/osim_joints.hpp"

#include <optional>

namespace cardan::io {

class OsimPaths {
 public:
  OsimPaths(const XmlElement& model, const OsimFrames& frames, const OsimJoints& joints, OsimFunctions& functions,
            LeftOut& left_out);

  /// Puts `points` and `wraps` of the path of a force into its table. False, with a word in what is left out, where it
  /// has no path, or one that a scene cannot have.
  bool put_path(const XmlElement& force, TomlNode& table);

 private:
  struct Wrap {
    XmlElement element;
    OsimPlace at;
  };
  void add_wraps(const XmlElement& body, const std::string& path);
  std::optional<TomlNode> point(const XmlElement& point, const std::string& title);
  bool put_moving(const XmlElement& point, const std::string& title, TomlNode& table);
  TomlNode wrap(const XmlElement& path_wrap, std::size_t points) const;
  void put_surface(const Wrap& wrap, TomlNode& table) const;
  /// Leaves a force out for a reason.
  bool leave(const XmlElement& force, const std::string& why);

  const OsimFrames& frames_;
  const OsimJoints& joints_;
  OsimFunctions& functions_;
  LeftOut& left_out_;
  std::map<std::string, Wrap> wraps_;
};

}  // namespace cardan::io
