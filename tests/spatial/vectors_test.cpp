// Spatial vectors against dense 6-vectors, and the identities of Tables 2.1 and 2.3.
#include "cardan/spatial/vectors.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test::vectors_test {
namespace {

constexpr int kCases = 50;

TEST(Vectors, ArithmeticIsThatOfSixNumbers) {
  Random random(1);
  for (int i = 0; i < kCases; ++i) {
    const MotionVector<double> a = random.motion(), b = random.motion();
    const ForceVector<double> f = random.force(), g = random.force();
    const double s = random.uniform();
    EXPECT_EQ(dense(a + b), dense(a) + dense(b));
    EXPECT_EQ(dense(a - b), dense(a) - dense(b));
    EXPECT_EQ(dense(-a), -dense(a));
    EXPECT_EQ(dense(s * a), s * dense(a));
    EXPECT_EQ(dense(f + g), dense(f) + dense(g));
    EXPECT_EQ(dense(f - g), dense(f) - dense(g));
    EXPECT_EQ(dense(s * f), s * dense(f));
    EXPECT_NEAR(dot(a, f), dense(a).dot(dense(f)), 1e-15);
    EXPECT_EQ(dot(a, f), dot(f, a));
    EXPECT_TRUE(near(dense(cross(a, b)), crm(a) * dense(b), 1e-15, 1.0));
    EXPECT_TRUE(near(dense(cross(a, f)), crf(a) * dense(f), 1e-15, 1.0));
  }
}

TEST(Vectors, IdentitiesOfTable21) {
  Random random(2);
  for (int i = 0; i < kCases; ++i) {
    const Vector3 a = dense(random.vector()), b = dense(random.vector());
    const Matrix3 E = dense(random.rotation()), ax = dense(skew(Vec3<double>{a(0), a(1), a(2)})), bx = skew3(b);
    EXPECT_EQ(ax, -ax.transpose());
    EXPECT_TRUE(near(skew3(E * a), E * ax * E.transpose(), 1e-14));
    EXPECT_TRUE(near(skew3(a.cross(b)), ax * bx - bx * ax, 1e-14));
    EXPECT_TRUE(near(skew3(a.cross(b)), b * a.transpose() - a * b.transpose(), 1e-14));
    EXPECT_TRUE(near(ax * bx, b * a.transpose() - a.dot(b) * Matrix3::Identity(), 1e-14));
    EXPECT_TRUE(near(skew3(2.5 * a), 2.5 * ax, 1e-15));
    EXPECT_TRUE(near(ax * b, -bx * a, 1e-15));
    EXPECT_TRUE(near(ax * a, Vector3(Vector3::Zero()), 1e-15, 1.0));
  }
}

TEST(Vectors, IdentitiesOfTable23) {  // identity 9
  Random random(3);
  for (int i = 0; i < kCases; ++i) {
    const MotionVector<double> u = random.motion(), v = random.motion(), m = random.motion();
    const ForceVector<double> f = random.force();
    EXPECT_EQ(crf(v), -crm(v).transpose());
    EXPECT_TRUE(near(dense(cross(u, v)), -dense(cross(v, u)), 1e-15));
    EXPECT_TRUE(near(crm(cross(u, v)), crm(u) * crm(v) - crm(v) * crm(u), 1e-14));
    EXPECT_TRUE(near(crf(cross(u, v)), crf(u) * crf(v) - crf(v) * crf(u), 1e-14));
    EXPECT_NEAR(dot(cross(u, v), f), -dot(v, cross(u, f)), 1e-14);
    // Jacobi
    const Vector6 sum = dense(cross(u, cross(v, m))) + dense(cross(v, cross(m, u))) + dense(cross(m, cross(u, v)));
    EXPECT_TRUE(near(sum, Vector6(Vector6::Zero()), 1e-14, 1.0));
  }
}

TEST(Vectors, VelocityFieldAndForcesAtPoints) {
  Random random(4);
  for (int i = 0; i < kCases; ++i) {
    const MotionVector<double> v = random.motion(), u = random.motion();
    const Vec3<double> P = random.vector(), f = random.vector();
    // the field of a sum is the sum of the fields; it does not depend on the origin (Eq. 2.5)
    EXPECT_TRUE(
        near(dense(point_velocity(u + v, P)), dense(point_velocity(u, P)) + dense(point_velocity(v, P)), 1e-14));
    const Transform<double> to_P{Mat3<double>::identity(), P};
    EXPECT_TRUE(near(dense((to_P * v).linear), dense(point_velocity(v, P)), 1e-15));
    // power of a force at P
    EXPECT_NEAR(dot(force_at_point(f, P), v), dot(f, point_velocity(v, P)), 1e-14);
  }
  // Example 2.2
  const MotionVector<double> d{{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}};
  const Vec3<double> moved = point_velocity(d, Vec3<double>{2.0, 0.0, 0.0});
  EXPECT_DOUBLE_EQ(moved[1], 0.5 + 2.0 * 0.3);
  EXPECT_DOUBLE_EQ(moved[2], 0.6 - 2.0 * 0.2);
}

TEST(Vectors, ScrewDecomposition) {  // section 2.5
  Random random(5);
  for (int i = 0; i < kCases; ++i) {
    const MotionVector<double> s = random.motion();
    const Screw<double> screw = screw_of(s);
    const Vector3 direction = dense(screw.direction), point = dense(screw.point);
    EXPECT_NEAR(direction.norm(), 1.0, 1e-15);
    EXPECT_NEAR(direction.dot(point), 0.0, 1e-14);
    Vector6 again;
    again << screw.magnitude * direction, screw.magnitude * (point.cross(direction) + screw.pitch * direction);
    EXPECT_TRUE(near(again, dense(s), 1e-14));
    // points on the axis move along it
    const Vector3 on_axis = point + 1.7 * direction;
    const Vector3 velocity = dense(point_velocity(s, Vec3<double>{on_axis(0), on_axis(1), on_axis(2)}));
    EXPECT_TRUE(near(velocity, screw.magnitude * screw.pitch * direction, 1e-13, 1.0));
    // the pitch is the same in every frame
    const Pose<double> pose = random.pose();
    EXPECT_NEAR(screw_of(from_pose(pose.R, pose.p) * s).pitch, screw.pitch, 1e-13 * (1 + std::abs(screw.pitch)));
  }
}

/// No axis, so that nothing is divided by zero: the direction and speed of the translation, an infinite pitch.
TEST(Vectors, ScrewOfATranslationAndOfNoMotion) {
  const Screw<double> shift = screw_of(MotionVector<double>{{}, {0.0, 3.0, -4.0}});
  EXPECT_EQ(shift.magnitude, 5.0);
  EXPECT_TRUE(near(dense(shift.direction), Vector3(0.0, 0.6, -0.8), 1e-15));
  EXPECT_EQ(dense(shift.point).norm(), 0.0);
  EXPECT_EQ(shift.pitch, INFINITY);
  const Screw<double> rest = screw_of(MotionVector<double>{});
  EXPECT_EQ(rest.magnitude, 0.0);
  EXPECT_EQ(rest.pitch, 0.0);
  EXPECT_EQ(dense(rest.direction).norm() + dense(rest.point).norm(), 0.0);
}

TEST(Vectors, SpatialAndClassicalAcceleration) {  // identity 12
  Random random(6);
  for (int i = 0; i < kCases; ++i) {
    const MotionVector<double> v = random.motion(), a = random.motion();
    EXPECT_TRUE(near(dense(spatial_acceleration(classical_acceleration(a, v), v)), dense(a), 1e-15));
    // a point of a body that turns uniformly about a line: no spatial acceleration, but towards the line it falls
    const Vec3<double> w = random.vector(), P = random.vector();
    const MotionVector<double> spin{w, Vec3<double>{}}, at_P = Transform<double>{Mat3<double>::identity(), P} * spin;
    const Vector3 centripetal = dense(w).cross(dense(w).cross(dense(P)));
    const MotionVector<double> seen = classical_acceleration(MotionVector<double>{}, at_P);
    EXPECT_TRUE(near(dense(seen.linear), centripetal, 1e-14));
    EXPECT_EQ(dense(seen.angular).norm(), 0.0);
  }
}

}  // namespace
}  // namespace cardan::test::vectors_test
