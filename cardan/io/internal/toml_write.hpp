// Writes trees of values as TOML. What is written reads back as the same tree, but for the places in the file and for
// the order of tables among plain values.
#pragma once

#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// A whole file: plain values first, then tables and arrays of tables with headers of their own.
std::string to_toml(const TomlNode& root);
/// One value, on one line.
std::string to_toml_value(const TomlNode& node);

}  // namespace cardan::io
