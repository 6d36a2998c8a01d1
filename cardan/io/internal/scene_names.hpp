// Names of bodies, frames and joints in scene files, with the nearest one where there is none.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model.hpp"

namespace cardan::io {

/// Lists the joints that move, for suggestions.
std::vector<std::string> joint_names(const Model& model);

/// Finds a frame by its name; `what` is what messages expect, such as "a body".
int read_frame(const Model& model, const TomlValue& name, const char* what);
/// Finds the frame of a body that moves.
int read_moving_frame(const Model& model, const TomlValue& body);
/// Finds a joint that moves; returns the body that it moves.
int read_moving_joint(const Model& model, const TomlValue& joint);

}  // namespace cardan::io
