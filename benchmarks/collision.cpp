#include "benchmarks/collision.hpp"

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

/// One pair, in poses that follow one another in small steps as they do in a simulation.
struct CollisionPair {
  CollisionPair(std::string pair_name, Solid first, Solid second, double height)
      : name(std::move(pair_name)), a(std::move(first)), b(std::move(second)) {
    for (int i = 0; i < kPoses; ++i) {
      const double t = 1e-4 * i;
      at.push_back({exp_so3(Vec3<double>{1e-5 * std::sin(60.0 * t), 1e-5 * std::cos(50.0 * t), 0.3 + t}),
                    {0.02 + 0.1 * t, 0.01, height}});
    }
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
  double sum = 0.0;  // so that nothing is left out
};

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
  using collision::make_plane;
  using collision::make_solid;
  const Solid box = make_solid(Box{1.0, 0.8, 0.6}), table = make_solid(Box{3.0, 3.0, 0.2}), plane = make_plane();
  const Solid hull = ball_hull(100);
  std::vector<CollisionPair> pairs;
  pairs.emplace_back("sphere_plane", make_solid(Sphere{0.5}), plane, 0.5);
  pairs.emplace_back("capsule_plane", make_solid(Capsule{0.2, 0.6}), plane, 0.5);
  pairs.emplace_back("box_plane", box, plane, 0.3);
  pairs.emplace_back("cylinder_plane", make_solid(Cylinder{0.3, 0.6}), plane, 0.3);
  pairs.emplace_back("ellipsoid_plane", make_solid(Ellipsoid{0.3, 0.4, 0.5}), plane, 0.5);
  pairs.emplace_back("torus_plane", make_solid(Torus{0.4, 0.1}), plane, 0.1);
  pairs.emplace_back("box_box_resting", box, table, 0.4 - 1e-6);
  pairs.emplace_back("box_box_apart", box, table, 0.5);
  pairs.emplace_back("hull100_hull100_apart", hull, hull, 1.05);
  pairs.emplace_back("hull100_box_resting", hull, table, 0.59);
  pairs.emplace_back("sphere_box", make_solid(Sphere{0.5}), table, 0.6);
  pairs.emplace_back("capsule_box", make_solid(Capsule{0.2, 0.6}), table, 0.6);
  pairs.emplace_back("cylinder_box_resting", make_solid(Cylinder{0.3, 0.6}), table, 0.4 - 1e-6);
  pairs.emplace_back("ellipsoid_box", make_solid(Ellipsoid{0.3, 0.4, 0.5}), table, 0.6);
  pairs.emplace_back("ellipsoid_ellipsoid", make_solid(Ellipsoid{0.3, 0.4, 0.5}), make_solid(Ellipsoid{0.4, 0.3, 0.2}),
                     0.8);
  fmt::print("\ncollision, ns a pair, last features known\n{:<26}{:>10}{:>10}\n", "", "distance", "manifold");
  for (CollisionPair& pair : pairs) {
    const auto ns = time_together({[&](int i) { pair.distance(i); }, [&](int i) { pair.manifold(i); }}, kPoses);
    rows.push_back(bench_row(pair.name, "distance", "generic", ns[0]));
    rows.push_back(bench_row(pair.name, "manifold", "generic", ns[1]));
    fmt::print("{:<26}{:>10.0f}{:>10.0f}\n", pair.name, ns[0], ns[1]);
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
