#include "benchmarks/collision.hpp"

#include "benchmarks/bench_row.hpp"
#include "benchmarks/collision_peer.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/collision/broad_phase.hpp"
#include "cardan/collision/manifold.hpp"
#include "cardan/collision/nearest.hpp"
#include "cardan/math/so3.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>

namespace cardan::bench {

namespace {

using collision::Solid;

constexpr int kPoses = 64;

Vec3<double> direction(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const Vec3<double> v{normal(random), normal(random), normal(random)};
  return (1.0 / norm(v)) * v;
}

Solid ball_hull(int corners) {
  std::mt19937_64 random(5);
  std::vector<Vec3<double>> points;
  for (int i = 0; i < corners; ++i) points.push_back(0.5 * direction(random));
  Solid out;
  out.kind = collision::Kind::hull;
  out.hull = std::make_shared<const collision::Hull>(collision::convex_hull(points));
  return out;
}

/// What a pair is made of: none stands for a plane, or for what only we have.
struct Description {
  std::string name;
  Solid a, b;
  double height;
  std::optional<Shape> shape_a{}, shape_b{};
};

Description of_shapes(std::string name, const Shape& a, const Shape& b, double height) {
  return {std::move(name), collision::make_solid(a), collision::make_solid(b), height, a, b};
}
Description on_plane(std::string name, const Shape& a, double height) {
  return {std::move(name), collision::make_solid(a), collision::make_plane(), height, a, {}};
}

/// One pair, in poses that follow one another in small steps as they do in a simulation.
struct CollisionPair {
  explicit CollisionPair(const Description& pair) : name(pair.name), a(pair.a), b(pair.b) {
    for (int i = 0; i < kPoses; ++i) {
      const double t = 1e-4 * i;
      at.push_back({exp_so3(Vec3<double>{1e-5 * std::sin(60.0 * t), 1e-5 * std::cos(50.0 * t), 0.3 + t}),
                    {0.02 + 0.1 * t, 0.01, pair.height}});
    }
    if (!pair.shape_a) return;
    for (auto& peer : {make_coal_pair(*pair.shape_a, pair.shape_b, at), make_fcl_pair(*pair.shape_a, pair.shape_b, at)})
      if (peer) peers.push_back(*peer);
  }
  void distance(int i) { sum += collision::nearest(a, at[static_cast<std::size_t>(i)], b, {}, of_distance).gap; }
  void manifold(int i) {
    collision::find_manifold(a, at[static_cast<std::size_t>(i)], b, {}, {1e-3, 4}, of_manifold, found);
    sum += found.count;
  }

  std::string name;
  Solid a, b;
  std::vector<Pose<double>> at;
  collision::PairMemory of_distance, of_manifold;
  collision::Manifold found;
  std::vector<CollisionPeer> peers;
  double sum = 0.0;  // so that nothing is left out
};

/// A row for each peer, or one without.
void add_rows(const CollisionPair& pair, const char* quantity, double ns, const std::vector<double>& of_peers,
              nlohmann::json& rows) {
  bool alone = true;
  for (std::size_t k = 0; k < pair.peers.size(); ++k) {
    if (!(of_peers[k] > 0.0)) continue;
    nlohmann::json row = bench_row(pair.name, quantity, "generic", ns);
    row["peer"] = pair.peers[k].name;
    row["peer_version"] = pair.peers[k].version;
    row["peer_ns"] = of_peers[k];
    row["ratio"] = of_peers[k] / ns;
    rows.push_back(row);
    alone = false;
  }
  if (alone) rows.push_back(bench_row(pair.name, quantity, "generic", ns));
}

/// Times one quantity by us and by the peers that have it; returns a cell of the table.
std::string time_quantity(const CollisionPair& pair, const char* quantity, const Call& ours,
                          Call CollisionPeer::*theirs, nlohmann::json& rows) {
  std::vector<Call> ways{ours};
  for (const CollisionPeer& peer : pair.peers)
    if (peer.*theirs) ways.push_back(peer.*theirs);
  const std::vector<double> ns = time_together(ways, kPoses);
  std::string cell = fmt::format("{:.0f}", ns[0]);
  std::vector<double> of_peers;
  std::size_t next = 1;
  for (const CollisionPeer& peer : pair.peers) {
    of_peers.push_back(peer.*theirs ? ns[next++] : 0.0);
    if (of_peers.back() > 0.0) cell += fmt::format(", {} {:.1f}x", peer.name, of_peers.back() / ns[0]);
  }
  add_rows(pair, quantity, ns[0], of_peers, rows);
  return cell;
}

/// Boxes of half a meter at one in a cubic meter, all of them moving.
struct MovingBoxes {
  explicit MovingBoxes(int count) : phase(std::vector<bool>(static_cast<std::size_t>(count), true)) {
    std::uniform_real_distribution<double> place(0.0, std::cbrt(static_cast<double>(count)));
    for (int i = 0; i < count; ++i) {
      const Vec3<double> p{place(random), place(random), place(random)};
      phase.box(i) = {p, p + Vec3<double>{0.5, 0.5, 0.5}};
    }
    phase.build_static();
  }
  void operator()(int) {
    for (int i = 0; i < phase.size(); ++i) {
      const double step = 1e-3 * std::uniform_real_distribution<double>(-1.0, 1.0)(random);
      const Vec3<double> d{step, -step, step};
      phase.box(i) = {phase.box(i).low + d, phase.box(i).high + d};
    }
    pairs = phase.update().size();
  }
  std::mt19937_64 random{7};
  collision::BroadPhase phase;
  std::size_t pairs = 0;
};

}  // namespace

void time_collision(nlohmann::json& rows) {
  const Shape box = Box{1.0, 0.8, 0.6}, table = Box{3.0, 3.0, 0.2}, ball = Sphere{0.5}, capsule = Capsule{0.2, 0.6},
              cylinder = Cylinder{0.3, 0.6}, egg = Ellipsoid{0.3, 0.4, 0.5};
  const Solid hull = ball_hull(100);
  const std::vector<Description> pairs{
      on_plane("sphere_plane", ball, 0.5),
      on_plane("capsule_plane", capsule, 0.5),
      on_plane("box_plane", box, 0.3),
      on_plane("cylinder_plane", cylinder, 0.3),
      on_plane("ellipsoid_plane", egg, 0.5),
      on_plane("torus_plane", Torus{0.4, 0.1}, 0.1),
      of_shapes("box_box_resting", box, table, 0.4 - 1e-6),
      of_shapes("box_box_apart", box, table, 0.5),
      {"hull100_hull100_apart", hull, hull, 1.05},
      {"hull100_box_resting", hull, collision::make_solid(table), 0.6 - 1e-3},
      of_shapes("sphere_box", ball, table, 0.6),
      of_shapes("capsule_box", capsule, table, 0.6),
      of_shapes("cylinder_box_resting", cylinder, table, 0.4 - 1e-6),
      of_shapes("ellipsoid_box", egg, table, 0.6),
      of_shapes("ellipsoid_ellipsoid", egg, Ellipsoid{0.4, 0.3, 0.2}, 0.8),
  };
  fmt::print("\ncollision, ns a pair, last features known, and how many times that a peer takes where it was had\n");
  fmt::print("{:<24}{:>34}{:>34}\n", "", "distance", "manifold");
  for (const Description& description : pairs) {
    CollisionPair pair(description);
    const std::string distance = time_quantity(
        pair, "distance", [&](int i) { pair.distance(i); }, &CollisionPeer::distance, rows);
    const std::string manifold = time_quantity(
        pair, "manifold", [&](int i) { pair.manifold(i); }, &CollisionPeer::manifold, rows);
    fmt::print("{:<24}{:>34}{:>34}\n", pair.name, distance, manifold);
  }
  fmt::print("broad phase, all boxes moving\n");
  for (const int count : {100, 1000, 10000, 100000}) {
    MovingBoxes boxes(count);
    const double ns = time_together({std::ref(boxes)}, 1, {3, 3, 1e6})[0];
    rows.push_back(bench_row(fmt::format("boxes_{}", count), "broad_phase", "generic", ns));
    fmt::print("{:>8} boxes {:>10.1f} us, {:.2f} ns over n log2 n, {} pairs\n", count, 1e-3 * ns,
               ns / (count * std::log2(static_cast<double>(count))), boxes.pairs);
  }
}

}  // namespace cardan::bench
