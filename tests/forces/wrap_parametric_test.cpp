// Wrapping over surfaces that are given by a point as a function of u and v: against the surfaces that have methods of
// their own, and against the closed form of a surface that can be unrolled.
#include "cardan/forces/wrap_surface.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

using Want = WrapSurface::Want;
constexpr double kPi = std::numbers::pi;

Vec3<Expr> ellipsoid_point(const Vec3<double>& a, Expr u, Expr v) {
  return {Expr(a[0]) * cos(v) * cos(u), Expr(a[1]) * cos(v) * sin(u), Expr(a[2]) * sin(v)};
}

/// Compares lengths, slopes, second derivatives and points of the arc.
void expect_same(const WrappedCurve& found, const WrappedCurve& expected, double tolerance) {
  ASSERT_EQ(found.touches, expected.touches);
  if (!expected.touches) return;
  EXPECT_NEAR(found.length, expected.length, tolerance);
  EXPECT_NEAR(found.arc, expected.arc, 10.0 * tolerance);
  EXPECT_LT(norm(found.by_P - expected.by_P), 10.0 * tolerance);
  EXPECT_LT(norm(found.by_S - expected.by_S), 10.0 * tolerance);
  EXPECT_LT(norm(found.first - expected.first), 10.0 * tolerance);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(found.by_PP(i, j), expected.by_PP(i, j), 1e3 * tolerance);
      EXPECT_NEAR(found.by_PS(i, j), expected.by_PS(i, j), 1e3 * tolerance);
      EXPECT_NEAR(found.by_SS(i, j), expected.by_SS(i, j), 1e3 * tolerance);
    }
}

TEST(WrapParametric, AnEllipsoidInWordsIsTheEllipsoid) {
  const Vec3<double> a{0.5, 0.3, 0.4}, side{0.1, 0.3, 0.1};
  const auto expected = wrap_ellipsoid(a, side);
  const auto found = wrap_parametric([&](Expr u, Expr v) { return ellipsoid_point(a, u, v); },
                                     {-kPi, kPi, -0.5 * kPi, 0.5 * kPi}, side);
  Random random(5);
  int touched = 0;
  for (int trial = 0; trial < repetitions(12, 200); ++trial) {
    const double x_P = random.uniform(-1.5, -0.8), y_P = random.uniform(-0.2, 0.2), z_P = random.uniform(-0.2, 0.2);
    const double x_S = random.uniform(0.8, 1.5), y_S = random.uniform(-0.2, 0.2), z_S = random.uniform(-0.2, 0.2);
    const Vec3<double> P{x_P, y_P, z_P}, S{x_S, y_S, z_S};
    const WrappedCurve curve = expected->wrap(P, S, Want::second_derivatives);
    touched += curve.touches ? 1 : 0;
    expect_same(found->wrap(P, S, Want::second_derivatives), curve, 1e-10);
    if (!curve.touches) continue;
    const Vec3<double> middle = found->follow(curve.first, -curve.by_P, 0.5 * curve.arc);
    EXPECT_LT(norm(middle - expected->follow(curve.first, -curve.by_P, 0.5 * curve.arc)), 1e-9);
  }
  EXPECT_GT(touched, 8);
}

TEST(WrapParametric, ACylinderInWordsIsTheCylinder) {
  const double R = 0.3;
  const Vec3<double> side{0.0, 1.0, 0.0};
  const auto expected = wrap_cylinder(R, side);
  const auto found = wrap_parametric(
      [&](Expr u, Expr v) {
        return Vec3<Expr>{Expr(R) * cos(u), Expr(R) * sin(u), v};
      },
      {-kPi, kPi, -2.0, 2.0}, side);
  for (const double height : {-0.4, 0.0, 0.2, 0.5})
    for (const double rise : {-0.1, 0.1}) {
      const Vec3<double> P{-1.0, rise, 0.1}, S{0.9, -0.05, height};
      expect_same(found->wrap(P, S, Want::second_derivatives), expected->wrap(P, S, Want::second_derivatives), 1e-10);
    }
}

/// z = -x^2 rolls out flat: with s(x) = (2x sqrt(1 + 4x^2) + asinh(2x))/4 along the parabola the path is a straight
/// line of width s and the tangents. Ends at (-+w, y) and height z touch where the tangent from them does.
TEST(WrapParametric, AParabolicRidgeUnrolls) {
  const auto found = wrap_parametric(
      [](Expr u, Expr v) {
        return Vec3<Expr>{u, v, -(u * u)};
      },
      {-2.0, 2.0, -3.0, 3.0}, {0.0, 0.0, 0.0});
  const double w = 1.2, z = -1.0, dy = 0.7;
  // the tangent at x0: z = -x0^2 - 2 x0 (x - x0) through (-w, z): x0^2 + 2 x0 w... solved for the nearer root
  const double x0 = -w + std::sqrt(w * w + z);  // x0^2 + 2 w x0 - z = 0 for the tangent from x = -w
  const auto arc = [](double x) { return 0.25 * (2.0 * x * std::sqrt(1.0 + 4.0 * x * x) + std::asinh(2.0 * x)); };
  const double tangent = std::hypot(x0 + w, -x0 * x0 - z), flat = 2.0 * tangent + 2.0 * arc(-x0);
  const WrappedCurve curve = found->wrap({-w, 0.0, z}, {w, dy, z}, Want::slopes);
  ASSERT_TRUE(curve.touches);
  EXPECT_NEAR(curve.length, std::hypot(flat, dy), 1e-10);
}

TEST(WrapParametric, SlopesAreThoseOfTheLength) {
  const auto surface = wrap_parametric(
      [](Expr u, Expr v) {
        return Vec3<Expr>{u, v, Expr(-0.5) * u * u - Expr(0.2) * v * v};
      },
      {-2.0, 2.0, -2.0, 2.0}, {0.0, 0.0, 0.0});
  const Vec3<double> P{-1.1, 0.2, -0.55}, S{1.0, -0.3, -0.47};
  const WrappedCurve curve = surface->wrap(P, S, Want::second_derivatives);
  ASSERT_TRUE(curve.touches);
  const double h = 1e-4;
  for (int i = 0; i < 3; ++i) {
    Vec3<double> step{};
    step[i] = h;
    const WrappedCurve ahead = surface->wrap(P + step, S, Want::slopes),
                       behind = surface->wrap(P - step, S, Want::slopes);
    EXPECT_NEAR((ahead.length - behind.length) / (2.0 * h), curve.by_P[i], 1e-7);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR((ahead.by_P[j] - behind.by_P[j]) / (2.0 * h), curve.by_PP(j, i), 1e-6);
  }
}

TEST(WrapParametric, ALineThatPassesAboveIsStraight) {
  const auto surface = wrap_parametric(
      [](Expr u, Expr v) {
        return Vec3<Expr>{u, v, -(u * u)};
      },
      {-2.0, 2.0, -3.0, 3.0}, {0.0, 0.0, 0.0});
  EXPECT_FALSE(surface->wrap({-1.0, 0.0, 0.5}, {1.0, 0.2, 0.6}, Want::slopes).touches);
  EXPECT_FALSE(surface->wrap({-1.0, 0.0, 0.01}, {1.0, 0.2, 0.02}, Want::slopes).touches);
}

}  // namespace
}  // namespace cardan::test
