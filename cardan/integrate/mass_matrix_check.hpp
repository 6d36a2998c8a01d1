// Explains an acceleration that is not a number.
#pragma once

#include "cardan/model/model.hpp"

#include <vector>

namespace cardan {

/// The first velocity at which factorizing the mass matrix meets a pivot that is not above rounding, or -1.
int singular_velocity(const Model& model, const std::vector<double>& q);

}  // namespace cardan
