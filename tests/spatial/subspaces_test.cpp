// Every type of motion subspace against its dense columns, what an articulated inertia passes through a joint, and
// the motion that inverse dynamics carries from body to body.
#include "cardan/spatial/newton_euler_motion.hpp"
#include "cardan/spatial/projected_inertia.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test::subspaces_test {
namespace {

template <int N>
Vector<double, N> random_vector(Random& random) {
  Vector<double, N> out;
  for (int i = 0; i < N; ++i) out[i] = random.uniform();
  return out;
}

/// A physical articulated inertia: a body with another that slides on it.
ArticulatedInertia<double> random_articulated(Random& random) {
  const MassProperties a = random.mass(), b = random.mass();
  ArticulatedInertia<double> out = articulated(rigid_body_inertia(a.mass, a.com, a.inertia));
  const ArticulatedInertia<double> other = articulated(rigid_body_inertia(b.mass, b.com, b.inertia));
  const UnitTranslation<1> slide;
  const auto U = other * slide;
  const ForceMatrix<double, 1> K{{(1.0 / U.column[0].force[1]) * U.column[0]}};
  const auto passed = full(project(slide, other, U, K));
  out += passed;
  return out;
}

template <class S>
void check_subspace(const S& s, Random& random) {
  constexpr int n = S::n;
  const Eigen::Matrix<double, 6, n> D = dense(columns<double>(s));
  const Vector<double, n> x = random_vector<n>(random);
  const ForceVector<double> f = random.force();
  const MotionVector<double> m = random.motion();
  const MassProperties mass = random.mass();
  const RigidBodyInertia<double> I = rigid_body_inertia(mass.mass, mass.com, mass.inertia);
  const ArticulatedInertia<double> A = random_articulated(random);

  EXPECT_TRUE(near(dense(s * x), Vector6(D * dense(x)), 1e-15));
  MotionVector<double> sum = m;
  add_to(sum, s, x);
  EXPECT_TRUE(near(dense(sum), Vector6(dense(m) + D * dense(x)), 1e-15));
  EXPECT_TRUE(near(dense(dot(s, f)), D.transpose() * dense(f), 1e-14, 1.0));
  EXPECT_TRUE(near(dense(I * s), dense(I) * D, 1e-14));
  const auto U = A * s;
  EXPECT_TRUE(near(dense(U), dense(A) * D, 1e-14));
  EXPECT_TRUE(near(dense(dot(s, U)), D.transpose() * dense(A) * D, 1e-14));
  EXPECT_TRUE(near(dense(U * x), dense(U) * dense(x), 1e-14));
  EXPECT_TRUE(near(dense(dot(U, m)), dense(U).transpose() * dense(m), 1e-14, 1.0));
  EXPECT_TRUE(near(dense(minus_dot(x, U, m)), dense(x) - dense(U).transpose() * dense(m), 1e-14, 1.0));

  // I^a = I^A - U D^-1 U' (Eq. 7.24), and I^a S = 0 (identity 16)
  const Eigen::MatrixXd K_dense = dense(U) * (D.transpose() * dense(A) * D).inverse();
  ForceMatrix<double, n> K;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 6; ++i) K.column[k][i] = K_dense(i, k);
  const Matrix6 I_a = dense(A) - K_dense * dense(U).transpose();
  const auto projected = project(s, A, U, K);
  const double size = dense(A).norm();
  EXPECT_TRUE(near(dense(full(projected)), I_a, 1e-12, size));
  EXPECT_TRUE(near(dense(full(projected)) * D, Eigen::MatrixXd(Eigen::MatrixXd::Zero(6, n)), 1e-12, size));
  const Transform<double> X{random.rotation(), random.vector()};
  const Matrix6 XM = motion_transform(X);
  EXPECT_TRUE(near(dense(transpose_apply(X, projected)), XM.transpose() * I_a * XM, 1e-12, size));
}

template <int A>
void check_shift_between_parallel_frames(Random& random) {
  const Transform<double, NoRotation> X{{}, random.vector()};
  const ArticulatedInertia<double> I = random_articulated(random);
  const auto U = I * UnitTranslation<A>{};
  const ForceMatrix<double, 1> K{{(1.0 / U.column[0].force[A]) * U.column[0]}};
  const auto p = project(UnitTranslation<A>{}, I, U, K);
  const Matrix6 XM = motion_transform(general(X));
  EXPECT_TRUE(near(dense(transpose_apply(X, p)), XM.transpose() * dense(full(p)) * XM, 1e-12, dense(I).norm()));
}

template <int A>
void check_turn_about_the_joints_axis(Random& random) {
  const double angle = random.uniform(-4.0, 4.0);
  const Transform<double, AxisRotation<A, double>> X{{std::cos(angle), std::sin(angle)}, random.vector()};
  const ArticulatedInertia<double> I = random_articulated(random);
  const auto [shift, turn] = split(X);
  const ArticulatedInertia<double> turned = rotate_back(turn, I);
  const auto U = turned * UnitRotation<A>{};
  const ForceMatrix<double, 1> K{{(1.0 / U.column[0].moment[A]) * U.column[0]}};
  // X' (I - U D^-1 U') X, with U and D as they are after the turn
  const Matrix6 XM = motion_transform(X);
  const Eigen::Matrix<double, 6, 1> U_after = dense(I).col(A);
  const Matrix6 I_a = dense(I) - U_after * U_after.transpose() / U_after[A];
  EXPECT_TRUE(
      near(dense(transpose_apply(shift, project(UnitRotation<A>{}, turned, U, K))), XM.transpose() * I_a * XM, 1e-13));
  // the two steps are X
  const MotionVector<double> m = random.motion();
  EXPECT_TRUE(near(dense(rotate(turn, shift * m)), dense(X * m), 1e-15));
}

TEST(Subspaces, EveryTypeAgainstItsColumns) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    check_subspace(UnitRotation<0>{}, random);
    check_subspace(UnitRotation<1>{}, random);
    check_subspace(UnitRotation<2>{}, random);
    check_subspace(UnitTranslation<0>{}, random);
    check_subspace(UnitTranslation<1>{}, random);
    check_subspace(UnitTranslation<2>{}, random);
    check_subspace(TranslationAlong<double>{random.direction()}, random);
    check_subspace(AllRotations{}, random);
    check_subspace(AllMotions{}, random);
    check_subspace(MotionMatrix<double, 1>{{random.motion()}}, random);
    check_subspace(MotionMatrix<double, 2>{{random.motion(), random.motion()}}, random);
    check_subspace(MotionMatrix<double, 3>{{random.motion(), random.motion(), random.motion()}}, random);
    check_turn_about_the_joints_axis<0>(random);
    check_turn_about_the_joints_axis<1>(random);
    check_turn_about_the_joints_axis<2>(random);
    check_shift_between_parallel_frames<0>(random);
    check_shift_between_parallel_frames<1>(random);
    check_shift_between_parallel_frames<2>(random);
  }
}

/// a_i = X a + S qdd + c_J + v x S qd and f = I a + v x* I v with dense spatial vectors, against NewtonEulerMotion.
template <class R, class S, class Bias>
void check_body_motion(const R& E, const S& s, const Bias& c_J, Random& random) {
  constexpr int n = S::n;
  const Transform<double, R> X{E, random.vector()};
  const Matrix6 XM = motion_transform(X);
  const MotionVector<double> v_parent = random.motion(), a_parent = random.motion();
  const Vector<double, n> qd = random_vector<n>(random), qdd = random_vector<n>(random);
  const MassProperties m = random.mass();
  const RigidBodyInertia<double> I = rigid_body_inertia(m.mass, m.com, m.inertia);

  NewtonEulerMotion<double> k;
  k.w = v_parent.angular;
  k.dw = a_parent.angular;
  k.a = classical_acceleration(a_parent, v_parent).linear;
  k.update_tensor();
  propagate(k, X, s, qd, c_J);
  accelerate(k, s, qdd);
  k.update_tensor();

  const Eigen::Matrix<double, 6, n> D = dense(columns<double>(s));
  const Vector6 v_J = D * dense(qd), v = XM * dense(v_parent) + v_J;
  Vector6 a = XM * dense(a_parent) + D * dense(qdd) + crm(v) * v_J;
  if constexpr (!std::same_as<Bias, Zero>) a += dense(c_J);
  Vector3 w = v.head<3>(), linear = v.tail<3>();
  EXPECT_TRUE(near(dense(k.w), w, 1e-14));
  EXPECT_TRUE(near(dense(k.dw), Vector3(a.head<3>()), 1e-14, 1.0));
  // NewtonEulerMotion leaves out linear velocity: its force is that of the classical acceleration
  EXPECT_TRUE(near(dense(k.a), Vector3(a.tail<3>() + w.cross(linear)), 1e-14, 1.0));
  const Vector6 f = dense(I) * a + crf(v) * dense(I) * v;
  EXPECT_TRUE(near(dense(I * k), f, 1e-13, 1.0));
}

TEST(NewtonEulerMotion, CarriesTheAccelerationsOfSpatialVectors) {
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const double angle = random.uniform(-4.0, 4.0), c = std::cos(angle), s = std::sin(angle);
    check_body_motion(AxisRotation<0, double>{c, s}, UnitRotation<0>{}, Zero{}, random);
    check_body_motion(AxisRotation<1, double>{c, s}, UnitRotation<1>{}, Zero{}, random);
    check_body_motion(AxisRotation<2, double>{c, s}, UnitRotation<2>{}, Zero{}, random);
    check_body_motion(NoRotation{}, UnitTranslation<1>{}, Zero{}, random);
    check_body_motion(NoRotation{}, TranslationAlong<double>{random.direction()}, Zero{}, random);
    check_body_motion(random.rotation(), UnitRotation<2>{}, Zero{}, random);
    check_body_motion(random.rotation(), AllRotations{}, Zero{}, random);
    check_body_motion(random.rotation(), AllMotions{}, Zero{}, random);
    check_body_motion(random.rotation(), MotionMatrix<double, 2>{{random.motion(), random.motion()}}, random.motion(),
                      random);
  }
}

}  // namespace
}  // namespace cardan::test::subspaces_test
