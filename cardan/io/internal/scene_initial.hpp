// Where a scene starts: [initial] of a scene file, and the options --q and --v of the command.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// Puts what the table says over the scene's initial state. Other runs are looked for in the folder.
void read_initial(const TomlValue& table, const std::string& folder, Scene& scene);

}  // namespace cardan::io

namespace cardan {

enum class InitialKind { coordinates, velocities };

/// Puts "JOINT=VALUE" over the scene's initial state; VALUE is a number, a text such as "30 deg", or numbers with
/// commas between. Throws ModelError, one line.
void set_initial(Scene& scene, InitialKind kind, const std::string& text);

}  // namespace cardan
