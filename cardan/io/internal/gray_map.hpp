// Reads gray maps (PGM, text P2 and binary P5): heights of a landscape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cardan::io {

/// Rows from top to bottom, 0 black to 1 white. Throws ModelError, one line.
std::vector<std::vector<double>> read_gray_map(const std::string& path);
/// Reads text (or bytes) in memory; the name is for messages.
std::vector<std::vector<double>> parse_gray_map(std::string_view bytes, const std::string& name);

}  // namespace cardan::io
