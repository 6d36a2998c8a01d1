// `cardan compile --check`: generated C, compiled by the system's compiler, against the library.
#pragma once

#include "apps/compiled_c.hpp"
#include "cardan/compile/c_export.hpp"
#include "cardan/model/state.hpp"

#include <string>
#include <vector>

namespace cardan::command {

struct CheckedFunction {
  ModelFunction function;
  double error;  // largest difference over the states, relative to the largest entry of the result
};

/// On random states near the given one.
std::vector<CheckedFunction> check_c(const Model& model, const std::vector<ModelFunction>& functions, int frame,
                                     const State& near, const CompiledC& code, int states);

}  // namespace cardan::command
