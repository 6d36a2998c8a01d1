// Between which points of a path each of its wraps is.
#pragma once

#include "cardan/forces/path.hpp"

namespace cardan::detail {

/// Lists for each pair of neighboring nodes the wraps between them, two at most, in the order of the path. One that may
/// be in several places is where the straight line would have to grow least to go round it; where it touches none, it
/// is beside another one, whose curve it may touch. Throws std::runtime_error where a third one is touched.
std::vector<std::vector<const PathWrap*>> placed_wraps(const Instant& at, const std::vector<PathWrap>& wraps,
                                                       const PathShape& shape);

}  // namespace cardan::detail
