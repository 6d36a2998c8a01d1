// Reading the geometry of COLLADA files (.dae): triangles, polygons and polylists, placed and scaled as the nodes of
// the visual scene and the file's unit say. Materials, animations and the file's up axis are left aside, as robot
// descriptions expect it.
#pragma once

#include "cardan/model/internal/mesh_file.hpp"

namespace cardan {

/// Reads text in memory; the name is for messages: std::runtime_error, one line, "file:line: expected ..., found ...".
Mesh parse_collada(std::string_view text, const std::string& name, const MeshLimits& limits = {});

}  // namespace cardan
