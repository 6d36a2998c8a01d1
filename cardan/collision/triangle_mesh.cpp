#include "cardan/collision/triangle_mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>

namespace cardan::collision {
namespace {

using EdgeKey = std::pair<int, int>;

/// Finds the neighbor across each edge, and whether the surface bends outward there.
void link_triangles(TriangleMesh& mesh) {
  std::map<EdgeKey, std::pair<int, int>> walked;  // directed edge: triangle, side
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto& v = mesh.triangles[static_cast<std::size_t>(t)];
      walked.emplace(EdgeKey{v[static_cast<std::size_t>(k)], v[static_cast<std::size_t>((k + 1) % 3)]},
                     std::pair{t, k});
    }
  mesh.closed = walked.size() == 3 * mesh.triangles.size();
  for (const auto& [edge, place] : walked) {
    const auto other = walked.find({edge.second, edge.first});
    const auto t = static_cast<std::size_t>(place.first), k = static_cast<std::size_t>(place.second);
    if (other == walked.end()) {
      mesh.closed = false;
      mesh.across[t][k] = -1;
      mesh.convex_edge[t][k] = true;  // a free border can be touched
      continue;
    }
    const int beyond = other->second.first;
    mesh.across[t][k] = beyond;
    const Vec3<double> far = mesh.corner(beyond, (other->second.second + 2) % 3),
                       near = mesh.corner(place.first, place.second);
    const Vec3<double> there = far - near;
    mesh.convex_edge[t][k] = dot(mesh.normals[t], there) < -1e-9 * norm(there);
  }
}

TriangleMesh finish_mesh(TriangleMesh mesh) {
  std::vector<AxisBox> boxes;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int i = static_cast<int>(t);
    const Vec3<double> a = mesh.corner(i, 0), n = cross(mesh.corner(i, 1) - a, mesh.corner(i, 2) - a);
    mesh.normals.push_back((1.0 / norm(n)) * n);
    AxisBox box{a, a};
    for (int k = 1; k < 3; ++k) box.include({mesh.corner(i, k), mesh.corner(i, k)});
    boxes.push_back(box);
  }
  mesh.across.assign(mesh.triangles.size(), {-1, -1, -1});
  mesh.convex_edge.assign(mesh.triangles.size(), {true, true, true});
  link_triangles(mesh);
  mesh.tree.build(boxes);
  return mesh;
}

}  // namespace

namespace {

/// Finds for each vertex the first one at its place, to a billionth of the mesh: files whose triangles bring their own
/// corners (STL, normals at edges) would have no neighbors, and borders everywhere.
std::vector<int> weld(const std::vector<Vec3<double>>& vertices) {
  double size = 0.0;
  for (const auto& v : vertices) size = std::max(size, norm(v - vertices.front()));
  const double scale = size > 0.0 ? 1e9 / size : 0.0;
  std::map<std::array<double, 3>, int> first;
  std::vector<int> out;
  for (const auto& v : vertices) {
    const Vec3<double> d = scale * (v - vertices.front());
    out.push_back(
        first.emplace(std::array{std::round(d[0]), std::round(d[1]), std::round(d[2])}, static_cast<int>(out.size()))
            .first->second);
  }
  return out;
}

}  // namespace

TriangleMesh make_triangle_mesh(const Mesh& mesh) {
  TriangleMesh out;
  out.name = mesh.path.empty() ? "mesh" : mesh.path;
  out.vertices = mesh.vertices;
  for (const auto& v : mesh.vertices)
    for (const double x : v.e)
      if (!std::isfinite(x)) throw std::runtime_error(out.name + ": expected finite vertices, found one that is not");
  const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  const std::vector<int> same = weld(mesh.vertices);
  for (auto t : mesh.triangles) {
    for (const int v : t)
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size())
        throw std::runtime_error(fmt::format("{}: expected vertices from 0 to {}, found {}", out.name,
                                             static_cast<long>(mesh.vertices.size()) - 1, v));
    for (int& v : t) v = same[static_cast<std::size_t>(v)];
    const Vec3<double> first = at(t[1]) - at(t[0]), second = at(t[2]) - at(t[0]);
    if (norm(cross(first, second)) > 1e-14 * (dot(first, first) + dot(second, second))) out.triangles.push_back(t);
  }
  if (out.triangles.empty()) throw std::runtime_error(out.name + ": expected a mesh with triangles, found none");
  return finish_mesh(std::move(out));
}

TriangleMesh make_height_field(const std::vector<std::vector<double>>& rows, double size_x, double size_y) {
  if (rows.size() < 2 || rows[0].size() < 2)
    throw std::runtime_error("height field: expected 2 rows of 2 numbers or more, found fewer");
  if (!(size_x > 0.0) || !(size_y > 0.0) || !std::isfinite(size_x) || !std::isfinite(size_y))
    throw std::runtime_error("height field: expected a positive size, found none");
  TriangleMesh out;
  out.name = "height field";
  out.fills_below = true;
  const std::size_t n = rows[0].size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != n)
      throw std::runtime_error(
          fmt::format("height field: expected {} numbers in row {}, found {}", n, i, rows[i].size()));
    for (std::size_t j = 0; j < n; ++j) {
      if (!std::isfinite(rows[i][j])) throw std::runtime_error("height field: expected finite heights, found another");
      out.vertices.push_back({size_x * (static_cast<double>(j) / static_cast<double>(n - 1) - 0.5),
                              size_y * (static_cast<double>(i) / static_cast<double>(rows.size() - 1) - 0.5),
                              rows[i][j]});
    }
  }
  const auto vertex = [&](std::size_t i, std::size_t j) { return static_cast<int>(i * n + j); };
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    for (std::size_t j = 0; j + 1 < n; ++j) {
      out.triangles.push_back({vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1)});
      out.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i + 1, j)});
    }
  return finish_mesh(std::move(out));
}

}  // namespace cardan::collision
