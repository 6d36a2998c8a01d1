// The joints of scene files.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model_builder.hpp"

namespace cardan::io {

/// [body.joint]: a joint of any type and what it carries.
struct SceneJoint {
  std::string name;  // empty where not given
  Joint type;
  Pose<double> at;
  std::vector<DofProperties> dofs;
  std::vector<double> q, v;                // empty where not given
  std::vector<std::string> coordinates{};  // names, where they are given to a joint whose type has none of its own
  /// The transform uses t: the last coordinate is the time, and is not among the dofs, q and v that the file gives.
  bool follows_time = false;
};
SceneJoint read_joint(const TomlValue& table);

/// Reads what the velocities of a joint have beside its motion, as far as the table says it: stops, spring, damping,
/// friction, armature, limits of speed and effort.
void read_dofs(const TomlValue& table, std::vector<DofProperties>& dofs);
/// Whether a key is one of those.
bool is_dof_key(std::string_view key);

/// Whether a joint of type "expression" depends on time, which then is its last coordinate.
bool depends_on_time(const TomlValue& table);

/// Reads the type and its parameters alone. `kind` is the table as the table of keys calls it: "body.joint", "loop", or
/// "part" of a composite joint.
Joint read_joint_type(const TomlValue& table, const char* kind);

}  // namespace cardan::io
