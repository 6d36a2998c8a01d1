// Shapes: closed forms against meshes of the same solids, which converge to them with the square of the edge length;
// boxes and tetrahedra, whose meshes are exact; and refused input.
#include "cardan/model/shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "cardan/math/so3.hpp"

namespace cardan {
namespace {

constexpr double kPi = std::numbers::pi;

/// A grid over [0, 1)^2, periodic in both directions, or in the first only with poles at the ends of the second.
Mesh surface(int n, bool poles, const std::function<Vec3<double>(double, double)>& point) {
  Mesh mesh;
  const int rows = poles ? n - 1 : n;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < n; ++i) mesh.vertices.push_back(point(double(i) / n, double(poles ? j + 1 : j) / n));
  const auto at = [&](int i, int j) { return (j % rows) * n + i % n; };
  for (int j = 0; j < (poles ? rows - 1 : rows); ++j)
    for (int i = 0; i < n; ++i) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  if (!poles) return mesh;
  const int south = int(mesh.vertices.size()), north = south + 1;
  mesh.vertices.push_back(point(0, 0));
  mesh.vertices.push_back(point(0, 1));
  for (int i = 0; i < n; ++i) {
    mesh.triangles.push_back({south, at(i + 1, 0), at(i, 0)});
    mesh.triangles.push_back({north, at(i, rows - 1), at(i + 1, rows - 1)});
  }
  return mesh;
}

/// A profile (radius, height), from the south pole to the north pole, turned about z.
Mesh turned(int n, const std::function<std::pair<double, double>(double)>& profile) {
  return surface(n, true, [&](double a, double b) {
    const auto [r, z] = profile(b);
    return Vec3<double>{r * std::cos(2 * kPi * a), r * std::sin(2 * kPi * a), z};
  });
}

Mesh tessellate(const Shape& shape, int n) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return tessellate(Ellipsoid{s->radius, s->radius, s->radius}, n);
  if (const auto* s = std::get_if<Ellipsoid>(&shape))
    return surface(n, true, [&](double a, double b) {
      const double r = std::sin(kPi * b);
      return Vec3<double>{s->x * r * std::cos(2 * kPi * a), s->y * r * std::sin(2 * kPi * a),
                          -s->z * std::cos(kPi * b)};
    });
  if (const auto* s = std::get_if<Torus>(&shape))
    return surface(n, false, [&](double a, double b) {
      const double r = s->major + s->minor * std::cos(2 * kPi * b);
      return Vec3<double>{r * std::cos(2 * kPi * a), r * std::sin(2 * kPi * a), s->minor * std::sin(2 * kPi * b)};
    });
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return turned(n, [&](double b) {
      const double along = std::clamp(2 * b - 0.5, 0.0, 1.0);
      const double r = std::min({1.0, 4 * b, 4 * (1 - b)}) * s->radius;
      return std::pair{r, s->length * (along - 0.5)};
    });
  const auto& s = std::get<Capsule>(shape);
  return turned(n, [&](double b) {
    const double angle = kPi * (b < 0.25 ? 2 * b : b < 0.75 ? 0.5 : 2 * b - 1);
    const double along = std::clamp(2 * b - 0.5, 0.0, 1.0) - 0.5;
    return std::pair{s.radius * std::sin(angle), s.length * along - s.radius * std::cos(angle)};
  });
}

double distance(const MassProperties& a, const MassProperties& b) {
  double worst = std::abs(a.mass - b.mass) / b.mass;
  const double largest = std::max({b.inertia.e[0], b.inertia.e[1], b.inertia.e[2]});
  for (int i = 0; i < 3; ++i) worst = std::max(worst, std::abs(a.com[i] - b.com[i]));
  for (int i = 0; i < 6; ++i) worst = std::max(worst, std::abs(a.inertia.e[i] - b.inertia.e[i]) / largest);
  return worst;
}

TEST(Shape, ClosedFormsAreTheLimitOfFinerMeshes) {
  const Shape shapes[] = {Sphere{0.7}, Cylinder{0.4, 1.3}, Capsule{0.4, 1.3}, Ellipsoid{0.3, 0.5, 0.9},
                          Torus{0.8, 0.3}};
  for (const Shape& shape : shapes) {
    const MassProperties exact = mass_properties(shape, 2.0);
    EXPECT_DOUBLE_EQ(exact.mass, 2 * volume(shape));
    EXPECT_TRUE(is_physical(exact));
    const double coarse = distance(mass_properties(tessellate(shape, 64), 2.0), exact);
    const double fine = distance(mass_properties(tessellate(shape, 128), 2.0), exact);
    EXPECT_LT(fine, 3e-3) << shape.index();
    EXPECT_NEAR(coarse / fine, 4, 0.1) << "error of second order in the edge length; shape " << shape.index();
    // Richardson: canceling the second order leaves the fourth
    const MassProperties a = mass_properties(tessellate(shape, 64), 2.0),
                         b = mass_properties(tessellate(shape, 128), 2.0);
    const MassProperties limit{(4 * b.mass - a.mass) / 3, exact.com, (4.0 / 3) * b.inertia - (1.0 / 3) * a.inertia};
    EXPECT_LT(distance(limit, exact), 4e-6) << shape.index();
  }
}

Mesh box_mesh(const Box& box) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({(i & 1 ? 0.5 : -0.5) * box.x, (i & 2 ? 0.5 : -0.5) * box.y, (i & 4 ? 0.5 : -0.5) * box.z});
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

TEST(Shape, BoxMeshIsExact) {
  const Box box{1.0, 2.0, 3.0};
  EXPECT_LT(distance(mass_properties(box_mesh(box), 5.0), mass_properties(box, 5.0)), 1e-15);
  EXPECT_DOUBLE_EQ(mass_properties(box, 5.0).inertia(0, 0), 30 * (4 + 9) / 12.0);
}

TEST(Shape, MeshFarFromTheOriginKeepsItsDigits) {
  const Box box{1.0, 2.0, 3.0};
  Mesh mesh = box_mesh(box);
  const Vec3<double> far{1000.0, -2000.0, 4000.0};  // exact in double together with the corners
  for (auto& v : mesh.vertices) v = v + far;
  MassProperties expected = mass_properties(box, 5.0);
  expected.com = far;
  EXPECT_LT(distance(mass_properties(mesh, 5.0), expected), 1e-14);
}

TEST(Shape, TurnedMeshHasTurnedProperties) {
  const Box box{1.0, 2.0, 3.0};
  const Mat3<double> R = exp_so3(Vec3<double>{0.4, -0.9, 1.7});
  const Vec3<double> p{0.3, 0.2, -0.1};
  Mesh mesh = box_mesh(box);
  for (auto& v : mesh.vertices) v = R * v + p;
  EXPECT_LT(distance(mass_properties(mesh, 5.0), to_parent(mass_properties(box, 5.0), R, p)), 1e-14);
}

TEST(Shape, RightTetrahedronHasTheTextbookInertia) {
  const Mesh mesh{"", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const MassProperties m = mass_properties(mesh, 6.0);
  EXPECT_NEAR(m.mass, 1, 1e-15);
  EXPECT_NEAR(m.com[0], 0.25, 1e-15);
  EXPECT_NEAR(m.inertia(0, 0), 3.0 / 40, 1e-15);  // int (y^2 + z^2) = 2/10, minus 2/16
  EXPECT_NEAR(m.inertia(0, 1), 1.0 / 80, 1e-15);  // -int x y = -1/20, plus 1/16
}

TEST(Shape, CavityIsSubtracted) {
  Mesh mesh = box_mesh({2.0, 2.0, 2.0});
  const Mesh inner = box_mesh({1.0, 1.0, 1.0});
  for (const auto& v : inner.vertices) mesh.vertices.push_back(v);
  for (const auto& t : inner.triangles) mesh.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  EXPECT_NEAR(volume(mesh), 7, 1e-14);
  EXPECT_NEAR(mass_properties(mesh, 1.0).inertia(0, 0), 8 * 8 / 12.0 - 2 / 12.0, 1e-14);
}

std::string complaint(const Shape& shape, double density = 1) {
  try {
    mass_properties(shape, density);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Shape, RefusesBadMeshes) {
  Mesh open = box_mesh({1.0, 1.0, 1.0});
  open.path = "part.stl";
  open.triangles.pop_back();
  EXPECT_EQ(complaint(open),
            "part.stl: mesh is open: edge between vertices 5 and 7 of triangle 2 belongs to no other triangle");

  Mesh inconsistent = box_mesh({1.0, 1.0, 1.0});
  std::swap(inconsistent.triangles[4][0], inconsistent.triangles[4][1]);
  EXPECT_EQ(complaint(inconsistent),
            "mesh: mesh is inconsistently oriented: edge between vertices 0 and 1 of triangle 4 is not walked equally "
            "often both ways");

  Mesh inverted = box_mesh({1.0, 2.0, 3.0});
  for (auto& t : inverted.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(complaint(inverted),
            "mesh: mesh is inverted (triangles turned inward): expected a positive volume, found -6 m^3");

  const Mesh flat{"", {{0, 0, 0}, {1, 0.1, 0}, {0, 1, 0.3}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_NE(complaint(flat).find("mesh is flat: expected a positive volume, found"), std::string::npos);

  Mesh wild = box_mesh({1.0, 1.0, 1.0});
  wild.triangles[7][2] = 8;
  EXPECT_EQ(complaint(wild), "mesh: triangle 7: expected a vertex index from 0 to 7, found 8");
  wild.triangles[7][2] = -1;
  EXPECT_EQ(complaint(wild), "mesh: triangle 7: expected a vertex index from 0 to 7, found -1");
  Mesh nan = box_mesh({1.0, 1.0, 1.0});
  nan.vertices[3][1] = NAN;
  EXPECT_EQ(complaint(nan), "mesh: vertex 3: coordinates must be finite, found nan");
  EXPECT_EQ(complaint(Mesh{}), "mesh: mesh has no triangles");
  Mesh huge = box_mesh({1e200, 1e200, 1e200});
  EXPECT_NE(complaint(huge), "accepted");
}

TEST(Shape, RefusesBadDimensions) {
  EXPECT_EQ(complaint(Box{1.0, 0.0, 1.0}), "box: y must be positive and finite, found 0");
  EXPECT_EQ(complaint(Sphere{-2.0}), "sphere: radius must be positive and finite, found -2");
  EXPECT_EQ(complaint(Cylinder{1.0, INFINITY}), "cylinder: length must be positive and finite, found inf");
  EXPECT_EQ(complaint(Capsule{NAN, 1.0}), "capsule: radius must be positive and finite, found nan");
  EXPECT_EQ(complaint(Ellipsoid{1.0, 1.0, -1.0}), "ellipsoid: z must be positive and finite, found -1");
  EXPECT_EQ(complaint(Torus{1.0, 2.0}), "torus: minor radius must not exceed the major radius 1, found 2");
  EXPECT_EQ(complaint(Box{1.0, 1.0, 1.0}, -1), "density must be finite and not negative, found -1");
  EXPECT_EQ(complaint(Box{1.0, 1.0, 1.0}, NAN), "density must be finite and not negative, found nan");
  EXPECT_EQ(complaint(Box{1.0, 1.0, 1.0}, 0), "accepted");
}

}  // namespace
}  // namespace cardan
