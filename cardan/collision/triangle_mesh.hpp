// Triangles with a tree of boxes over them: what a shape that is not convex collides with.
#pragma once

#include "cardan/collision/box_tree.hpp"
#include "cardan/model/shape.hpp"

#include <array>
#include <string>
#include <vector>

namespace cardan::collision {

struct TriangleMesh {
  std::string name;  // for messages
  std::vector<Vec3<double>> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Vec3<double>> normals;  // of the triangles, outward
  /// The triangle across the edge from corner i to i + 1, or -1; and whether the surface is convex there (flat counts
  /// as not convex: no body can touch such an edge alone).
  std::vector<std::array<int, 3>> across;
  std::vector<std::array<bool, 3>> convex_edge;
  bool closed = false;       // every edge has two triangles: there is an inside
  bool fills_below = false;  // a height field: everything below is inside
  BoxTree tree;

  Vec3<double> corner(int triangle, int k) const {
    return vertices[static_cast<std::size_t>(
        triangles[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(k)])];
  }
};

/// Drops triangles without area. Throws std::runtime_error, one line, where nothing is left or a number is not finite.
TriangleMesh make_triangle_mesh(const Mesh& mesh);

/// Heights on a regular grid: rows[i][j] at y_i, x_j of a rectangle size[0] x size[1] centered at the origin, two
/// triangles in each cell. Throws std::runtime_error, one line, where rows differ in length or are fewer than 2.
TriangleMesh make_height_field(const std::vector<std::vector<double>>& rows, double size_x, double size_y);

}  // namespace cardan::collision
