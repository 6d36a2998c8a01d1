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
/// Reads the name of a joint that moves, or of a loop: which of them it is.
struct JointOrLoop {
  int body = -1;                    // that the joint moves; -1: a loop
  const LoopJoint* loop = nullptr;  // of the model
  int velocities = 0;
};
JointOrLoop read_joint_or_loop(const Model& model, const TomlValue& joint);
int read_moving_joint(const Model& model, const TomlValue& joint);

}  // namespace cardan::io
