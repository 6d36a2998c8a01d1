// Meshes and height fields: against hulls and planes, which know the same answers, and sliding over inner edges.
#include "cardan/collision/advancement.hpp"
#include "cardan/collision/manifold.hpp"
#include "cardan/collision/nearest.hpp"
#include "cardan/collision/ray.hpp"

#include "tests/collision/random_solids.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test::mesh_test {
namespace {

using collision::Contact;
using collision::Manifold;
using collision::PairMemory;

Contact fresh(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b) {
  PairMemory memory;
  return collision::nearest(a, at_a, b, at_b, memory);
}

/// The triangles of a hull, as a mesh that is not taken for convex.
Solid as_mesh(const collision::Hull& hull) {
  Mesh mesh;
  mesh.vertices = hull.vertices;
  for (const auto& face : hull.faces) {
    const auto corners = hull.corners_of(face);
    for (std::size_t i = 2; i < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
  }
  Solid out;
  out.kind = Kind::mesh;
  out.mesh = std::make_shared<const collision::TriangleMesh>(collision::make_triangle_mesh(mesh));
  return out;
}

Solid landscape(const std::vector<std::vector<double>>& rows, double size) {
  Solid out;
  out.kind = Kind::mesh;
  out.mesh = std::make_shared<const collision::TriangleMesh>(collision::make_height_field(rows, size, size));
  return out;
}

TEST(MeshPairs, SeparatedLikeTheirHulls) {
  SolidMaker random(20261115);
  int apart = 0;
  for (int i = 0; i < repetitions(200, 5000); ++i) {
    const Solid hull = random.solid(Kind::hull), mesh = as_mesh(*hull.hull), a = random.solid(kConvexKinds[i % 6]);
    const Pose<double> at_a = random.pose(1.0), at_b = random.pose(3.5);
    const Contact expected = fresh(a, at_a, hull, at_b), found = fresh(a, at_a, mesh, at_b);
    ASSERT_EQ(expected.gap > 0.0, found.gap > 0.0)
        << i << " " << kind_name(a.kind) << " " << expected.gap << " " << found.gap;
    if (expected.gap <= 0.0) continue;
    ++apart;
    ASSERT_NEAR(found.gap, expected.gap, 1e-12) << i;
    ASSERT_NEAR(fresh(mesh, at_b, a, at_a).gap, expected.gap, 1e-12) << i;
  }
  EXPECT_GT(apart, repetitions(200, 5000) / 8);
}

TEST(MeshPairs, KnowTheirInside) {
  const Solid big = as_mesh(*SolidMaker(3).hull(60).hull), ball = collision::make_solid(Sphere{0.02});
  EXPECT_TRUE(big.mesh->closed);
  EXPECT_LT(fresh(ball, {}, big, {}).gap, -0.1);  // touches no triangle
  EXPECT_GT(fresh(ball, {Mat3<double>::identity(), {2.0, 0.0, 0.0}}, big, {}).gap, 0.5);
}

TEST(MeshPairs, ConvexMeshesBecomeHulls) {
  const Solid hull = SolidMaker(4).hull(20), mesh = as_mesh(*hull.hull);
  Mesh shape;
  shape.vertices = mesh.mesh->vertices;
  shape.triangles = mesh.mesh->triangles;
  EXPECT_EQ(collision::make_solid(shape).kind, Kind::hull);
  shape.triangles.pop_back();  // open: a surface
  EXPECT_EQ(collision::make_solid(shape).kind, Kind::mesh);
  EXPECT_EQ(collision::make_solid(shape, true).kind, Kind::hull);
  shape.triangles.clear();
  EXPECT_THROW((void)collision::make_solid(shape), std::runtime_error);
}

TEST(HeightField, FlatOneIsAPlane) {
  const Solid field = landscape(std::vector<std::vector<double>>(9, std::vector<double>(9, 0.25)), 8.0);
  const Solid plane = collision::make_plane();
  SolidMaker random(20261116);
  for (int i = 0; i < repetitions(200, 3000); ++i) {
    const Solid a = random.solid(kConvexKinds[i % 6]);
    Pose<double> at = random.pose(0.0);
    at.p = {random.number(-1.5, 1.5), random.number(-1.5, 1.5), random.number(-0.5, 2.0)};
    const Contact expected = fresh(a, at, plane, {Mat3<double>::identity(), {0.0, 0.0, 0.25}}),
                  found = fresh(a, at, field, {});
    ASSERT_NEAR(found.gap, expected.gap, 1e-11) << kind_name(a.kind) << i;
    ASSERT_LT(norm(found.normal - expected.normal), 1e-6) << kind_name(a.kind) << i;
  }
}

TEST(HeightField, SlidingOverInnerEdgesMeetsNoneOfThem) {
  const Solid field = landscape(std::vector<std::vector<double>>(21, std::vector<double>(21, 0.0)), 4.0);
  const Solid box = collision::make_solid(Box{0.5, 0.4, 0.2}), ball = collision::make_solid(Sphere{0.1});
  PairMemory memory;
  Manifold m;
  for (int i = 0; i < 300; ++i) {
    const Mat3<double> R = exp_so3(Vec3<double>{0.0, 0.0, 0.01 * i});
    for (const Solid* solid : {&box, &ball}) {
      collision::find_manifold(*solid, {R, {-1.0 + 0.00777 * i, 0.3, 0.1 - 1e-4}}, field, {}, {}, memory, m);
      ASSERT_GE(m.count, solid == &box ? 3 : 1) << i;
      for (int k = 0; k < m.count; ++k) {
        ASSERT_LT(norm(m.contact[k].normal - Vec3<double>{0.0, 0.0, -1.0}), 1e-9)
            << i << " " << k << " features " << m.contact[k].feature_a.dimension << m.contact[k].feature_b.dimension
            << " gap " << m.contact[k].gap << " n " << m.contact[k].normal[0] << " " << m.contact[k].normal[1]
            << " name " << m.contact[k].name_a << " " << m.contact[k].name_b << " box " << (solid == &box);
        ASSERT_NEAR(m.contact[k].gap, -1e-4, 1e-9);
      }
    }
  }
}

TEST(HeightField, RidgeIsTouchedOnItsEdge) {
  // a ridge along y: the ball above it is nearest to the edge
  const Solid field = landscape({{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}}, 2.0), ball = collision::make_solid(Sphere{0.25});
  const Contact c = fresh(ball, {Mat3<double>::identity(), {0.0, 0.3, 1.5}}, field, {});
  EXPECT_NEAR(c.gap, 0.25, 1e-14);
  EXPECT_LT(norm(c.normal - Vec3<double>{0.0, 0.0, -1.0}), 1e-12);
  // and beneath the surface it is inside
  EXPECT_LT(fresh(ball, {Mat3<double>::identity(), {0.0, 0.0, -3.0}}, field, {}).gap, -2.0);
}

TEST(Rays, HitWhatOutsideSays) {
  SolidMaker random(20261117);
  constexpr Kind kKinds[] = {Kind::sphere,    Kind::capsule, Kind::box,   Kind::cylinder,
                             Kind::ellipsoid, Kind::hull,    Kind::torus, Kind::plane};
  int hits = 0;
  for (int i = 0; i < repetitions(2000, 50000); ++i) {
    const Kind kind = kKinds[i % 8];
    const Solid s = random.solid(kind);
    const Pose<double> at = random.pose(1.0);
    const collision::Ray ray{3.0 * random.direction(), random.direction(), 6.0};
    const auto hit = collision::cast_ray(ray, s, at);
    const auto is_outside = [&](double t) { return outside(s, inverse(at) * (ray.origin + t * ray.direction)); };
    const double end = hit ? hit->distance : 6.0;
    if (hit) {
      ++hits;
      if (end > 0.0) {
        ASSERT_NEAR(is_outside(end), 0.0, 1e-11) << kind_name(kind) << i;
        ASSERT_LT(dot(hit->normal, ray.direction), 1e-3);
      }
    }
    for (int k = 0; k < 100 && end > 0.0; ++k)
      ASSERT_GE(is_outside(end * 0.01 * k), -1e-11) << kind_name(kind) << " " << i;
  }
  EXPECT_GT(hits, repetitions(2000, 50000) / 50);
}

TEST(Rays, HitMeshesLikeTheirHulls) {
  SolidMaker random(20261118);
  for (int i = 0; i < repetitions(300, 5000); ++i) {
    const Solid hull = random.solid(Kind::hull), mesh = as_mesh(*hull.hull);
    const Pose<double> at = random.pose(0.5);
    const Vec3<double> origin = 3.0 * random.direction();
    const collision::Ray ray{origin, collision::unit(0.5 * random.direction() - origin), 10.0};
    const auto expected = collision::cast_ray(ray, hull, at), found = collision::cast_ray(ray, mesh, at);
    ASSERT_EQ(expected.has_value(), found.has_value()) << i;
    if (expected) {
      ASSERT_NEAR(expected->distance, found->distance, 1e-10) << i;
    }
  }
}

TEST(Advancement, MeetsWhereTheGapIsZero) {
  SolidMaker random(20261119);
  int met = 0;
  for (int i = 0; i < repetitions(300, 5000); ++i) {
    const Solid a = random.solid(kConvexKinds[random.integer(6)]), b = random.solid(kConvexKinds[random.integer(6)]);
    const Vec3<double> start = 5.0 * random.direction();
    const collision::SteadyMotion of_a{
        {random.rotation(), start}, random.direction(), -5.0 * collision::unit(start + 0.7 * random.direction())};
    const collision::SteadyMotion of_b{random.pose(0.2), random.direction(), {}};
    const auto impact = collision::first_impact(a, of_a, b, of_b, 2.0);
    const double end = impact ? impact->time : 2.0;
    for (int k = 0; k < 50; ++k) {
      const double t = end * 0.02 * k;
      ASSERT_GT(fresh(a, of_a.after(t), b, of_b.after(t)).gap, -1e-12) << i;
    }
    if (!impact) continue;
    ++met;
    ASSERT_NEAR(impact->contact.gap, 0.0, 1e-11) << i;
  }
  EXPECT_GT(met, repetitions(300, 5000) / 4);
}

TEST(Advancement, FastBallDoesNotTunnel) {
  const Solid ball = collision::make_solid(Sphere{0.01}), wall = collision::make_solid(Box{0.001, 10.0, 10.0});
  const auto impact = collision::first_impact(
      ball, {{Mat3<double>::identity(), {-50.0, 0.0, 0.0}}, {}, {1e4, 0.0, 0.0}}, wall, {}, 1.0);
  ASSERT_TRUE(impact.has_value());
  EXPECT_NEAR(impact->time, (50.0 - 0.01 - 0.0005) / 1e4, 1e-15);
}

}  // namespace
}  // namespace cardan::test::mesh_test
