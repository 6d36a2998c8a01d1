// Method II: machine code for the joints that the user invented, everything else as it is.
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/program/executable.hpp"

namespace cardan {

/// The same model; its expression joints run as machine code on double. Other scalars, and machines that can have
/// none, run the tape as before.
Model with_compiled_joints(const Model& model, const ExecutableOptions& options = {});

}  // namespace cardan
