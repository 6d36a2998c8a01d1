// Mesh integrals: the divergence theorem splits the solid into signed tetrahedra from a common point to each triangle;
// volume and first and second moments of a tetrahedron are exact polynomials of its corners.
#include "cardan/model/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <unordered_map>

namespace cardan {
namespace {

constexpr double kPi = std::numbers::pi;

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error(what); }

void require_positive(const char* shape, const char* dimension, double value) {
  if (!(value > 0) || !std::isfinite(value))
    refuse(fmt::format("{}: {} must be positive and finite, found {}", shape, dimension, value));
}

MassProperties diagonal(double mass, double xx, double yy, double zz) { return {mass, {}, {xx, yy, zz, 0, 0, 0}}; }

// ---- meshes, of density 1 ----

std::string name(const Mesh& mesh) { return mesh.path.empty() ? "mesh" : mesh.path; }

void validate_indices(const Mesh& mesh) {
  if (mesh.triangles.empty()) refuse(fmt::format("{}: mesh has no triangles", name(mesh)));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(mesh.vertices[i][k]))
        refuse(fmt::format("{}: vertex {}: coordinates must be finite, found {}", name(mesh), i, mesh.vertices[i][k]));
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const int v : mesh.triangles[i])
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size())
        refuse(fmt::format("{}: triangle {}: expected a vertex index from 0 to {}, found {}", name(mesh), i,
                           mesh.vertices.size() - 1, v));
}

/// Every edge must be walked as often in one direction as in the other.
void validate_closed(const Mesh& mesh) {
  struct Walks {
    int forward = 0, backward = 0;  // from the smaller index to the larger, and back
    std::size_t triangle = 0;       // the last that walks it
  };
  std::unordered_map<std::uint64_t, Walks> edges;
  edges.reserve(mesh.triangles.size() * 3 / 2);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<std::uint64_t>(mesh.triangles[i][k]);
      const auto b = static_cast<std::uint64_t>(mesh.triangles[i][(k + 1) % 3]);
      if (a == b) continue;  // a degenerate triangle has no area and does no harm
      Walks& walks = edges[std::min(a, b) << 32 | std::max(a, b)];
      ++(a < b ? walks.forward : walks.backward);
      walks.triangle = i;
    }
  // name the lowest triangle, so that the message does not depend on the order of the hash table
  std::size_t worst = mesh.triangles.size();
  std::uint64_t edge = 0;
  bool open = false;
  for (const auto& [key, walks] : edges)
    if (walks.forward != walks.backward && (walks.triangle < worst || (walks.triangle == worst && key < edge))) {
      worst = walks.triangle;
      edge = key;
      open = walks.forward + walks.backward == 1;
    }
  if (worst == mesh.triangles.size()) return;
  const auto where =
      fmt::format("edge between vertices {} and {} of triangle {}", edge >> 32, edge & 0xffffffff, worst);
  if (open) refuse(fmt::format("{}: mesh is open: {} belongs to no other triangle", name(mesh), where));
  refuse(
      fmt::format("{}: mesh is inconsistently oriented: {} is not walked equally often both ways", name(mesh), where));
}

MassProperties solid(const Mesh& mesh) {
  validate_indices(mesh);
  validate_closed(mesh);
  // a point in the middle of the mesh keeps the signed volumes small: no loss of digits far from the origin
  Vec3<double> low = mesh.vertices[static_cast<std::size_t>(mesh.triangles[0][0])], high = low;
  for (const auto& triangle : mesh.triangles)
    for (const int v : triangle)
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], mesh.vertices[static_cast<std::size_t>(v)][k]);
        high[k] = std::max(high[k], mesh.vertices[static_cast<std::size_t>(v)][k]);
      }
  const Vec3<double> middle = low + 0.5 * (high - low);

  double sixfold_volume = 0;
  Vec3<double> first;   // 24 int x dV
  Sym3<double> second;  // 120 int x x' dV
  for (const auto& triangle : mesh.triangles) {
    Vec3<double> corner[3], sum;
    for (std::size_t k = 0; k < 3; ++k) {
      corner[k] = mesh.vertices[static_cast<std::size_t>(triangle[k])] - middle;
      sum += corner[k];
    }
    const double v = dot(corner[0], cross(corner[1], corner[2]));
    sixfold_volume += v;
    first += v * sum;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) {
        double products = sum[i] * sum[j];
        for (const auto& c : corner) products += c[i] * c[j];
        second(i, j) += v * products;
      }
  }
  const double V = sixfold_volume / 6;
  if (!std::isfinite(V)) refuse(fmt::format("{}: mesh is too large: its volume is not finite", name(mesh)));
  const double flat = 1e-14 * std::pow(norm(high - low), 3);  // what rounding leaves of a mesh without volume
  if (!(V > flat))
    refuse(fmt::format("{}: mesh is {}: expected a positive volume, found {:.6g} m^3", name(mesh),
                       V < -flat ? "inverted (triangles turned inward)" : "flat", V));
  const Vec3<double> c = (1 / (24 * V)) * first;
  Sym3<double> covariance;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) covariance(i, j) = second(i, j) / 120 - V * c[i] * c[j];
  const double trace = covariance(0, 0) + covariance(1, 1) + covariance(2, 2);
  Sym3<double> inertia = -1.0 * covariance;
  for (int i = 0; i < 3; ++i) inertia(i, i) += trace;
  return {V, middle + c, inertia};
}

// ---- the other shapes; the density is 1 here, so the mass is the volume ----

void check(const Box& s) {
  require_positive("box", "x", s.x);
  require_positive("box", "y", s.y);
  require_positive("box", "z", s.z);
}
void check(const Sphere& s) { require_positive("sphere", "radius", s.radius); }
void check(const Cylinder& s) {
  require_positive("cylinder", "radius", s.radius);
  require_positive("cylinder", "length", s.length);
}
void check(const Capsule& s) {
  require_positive("capsule", "radius", s.radius);
  require_positive("capsule", "length", s.length);
}
void check(const Ellipsoid& s) {
  require_positive("ellipsoid", "x", s.x);
  require_positive("ellipsoid", "y", s.y);
  require_positive("ellipsoid", "z", s.z);
}
void check(const Torus& s) {
  require_positive("torus", "major radius", s.major);
  require_positive("torus", "minor radius", s.minor);
  if (s.minor > s.major)
    refuse(fmt::format("torus: minor radius must not exceed the major radius {}, found {}", s.major, s.minor));
}

MassProperties solid(const Box& s) {
  const double V = s.x * s.y * s.z, x = s.x * s.x, y = s.y * s.y, z = s.z * s.z;
  return diagonal(V, V * (y + z) / 12, V * (x + z) / 12, V * (x + y) / 12);
}
MassProperties solid(const Ellipsoid& s) {
  const double V = 4 * kPi / 3 * s.x * s.y * s.z, x = s.x * s.x, y = s.y * s.y, z = s.z * s.z;
  return diagonal(V, V * (y + z) / 5, V * (x + z) / 5, V * (x + y) / 5);
}
MassProperties solid(const Sphere& s) { return solid(Ellipsoid{s.radius, s.radius, s.radius}); }
MassProperties solid(const Cylinder& s) {
  const double r2 = s.radius * s.radius, V = kPi * r2 * s.length;
  const double across = V * (r2 / 4 + s.length * s.length / 12);
  return diagonal(V, across, across, V * r2 / 2);
}
MassProperties solid(const Capsule& s) {
  const double r = s.radius, l = s.length;
  const double tube = kPi * r * r * l, ends = 4 * kPi / 3 * r * r * r, V = tube + ends;
  // each half ball has its center of mass 3 r / 8 beyond the end of the tube
  const double across = tube * (r * r / 4 + l * l / 12) + ends * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8);
  return diagonal(V, across, across, tube * r * r / 2 + ends * 2 * r * r / 5);
}
MassProperties solid(const Torus& s) {
  const double R2 = s.major * s.major, r2 = s.minor * s.minor, V = 2 * kPi * kPi * s.major * r2;
  const double across = V * (R2 / 2 + 5 * r2 / 8);
  return diagonal(V, across, across, V * (R2 + 3 * r2 / 4));
}

template <class S>
MassProperties checked_solid(const S& shape) {
  check(shape);
  return solid(shape);
}
MassProperties checked_solid(const Mesh& mesh) { return solid(mesh); }

MassProperties checked_solid(const Shape& shape) {
  return std::visit([](const auto& s) { return checked_solid(s); }, shape);
}

}  // namespace

void validate(const Shape& shape) { checked_solid(shape); }

double volume(const Shape& shape) { return checked_solid(shape).mass; }

MassProperties mass_properties(const Shape& shape, double density) {
  if (!(density >= 0) || !std::isfinite(density))
    refuse(fmt::format("density must be finite and not negative, found {}", density));
  const MassProperties unit = checked_solid(shape);
  const MassProperties out{density * unit.mass, unit.com, density * unit.inertia};
  if (const auto reason = non_physical_reason(out)) refuse("mass properties of the shape: " + *reason);
  return out;
}

}  // namespace cardan
