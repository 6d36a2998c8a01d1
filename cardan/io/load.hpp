// Any file that describes a mechanism: the ending of its name says how to read it.
#pragma once

#include "cardan/io/scene.hpp"

namespace cardan {

struct LoadOptions {
  /// The root link of a robot file floats. Scenes say that themselves.
  bool free_base = false;
  /// Robot files load quicker without their meshes, whose paths are kept all the same.
  bool read_meshes = true;
  /// Robot files are refused where they are otherwise only warned of (UrdfOptions::strict).
  bool strict = false;
  /// Changes to a scene before it is read: NAME=VALUE.
  std::vector<std::string> set{};
  /// A CSV file that leads inputs of a scene through time (SceneSpec::lead_inputs); empty: none.
  std::string inputs{};
};

/// True if the name is that of a scene or of a file that is read as one: it has a state of its own.
bool is_scene(const std::string& path);

/// Reads a scene, or a file that is read as one, by its names. Throws ModelError, one line.
SceneSpec load_spec(const std::string& path);
/// The same for text in memory; the ending of the name says what it is.
SceneSpec parse_spec(std::string_view text, const std::string& path);

/// .toml: a scene; .xml, .sdf: a MuJoCo or Gazebo model, as a scene; .urdf: a robot, in its zero pose at rest. Throws
/// ModelError, one line.
Scene load(const std::string& path, const LoadOptions& options = {});

}  // namespace cardan
