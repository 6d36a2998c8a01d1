// Computes what `cardan eval` is asked.
#pragma once

#include "cardan/contact/contact_rules.hpp"
#include "cardan/io/eval_request.hpp"

#include <string>

namespace cardan::command {

enum class Couplings { hold, are_data };

/// The results as JSON. Loops hold, couplings where asked; the rules say which distances count. Throws
/// std::runtime_error, one line, where a result is not finite.
std::string evaluate(const Model& model, const EvalRequest& request, Couplings couplings,
                     const ContactRules& contact = {});

}  // namespace cardan::command
