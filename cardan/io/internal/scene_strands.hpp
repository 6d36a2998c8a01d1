// [[strand]] and [[cable]] of scene files, which stand for many bodies: mass points joined by springs (Sueda 2.7), and
// segments on ball joints that bend and twist.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model_builder.hpp"

#include <set>

namespace cardan::io {

/// Adds the nodes of strands as bodies "NAME.0", "NAME.1", ... on three translations; an end that is attached becomes
/// part of the body that holds it. `names` are those of the bodies so far, and grow.
void add_strand_nodes(ModelBuilder& builder, const std::vector<TomlValue>& strands, std::set<std::string>& names);
/// Puts the nodes on the straight line between the ends where the scene starts, and adds the springs between them,
/// "NAME.1", "NAME.2", ....
void place_strands(Scene& scene, const std::vector<TomlValue>& strands);

/// Where joints of cables start.
struct CableStart {
  std::string joint;
  Quaternion<double> q;
};
/// Adds the segments of cables as bodies "NAME.1", "NAME.2", ..., z along the cable, and the loop that holds its end.
std::vector<CableStart> add_cables(ModelBuilder& builder, const std::vector<TomlValue>& cables,
                                   std::set<std::string>& names);

}  // namespace cardan::io
