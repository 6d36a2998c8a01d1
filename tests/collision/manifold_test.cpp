// Manifolds of solids that stand, lie and lean on one another: how many points, where, and that their names stay.
#include "cardan/collision/manifold.hpp"

#include "cardan/collision/nearest.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <set>

namespace cardan::test::manifold_test {
namespace {

using collision::find_manifold;
using collision::Manifold;
using collision::ManifoldOptions;
using collision::PairMemory;
using Names = std::set<std::pair<std::uint32_t, std::uint32_t>>;

constexpr double kPi = std::numbers::pi;

Mat3<double> about_x(double angle) { return exp_so3(Vec3<double>{angle, 0.0, 0.0}); }
Mat3<double> about_y(double angle) { return exp_so3(Vec3<double>{0.0, angle, 0.0}); }
Mat3<double> about_z(double angle) { return exp_so3(Vec3<double>{0.0, 0.0, angle}); }

Names names(const Manifold& m) {
  Names out;
  for (int i = 0; i < m.count; ++i) out.emplace(m.contact[i].name_a, m.contact[i].name_b);
  return out;
}

/// Area of the points' quadrilateral or less, from above: cross product of the diagonals of the widest pair.
double spread(const Manifold& m) {
  double most = 0.0;
  for (int i = 0; i < m.count; ++i)
    for (int j = 0; j < m.count; ++j)
      for (int k = 0; k < m.count; ++k)
        most = std::max(most, norm(cross(m.contact[j].point_a - m.contact[i].point_a,
                                         m.contact[k].point_a - m.contact[i].point_a)));
  return most;
}

Manifold fresh(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b,
               const ManifoldOptions& options = {1e-9, 4}) {
  PairMemory memory;
  Manifold out;
  find_manifold(a, at_a, b, at_b, options, memory, out);
  return out;
}

const Solid kPlane = collision::make_plane();

TEST(ManifoldOnPlane, BoxStandsOnFourCornersAtAnyYaw) {
  const Solid box = collision::make_solid(Box{1.0, 0.6, 0.4});
  SolidMaker random(1);
  Names first;
  for (int i = 0; i < 500; ++i) {
    const Mat3<double> R = exp_so3(1e-9 * random.direction()) * about_z(0.1 * i);
    const Manifold m = fresh(box, {R, {1.0, 2.0, 0.2 - 1e-9}}, kPlane, {});
    ASSERT_EQ(m.count, 4) << i;
    if (i == 0) first = names(m);
    ASSERT_EQ(names(m), first) << i;
    ASSERT_NEAR(spread(m), 0.6, 1e-6);
    for (int k = 0; k < 4; ++k) ASSERT_NEAR(m.contact[k].gap, 0.0, 3e-9);
  }
}

TEST(ManifoldOnPlane, CylinderStandsOnFourAndLiesOnTwo) {
  const Solid cylinder = collision::make_solid(Cylinder{0.3, 1.0});
  const Manifold standing = fresh(cylinder, {about_z(0.4), {0.0, 0.0, 0.5}}, kPlane, {});
  EXPECT_EQ(standing.count, 4);
  EXPECT_NEAR(spread(standing), 0.18, 1e-9);  // right angle at the rim: half a square of diagonal 0.6, twice
  const Manifold lying = fresh(cylinder, {about_x(kPi / 2) * about_z(0.7), {0.0, 0.0, 0.3}}, kPlane, {});
  ASSERT_EQ(lying.count, 2);
  EXPECT_NEAR(norm(lying.contact[0].point_a - lying.contact[1].point_a), 1.0, 1e-12);
  // tilted, the lowest point of the rim is among them exactly
  const double tilt = 2e-4;
  const Mat3<double> R = about_z(0.9) * about_y(tilt) * about_z(1.3);
  const Manifold tilted = fresh(cylinder, {R, {0.0, 0.0, 0.5}}, kPlane, {});
  double least = 1.0;
  for (int i = 0; i < tilted.count; ++i) least = std::min(least, tilted.contact[i].gap);
  EXPECT_NEAR(least, 0.5 - 0.5 * std::cos(tilt) - 0.3 * std::sin(tilt), 1e-15);
  EXPECT_EQ(tilted.count, 4);
}

TEST(ManifoldOnPlane, CapsuleLiesOnTwoAndTheRoundOnOne) {
  EXPECT_EQ(fresh(collision::make_solid(Capsule{0.2, 1.0}), {about_y(kPi / 2), {0.0, 0.0, 0.2}}, kPlane, {}).count, 2);
  EXPECT_EQ(fresh(collision::make_solid(Capsule{0.2, 1.0}), {about_y(0.3), {0.0, 0.0, 0.2}}, kPlane, {}).count, 1);
  EXPECT_EQ(fresh(collision::make_solid(Sphere{0.2}), {about_y(0.3), {0.0, 0.0, 0.2}}, kPlane, {}).count, 1);
  EXPECT_EQ(
      fresh(collision::make_solid(Ellipsoid{0.2, 0.3, 0.4}), {Mat3<double>::identity(), {0.0, 0.0, 0.4}}, kPlane, {})
          .count,
      1);
  EXPECT_EQ(
      fresh(collision::make_solid(Torus{0.5, 0.1}), {Mat3<double>::identity(), {0.0, 0.0, 0.1}}, kPlane, {}).count, 4);
  EXPECT_EQ(fresh(collision::make_solid(Torus{0.5, 0.1}), {about_x(0.2), {0.0, 0.0, 0.15}}, kPlane, {}).count, 1);
}

TEST(ManifoldOnPlane, HullStandsOnItsSupportPolygon) {
  // a prism over a regular polygon of seven corners
  Mesh mesh;
  for (int i = 0; i < 7; ++i)
    for (const double z : {-0.3, 0.3})
      mesh.vertices.push_back({std::cos(2 * kPi * i / 7), std::sin(2 * kPi * i / 7), z});
  mesh.triangles = {{0, 1, 2}};
  const Solid prism = collision::make_solid(mesh, true);
  const Manifold all = fresh(prism, {about_z(0.2), {0.0, 0.0, 0.3}}, kPlane, {}, {0.0, Manifold::kMost});
  ASSERT_EQ(all.count, 7);
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(std::hypot(all.contact[i].point_a[0], all.contact[i].point_a[1]), 1.0, 1e-12);
    EXPECT_NEAR(all.contact[i].gap, 0.0, 1e-15);
  }
  const Manifold four = fresh(prism, {about_z(0.2), {0.0, 0.0, 0.3}}, kPlane, {});
  EXPECT_EQ(four.count, 4);
  EXPECT_GT(spread(four), 1.2);
}

TEST(ManifoldOfBoxes, FaceEdgeAndCorner) {
  const Solid upper = collision::make_solid(Box{0.5, 0.4, 0.3}), lower = collision::make_solid(Box{2.0, 2.0, 0.2});
  const auto at = [](const Mat3<double>& R, double z) { return Pose<double>{R, {0.1, 0.05, z}}; };
  EXPECT_EQ(fresh(upper, at(about_z(0.3), 0.25), lower, {}).count, 4);
  EXPECT_EQ(fresh(lower, {}, upper, at(about_z(0.3), 0.25)).count, 4);
  // an edge on the face
  const double half = std::hypot(0.2, 0.15);
  const Mat3<double> on_edge = about_z(0.4) * about_x(std::atan2(0.2, 0.15));
  const Manifold edge = fresh(upper, at(on_edge, 0.1 + half), lower, {});
  ASSERT_EQ(edge.count, 2);
  EXPECT_NEAR(norm(edge.contact[0].point_a - edge.contact[1].point_a), 0.5, 1e-9);
  // two edges across one another
  const Solid bar = collision::make_solid(Box{2.0, 0.2, 0.2});
  const double high = 0.1 * std::sqrt(2.0);
  const Manifold crossed = fresh(bar, {about_z(1.0) * about_x(kPi / 4), {0.0, 0.0, high}}, bar,
                                 {about_x(kPi / 4), {0.0, 0.0, -high}}, {1e-9, 4});
  ASSERT_EQ(crossed.count, 1);
  EXPECT_LT(norm(crossed.contact[0].point_a), 1e-12);
}

TEST(ManifoldOfBoxes, OverhangingFacesGiveTheirCommonPart) {
  const Solid box = collision::make_solid(Box{1.0, 1.0, 1.0});
  const Manifold m = fresh(box, {Mat3<double>::identity(), {0.7, 0.0, 1.0}}, box, {});
  ASSERT_EQ(m.count, 4);
  EXPECT_NEAR(spread(m), 0.3, 1e-9);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.contact[i].gap, 0.0, 1e-15);
}

TEST(ManifoldOfOthers, CylindersAndCapsulesOnBoxes) {
  const Solid table = collision::make_solid(Box{2.0, 2.0, 0.2}), cylinder = collision::make_solid(Cylinder{0.3, 1.0});
  EXPECT_EQ(fresh(cylinder, {about_z(0.3), {0.0, 0.0, 0.6}}, table, {}).count, 4);
  EXPECT_EQ(fresh(cylinder, {about_z(0.3) * about_x(kPi / 2), {0.0, 0.0, 0.4}}, table, {}).count, 2);
  EXPECT_EQ(
      fresh(collision::make_solid(Capsule{0.2, 1.0}), {about_z(0.3) * about_y(kPi / 2), {0.0, 0.0, 0.3}}, table, {})
          .count,
      2);
  const Solid capsule = collision::make_solid(Capsule{0.2, 1.0});
  EXPECT_EQ(fresh(capsule, {about_y(kPi / 2), {0.2, 0.0, 0.4}}, capsule, {about_y(kPi / 2), {}}).count, 2);
  EXPECT_EQ(fresh(capsule, {about_x(kPi / 2), {0.2, 0.0, 0.4}}, capsule, {about_y(kPi / 2), {}}).count, 1);
  // a disc on a disc
  EXPECT_EQ(fresh(cylinder, {about_z(0.3), {0.1, 0.0, 1.0}}, cylinder, {}).count, 4);
}

/// Sweeps a solid through the position where it stands parallel. No point comes and goes: each is there for one stretch
/// of the sweep. About an axis along the edges, where points leave in pairs, the set changes once on each side.
void expect_no_flicker(const Solid& a, double height, const Solid& b, const Pose<double>& at_b, const char* what) {
  SolidMaker random(20261108);
  for (int k = 0; k < 12; ++k) {
    const bool along_edges = k < 4;
    const double azimuth = along_edges ? 0.5 * kPi * k : random.number(0.0, 2.0 * kPi);
    const Vec3<double> axis{std::cos(azimuth), std::sin(azimuth), 0.0};
    const Mat3<double> yaw = along_edges ? Mat3<double>::identity() : about_z(random.number(0.0, 6.0));
    PairMemory memory;
    Manifold m;
    Names last;
    std::map<Names::value_type, int> toggles;
    int changes = 0;
    const int steps = repetitions(1000, 10000);
    for (int i = 0; i <= steps; ++i) {
      const double angle = 0.02 * (2.0 * i / steps - 1.0);
      find_manifold(a, {exp_so3(angle * axis) * yaw, {0.03, 0.02, height}}, b, at_b, {1e-3, 4}, memory, m);
      ASSERT_GT(m.count, 0);
      const Names now = names(m);
      for (const auto& name : now) toggles[name] += last.count(name) == 0 ? 1 : 0;
      if (i > 0 && now != last) ++changes;
      last = now;
    }
    if (along_edges) {
      EXPECT_LE(changes, 2) << what << " azimuth " << azimuth;
    }
    for (const auto& [name, count] : toggles)
      EXPECT_EQ(count, 1) << what << " azimuth " << azimuth << " point " << name.first << " " << name.second;
  }
}

TEST(ManifoldFlicker, NoneInASweepThroughTheParallelPosition) {
  const Solid box = collision::make_solid(Box{0.5, 0.4, 0.3}), table = collision::make_solid(Box{2.0, 2.0, 0.2});
  const Solid cylinder = collision::make_solid(Cylinder{0.2, 0.3});
  expect_no_flicker(box, 0.15, kPlane, {}, "box on plane");
  expect_no_flicker(box, 0.25, table, {}, "box on box");
  expect_no_flicker(cylinder, 0.15, kPlane, {}, "cylinder on plane");
  expect_no_flicker(cylinder, 0.25, table, {}, "cylinder on box");
}

TEST(ManifoldGaps, AreThoseOfTheNearestPair) {
  // whatever the manifold has, its least gap is the distance, unless faces within 1e-3 stand for an edge
  SolidMaker random(20261109);
  for (int i = 0; i < repetitions(1000, 30000); ++i) {
    const Solid a = random.solid(kConvexKinds[random.integer(6)]), b = random.solid(kConvexKinds[random.integer(6)]);
    const Pose<double> at_a = random.pose(1.0), at_b = random.pose(2.0);
    const Manifold m = fresh(a, at_a, b, at_b, {10.0, 4});
    ASSERT_GE(m.count, 1);
    double least = 1e300;
    for (int k = 0; k < m.count; ++k) {
      least = std::min(least, m.contact[k].gap);
      ASSERT_LT(norm(m.contact[k].point_b - m.contact[k].point_a - m.contact[k].gap * m.contact[k].normal), 1e-13);
    }
    PairMemory memory;
    ASSERT_NEAR(least, collision::nearest(a, at_a, b, at_b, memory).gap, 1e-8)
        << kind_name(a.kind) << " " << kind_name(b.kind) << " " << i;
  }
}

}  // namespace
}  // namespace cardan::test::manifold_test
