// SE(3): against power series of 4x4 and 6x6 matrices in long double, and the tangent operators of
// golden/free_rigid_body.json (60 digits). Angular part first here, linear part first in that file.
#include "cardan/spatial/se3.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "cardan/math/counted.hpp"

namespace cardan {
namespace {

using V = Vec3<double>;
constexpr double kPi = std::numbers::pi;

template <int N>
struct Exact {
  long double m[N][N] = {};
};

/// sum of sign^k A^k / (k + n)!.
template <int N>
Exact<N> series(const Exact<N>& A, int n, int sign) {
  Exact<N> term, sum;
  for (int i = 0; i < N; ++i) term.m[i][i] = 1;
  for (int k = 0; k < 90; ++k) {
    Exact<N> next;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        sum.m[i][j] += term.m[i][j];
        for (int l = 0; l < N; ++l) next.m[i][j] += sign * term.m[i][l] * A.m[l][j] / (k + n + 1);
      }
    term = next;
  }
  return sum;
}

template <int N>
void put_skew(Exact<N>& A, int row, int column, const V& a) {
  const Mat3<double> s = skew(a);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A.m[row + i][column + j] = s(i, j);
}

/// ad(xi) = [phi 0; rho phi], all skew.
Exact<6> exact_ad(const V& angular, const V& linear) {
  Exact<6> ad;
  put_skew(ad, 0, 0, angular);
  put_skew(ad, 3, 3, angular);
  put_skew(ad, 3, 0, linear);
  return ad;
}

double distance(const Matrix<double, 6, 6>& a, const Exact<6>& b) {
  long double worst = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) worst = std::max(worst, std::abs(a(i, j) - b.m[i][j]));
  return static_cast<double>(worst);
}

double distance(const Pose<double>& a, const Pose<double>& b) {
  double worst = norm(a.p - b.p);
  for (int i = 0; i < 3; ++i) worst = std::max(worst, norm(a.R.row[i] - b.R.row[i]));
  return worst;
}

V random_vector(std::mt19937& random, double length) {
  std::normal_distribution<double> normal;
  const V v{normal(random), normal(random), normal(random)};
  return (length / norm(v)) * v;
}

const double kAngles[] = {0, 1e-100, 1e-8, 1e-4, 0.1, 0.99, 1.0, 2.0, 3.0, 3.99, 4.0, 5.0, 6.0, 6.28};

TEST(SE3, ExponentialMatchesTheSeries) {
  std::mt19937 random(1);
  for (const double angle : kAngles) {
    const V phi = random_vector(random, angle), rho = random_vector(random, 2.0);
    Exact<4> xi;
    put_skew(xi, 0, 0, phi);
    for (int i = 0; i < 3; ++i) xi.m[i][3] = rho[i];
    const Exact<4> exact = series(xi, 0, 1);
    const Pose<double> pose = exp_se3(phi, rho);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(pose.p[i], static_cast<double>(exact.m[i][3]), 2e-15) << angle;
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(pose.R(i, j), static_cast<double>(exact.m[i][j]), 1e-15) << angle;
    }
  }
}

TEST(SE3, TangentOperatorMatchesTheSeries) {
  std::mt19937 random(2);
  for (const double angle : kAngles) {
    const V phi = random_vector(random, angle), rho = random_vector(random, 2.0);
    EXPECT_LT(distance(tangent_se3(phi, rho), series(exact_ad(phi, rho), 1, -1)), 3e-15) << angle;
  }
}

TEST(SE3, InverseTangentOperatorInverts) {
  std::mt19937 random(3);
  for (const double angle : kAngles) {
    const V phi = random_vector(random, angle), rho = random_vector(random, 2.0);
    const auto unit = tangent_se3(phi, rho) * tangent_se3_inverse(phi, rho);
    const double condition = 2 * kPi / (2 * kPi - angle);  // the lower left block grows like its square
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) EXPECT_NEAR(unit(i, j), i == j, 4e-15 * condition * condition) << angle;
  }
}

TEST(SE3, TangentOperatorGivesTheBodyFixedVelocity) {
  std::mt19937 random(4);
  for (const double angle : {0.0, 0.5, 2.0, 5.0}) {
    const V phi = random_vector(random, angle), rho = random_vector(random, 1.0);
    const V phi_dot = random_vector(random, 1.0), rho_dot = random_vector(random, 1.0);
    const double h = 1e-5;
    const Pose<double> before = exp_se3(phi - h * phi_dot, rho - h * rho_dot);
    const Pose<double> after = exp_se3(phi + h * phi_dot, rho + h * rho_dot);
    const MotionVector<double> moved = log_se3(inverse(before) * after);
    const Vector<double, 6> V_body = tangent_se3(phi, rho) * Vector<double, 6>{phi_dot[0], phi_dot[1], phi_dot[2],
                                                                               rho_dot[0], rho_dot[1], rho_dot[2]};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(moved.angular[i] / (2 * h), V_body[i], 1e-9) << angle;
      EXPECT_NEAR(moved.linear[i] / (2 * h), V_body[i + 3], 1e-9) << angle;
    }
  }
}

TEST(SE3, LogarithmUndoesTheExponential) {
  std::mt19937 random(5);
  for (const double angle : {0.0, 1e-100, 1e-9, 1e-4, 0.5, 1.5, 3.0, 3.14, kPi - 1e-7})
    for (int trial = 0; trial < 20; ++trial) {
      const V phi = random_vector(random, angle), rho = random_vector(random, 2.0);
      const MotionVector<double> xi = log_se3(exp_se3(phi, rho));
      EXPECT_LT(norm(xi.angular - phi), 5e-15) << angle;
      EXPECT_LT(norm(xi.linear - rho), 1e-14) << angle;
    }
  const Pose<double> half_turn = exp_se3(V{0.0, kPi, 0.0}, V{1.0, 2.0, 3.0});
  EXPECT_LT(distance(exp_se3(log_se3(half_turn)), half_turn), 1e-14);
}

TEST(SE3, AdjointIsTheExponentialOfAd) {
  std::mt19937 random(6);
  const V phi = random_vector(random, 1.3), rho = random_vector(random, 2.0);
  EXPECT_LT(distance(adjoint(exp_se3(phi, rho)), series(exact_ad(phi, rho), 0, 1)), 2e-15);
}

TEST(SE3, PosesComposeAndInvert) {
  std::mt19937 random(7);
  const Pose<double> a = exp_se3(random_vector(random, 1.0), random_vector(random, 2.0));
  const Pose<double> b = exp_se3(random_vector(random, 2.0), random_vector(random, 1.0));
  const V x = random_vector(random, 1.0);
  EXPECT_LT(norm((a * b) * x - a * (b * x)), 1e-15 * 4);
  EXPECT_LT(distance(inverse(a) * a, Pose<double>{}), 1e-15);
}

TEST(SE3, MatchesTheGoldenTangentOperators) {
  std::ifstream file(CARDAN_SHARED_DATA "/golden/free_rigid_body.json");
  if (!file) GTEST_SKIP() << "no reference data: " CARDAN_SHARED_DATA "/golden/free_rigid_body.json is missing";
  const auto cases = nlohmann::json::parse(file)["tangent_operator_test_vectors"]["cases"];
  ASSERT_GE(cases.size(), 5u);
  const auto swapped = [](int i) { return static_cast<std::size_t>((i + 3) % 6); };
  for (const auto& c : cases) {
    V phi, rho;
    for (int i = 0; i < 3; ++i) {
      rho[i] = c["n"][static_cast<std::size_t>(i)];
      phi[i] = c["n"][swapped(i)];
    }
    const Pose<double> pose = exp_se3(phi, rho);
    const auto T = tangent_se3(phi, rho), T_inverse = tangent_se3_inverse(phi, rho);
    for (int i = 0; i < 3; ++i) {
      const auto row = c["exp_SE3"][static_cast<std::size_t>(i)];
      EXPECT_NEAR(pose.p[i], row[3].get<double>(), 2e-15);
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(pose.R(i, j), row[static_cast<std::size_t>(j)].get<double>(), 1e-15);
    }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        EXPECT_NEAR(T(i, j), c["T"][swapped(i)][swapped(j)].get<double>(), 2e-15) << c["n"];
        const double expected = c["T_inv"][swapped(i)][swapped(j)];
        EXPECT_NEAR(T_inverse(i, j), expected, 1e-14 * std::max(1.0, std::abs(expected))) << c["n"];
      }
  }
}

TEST(SE3, RunsOnAScalarWithoutComparisons) {
  using C = Counted<>;
  const V phi{0.3, -0.2, 0.9}, rho{1.0, 2.0, 3.0};
  const MotionVector<C> xi = log_se3(exp_se3(Vec3<C>(phi), Vec3<C>(rho)));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(xi.angular[i].value, phi[i], 1e-15);
    EXPECT_NEAR(xi.linear[i].value, rho[i], 4e-15);
  }
  EXPECT_NEAR(tangent_se3_inverse(Vec3<C>(phi), Vec3<C>(rho))(3, 0).value, tangent_se3_inverse(phi, rho)(3, 0), 1e-14);
  EXPECT_NEAR(tangent_se3(Vec3<float>(phi), Vec3<float>(rho))(3, 1), tangent_se3(phi, rho)(3, 1), 1e-6);
}

}  // namespace
}  // namespace cardan
