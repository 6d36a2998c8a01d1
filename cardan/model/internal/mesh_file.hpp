// Reading triangle meshes: Wavefront OBJ (polygons are cut into fans) and STL, text and binary (equal vertices are
// merged). Files and counts beyond the limits are refused, so that no file can exhaust memory.
#pragma once

#include "cardan/model/shape.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace cardan {

struct MeshLimits {
  std::size_t bytes = std::size_t{256} << 20;
  std::size_t vertices = 2'000'000;
  std::size_t triangles = 2'000'000;
};

/// Reads a file whose name ends in .obj, .stl or .dae (collada_file.hpp). Throws std::runtime_error, one line:
/// "file:line: expected ..., found
/// ...". The mesh is as the file has it; whether it is closed is asked by mass_properties().
Mesh read_mesh(const std::string& path, const MeshLimits& limits = {});

/// Reads a mesh from text (or bytes) in memory; the name is for messages.
Mesh parse_obj(std::string_view text, const std::string& name, const MeshLimits& limits = {});
Mesh parse_stl(std::string_view bytes, const std::string& name, const MeshLimits& limits = {});

}  // namespace cardan
