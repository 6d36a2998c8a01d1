// Convex hulls: every point inside, faces closed, known volumes.
#include "cardan/collision/hull.hpp"

#include "tests/collision/random_solids.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <map>

namespace cardan::test::hull_test {
namespace {

using collision::convex_hull;
using collision::Hull;

/// Every edge is walked once each way, and Euler's formula holds.
void expect_closed(const Hull& hull) {
  std::map<std::pair<int, int>, int> edges;
  for (const Hull::Face& face : hull.faces) {
    const auto corners = hull.corners_of(face);
    for (std::size_t i = 0; i < corners.size(); ++i) ++edges[{corners[i], corners[(i + 1) % corners.size()]}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  EXPECT_EQ(static_cast<long>(hull.vertices.size()) - static_cast<long>(edges.size()) / 2 +
                static_cast<long>(hull.faces.size()),
            2);
}

TEST(Hull, OfRandomPointsContainsThemAndIsClosed) {
  SolidMaker random(20261114);
  for (int i = 0; i < repetitions(200, 5000); ++i) {
    std::vector<Vec3<double>> points;
    const int count = 4 + random.integer(200);
    for (int k = 0; k < count; ++k)
      points.push_back((i % 2 == 0 ? 1.0 : random.number(0.1, 1.0)) * random.direction());  // on a ball, or inside it
    const Hull hull = convex_hull(points);
    expect_closed(hull);
    for (const auto& p : points)
      for (const Hull::Face& face : hull.faces) ASSERT_LE(dot(face.normal, p) - face.offset, 1e-11);
    ASSERT_GT(hull.inradius, 0.0);
  }
}

TEST(Hull, MergesCoplanarTriangles) {
  // a grid on the surface of a cube: six faces of four corners
  std::vector<Vec3<double>> points;
  for (int x = 0; x <= 4; ++x)
    for (int y = 0; y <= 4; ++y)
      for (int z = 0; z <= 4; ++z)
        if (x % 4 == 0 || y % 4 == 0 || z % 4 == 0) points.push_back({0.25 * x, 0.25 * y, 0.25 * z});
  const Hull hull = convex_hull(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 6u);
  EXPECT_NEAR(hull.volume, 1.0, 1e-14);
  EXPECT_NEAR(hull.inradius, 0.5, 1e-14);
  expect_closed(hull);
}

TEST(Hull, RefusesWhatHasNoVolume) {
  const std::vector<Vec3<double>> flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}};
  EXPECT_THROW((void)convex_hull(flat), std::runtime_error);
  EXPECT_THROW((void)convex_hull(std::vector<Vec3<double>>{{0, 0, 0}, {1, 0, 0}}), std::runtime_error);
  EXPECT_THROW((void)convex_hull(std::vector<Vec3<double>>(5, Vec3<double>{1, 2, 3})), std::runtime_error);
  std::vector<Vec3<double>> bad{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}};
  EXPECT_THROW((void)convex_hull(bad), std::runtime_error);
}

}  // namespace
}  // namespace cardan::test::hull_test
