// The convex hull of a set of points: vertices, polygonal faces with outward normals, and who neighbors whom.
#pragma once

#include "cardan/math/vector.hpp"

#include <array>
#include <span>
#include <vector>

namespace cardan::collision {

/// A convex polyhedron. Faces are polygons, counter-clockwise seen from outside; coplanar triangles are merged.
struct Hull {
  struct Face {
    Vec3<double> normal;
    double offset = 0.0;       // normal . x of its points
    int begin = 0, count = 0;  // its corners in `corners`
  };
  struct Range {
    int begin = 0, count = 0;
  };
  std::vector<Vec3<double>> vertices;
  std::vector<Face> faces;
  std::vector<int> corners;         // vertices of the faces, one face after another
  std::vector<Range> neighbors_of;  // of each vertex: its neighbors along edges, in `neighbors`
  std::vector<int> neighbors;
  std::vector<Range> faces_of;  // of each vertex: its faces, in `incident`
  std::vector<int> incident;
  Vec3<double> center;    // mean of the vertices, inside
  double volume = 0.0;    // [m^3]
  double inradius = 0.0;  // of a ball about the center that fits inside

  std::span<const int> corners_of(const Face& face) const {
    return {corners.data() + face.begin, static_cast<std::size_t>(face.count)};
  }
};

/// Builds the hull of the points by adding them one at a time, farthest first (Barber et al. 1996). Points closer to
/// the hull than 1e-12 of its size are taken as inside. Throws std::runtime_error, one line, where the points are not
/// finite or lie in a plane.
Hull convex_hull(std::span<const Vec3<double>> points);

}  // namespace cardan::collision
