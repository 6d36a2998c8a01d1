// [[force]] tables of forces along lines and between frames: spring, spring_damper, cable, muscle, damping, bushing.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/io/toml.hpp"

namespace cardan::io {

/// The types that read_line_force reads.
const std::vector<std::string>& line_force_names();
/// Reads a force of one of these types; `label` is its name.
std::shared_ptr<const Force> read_line_force(const Model& model, const TomlValue& table, const std::string& type,
                                             const std::string& label);

}  // namespace cardan::io
