// Method II: machine code for the joints that the user invented, everything else as it is.
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/program/executable.hpp"

namespace cardan {

/// Gives the expression joints of a model machine code, which runs on double. Other scalars, and machines that can have
/// none, interpret as before.
Model with_compiled_joints(const Model& model, const ExecutableOptions& options = {});

/// Counts the bytes of machine code that the joints of a model have.
std::size_t joint_code_bytes(const Model& model);

}  // namespace cardan
