// [[force]] tables of forces along lines and between frames: spring, spring_damper, cable, muscle, damping, bushing,
// soft_contact, fluid.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/forces/force.hpp"
#include "cardan/io/internal/scene_words.hpp"

namespace cardan::io {

/// Reads a force of one of these types; `label` is its name. std::logic_error on another type.
std::shared_ptr<const Force> read_line_force(const SceneWords& words, const TomlValue& table, const std::string& type,
                                             const std::string& label);

}  // namespace cardan::io
