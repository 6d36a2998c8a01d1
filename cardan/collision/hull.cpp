#include "cardan/collision/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

namespace cardan::collision {
namespace {

struct HullTriangle {
  std::array<int, 3> v{};
  Vec3<double> normal;
  double offset = 0.0;
  std::array<int, 3> next{};  // the triangle across the edge from v[i] to v[i + 1]
  std::vector<int> outside;   // points that see it and no earlier triangle
  bool alive = true;
};

/// Grows a tetrahedron to the hull, always by the point farthest above one of its triangles.
class HullBuilder {
 public:
  explicit HullBuilder(std::span<const Vec3<double>> points) : points_(points) {
    Vec3<double> low = points[0], high = low;
    for (const auto& p : points)
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], p[k]);
        high[k] = std::max(high[k], p[k]);
      }
    size_ = norm(high - low);
    tolerance_ = 1e-12 * size_;
  }

  Hull build() {
    start();
    for (std::size_t t = 0; t < triangles_.size(); ++t)  // triangles are appended under way
      while (triangles_[t].alive && !triangles_[t].outside.empty()) add_farthest(static_cast<int>(t));
    return finish();
  }

 private:
  const Vec3<double>& at(int i) const { return points_[static_cast<std::size_t>(i)]; }
  HullTriangle& triangle(int i) { return triangles_[static_cast<std::size_t>(i)]; }
  double height(const HullTriangle& t, int point) const { return dot(t.normal, at(point)) - t.offset; }

  int add(int a, int b, int c) {
    HullTriangle t;
    t.v = {a, b, c};
    const Vec3<double> n = cross(at(b) - at(a), at(c) - at(a));
    const double length = norm(n);
    t.normal = length > 0.0 ? (1.0 / length) * n : Vec3<double>{};
    t.offset = (dot(t.normal, at(a)) + dot(t.normal, at(b)) + dot(t.normal, at(c))) / 3.0;
    triangles_.push_back(std::move(t));
    return static_cast<int>(triangles_.size()) - 1;
  }
  template <class Measure>
  int farthest(const Measure& measure) const {
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < static_cast<int>(points_.size()); ++i)
      if (const double m = measure(at(i)); m > most) {
        most = m;
        best = i;
      }
    return best;
  }
  void start();
  void distribute(const std::vector<int>& candidates, const std::vector<int>& among);
  void add_farthest(int t);
  Hull finish();

  std::span<const Vec3<double>> points_;
  std::vector<HullTriangle> triangles_;
  double size_ = 0.0, tolerance_ = 0.0;
};

void HullBuilder::start() {
  const int a = farthest([&](const Vec3<double>& p) { return norm(p - at(0)); });
  const int b = farthest([&](const Vec3<double>& p) { return norm(p - at(a)); });
  const Vec3<double> line = at(b) - at(a);
  const int c = farthest([&](const Vec3<double>& p) { return norm(cross(line, p - at(a))); });
  const Vec3<double> normal = cross(line, at(c) - at(a));
  const int d = farthest([&](const Vec3<double>& p) { return std::abs(dot(normal, p - at(a))); });
  const double side = dot(normal, at(d) - at(a));
  if (!(std::abs(side) > 1e-10 * size_ * norm(normal)))
    throw std::runtime_error("convex hull: expected points in space, found all of them in a plane");
  const std::array<int, 4> v = side < 0.0 ? std::array{a, b, c, d} : std::array{a, c, b, d};
  add(v[0], v[1], v[2]);
  add(v[0], v[3], v[1]);
  add(v[1], v[3], v[2]);
  add(v[2], v[3], v[0]);
  triangle(0).next = {1, 2, 3};
  triangle(1).next = {3, 2, 0};
  triangle(2).next = {1, 3, 0};
  triangle(3).next = {2, 1, 0};
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(points_.size()); ++i)
    if (std::find(v.begin(), v.end(), i) == v.end()) all.push_back(i);
  distribute(all, {0, 1, 2, 3});
}

void HullBuilder::distribute(const std::vector<int>& candidates, const std::vector<int>& among) {
  for (const int point : candidates)
    for (const int t : among)
      if (height(triangle(t), point) > tolerance_) {
        triangle(t).outside.push_back(point);
        break;
      }
}

void HullBuilder::add_farthest(int t) {
  const auto& outside = triangle(t).outside;
  const int apex = *std::max_element(outside.begin(), outside.end(),
                                     [&](int i, int j) { return height(triangle(t), i) < height(triangle(t), j); });
  // the triangles that the point sees, connected to t
  std::vector<int> visible{t}, orphans;
  triangle(t).alive = false;
  struct Edge {
    int from, to, beyond;
  };
  std::vector<Edge> horizon;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int beyond = triangle(visible[i]).next[k];
      if (!triangle(beyond).alive) continue;
      if (height(triangle(beyond), apex) > tolerance_) {
        triangle(beyond).alive = false;
        visible.push_back(beyond);
      }
    }
    const auto& mine = triangle(visible[i]).outside;
    orphans.insert(orphans.end(), mine.begin(), mine.end());
  }
  for (const int seen : visible)
    for (std::size_t k = 0; k < 3; ++k)
      if (const int beyond = triangle(seen).next[k]; triangle(beyond).alive)
        horizon.push_back({triangle(seen).v[k], triangle(seen).v[(k + 1) % 3], beyond});
  // a fan from the horizon to the point
  std::vector<int> fan;
  std::map<int, int> starting_at;
  for (const Edge& edge : horizon) {
    const int fresh = add(edge.from, edge.to, apex);
    triangle(fresh).next[0] = edge.beyond;
    HullTriangle& old = triangle(edge.beyond);
    for (std::size_t k = 0; k < 3; ++k)
      if (old.v[k] == edge.to && old.v[(k + 1) % 3] == edge.from) old.next[k] = fresh;
    starting_at[edge.from] = fresh;
    fan.push_back(fresh);
  }
  for (const int fresh : fan) {
    const int right = starting_at.at(triangle(fresh).v[1]);
    triangle(fresh).next[1] = right;
    triangle(right).next[2] = fresh;
  }
  orphans.erase(std::remove(orphans.begin(), orphans.end(), apex), orphans.end());
  distribute(orphans, fan);
  for (const int seen : visible) std::vector<int>().swap(triangle(seen).outside);
}

/// Merges coplanar triangles to polygons by walking along the boundary of each group, and links vertices.
Hull HullBuilder::finish() {
  constexpr double kCoplanar = 1e-9;  // sine of the angle between normals, and height over size
  std::vector<int> group(triangles_.size(), -1);
  std::vector<std::vector<int>> groups;
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    if (!triangle(t).alive || group[static_cast<std::size_t>(t)] >= 0) continue;
    const int g = static_cast<int>(groups.size());
    groups.push_back({t});
    group[static_cast<std::size_t>(t)] = g;
    for (std::size_t i = 0; i < groups.back().size(); ++i)
      for (const int beyond : triangle(groups.back()[i]).next) {
        if (group[static_cast<std::size_t>(beyond)] >= 0) continue;
        bool flat = true;
        for (const int v : triangle(beyond).v) flat = flat && std::abs(height(triangle(t), v)) < kCoplanar * size_;
        if (!flat || dot(triangle(beyond).normal, triangle(t).normal) < 0.0) continue;
        group[static_cast<std::size_t>(beyond)] = g;
        groups.back().push_back(beyond);
      }
  }
  Hull out;
  std::map<int, int> index;  // of the points that are corners
  std::vector<std::vector<int>> loops;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::map<int, int> next;
    for (const int t : groups[g])
      for (std::size_t k = 0; k < 3; ++k)
        if (group[static_cast<std::size_t>(triangle(t).next[k])] != static_cast<int>(g))
          next[triangle(t).v[k]] = triangle(t).v[(k + 1) % 3];
    std::vector<int> loop;
    for (int v = next.begin()->first; loop.size() < next.size(); v = next.at(v)) loop.push_back(v);
    // corners on straight edges are none
    std::vector<int> corners;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec3<double>&before = at(loop[(i + loop.size() - 1) % loop.size()]), here = at(loop[i]),
            after = at(loop[(i + 1) % loop.size()]);
      const Vec3<double> first = here - before, second = after - here;
      if (norm(cross(first, second)) > kCoplanar * norm(first) * norm(second) || dot(first, second) < 0.0)
        corners.push_back(loop[i]);
    }
    if (corners.size() >= 3) loops.push_back(std::move(corners));
  }
  for (const auto& loop : loops)
    for (const int v : loop) index.emplace(v, 0);
  for (auto& [point, number] : index) {
    number = static_cast<int>(out.vertices.size());
    out.vertices.push_back(at(point));
  }
  std::vector<std::set<int>> neighbors(out.vertices.size()), incident(out.vertices.size());
  for (const auto& loop : loops) {
    Hull::Face face;
    face.begin = static_cast<int>(out.corners.size());
    face.count = static_cast<int>(loop.size());
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int v = index.at(loop[i]), after = index.at(loop[(i + 1) % loop.size()]);
      face.normal += cross(at(loop[i]) - at(loop[0]), at(loop[(i + 1) % loop.size()]) - at(loop[0]));  // Newell
      out.corners.push_back(v);
      neighbors[static_cast<std::size_t>(v)].insert(after);
      neighbors[static_cast<std::size_t>(after)].insert(v);
      incident[static_cast<std::size_t>(v)].insert(static_cast<int>(out.faces.size()));
    }
    face.normal = (1.0 / norm(face.normal)) * face.normal;
    for (const int v : loop) face.offset += dot(face.normal, at(v)) / static_cast<double>(loop.size());
    out.faces.push_back(face);
  }
  const auto flatten = [](const std::vector<std::set<int>>& sets, std::vector<Hull::Range>& ranges,
                          std::vector<int>& flat) {
    for (const auto& set : sets) {
      ranges.push_back({static_cast<int>(flat.size()), static_cast<int>(set.size())});
      flat.insert(flat.end(), set.begin(), set.end());
    }
  };
  flatten(neighbors, out.neighbors_of, out.neighbors);
  flatten(incident, out.faces_of, out.incident);
  for (const auto& v : out.vertices) out.center += (1.0 / static_cast<double>(out.vertices.size())) * v;
  out.inradius = size_;
  for (const Hull::Face& face : out.faces) {
    const double distance = face.offset - dot(face.normal, out.center);
    out.inradius = std::min(out.inradius, distance);
    const auto loop = out.corners_of(face);
    for (std::size_t i = 2; i < loop.size(); ++i) {
      const auto corner = [&](std::size_t k) { return out.vertices[static_cast<std::size_t>(loop[k])] - out.center; };
      out.volume += dot(corner(0), cross(corner(i - 1), corner(i))) / 6.0;
    }
  }
  return out;
}

}  // namespace

Hull convex_hull(std::span<const Vec3<double>> points) {
  if (points.size() < 4)
    throw std::runtime_error(fmt::format("convex hull: expected 4 points or more, found {}", points.size()));
  for (const auto& p : points)
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]))
      throw std::runtime_error("convex hull: expected finite points, found one that is not");
  return HullBuilder(points).build();
}

}  // namespace cardan::collision
