// Frames of an OpenSim model: bodies, and offset frames that stand on bodies or on one another.
#pragma once

#include "cardan/io/internal/osim_values.hpp"

#include <map>

namespace cardan::io {

/// A pose on a body; the ground is "world".
struct OsimPlace {
  std::string body;
  Pose<double> pose;
};

class OsimFrames {
 public:
  /// Declares ground, the bodies of the model and every offset frame in bodies, joints, constraints and forces.
  explicit OsimFrames(const XmlElement& model);

  /// Finds what a path or a plain name calls, seen from the component `owner` ("/jointset/knee"). `where` is the
  /// element whose tag names what was looked for; it is blamed where there is none.
  OsimPlace find(const std::string& path, const std::string& owner, const XmlElement& where) const;
  const std::vector<XmlElement>& bodies() const { return bodies_; }
  bool is_body(const std::string& name) const { return frames_.contains("/bodyset/" + name); }

 private:
  struct Frame {
    XmlElement element;
    std::string body;    // of a body, itself; else empty
    std::string parent;  // of an offset frame: a path
    Pose<double> pose;
  };
  void add(const std::string& path, Frame frame);
  void add_offsets(const XmlElement& owner, const std::string& path);
  const Frame* look_up(const std::string& path, const std::string& owner, std::string& found) const;

  std::vector<XmlElement> bodies_;
  std::map<std::string, Frame> frames_;  // by absolute path
};

}  // namespace cardan::io
