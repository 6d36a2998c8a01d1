// The numbers of chapter 10 on accuracy: sensitivity of a zigzag chain (10.2, with the erratum 0.6592 for the printed
// 0.6952) and the loss of digits by a far-away frame of reference (10.1).
#include "cardan/model/model_builder.hpp"
#include "cardan/spatial/planar.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// n links of unit length and mass in the plane, center of mass in the middle, inertia 1/12.
Model unit_chain(int n) {
  ModelBuilder builder;
  builder.gravity(Vec3<double>{});
  const MassProperties link{1.0, Vec3<double>{0.5, 0.0, 0.0}, Sym3<double>{1.0, 1.0, 1.0 / 12.0, 0.0, 0.0, 0.0}};
  for (int i = 1; i <= n; ++i) {
    Pose<double> at;
    if (i > 1) at.p = Vec3<double>{1.0, 0.0, 0.0};
    const std::string parent = i == 1 ? "world" : std::to_string(i - 1);
    builder.body(std::to_string(i), link).joint(parent, std::to_string(i), Revolute{}, at);
  }
  return builder.build();
}
double condition(const MatrixXd& H) {
  const VectorXd e = Eigen::SelfAdjointEigenSolver<MatrixXd>(H).eigenvalues();
  return e.maxCoeff() / e.minCoeff();
}

TEST(Sensitivity, ZigzagChainOfSection102) {
  const Model model = unit_chain(6);
  Poisoned run(model);
  const double angle = 75.0 * std::numbers::pi / 180.0;
  VectorXd q(6), still = VectorXd::Zero(6), rounded(6), printed_tau(6), printed_qdd(6);
  q << angle, -angle, angle, -angle, angle, -angle;
  printed_tau << 126.4936, 97.4663, 69.9762, 43.7998, 21.9371, 6.1646;
  rounded << 126, 97.5, 70.0, 43.8, 21.9, 6.16;
  printed_qdd << 0.6592, 1.3654, 1.3808, 0.5894, 0.9057, 1.0705;
  const VectorXd tau = run.inverse_dynamics(q, still, VectorXd::Ones(6));
  EXPECT_GE((tau - printed_tau).minCoeff(), 0.0);  // the printed digits are cut, not rounded
  EXPECT_LT((tau - printed_tau).maxCoeff(), 1e-4);
  const VectorXd qdd = run.forward_dynamics(q, still, rounded);
  EXPECT_LT((qdd - printed_qdd).cwiseAbs().maxCoeff(), 0.6e-4);
  EXPECT_NEAR(condition(run.mass_matrix(q)), 725.39, 0.005);
}

TEST(Sensitivity, WorstConditionGrowsWithTheFourthPowerOfTheLength) {
  for (const int n : {6, 10}) {  // straight chains: about 4 n^4
    const Model model = unit_chain(n);
    const double worst = condition(Poisoned(model).mass_matrix(VectorXd::Zero(n)));
    EXPECT_NEAR(worst / (4.0 * std::pow(n, 4)), 1.0, 0.25) << n;
  }
}

/// Solves the equation of motion of the body of section 10.1 seen from a frame whose origin is -c away from its center
/// of mass; the exact answer is (1, cy - 1, 1 - cx).
double round_off(double cx, double cy) {
  const PlanarInertia<double> I = planar_inertia(1.0, cx, cy, 1.0);
  const PlanarTransform<double> to_com = planar_transform(0.0, cx, cy);
  const PlanarMotion<double> v = inverse_apply(to_com, PlanarMotion<double>{1.0, 0.0, 0.0});
  const PlanarForce<double> f = transpose_apply(to_com, PlanarForce<double>{1.0, -1.0, 1.0}) - cross(v, I * v);
  const Vector3 a = dense(full(I)).partialPivLu().solve(Vector3(f.n, f.x, f.y));
  return (a - Vector3(1.0, cy - 1.0, 1.0 - cx)).norm() / Vector3(1.0, cy - 1.0, 1.0 - cx).norm();
}

TEST(RoundOff, FarAwayFrameOfSection101) {
  const Matrix3 I = dense(full(planar_inertia(1.0, 100.0, 10.0, 1.0)));
  Matrix3 expected;
  expected << 10101, -10, 100, -10, 1, 0, 100, 0, 1;
  EXPECT_EQ(I, expected);
  EXPECT_NEAR(condition(I) / 1.02e8, 1.0, 0.005);
  EXPECT_LT(round_off(100.0, 10.0), 1e-10);
  EXPECT_LT(round_off(0.5, 0.3), 4e-16);
}

TEST(RoundOff, GrowsWithTheSquareOfTheDistance) {
  const auto mean = [](double distance) {
    double sum = 0.0;
    for (int i = 0; i < 200; ++i) sum += round_off(distance * std::cos(0.1 + i), distance * std::sin(0.1 + i));
    return sum / 200;
  };
  const double near_by = mean(0.1), close = mean(1.0), far = mean(100.0), farther = mean(1000.0);
  EXPECT_LT(close, 8 * near_by);     // flat up to the radius of gyration
  EXPECT_GT(farther / far, 10.0);    // then at least linear in the relative error,
  EXPECT_LT(farther / far, 1000.0);  // at most quadratic, give or take
}

}  // namespace
}  // namespace cardan::test
