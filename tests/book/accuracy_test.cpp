// The numbers of chapter 10 on accuracy: sensitivity of chains and trees (10.2, with the erratum 0.6592 for the printed
// 0.6952) and the loss of digits by a far-away frame of reference (10.1).
#include "cardan/model/model_builder.hpp"
#include "cardan/spatial/planar.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// n links of unit length and mass in the plane, center of mass in the middle, inertia 1/12; each hangs on the end of
/// another: link i on link parent_of(i), where 0 is the world.
template <class Parent>
Model unit_links(int n, const Parent& parent_of) {
  ModelBuilder builder;
  builder.gravity(Vec3<double>{});
  const MassProperties link{1.0, Vec3<double>{0.5, 0.0, 0.0}, Sym3<double>{1.0, 1.0, 1.0 / 12.0, 0.0, 0.0, 0.0}};
  for (int i = 1; i <= n; ++i) {
    Pose<double> at;
    const int parent = parent_of(i);
    if (parent > 0) at.p = Vec3<double>{1.0, 0.0, 0.0};
    const std::string name = std::to_string(i);
    builder.body(name, link).joint(parent == 0 ? "world" : std::to_string(parent), name, Revolute{}, at);
  }
  return builder.build();
}
Model unit_chain(int n) {
  return unit_links(n, [](int i) { return i - 1; });
}
Model unit_binary_tree(int n) {
  return unit_links(n, [](int i) { return i / 2; });
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

/// At zero angles, where all links lie on one line.
double straight_condition(const Model& model) {
  return condition(Poisoned(model).mass_matrix(VectorXd::Zero(model.nv())));
}

/// The slope of the straight line nearest to points (log x, log y).
double fitted_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const VectorXd log_x = Eigen::Map<const VectorXd>(x.data(), n).array().log();
  const VectorXd log_y = Eigen::Map<const VectorXd>(y.data(), n).array().log();
  const VectorXd from_mean = log_x.array() - log_x.mean();
  return from_mean.dot(log_y) / from_mean.squaredNorm();
}

TEST(Sensitivity, WorstConditionGrowsWithTheFourthPowerOfTheLength) {
  std::vector<double> length, found;
  for (const int n : {6, 10, 20, 40, 80, 160}) {  // about 4 n^4
    length.push_back(n);
    found.push_back(straight_condition(unit_chain(n)));
    std::printf("    straight chain of %3d links: condition %.4g, %.3f of 4 n^4\n", n, found.back(),
                found.back() / (4.0 * std::pow(n, 4)));
    EXPECT_NEAR(found.back() / (4.0 * std::pow(n, 4)), 1.0, 0.25) << n;
  }
  std::printf("    slope %.3f\n", fitted_slope(length, found));
  EXPECT_NEAR(fitted_slope(length, found), 4.0, 0.05);
}

TEST(Sensitivity, BranchesLowerIt) {
  std::vector<double> number, found;
  for (const int levels : {3, 4, 5, 6, 7}) {
    const int n = (1 << levels) - 1;
    number.push_back(n);
    found.push_back(straight_condition(unit_binary_tree(n)));
    std::printf("    binary tree of %3d links, %d deep: condition %.4g; chain of as many: %.4g\n", n, levels,
                found.back(), straight_condition(unit_chain(n)));
  }
  std::printf("    slope %.3f\n", fitted_slope(number, found));
  EXPECT_LT(fitted_slope(number, found), 2.0);
  EXPECT_LT(found.back(), 1e-3 * straight_condition(unit_chain(127)));
}

/// Errors of the acceleration of the body of section 10.1 when its equation of motion is solved in a frame whose origin
/// is -c away from its center of mass; the exact answer is (1, cy - 1, 1 - cx) there, (1, -1, 1) at the center.
struct RoundingError {
  double relative_at_origin, largest_at_center;
};
RoundingError round_off(double cx, double cy) {
  const PlanarInertia<double> I = planar_inertia(1.0, cx, cy, 1.0);
  const PlanarTransform<double> to_com = planar_transform(0.0, cx, cy);
  const PlanarMotion<double> v = inverse_apply(to_com, PlanarMotion<double>{1.0, 0.0, 0.0});
  const PlanarForce<double> f = transpose_apply(to_com, PlanarForce<double>{1.0, -1.0, 1.0}) - cross(v, I * v);
  const Vector3 a = dense(full(I)).partialPivLu().solve(Vector3(f.n, f.x, f.y));
  const PlanarMotion<double> at_com = to_com * PlanarMotion<double>{a[0], a[1], a[2]};
  const Vector3 exact(1.0, cy - 1.0, 1.0 - cx);
  return {(a - exact).norm() / exact.norm(),
          std::max({std::abs(at_com.w - 1.0), std::abs(at_com.x + 1.0), std::abs(at_com.y - 1.0)})};
}

TEST(RoundOff, FarAwayFrameOfSection101) {
  const Matrix3 I = dense(full(planar_inertia(1.0, 100.0, 10.0, 1.0)));
  Matrix3 expected;
  expected << 10101, -10, 100, -10, 1, 0, 100, 0, 1;
  EXPECT_EQ(I, expected);
  EXPECT_NEAR(condition(I) / 1.02e8, 1.0, 0.005);
  EXPECT_LT(round_off(100.0, 10.0).relative_at_origin, 1e-10);
  EXPECT_LT(round_off(0.5, 0.3).relative_at_origin, 4e-16);
}

TEST(RoundOff, CurveOfFigure102) {
  const auto mean = [](double distance) {
    constexpr int kDirections = 1000;
    double sum = 0.0;
    for (int i = 0; i < kDirections; ++i)
      sum += round_off(distance * std::cos(0.1 + i), distance * std::sin(0.1 + i)).largest_at_center;
    std::printf("    |c| = %g: error at the center of mass %.2g\n", distance, sum / kDirections);
    return sum / kDirections;
  };
  std::vector<double> distance, error;
  for (const double c : {10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10000.0}) {
    distance.push_back(c);
    error.push_back(mean(c));
  }
  std::printf("    slope %.3f\n", fitted_slope(distance, error));
  EXPECT_NEAR(fitted_slope(distance, error), 2.0, 0.1);
  // flat up to the radius of gyration
  const double near_by = mean(0.1), close = mean(1.0);
  EXPECT_LT(close, 8 * near_by);
  EXPECT_LT(close, 1e-15);
}

}  // namespace
}  // namespace cardan::test
