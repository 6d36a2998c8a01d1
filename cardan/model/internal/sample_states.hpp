// Random states for checks and timings: the same for the same seed.
#pragma once

#include "cardan/model/model.hpp"

#include <cstdint>
#include <vector>

namespace cardan {

struct SampleState {
  std::vector<double> q, v, a, tau;
};

/// Coordinates up to `reach` from the zero pose, each joint on its own manifold; all else between -1 and 1.
std::vector<SampleState> sample_states(const Model& model, int count, std::uint64_t seed, double reach = 3.0);

}  // namespace cardan
