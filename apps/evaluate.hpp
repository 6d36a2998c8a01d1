// Computes what `cardan eval` is asked.
#pragma once

#include "cardan/io/eval_request.hpp"

#include <string>

namespace cardan::command {

/// The results as JSON. Throws std::runtime_error, one line, where a result is not finite.
std::string evaluate(const Model& model, const EvalRequest& request);

}  // namespace cardan::command
