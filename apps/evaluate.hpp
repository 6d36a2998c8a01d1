// Computes what `cardan eval` is asked.
#pragma once

#include "cardan/collision/contact_rules.hpp"
#include "cardan/dynamics/scene.hpp"
#include "cardan/io/internal/eval_request.hpp"

#include <string>

namespace cardan::command {

enum class Couplings { hold, are_data };

/// The results as JSON. Loops and prescribed motions hold, couplings where asked; contact rules say which distances
/// count. Throws std::runtime_error, one line, where a result is not finite or the mass matrix is singular.
std::string evaluate(const Scene& scene, const EvalRequest& request, Couplings couplings);

}  // namespace cardan::command
