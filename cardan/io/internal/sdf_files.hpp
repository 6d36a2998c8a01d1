// Finds and keeps the files that an SDF file includes: model://NAME in the folders above it and those of
// GZ_SIM_RESOURCE_PATH and GAZEBO_MODEL_PATH, other paths in its own folder and never out of it.
#pragma once

#include "cardan/io/internal/xml_values.hpp"

#include <map>
#include <memory>
#include <optional>

namespace cardan::io {

/// An included or opened file: <sdf> and what its contents depend on.
struct SdfFile {
  XmlElement root;
  double version = 1.0;
  std::string folder;
};

class SdfFiles {
 public:
  /// Parses the file itself. Throws ModelError.
  SdfFiles(std::string_view text, const std::string& path);

  const SdfFile& main() const { return main_; }
  /// The file that <uri> names, or none where it is not found. Throws ModelError where it may not be opened.
  std::optional<SdfFile> included(const XmlElement& uri, const std::string& folder);
  /// The path of a mesh or other file, empty where it is not found. Throws likewise.
  std::string find(const XmlElement& uri, const std::string& folder) const;

 private:
  const SdfFile& keep(std::string_view text, const std::string& path);

  std::string root_folder_;
  std::vector<std::unique_ptr<XmlDocument>> documents_;
  std::map<std::string, SdfFile> known_;  // by path
  SdfFile main_;
  int count_ = 0;
};

}  // namespace cardan::io
