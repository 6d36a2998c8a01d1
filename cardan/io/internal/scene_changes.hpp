// Changes to a scene before it is read: `--set NAME=VALUE`.
#pragma once

#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// Sets a value in the tree of a scene file. NAME is a parameter, or a path of keys, names of array entries and indices
/// (from 0) joined by dots: length, body.rod.mass, body.rod.joint.q.0, simulation.step. VALUE is TOML, or else a text.
/// A key that the file does not have is added to its table. Throws ModelError, one line, where the path leads nowhere.
void apply_change(TomlNode& root, const std::string& change, const Source& source);

/// Finds what a NAME stands for. Throws likewise.
const TomlNode& find_value(const TomlNode& root, const std::string& name, const Source& source);

}  // namespace cardan::io
