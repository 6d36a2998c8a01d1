// Rigid, articulated and inverse inertias against dense 6x6 matrices (identities 10 and 11).
#include "cardan/spatial/articulated_inertia.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

constexpr int kCases = 20;

RigidBodyInertia<double> random_rigid(Random& random) {
  const MassProperties m = random.mass();
  return rigid_body_inertia(m.mass, m.com, m.inertia);
}
/// A sum of rigid ones seen from several frames, less something: positive definite and of no special form.
ArticulatedInertia<double> random_articulated(Random& random) {
  const Matrix6 G = Matrix6::NullaryExpr([&] { return random.uniform(); });
  const Matrix6 A = G * G.transpose() + Matrix6::Identity();
  ArticulatedInertia<double> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      out.I(i, j) = A(i, j);
      out.H(i, j) = A(i, j + 3);
      out.M(i, j) = A(i + 3, j + 3);
    }
  return out;
}

template <class R>
void check_inertias(const R& E, Random& random) {
  const Transform<double, R> X{E, random.vector()};
  const Matrix6 XM = motion_transform(X), XF = force_transform(X);
  const RigidBodyInertia<double> I = random_rigid(random);
  const ArticulatedInertia<double> A = random_articulated(random);
  EXPECT_TRUE(near(dense(X * I), XF * dense(I) * XM.inverse(), 5e-15));
  EXPECT_TRUE(near(dense(transpose_apply(X, I)), XM.transpose() * dense(I) * XM, 5e-15));
  EXPECT_TRUE(near(dense(transpose_apply(X, A)), XM.transpose() * dense(A) * XM, 5e-15));
  if constexpr (!std::same_as<R, NoRotation>) {
    EXPECT_TRUE(near(dense(X * A), XF * dense(A) * XM.inverse(), 5e-15));
  }
}

TEST(Inertias, TransformsOfEveryKind) {
  Random random(1);
  for (int i = 0; i < kCases; ++i) {
    const double angle = random.uniform(-4.0, 4.0), c = std::cos(angle), s = std::sin(angle);
    check_inertias(random.rotation(), random);
    check_inertias(AxisRotation<0, double>{c, s}, random);
    check_inertias(AxisRotation<1, double>{c, s}, random);
    check_inertias(AxisRotation<2, double>{c, s}, random);
    check_inertias(NoRotation{}, random);
  }
}

TEST(Inertias, SumsScalesAndProducts) {
  Random random(2);
  for (int i = 0; i < kCases; ++i) {
    const RigidBodyInertia<double> a = random_rigid(random), b = random_rigid(random);
    const ArticulatedInertia<double> A = random_articulated(random), B = random_articulated(random);
    const MotionVector<double> v = random.motion();
    EXPECT_TRUE(near(dense(a + b), dense(a) + dense(b), 1e-15));
    EXPECT_TRUE(near(dense(1.7 * a), 1.7 * dense(a), 1e-15));
    EXPECT_TRUE(near(dense(A + B), dense(A) + dense(B), 1e-15));
    EXPECT_TRUE(near(dense(1.7 * A), 1.7 * dense(A), 1e-15));
    EXPECT_TRUE(near(dense(A + b), dense(A) + dense(b), 1e-15));
    EXPECT_EQ(dense(articulated(a)), dense(a));
    EXPECT_TRUE(near(dense(a * v), dense(a) * dense(v), 2e-15));
    EXPECT_TRUE(near(dense(A * v), dense(A) * dense(v), 2e-15));
    EXPECT_NEAR(kinetic_energy(a, v), 0.5 * dense(v).dot(dense(a) * dense(v)), 1e-14);
  }
}

TEST(Inertias, FromMassPropertiesIsTheBooksMatrix) {  // Eq. 2.63
  Random random(3);
  for (int i = 0; i < kCases; ++i) {
    const MassProperties m = random.mass();
    const Matrix3 c = skew3(dense(m.com));
    const Matrix6 expected = blocks(dense(m.inertia) + m.mass * c * c.transpose(), m.mass * c, m.mass * c.transpose(),
                                    m.mass * Matrix3::Identity());
    const Matrix6 ours = dense(rigid_body_inertia(m.mass, m.com, m.inertia));
    EXPECT_TRUE(near(ours, expected, 1e-15));
    EXPECT_EQ(Eigen::LLT<Matrix6>(ours).info(), Eigen::Success);
    // moved to the center of mass it is the given inertia
    const Transform<double> to_com{Mat3<double>::identity(), m.com};
    EXPECT_TRUE(near(dense((to_com * rigid_body_inertia(m.mass, m.com, m.inertia)).I), dense(m.inertia), 1e-13));
  }
}

TEST(Inertias, Inverses) {  // identity 11, Eq. 2.74
  Random random(4);
  for (int i = 0; i < kCases; ++i) {
    const MassProperties m = random.mass();
    const Matrix6 I = dense(rigid_body_inertia(m.mass, m.com, m.inertia));
    const InverseInertia<double> Phi = inverse_inertia(m.mass, m.com, m.inertia);
    EXPECT_TRUE(near(I * dense(Phi), Matrix6(Matrix6::Identity()), 1e-12));
    const ArticulatedInertia<double> A = random_articulated(random);
    EXPECT_TRUE(near(dense(A) * dense(inverse(A)), Matrix6(Matrix6::Identity()), 1e-11));
    const ForceVector<double> f = random.force();
    EXPECT_TRUE(near(dense(Phi * f), dense(Phi) * dense(f), 1e-14));
    const Sym3<double> S = A.M;
    EXPECT_TRUE(near(dense(inverse(S)) * dense(S), Matrix3(Matrix3::Identity()), 1e-12));
  }
}

TEST(Inertias, SumAndTransformCommuteAndTheRateIsRight) {  // identity 11
  Random random(5);
  for (int i = 0; i < kCases; ++i) {
    const Pose<double> pose = random.pose();
    const Transform<double> X = from_pose(pose.R, pose.p);
    const RigidBodyInertia<double> a = random_rigid(random), b = random_rigid(random);
    EXPECT_TRUE(near(dense(X * (a + b)), dense(X * a) + dense(X * b), 1e-14));
    // I_dot = v x* I - I v x for a body that moves with v (both in the world)
    const MotionVector<double> v = random.motion();
    const auto at = [&](double t) {
      const Pose<double> moved = exp_se3(t * v.angular, t * v.linear);
      return dense(transpose_apply(from_pose(moved.R, moved.p), a));
    };
    const double h = 1e-3;
    const Matrix6 rate = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    EXPECT_TRUE(near(rate, crf(v) * dense(a) - dense(a) * crm(v), 1e-10));
  }
}

TEST(Inertias, EquationOfMotionIsNewtonAndEuler) {  // Example 2.6: at the center of mass
  Random random(6);
  const MassProperties m = random.mass();
  const RigidBodyInertia<double> I = rigid_body_inertia(m.mass, Vec3<double>{}, m.inertia);
  const MotionVector<double> v = random.motion(), a = random.motion();
  const Vector6 f = dense(I * a) + dense(cross(v, I * v));
  const Vector3 w = dense(v.angular), classical = dense(classical_acceleration(a, v).linear);
  EXPECT_TRUE(near(Vector3(f.tail<3>()), Vector3(m.mass * classical), 1e-14));
  EXPECT_TRUE(
      near(Vector3(f.head<3>()), Vector3(dense(m.inertia) * dense(a.angular) + w.cross(dense(m.inertia) * w)), 1e-14));
}

}  // namespace
}  // namespace cardan::test
