// [[force]] of scene files. A new type of force is one function and one entry in the table of the source.
#pragma once

#include "cardan/forces/force.hpp"
#include "cardan/io/internal/scene_words.hpp"

namespace cardan::io {

Forces read_forces(const SceneWords& words, const std::vector<TomlValue>& forces);

}  // namespace cardan::io
