// The pose graph of SDF: every link, joint, model and <frame> has a pose in some other frame and is attached to a link.
#pragma once

#include "cardan/io/internal/xml_values.hpp"
#include "cardan/spatial/se3.hpp"

#include <map>

namespace cardan::io {

/// Where names are looked up: "robot::arm::" is the prefix of what the model robot::arm holds.
struct SdfScope {
  std::string prefix;
  std::string model = "world";  // the frame that __model__ is
  std::string folder;           // of the file
  double version = 1.0;         // of the file: 1.06 is 1.6
  bool is_static = false;
};

/// Reads the numbers of <pose>; `degrees` and `rotation_format` are heeded.
Pose<double> sdf_pose(const XmlElement& pose);

class SdfFrames {
 public:
  struct Frame {
    XmlElement element;
    Pose<double> pose;        // in relative_to
    std::string relative_to;  // a full name
    std::string attached_to;  // a full name; empty: it is a link or the world
    std::string placement{};  // of models: the frame that `pose` places; empty: that of the model
    bool is_model = false;
  };

  SdfFrames();
  /// Declares a frame by its full name; complains of a second one.
  void add(const std::string& name, Frame frame);
  bool has(const std::string& name) const { return frames_.contains(name); }
  void attach(const std::string& name, const std::string& to) { frames_.at(name).attached_to = to; }

  /// The full name of what a text of the file calls; `element` is where it stands.
  std::string resolve(const std::string& name, const SdfScope& scope, const XmlElement& element) const;
  /// Throws where a text names no frame; used once everything is declared.
  void require(const std::string& full_name, const std::string& name, const SdfScope& scope,
               const XmlElement& element) const;
  /// The pose of frame b in frame a, with products only along the path between the two.
  Pose<double> between(const std::string& a, const std::string& b) const;
  /// The link that a frame is attached to, or "world".
  std::string body_of(const std::string& name) const;

 private:
  const Frame& at(const std::string& name) const;
  Pose<double> raw(const std::string& name, int depth) const;
  /// The pose in an ancestor.
  Pose<double> in(const std::string& name, const std::string& ancestor, int depth) const;
  std::vector<std::string> ancestors(const std::string& name) const;
  std::map<std::string, Frame> frames_;
};

}  // namespace cardan::io
