// The files that a scene is made of: itself and what it names, robots, meshes, tables, earlier runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace cardan::command {

/// Fingerprints of the scene and of every file that it, or a robot that it names, names in quotes; by the names as they
/// are written there.
std::map<std::string, std::uint64_t> files_of(const std::string& scene);

}  // namespace cardan::command
