// [[force]] of scene files. A new type of force is one function and one entry in the table of the source.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/io/toml.hpp"

namespace cardan::io {

Forces read_forces(const Model& model, const std::vector<TomlValue>& forces);

/// Finds a body or frame that moves, by its name.
int read_moving_frame(const Model& model, const TomlValue& body);
/// Finds a joint that moves, by its name; returns the body that it moves.
int read_moving_joint(const Model& model, const TomlValue& joint);

}  // namespace cardan::io
