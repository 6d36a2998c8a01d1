// Rotations of every kind and Pluecker transforms against dense matrices.
#include "cardan/spatial/transform.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test::transforms_test {
namespace {

constexpr int kCases = 20;

Mat3<double> random_matrix(Random& random) {
  Mat3<double> out;
  for (auto& row : out.row) row = random.vector();
  return out;
}
Sym3<double> random_symmetric(Random& random) {
  const Vec3<double> a = random.vector(), b = random.vector();
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

/// rx, ry, rz of Eq. 2.19 to 2.21.
Matrix3 book_rotation(int axis, double c, double s) {
  Matrix3 out;
  if (axis == 0) out << 1, 0, 0, 0, c, s, 0, -s, c;
  if (axis == 1) out << c, 0, -s, 0, 1, 0, s, 0, c;
  if (axis == 2) out << c, s, 0, -s, c, 0, 0, 0, 1;
  return out;
}

/// Everything that a rotation of any kind does.
template <class R>
void check_rotation(const R& E, const Matrix3& D, Random& random) {
  const Vec3<double> v = random.vector();
  const Mat3<double> A = random_matrix(random), E2 = random.rotation();
  const Sym3<double> S = random_symmetric(random);
  EXPECT_TRUE(near(dense(as_matrix<double>(E)), D, 1e-15));
  EXPECT_TRUE(near(dense(rotate(E, v)), D * dense(v), 1e-15));
  EXPECT_TRUE(near(dense(rotate_back(E, v)), D.transpose() * dense(v), 1e-15));
  EXPECT_TRUE(near(dense(rotate(E, A)), D * dense(A) * D.transpose(), 2e-15));
  EXPECT_TRUE(near(dense(rotate_back(E, A)), D.transpose() * dense(A) * D, 2e-15));
  EXPECT_TRUE(near(dense(rotate(E, S)), D * dense(S) * D.transpose(), 2e-15));
  EXPECT_TRUE(near(dense(rotate_back(E, S)), D.transpose() * dense(S) * D, 2e-15));
  EXPECT_TRUE(near(dense(compose(E, E2)), D * dense(E2), 2e-15));
}

template <int A>
void check_axis_rotations(Random& random) {
  for (int i = 0; i < kCases; ++i) {
    const double angle = random.uniform(-4.0, 4.0), c = std::cos(angle), s = std::sin(angle);
    check_rotation(AxisRotation<A, double>{c, s}, book_rotation(A, c, s), random);
  }
}

TEST(Rotations, EveryKindDoesTheSame) {
  Random random(1);
  check_axis_rotations<0>(random);
  check_axis_rotations<1>(random);
  check_axis_rotations<2>(random);
  check_rotation(NoRotation{}, Matrix3::Identity(), random);
  for (int i = 0; i < kCases; ++i) {
    const Mat3<double> E = random.rotation();
    check_rotation(E, dense(E), random);
  }
}

/// Everything that a transform with any kind of rotation does.
template <class R>
void check_transform(const R& E, Random& random) {
  const Transform<double, R> X{E, random.vector()};
  const Pose<double> pose = random.pose();
  const Transform<double> X2 = from_pose(pose.R, pose.p);
  const Matrix6 XM = motion_transform(X), XF = force_transform(X);
  const MotionVector<double> m = random.motion();
  const ForceVector<double> f = random.force();
  EXPECT_TRUE(near(XF, XM.inverse().transpose(), 1e-14));
  EXPECT_TRUE(near(dense(X * m), XM * dense(m), 2e-15));
  EXPECT_TRUE(near(dense(inverse_apply(X, m)), XM.inverse() * dense(m), 2e-15));
  EXPECT_TRUE(near(dense(X * f), XF * dense(f), 2e-15));
  EXPECT_TRUE(near(dense(transpose_apply(X, f)), XM.transpose() * dense(f), 2e-15));
  EXPECT_TRUE(near(motion_transform(X * X2), XM * motion_transform(X2), 2e-15));
  EXPECT_TRUE(near(motion_transform(inverse(general(X))), XM.inverse(), 2e-15));
  // identity 9
  EXPECT_NEAR(dot(X * m, X * f), dot(m, f), 1e-14);
  EXPECT_TRUE(near(crm(X * m), XM * crm(m) * XM.inverse(), 1e-14));
  EXPECT_TRUE(near(crf(X * m), XF * crf(m) * XF.inverse(), 1e-14));
}

TEST(Transforms, EveryKindAgainstDense) {
  Random random(2);
  for (int i = 0; i < kCases; ++i) {
    const double angle = random.uniform(-4.0, 4.0), c = std::cos(angle), s = std::sin(angle);
    check_transform(random.rotation(), random);
    check_transform(AxisRotation<0, double>{c, s}, random);
    check_transform(AxisRotation<1, double>{c, s}, random);
    check_transform(AxisRotation<2, double>{c, s}, random);
    check_transform(NoRotation{}, random);
  }
}

TEST(Transforms, PoseAndTransformDescribeTheSameFrame) {
  Random random(3);
  for (int i = 0; i < kCases; ++i) {
    const Pose<double> a = random.pose(), b = random.pose(), ab = a * b;
    // going to b inside a is the transform to a, then to b
    const Transform<double> X = from_pose(b.R, b.p) * from_pose(a.R, a.p), whole = from_pose(ab.R, ab.p);
    EXPECT_TRUE(near(motion_transform(X), motion_transform(whole), 2e-15));
    const Vec3<double> point = random.vector();
    EXPECT_TRUE(near(dense(ab * point), dense(a * (b * point)), 2e-15));
  }
}

TEST(Transforms, RateOfAMovingFrame) {  // Eq. 2.45: d/dt X = -v x X, v in the new frame
  Random random(4);
  const Pose<double> pose = random.pose();
  const MotionVector<double> v = random.motion();
  const auto X = [&](double t) {
    return motion_transform([&] {
      const Pose<double> moved = pose * exp_se3(t * v.angular, t * v.linear);
      return from_pose(moved.R, moved.p);
    }());
  };
  const double h = 1e-3;
  const Matrix6 rate = (8 * (X(h) - X(-h)) - (X(2 * h) - X(-2 * h))) / (12 * h);
  EXPECT_TRUE(near(rate, -crm(v) * X(0), 1e-11));
}

}  // namespace
}  // namespace cardan::test::transforms_test
