// Floating-point operations of one call, counted by running the same source on a counting scalar.
#pragma once

#include "cardan/math/counted.hpp"
#include "cardan/model/model.hpp"

#include <map>
#include <string>

namespace cardan::bench {

/// By quantity: inverse_dynamics, mass_matrix, forward_dynamics.
std::map<std::string, OperationCount> count_operations(const Model& model);

}  // namespace cardan::bench
