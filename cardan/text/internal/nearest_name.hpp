// For messages about names that nobody knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// The candidate that the name is most likely meant to be, or empty if none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace cardan
