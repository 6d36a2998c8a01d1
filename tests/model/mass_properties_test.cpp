// Mass properties against point masses, for which everything follows from the definition: I = sum m (|r|^2 1 - r r').
#include "cardan/model/mass_properties.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cardan/math/so3.hpp"

namespace cardan {
namespace {

struct Point {
  double mass;
  Vec3<double> at;
};

MassProperties of_points(const std::vector<Point>& points) {
  MassProperties out;
  for (const auto& p : points) {
    out.mass += p.mass;
    out.com += p.mass * p.at;
  }
  out.com = (1 / out.mass) * out.com;
  for (const auto& p : points) {
    const Vec3<double> r = p.at - out.com;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) out.inertia(i, j) += p.mass * ((i == j ? dot(r, r) : 0.0) - r[i] * r[j]);
  }
  return out;
}

std::vector<Point> random_points(std::mt19937& random, int n) {
  std::uniform_real_distribution<double> u(-2, 2), positive(0.1, 3);
  std::vector<Point> out;
  for (int i = 0; i < n; ++i) out.push_back({positive(random), {u(random), u(random), u(random)}});
  return out;
}

void expect_equal(const MassProperties& a, const MassProperties& b) {
  EXPECT_NEAR(a.mass, b.mass, 1e-13);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.com[i], b.com[i], 1e-13);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a.inertia.e[i], b.inertia.e[i], 2e-12);
}

TEST(MassProperties, CombiningEqualsTakingAllPointsTogether) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    auto a = random_points(random, 5), b = random_points(random, 3);
    const MassProperties joined = combine(of_points(a), of_points(b));
    a.insert(a.end(), b.begin(), b.end());
    expect_equal(joined, of_points(a));
    EXPECT_TRUE(is_physical(joined));
  }
}

TEST(MassProperties, CombiningWithNothingChangesNothing) {
  std::mt19937 random(2);
  const MassProperties a = of_points(random_points(random, 4));
  expect_equal(combine(a, MassProperties{}), a);
  expect_equal(combine(MassProperties{}, a), a);
  expect_equal(combine(MassProperties{}, MassProperties{}), MassProperties{});
}

TEST(MassProperties, MovingToTheParentMovesThePoints) {
  std::mt19937 random(3);
  const Mat3<double> R = exp_so3(Vec3<double>{0.3, -1.2, 0.8});
  const Vec3<double> p{1.0, -2.0, 0.5};
  auto points = random_points(random, 6);
  const MassProperties body = of_points(points);
  for (auto& point : points) point.at = R * point.at + p;
  expect_equal(to_parent(body, R, p), of_points(points));
}

TEST(MassProperties, InertiaAboutTheOrigin) {
  const MassProperties body = of_points({{2.0, {1.0, 0.0, 0.0}}, {2.0, {1.0, 2.0, 0.0}}});
  const Sym3<double> I = inertia_about_origin(body);
  EXPECT_NEAR(I(0, 0), 8, 1e-14);
  EXPECT_NEAR(I(1, 1), 4, 1e-14);
  EXPECT_NEAR(I(2, 2), 12, 1e-14);
  EXPECT_NEAR(I(0, 1), -4, 1e-14);
}

TEST(MassProperties, PrincipalMomentsDoNotDependOnTheFrame) {
  MassProperties body{1, {}, {3.0, 1.0, 2.5, 0, 0, 0}};
  body = to_parent(body, exp_so3(Vec3<double>{1.0, 2.0, -0.4}), Vec3<double>{});
  const Vec3<double> I = principal_moments(body.inertia);
  EXPECT_NEAR(I[0], 1.0, 1e-14);
  EXPECT_NEAR(I[1], 2.5, 1e-14);
  EXPECT_NEAR(I[2], 3.0, 1e-14);
}

std::string reason(double mass, const Sym3<double>& inertia) {
  return non_physical_reason(MassProperties{mass, {}, inertia}).value_or("physical");
}

TEST(MassProperties, SaysWhyABodyCannotBeReal) {
  EXPECT_EQ(reason(1, {1, 1, 1, 0, 0, 0}), "physical");
  EXPECT_EQ(reason(0, {0, 0, 0, 0, 0, 0}), "physical");
  EXPECT_EQ(reason(1, {1, 1, 2, 0, 0, 0}), "physical") << "a thin plate is at the limit";
  EXPECT_EQ(reason(1, {0, 1, 1, 0, 0, 0}), "physical") << "a thin rod";
  EXPECT_EQ(reason(-1, {1, 1, 1, 0, 0, 0}), "mass must not be negative, found -1");
  EXPECT_EQ(reason(1, {1, 1, -1, 0, 0, 0}), "inertia must be positive semidefinite, found principal moments -1, 1, 1");
  EXPECT_EQ(reason(1, {1, 1, 1, 2, 0, 0}), "inertia must be positive semidefinite, found principal moments -1, 1, 3")
      << "a positive diagonal is not enough";
  EXPECT_EQ(reason(1, {1, 1, 2.1, 0, 0, 0}),
            "no principal moment of inertia may exceed the sum of the other two (triangle inequality), found "
            "principal moments 1, 1, 2.1");
  // diagonal satisfies the triangle inequality, principal moments (0.5, 1.5, 2.4) do not
  EXPECT_NE(reason(1, {1, 1, 2.4, 0.5, 0, 0}), "physical");
  EXPECT_EQ(reason(std::numeric_limits<double>::quiet_NaN(), {1, 1, 1, 0, 0, 0}),
            "mass, center of mass and inertia must be finite numbers");
  EXPECT_NE(reason(1, {1, 1, 1, 0, INFINITY, 0}), "physical");
}

TEST(MassProperties, ToleranceIsRelative) {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    EXPECT_EQ(reason(1, scale * Sym3<double>(1, 1, 2 + 1e-10, 0, 0, 0)), "physical");
    EXPECT_NE(reason(1, scale * Sym3<double>(1, 1, 2 + 1e-7, 0, 0, 0)), "physical");
  }
}

}  // namespace
}  // namespace cardan
