// How large the expressions may become that a scene asks for again and again.
#pragma once

#include <cstddef>

namespace cardan {

inline constexpr std::size_t kMostTextNodes = 100'000;
inline constexpr int kMostTextOperations = 5000;  // at every evaluation

}  // namespace cardan
