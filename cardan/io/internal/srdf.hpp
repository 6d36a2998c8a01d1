// Reads from SRDF files (semantic robot descriptions) which links need not be tested against one another.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cardan {

using BodyPairs = std::vector<std::pair<std::string, std::string>>;

/// Reads all <disable_collisions link1 link2/>. `bodies` are the robot's, whose names begin with the prefix; a link
/// that is not among them is an error. Throws ModelError, one line.
BodyPairs load_disabled_pairs(const std::string& path, const std::vector<std::string>& bodies,
                              const std::string& prefix);
/// Reads text in memory; messages call it by the name.
BodyPairs parse_disabled_pairs(std::string_view text, const std::string& name, const std::vector<std::string>& bodies,
                               const std::string& prefix);

}  // namespace cardan
