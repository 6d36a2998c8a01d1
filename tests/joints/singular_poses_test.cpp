// Joints at and near the poses where their coordinates fail: derivatives still agree, ranks drop where documented.
#include "cardan/math/counted.hpp"
#include "tests/support/joint_tester.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

constexpr double pi = std::numbers::pi;
using State = std::vector<double>;

int rank_of_S(const Joint& joint, const State& q) {
  const Eigen::MatrixXd S = evaluate(joint, q, State(static_cast<std::size_t>(joint.nv()), 0.0)).S;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(S);
  lu.setThreshold(1e-10);
  return static_cast<int>(lu.rank());
}

TEST(SphericalEuler, AllTwelveOrdersAtRegularAndSingularPoses) {
  int orders = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        if (i == j || j == k) continue;
        ++orders;
        for (const bool reversed : {false, true}) {
          Joint joint = SphericalEuler({i, j, k});
          joint.reversed = reversed;
          const double locked = i == k ? 0.0 : pi / 2;
          check_joint(joint, {0.3, locked + 0.8, -1.1}, {0.5, -0.7, 0.9});
          check_joint(joint, {0.3, locked + 1e-9, -1.1}, {0.5, -0.7, 0.9}, {.regular = false});
          check_joint(joint, {0.3, locked, -1.1}, {0.5, -0.7, 0.9}, {.regular = false});
          EXPECT_EQ(rank_of_S(joint, {0.3, locked + 0.8, -1.1}), 3);
          EXPECT_EQ(rank_of_S(joint, {0.3, locked, -1.1}), 2);
          EXPECT_EQ(rank_of_S(joint, {0.3, locked - pi, -1.1}), 2);
        }
      }
  EXPECT_EQ(orders, 12);
}

TEST(SphericalEuler, YawPitchRollIsTheBooksExample) {
  // section 4.5: E = rx(q3) ry(q2) rz(q1), with S and c_J in closed form (Eq. 4.8, 4.9)
  const State q{0.4, -0.8, 1.3}, v{0.7, -0.2, 0.5};
  const double s2 = std::sin(q[1]), c2 = std::cos(q[1]), s3 = std::sin(q[2]), c3 = std::cos(q[2]);
  const DoubleJoint k = evaluate(SphericalEuler({2, 1, 0}), q, v);
  Eigen::Matrix3d S;
  S << -s2, 0, 1, c2 * s3, c3, 0, c2 * c3, -s3, 0;
  const Eigen::Vector3d c(-c2 * v[0] * v[1], -s2 * s3 * v[0] * v[1] + c2 * c3 * v[0] * v[2] - s3 * v[1] * v[2],
                          -s2 * c3 * v[0] * v[1] - c2 * s3 * v[0] * v[2] - c3 * v[1] * v[2]);
  EXPECT_TRUE(near(k.S.topRows<3>(), S, 1e-15));
  EXPECT_TRUE(near(k.c_J.head<3>(), c, 1e-15));
  EXPECT_EQ(k.S.bottomRows<3>().norm() + k.c_J.tail<3>().norm(), 0.0);
}

TEST(SphericalExponential, NearZeroNearPiAndNearTwoPi) {
  const Vec3<double> axis = (1.0 / 3.0) * Vec3<double>{1.0, -2.0, 2.0};
  for (const bool reversed : {false, true}) {
    Joint joint = SphericalExponential{};
    joint.reversed = reversed;
    for (const double angle : {0.0, 1e-300, 1e-12, 1e-8, 1e-4, 0.01, 0.9999, 1.0, 1.0001, 3.0, pi - 1e-9, pi, pi + 1e-9,
                               3.9999, 4.0, 4.0001, 5.1}) {
      const Vec3<double> q = angle * axis;
      check_joint(joint, {q[0], q[1], q[2]}, {0.5, 0.7, -0.4});
    }
    for (const double angle : {2 * pi - 1e-3, 2 * pi - 1e-9, 2 * pi, 2 * pi + 1e-6}) {
      const Vec3<double> q = angle * axis;
      check_joint(joint, {q[0], q[1], q[2]}, {0.5, 0.7, -0.4}, {.regular = false});
    }
    const Vec3<double> full = 2 * pi * axis;
    EXPECT_EQ(rank_of_S(joint, {full[0], full[1], full[2]}), 1);
  }
}

TEST(SphericalExponential, ReparameterizationKeepsOrientationAndVelocity) {
  const Vec3<double> axis = (1.0 / 3.0) * Vec3<double>{2.0, 2.0, -1.0};
  for (const double angle : {0.0, 1.0, pi - 1e-9, pi + 1e-9, 4.0, 2 * pi - 1e-3}) {
    const Vec3<double> phi = angle * axis;
    State q{phi[0], phi[1], phi[2]}, v{0.3, -0.8, 0.6};
    const DoubleJoint before = evaluate(SphericalExponential{}, q, v);
    const Eigen::VectorXd omega = before.S * Eigen::Map<Eigen::VectorXd>(v.data(), 3);
    SphericalExponential::reparameterize(q.data(), v.data());
    const DoubleJoint after = evaluate(SphericalExponential{}, q, v);
    EXPECT_LE(std::hypot(q[0], q[1], q[2]), pi + 1e-15);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(before.pose.R(i, j), after.pose.R(i, j), 2e-15);
    EXPECT_TRUE(near(Eigen::VectorXd(after.S * Eigen::Map<Eigen::VectorXd>(v.data(), 3)), omega, 1e-14));
  }
}

TEST(Spherical, HalfTurnsAndOppositeQuaternions) {
  const double h = std::sqrt(0.5);
  for (const State& q : {State{0, 1, 0, 0}, State{0, 0.6, 0, -0.8}, State{-h, 0, h, 0}, State{h, 0, 0, h},
                         State{1e-9, 1, 0, 0}, State{-1, 0, 0, 0}})
    for (const bool reversed : {false, true}) {
      Joint joint = Spherical{};
      joint.reversed = reversed;
      check_joint(joint, q, {0.5, -0.7, 0.9});
      Joint free = Free{};
      free.reversed = reversed;
      check_joint(free, {q[0], q[1], q[2], q[3], 0.4, -2.0, 1.5}, {0.5, -0.7, 0.9, 1.0, -0.3, 0.2});
    }
}

TEST(Spherical, IntegrateStaysOnTheUnitSphere) {
  State q{1, 0, 0, 0}, next(4);
  const State v{5.0, -3.0, 8.0};
  for (int i = 0; i < 10000; ++i) {
    Joint(Spherical{}).integrate(q.data(), v.data(), 0.01, next.data());
    q = next;
  }
  EXPECT_NEAR(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])), 1.0, 4e-16);
  // 10000 steps about one axis are one big turn
  const double angle = 100.0 * std::sqrt(98.0);
  EXPECT_NEAR(std::abs(q[0]), std::abs(std::cos(angle / 2)), 1e-11);
}

TEST(Free, FarSpinningBodyDoesNotDrift) {  // section 4.4, Example 4.5
  State q{1, 0, 0, 0, 1e6, 0, 0}, next(7);
  const State v{0, 0, 10.0, 0, 0, 0};
  for (int i = 0; i < 1000; ++i) {
    Joint(Free{}).integrate(q.data(), v.data(), 0.01, next.data());
    q = next;
  }
  EXPECT_EQ(q[4], 1e6);
  EXPECT_EQ(q[5], 0.0);
}

TEST(Composite, NestedSequencesFlattenAndFixedPartsCount) {
  const Joint nested = Composite({Revolute(Vec3<double>{1.0, 0.0, 0.0}), Composite({Fixed{}, Planar{}}), Prismatic{}});
  const Joint flat = Composite({Revolute(Vec3<double>{1.0, 0.0, 0.0}), Planar{}, Prismatic{}});
  const State q{0.3, -0.5, 0.8, 1.1}, v{0.6, 0.4, -0.9, 0.2};
  EXPECT_EQ(nested.nq(), 4);
  EXPECT_EQ(nested.nv(), 4);
  const DoubleJoint a = evaluate(nested, q, v), b = evaluate(flat, q, v);
  EXPECT_EQ(a.S, b.S);
  EXPECT_EQ(a.S_rate, b.S_rate);
  EXPECT_EQ(a.c_J, b.c_J);
  check_joint(nested, q, v);
}

TEST(Composite, LosesRankWhereItsJointsAlign) {
  const Joint joint = Composite({Revolute{}, Universal{}});  // z, x, y: the y axis meets z after a quarter turn about x
  EXPECT_EQ(rank_of_S(joint, {0.4, 0.3, 0.9}), 3);
  EXPECT_EQ(rank_of_S(joint, {0.4, pi / 2, 0.9}), 2);
  check_joint(joint, {0.4, pi / 2, 0.9}, {0.3, 0.7, -0.5}, {.regular = false});
}

}  // namespace
}  // namespace cardan::test
