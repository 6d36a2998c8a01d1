#include "benchmarks/collision.hpp"

#include "benchmarks/peer_coal.hpp"
#include "benchmarks/timed_model.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/contact/collision/broad_phase.hpp"
#include "cardan/contact/collision/manifold.hpp"
#include "cardan/contact/collision/nearest.hpp"
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
    if (pair.shape_a) coal = make_coal_pair(*pair.shape_a, pair.shape_b, at);
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
  std::optional<CoalPair> coal;
  double sum = 0.0;  // so that nothing is left out
};

nlohmann::json row_beside_coal(const CollisionPair& pair, const char* quantity, double ns, double coal_ns) {
  nlohmann::json row = bench_row(pair.name, quantity, "generic", ns);
  if (!pair.coal) return row;
  row["peer"] = "coal";
  row["peer_version"] = pair.coal->version;
  row["peer_ns"] = coal_ns;
  row["ratio"] = coal_ns / ns;
  return row;
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
  fmt::print(
      "\ncollision, ns a pair, last features known; in brackets how many times faster than Coal, where it was had\n");
  fmt::print("{:<26}{:>18}{:>18}\n", "", "distance", "manifold");
  for (const Description& description : pairs) {
    CollisionPair pair(description);
    std::vector<Call> ways{[&](int i) { pair.distance(i); }, [&](int i) { pair.manifold(i); }};
    if (pair.coal) ways.insert(ways.end(), {pair.coal->distance, pair.coal->patch});
    std::vector<double> ns = time_together(ways, kPoses);
    ns.resize(4);
    rows.push_back(row_beside_coal(pair, "distance", ns[0], ns[2]));
    rows.push_back(row_beside_coal(pair, "manifold", ns[1], ns[3]));
    const auto text = [&](std::size_t i) {
      return pair.coal ? fmt::format("{:.0f} ({:.1f})", ns[i], ns[i + 2] / ns[i]) : fmt::format("{:.0f}", ns[i]);
    };
    fmt::print("{:<26}{:>18}{:>18}\n", pair.name, text(0), text(1));
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
