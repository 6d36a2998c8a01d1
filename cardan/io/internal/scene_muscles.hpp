// [[force]] type = "muscle"
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/io/internal/scene_words.hpp"

#include <memory>
#include <optional>

namespace cardan::io {

std::shared_ptr<const Force> read_muscle(const SceneWords& words, const TomlValue& table, const std::string& label);

/// Reads a number that must not be negative; none where the key is missing.
std::optional<double> number_not_below_zero(const TomlValue& table, const char* key);

}  // namespace cardan::io
