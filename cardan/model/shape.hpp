// Solid shapes of uniform density and their exact mass properties. Each is centered at its frame's origin; cylinder,
// capsule and torus have the z axis as theirs. Lengths in meters. A mesh must be closed, its triangles
// counter-clockwise seen from outside.
#pragma once

#include "cardan/model/mass_properties.hpp"

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace cardan {

struct Box {
  double x, y, z;  // edges, not halves
};
struct Sphere {
  double radius;
};
struct Cylinder {
  double radius, length;
};
struct Capsule {
  double radius, length;  // length of the cylindrical part
};
struct Ellipsoid {
  double x, y, z;  // semi-axes
};
struct Torus {
  double major, minor;  // radius of the center circle, radius of the tube
};
struct Mesh {
  std::string path;  // for messages and viewers; may be empty
  std::vector<Vec3<double>> vertices;
  std::vector<std::array<int, 3>> triangles;
};

using Shape = std::variant<Box, Sphere, Cylinder, Capsule, Ellipsoid, Torus, Mesh>;

/// Throws std::runtime_error, one line, unless every dimension is positive and finite and the torus is no spindle;
/// for a mesh: unless indices are in range, coordinates finite, the surface closed, consistently oriented, and turned
/// outward.
void validate(const Shape& shape);

/// [m^3]. Validates.
double volume(const Shape& shape);

/// Computes mass properties of the solid with the density [kg/m^3] >= 0. Validates.
MassProperties mass_properties(const Shape& shape, double density);

}  // namespace cardan
