// Reads the inertia and the shapes of an SDF link.
#pragma once

#include "cardan/io/internal/scene_build.hpp"
#include "cardan/io/internal/sdf_models.hpp"

namespace cardan::io {

class SdfShapes {
 public:
  SdfShapes(const SdfModels& models, const SdfFiles& files, LeftOut& left_out, std::vector<std::string>& warnings)
      : models_(models), files_(files), left_out_(left_out), warnings_(warnings) {}

  /// <inertial>: 1 kg and unit moments where nothing is said; of the collision shapes with auto = "true".
  MassProperties mass(const SdfPart& link) const;
  /// What the link looks like: its visuals, else its collision shapes.
  std::vector<TomlNode> shapes(const SdfPart& link);

 private:
  std::optional<Shape> primitive(const XmlElement& geometry) const;
  std::optional<TomlNode> table(const SdfPart& link, const XmlElement& element);
  std::optional<TomlNode> mesh_table(const SdfPart& link, const XmlElement& mesh);
  /// The pose of a visual or collision in its link.
  Pose<double> place(const SdfPart& link, const XmlElement& element) const;

  const SdfModels& models_;
  const SdfFiles& files_;
  LeftOut& left_out_;
  std::vector<std::string>& warnings_;
};

}  // namespace cardan::io
