// Gathers the links, joints and frames of an SDF file, nested and included models too, and declares their poses.
#pragma once

#include "cardan/io/internal/sdf_files.hpp"
#include "cardan/io/internal/sdf_frames.hpp"

namespace cardan::io {

/// A link, joint or <frame> by its full name, with where its own texts are looked up.
struct SdfPart {
  XmlElement element;
  std::string name;
  SdfScope scope;
};

class SdfModels {
 public:
  SdfModels(SdfFiles& files, LeftOut& left_out) : files_(files), left_out_(left_out) {}

  /// Reads <sdf>: its first world, or its models.
  void read();

  const SdfFrames& frames() const { return frames_; }
  const std::vector<SdfPart>& links() const { return links_; }
  const std::vector<SdfPart>& joints() const { return joints_; }
  const std::vector<SdfPart>& own_frames() const { return own_frames_; }
  /// The world, where there is one.
  const XmlElement& world() const { return world_; }
  /// The name of the world or of the first model.
  const std::string& name() const { return name_; }

 private:
  /// What <include> says in place of the model.
  struct Instead {
    std::string name{};
    XmlElement pose{};
    std::string placement{};
    bool is_static = false;
  };
  void read_model(const XmlElement& model, const SdfScope& around, const Instead& instead);
  void read_include(const XmlElement& include, const SdfScope& around);
  void read_contents(const XmlElement& element, const SdfScope& scope);
  void read_link(const XmlElement& link, const SdfScope& scope);
  void read_joint(const XmlElement& joint, const SdfScope& scope);
  void read_frame(const XmlElement& frame, const SdfScope& scope);
  /// Declares a frame whose pose is in that of `otherwise` unless <pose> says another.
  void declare(const SdfPart& part, const XmlElement& pose, const std::string& otherwise, const SdfScope& scope,
               SdfFrames::Frame frame);
  void check_references() const;

  SdfFiles& files_;
  LeftOut& left_out_;
  SdfFrames frames_;
  std::vector<SdfPart> links_, joints_, own_frames_;
  XmlElement world_;
  std::string name_;
  int depth_ = 0;
  /// A name of the file that must be one of a frame once all are known.
  struct Reference {
    std::string full, name;
    SdfScope scope;
    XmlElement element;
  };
  std::vector<Reference> references_;
  std::string refer(const std::string& name, const SdfScope& scope, const XmlElement& element);
};

}  // namespace cardan::io
