// A convex solid or torus against the triangles of a mesh. Triangles have an outside; contacts with an edge that other
// triangles continue flat or bend inward at, which nothing can touch alone, take the triangle's own normal.
#pragma once

#include "cardan/collision/internal/nearest_parts.hpp"
#include "cardan/collision/manifold.hpp"

namespace cardan::collision {

/// Adds contacts in the frame of a. b is a mesh.
void mesh_manifold(const Solid& a, const Solid& b, const Pose<double>& X, const ManifoldOptions& options,
                   PairMemory& memory, Manifold& out);

}  // namespace cardan::collision
