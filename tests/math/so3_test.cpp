// SO(3): against power series summed in long double, for angles from 0 to just below 2 pi. R takes body coordinates to
// parent coordinates; omega = T(phi) phi_dot is body-fixed.
#include "cardan/math/so3.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "cardan/math/counted.hpp"

namespace cardan::so3_test {
namespace {

using V = Vec3<double>;
constexpr double kPi = std::numbers::pi;

struct Exact {
  long double m[3][3] = {};
  friend Exact operator*(const Exact& a, const Exact& b) {
    Exact out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) out.m[i][j] += a.m[i][k] * b.m[k][j];
    return out;
  }
};

Exact exact_skew(const V& a) {
  Exact s;
  s.m[0][1] = -a[2], s.m[0][2] = a[1], s.m[1][0] = a[2], s.m[1][2] = -a[0], s.m[2][0] = -a[1], s.m[2][1] = a[0];
  return s;
}

/// sum of sign^k [phi]x^k / (k + n)!: exp for n = 0, sign = 1; the tangent operator for n = 1, sign = -1.
Exact series(const V& phi, int n, int sign) {
  const Exact step = exact_skew(phi);
  Exact term, sum;
  for (int i = 0; i < 3; ++i) term.m[i][i] = 1;
  for (int k = 0; k < 80; ++k) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum.m[i][j] += term.m[i][j];
    term = term * step;
    for (auto& row : term.m)
      for (auto& x : row) x *= static_cast<long double>(sign) / (k + n + 1);
  }
  return sum;
}

double distance(const Mat3<double>& a, const Exact& b) {
  long double worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) worst = std::max(worst, std::abs(a(i, j) - b.m[i][j]));
  return static_cast<double>(worst);
}

double distance(const Mat3<double>& a, const Mat3<double>& b) {
  double worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) worst = std::max(worst, std::abs(a(i, j) - b(i, j)));
  return worst;
}

V random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const V v{normal(random), normal(random), normal(random)};
  return (1 / norm(v)) * v;
}

/// Angles on both sides of every place where the formulas change.
const std::vector<double> kAngles = {0,    1e-160,   1e-20, 1e-9,   1e-8, 1e-5, 1e-3, 0.01,  0.1,           0.3,
                                     0.39, 0.4,      0.41,  0.9,    1.0,  1.1,  2.0,  3.0,   kPi,           3.15,
                                     3.9,  3.999999, 4.0,   4.0001, 5.0,  6.0,  6.2,  6.283, 2 * kPi - 1e-6};

TEST(SO3, ExponentialMatchesTheSeries) {
  std::mt19937 random(1);
  for (const double angle : kAngles)
    for (int trial = 0; trial < 20; ++trial) {
      const V phi = angle * random_direction(random);
      EXPECT_LT(distance(exp_so3(phi), series(phi, 0, 1)), 1e-15) << angle;
      EXPECT_LT(distance(quaternion_to_matrix(quaternion_exp(phi)), series(phi, 0, 1)), 2e-15) << angle;
    }
}

TEST(SO3, TangentOperatorMatchesTheSeries) {
  std::mt19937 random(2);
  for (const double angle : kAngles)
    for (int trial = 0; trial < 20; ++trial) {
      const V phi = angle * random_direction(random);
      EXPECT_LT(distance(tangent_so3(phi), series(phi, 1, -1)), 1e-15) << angle;
    }
}

TEST(SO3, CoefficientsAreAccurateToFewRoundings) {
  // c_n(t) by its series in long double up to 2 pi, whose terms stay below 1e3: good to 1e-16
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(0, 2 * kPi);
  std::vector<double> angles = kAngles;
  for (int i = 0; i < 2000; ++i) angles.push_back(u(random));
  for (const double angle : angles) {
    const double t = angle * angle;
    long double c[9] = {};
    for (int n = 1; n <= 8; ++n) {
      long double term = 1;
      for (int i = 2; i <= n; ++i) term /= i;
      for (int k = 0; k < 40; ++k) {
        c[n] += term;
        term *= -static_cast<long double>(t) / ((2 * k + n + 1) * (2 * k + n + 2));
      }
    }
    const detail::Stumpff<double> s(t);
    const auto relative = [](double got, long double exact) {
      return static_cast<double>(std::abs((got - exact) / exact));
    };
    EXPECT_LT(relative(s.c3, c[3]), 1e-15) << angle;
    EXPECT_LT(relative(s.c4, c[4]), 1e-15) << angle;
    EXPECT_LT(relative(s.c5, c[5]), 1e-15) << angle;
    EXPECT_LT(relative(s.c6, c[6]), 1e-15) << angle;
    EXPECT_LT(std::abs(s.c1 - c[1]), 5e-16) << angle;
    EXPECT_LT(std::abs(s.c2 - c[2]), 5e-16) << angle;
    // slopes by their own definition, d c_n / d phi = (c_{n-1} - n c_n) / phi, where that does not cancel
    if (angle > 1) {
      EXPECT_LT(std::abs(s.slope2() - (c[1] - 2 * c[2]) / t), 2e-16) << angle;
      EXPECT_LT(std::abs(s.slope3() - (c[2] - 3 * c[3]) / t), 1e-16) << angle;
    }
    // c2 has a double zero at 2 pi, where a rounding of the angle weighs more and more
    const double condition = std::max(1.0, 1 / (2 * kPi - angle));
    if (angle < 6.28) {
      EXPECT_LT(relative(s.k1(), (c[3] / 2 - c[4]) / c[2]), 3e-15 * condition) << angle;
      EXPECT_LT(relative(s.k1_slope(), (c[5] / 2 - 2 * c[6]) / c[2]), 4e-15 * condition) << angle;
    }
  }
}

TEST(SO3, BothBranchesAgreeAtTheThresholds) {
  for (const double limit : {1.0, 16.0}) {
    const detail::Stumpff<double> below(std::nextafter(limit, 0.0)), above(limit);
    for (const auto& [a, b] : {std::pair{below.c1, above.c1},
                               {below.c2, above.c2},
                               {below.c3, above.c3},
                               {below.c4, above.c4},
                               {below.c5, above.c5},
                               {below.c6, above.c6}})
      EXPECT_NEAR(a, b, 1e-15 * std::abs(b)) << limit;
  }
}

TEST(SO3, InverseTangentOperatorInverts) {
  std::mt19937 random(4);
  for (const double angle : kAngles) {
    const V phi = angle * random_direction(random);
    const Mat3<double> inverse = tangent_so3_inverse(phi);
    // near 2 pi the operator is singular, and its condition number is about 2 pi / (2 pi - angle)
    const double condition = 2 * kPi / std::max(1e-9, 2 * kPi - angle);
    EXPECT_LT(distance(tangent_so3(phi) * inverse, Mat3<double>::identity()), 2e-15 * condition) << angle;
  }
}

TEST(SO3, TangentOperatorGivesTheBodyFixedAngularVelocity) {
  std::mt19937 random(5);
  for (const double angle : {0.0, 0.7, 2.5, 5.0}) {
    const V phi = angle * random_direction(random), rate = random_direction(random);
    const double h = 1e-5;
    const Mat3<double> R_dot = (0.5 / h) * (exp_so3(phi + h * rate) - exp_so3(phi - h * rate));
    const Mat3<double> omega = transpose(exp_so3(phi)) * R_dot;  // R' R_dot, not R_dot R'
    EXPECT_LT(distance(omega, skew(tangent_so3(phi) * rate)), 1e-9) << angle;
  }
}

TEST(SO3, RatesOfTheTangentOperatorsMatchDifferences) {
  std::mt19937 random(6);
  for (const double angle : kAngles) {
    if (angle > 6.0) continue;
    const V phi = angle * random_direction(random), rate = random_direction(random);
    const double h = 1e-4;  // five points: error of order h^4
    const auto difference = [&](auto f) {
      return (1 / (12 * h)) *
             (8.0 * (f(phi + h * rate) - f(phi - h * rate)) - (f(phi + 2 * h * rate) - f(phi - 2 * h * rate)));
    };
    EXPECT_LT(distance(tangent_so3_rate(phi, rate), difference(tangent_so3<double>)), 1e-11) << angle;
    EXPECT_LT(distance(tangent_so3_inverse_rate(phi, rate), difference(tangent_so3_inverse<double>)), 1e-8) << angle;
  }
}

TEST(SO3, RateAtZeroIsMinusHalfTheSkewMatrix) {
  const V rate{1.0, 2.0, 3.0};
  EXPECT_EQ(distance(tangent_so3_rate(V{}, rate), -0.5 * skew(rate)), 0);
  EXPECT_EQ(distance(tangent_so3_inverse_rate(V{}, rate), 0.5 * skew(rate)), 0);
}

TEST(SO3, LogarithmUndoesTheExponential) {
  std::mt19937 random(7);
  for (const double angle : kAngles) {
    if (angle > kPi - 1e-9) continue;
    for (int trial = 0; trial < 50; ++trial) {
      const V phi = angle * random_direction(random);
      EXPECT_LE(norm(log_so3(exp_so3(phi)) - phi), 1e-15 + 2e-15 * angle) << angle;
      EXPECT_LE(norm(quaternion_log(quaternion_exp(phi)) - phi), 1e-15 * angle) << angle;
      EXPECT_LE(norm(quaternion_log(-quaternion_exp(phi)) - phi), 1e-15 * angle) << "q and -q are one rotation";
      EXPECT_LE(norm(quaternion_log(3.0 * quaternion_exp(phi)) - phi), 2e-15 * angle) << "a multiple as well";
    }
  }
}

TEST(SO3, LogarithmIsAccurateNearAndAtPi) {
  std::mt19937 random(8);
  for (const double below : {1e-3, 1e-6, 1e-8, 1e-10, 1e-15, 0.0})
    for (int trial = 0; trial < 50; ++trial) {
      const V n = random_direction(random), phi = log_so3(exp_so3((kPi - below) * n));
      EXPECT_NEAR(norm(phi), kPi - below, 5e-15);
      // at pi both signs of the axis are right
      EXPECT_NEAR(std::abs(dot(phi, n)), kPi - below, 5e-15);
      EXPECT_LT(distance(exp_so3(phi), exp_so3((kPi - below) * n)), 3e-15);
    }
  for (int axis = 0; axis < 3; ++axis) {
    V half_turn;
    half_turn[axis] = kPi;
    EXPECT_NEAR(std::abs(log_so3(exp_so3(half_turn))[axis]), kPi, 1e-15);
  }
}

TEST(SO3, SmallRotationsKeepTheirRelativeAccuracyThroughTheLogarithm) {
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12, 1e-100}) {
    const V phi{angle, -2 * angle, 0.5 * angle};
    EXPECT_LE(norm(log_so3(exp_so3(phi)) - phi), 1e-15 * norm(phi)) << angle;
  }
}

TEST(SO3, QuaternionsMultiplyLikeMatrices) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 100; ++trial) {
    const auto a = quaternion_exp(3.0 * random_direction(random)), b = quaternion_exp(2.0 * random_direction(random));
    EXPECT_LT(
        distance(quaternion_to_matrix(quaternion_product(a, b)), quaternion_to_matrix(a) * quaternion_to_matrix(b)),
        2e-15);
    EXPECT_LT(distance(quaternion_to_matrix(quaternion_conjugate(a)), transpose(quaternion_to_matrix(a))), 1e-16);
    const auto again = quaternion_from_matrix(quaternion_to_matrix(a));
    EXPECT_GE(again[0], 0);
    EXPECT_NEAR(std::abs(dot(again, a)), 1, 1e-15);
    EXPECT_NEAR(norm(quaternion_normalize(5.0 * a)), 1, 1e-15);
  }
}

TEST(SO3, RepeatedExponentialsStayOrthogonal) {
  // with (1 - cos)/phi^2 instead of 2 sin^2(phi/2)/phi^2 this drifts to 2e-12
  Mat3<double> R = Mat3<double>::identity();
  const V step{0.001, -0.002, 0.003};
  for (int i = 0; i < 5120; ++i) R = R * exp_so3(step);
  EXPECT_LT(distance(R * transpose(R), Mat3<double>::identity()), 3e-13);
  EXPECT_LT(distance(R, exp_so3(5120.0 * step)), 3e-13);
}

TEST(SO3, RunsOnAScalarWithoutComparisonsAndInFloat) {
  using C = Counted<>;
  const V phi{0.3, -0.2, 0.9}, rate{1.0, 2.0, 3.0};
  const auto values = [](const Mat3<C>& m) {
    Mat3<double> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out(i, j) = m(i, j).value;
    return out;
  };
  const Vec3<C> p(phi), r(rate);
  EXPECT_LT(distance(values(exp_so3(p)), exp_so3(phi)), 1e-15);
  EXPECT_LT(distance(values(tangent_so3_rate(p, r)), tangent_so3_rate(phi, rate)), 1e-15);
  EXPECT_LT(distance(values(tangent_so3_inverse_rate(p, r)), tangent_so3_inverse_rate(phi, rate)), 1e-15);
  EXPECT_NEAR(log_so3(exp_so3(p))[2].value, 0.9, 1e-15);

  for (const float scale : {0.0f, 1e-20f, 1e-4f, 1.0f, 3.0f, 5.0f}) {
    const Vec3<float> f = scale * Vec3<float>(phi);
    const Mat3<float> unit = tangent_so3(f) * tangent_so3_inverse(f);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(unit(i, j), i == j ? 1.0f : 0.0f, 3e-6f) << scale;
    if (scale > 3.0f) continue;
    const Vec3<float> again = log_so3(exp_so3(f));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(again[i], f[i], 1e-6f) << scale;
  }
}

}  // namespace
}  // namespace cardan::so3_test
