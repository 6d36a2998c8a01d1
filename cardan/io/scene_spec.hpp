// A scene as its file describes it: names, and numbers that may be texts of parameters. It is parsed once and bound to
// numbers as often as somebody changes them: sliders, sweeps, programs.
#pragma once

#include "cardan/dynamics/scene.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

namespace io {
struct TomlNode;
}  // namespace io
struct CsvTable;

class SceneSpec {
 public:
  /// Parses text in memory; messages call it by the name, and other files are looked for in that name's folder. Throws
  /// ModelError, one line: scene: FILE:LINE:COLUMN: ...
  static SceneSpec parse(std::string_view text, const std::string& name);
  static SceneSpec load(const std::string& path);
  /// A scene made by the reader of another format, with what that left out.
  SceneSpec(std::string name, io::TomlNode root, std::vector<std::string> warnings = {});

  const std::string& name() const { return name_; }
  /// Changes a number or text: NAME=VALUE with a parameter or a path such as body.rod.mass (docs/parameters.md). Throws
  /// ModelError where there is no such name.
  void set(const std::string& change);
  void set(const std::string& name, double value);
  /// Returns what a parameter or path is, as TOML: 2.5, "2*length", [0, 0, 1]. Throws likewise.
  std::string value(const std::string& name) const;
  /// Lists the names of the parameters.
  std::vector<std::string> parameters() const;

  /// Leads inputs through time as a CSV file says: a column t and one for each of these inputs, linear between rows,
  /// held before the first and after the last. Throws ModelError.
  void lead_inputs(const std::string& path);

  /// Makes the scene of the present numbers. Loops are closed later, by assemble() or when it is simulated. Throws
  /// ModelError.
  Scene bind() const;

  /// Writes it as TOML, by which parse() gives the same scene.
  std::string to_toml() const;
  /// Writes it for a file at this path: other files that it names are found from there.
  std::string to_toml(const std::string& path) const;

  /// For readers of the same file.
  const io::TomlNode& root() const { return *root_; }

 private:
  std::string name_;
  std::vector<std::string> warnings_;
  std::shared_ptr<const io::TomlNode> root_;
  bool is_by_hand_ = false;  // a scene file, whose numbers may be mistaken; other formats have conventions of their own
  std::shared_ptr<const CsvTable> course_;  // of inputs
};

}  // namespace cardan
