// Planar vectors are spatial ones restricted to coordinates 3, 4, 5 (angular z, linear x, linear y): each operation is
// compared with dense 6x6 matrices built here from the definitions, and nonsense must not compile.
#include "cardan/spatial/planar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cardan/math/counted.hpp"

namespace cardan::planar_test {
namespace {

using Motion = PlanarMotion<double>;
using Force = PlanarForce<double>;
using X3 = PlanarTransform<double>;
using M3 = Mat3<double>;
using M6 = Matrix<double, 6, 6>;

template <class A, class B>
concept Adds = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Dots = requires(A a, B b) {
  dot(a, b);
};
template <class A, class B>
concept Crosses = requires(A a, B b) {
  cross(a, b);
};
template <class A, class B>
concept Multiplies = requires(A a, B b) {
  a* b;
};
template <class A, class B>
concept TransposeApplies = requires(A a, B b) {
  transpose_apply(a, b);
};

static_assert(Adds<Motion, Motion> && Adds<Force, Force> && !Adds<Motion, Force>);
static_assert(Dots<Motion, Force> && Dots<Force, Motion> && !Dots<Motion, Motion> && !Dots<Force, Force>);
static_assert(Crosses<Motion, Motion> && Crosses<Motion, Force> && !Crosses<Force, Force> && !Crosses<Force, Motion>);
static_assert(Multiplies<PlanarInertia<double>, Motion> && !Multiplies<PlanarInertia<double>, Force>);
static_assert(!Multiplies<PlanarArticulatedInertia<double>, Force> && !Multiplies<Motion, Motion>);
static_assert(TransposeApplies<X3, Force> && !TransposeApplies<X3, Motion>);
static_assert(!std::convertible_to<Motion, Force> && !std::convertible_to<Force, Motion>);

void put(M6& m, int row, int column, const M3& block) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(row + i, column + j) = block(i, j);
}

M3 sub_block(const M6& m) {
  const int keep[3] = {2, 3, 4};
  M3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m(keep[i], keep[j]);
  return out;
}

void expect_equal(const M3& a, const M3& b, double scale = 1) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a(i, j), b(i, j), 4e-15 * scale) << i << ", " << j;
}

Vec3<double> coordinates(const Motion& m) { return {m.w, m.x, m.y}; }
Vec3<double> coordinates(const Force& f) { return {f.n, f.x, f.y}; }

/// The 6x6 matrix of v x for a motion in the plane.
M6 spatial_cross(const Motion& v) {
  const M3 w = skew(Vec3<double>{0.0, 0.0, v.w}), linear = skew(Vec3<double>{v.x, v.y, 0.0});
  M6 out;
  put(out, 0, 0, w);
  put(out, 3, 3, w);
  put(out, 3, 0, linear);
  return out;
}

/// X = [E 0; -E r x, E] with E = rotz(theta).
M6 spatial_transform(double theta, double x, double y) {
  const double c = std::cos(theta), s = std::sin(theta);
  const M3 E = mat3<double>(c, s, 0, -s, c, 0, 0, 0, 1);
  M6 out;
  put(out, 0, 0, E);
  put(out, 3, 3, E);
  put(out, 3, 0, -1.0 * (E * skew(Vec3<double>{x, y, 0.0})));
  return out;
}

/// X^-1 = [E' 0; r x E', E'].
M6 spatial_inverse(double theta, double x, double y) {
  const double c = std::cos(theta), s = std::sin(theta);
  const M3 Et = mat3<double>(c, -s, 0, s, c, 0, 0, 0, 1);
  M6 out;
  put(out, 0, 0, Et);
  put(out, 3, 3, Et);
  put(out, 3, 0, skew(Vec3<double>{x, y, 0.0}) * Et);
  return out;
}

/// [I_C + m c x c x', m c x; m c x', m 1]; the other entries of I_C do not matter in the plane.
M6 spatial_inertia(double m, double cx, double cy, double about_com) {
  const M3 c = skew(Vec3<double>{cx, cy, 0.0});
  M6 out;
  put(out, 0, 0, mat3<double>(0.3, 0, 0, 0, 0.4, 0, 0, 0, about_com) + m * (c * transpose(c)));
  put(out, 0, 3, m * c);
  put(out, 3, 0, m * transpose(c));
  put(out, 3, 3, m * M3::identity());
  return out;
}

struct Planar : testing::Test {
  std::mt19937 random{11};
  std::uniform_real_distribution<double> u{-2, 2};
  double any() { return u(random); }
  Motion motion() { return {any(), any(), any()}; }
  Force force() { return {any(), any(), any()}; }
  PlanarArticulatedInertia<double> articulated() { return {any(), any(), any(), any(), any(), any()}; }
};

TEST_F(Planar, CrossProductsAreThoseOfSpace) {
  for (int i = 0; i < 100; ++i) {
    const Motion v = motion(), m = motion();
    const Force f = force();
    const M3 vx = sub_block(spatial_cross(v));
    expect_equal(crm(v), vx);
    expect_equal(crf(v), -1.0 * transpose(vx));
    EXPECT_LT(norm(coordinates(cross(v, m)) - vx * coordinates(m)), 1e-14);
    EXPECT_LT(norm(coordinates(cross(v, f)) + transpose(vx) * coordinates(f)), 1e-14);
    EXPECT_NEAR(dot(m, f), dot(coordinates(m), coordinates(f)), 1e-14);
    EXPECT_NEAR(dot(cross(v, m), f), -dot(m, cross(v, f)), 1e-13);
  }
}

TEST_F(Planar, TransformIsThatOfSpace) {
  for (int i = 0; i < 100; ++i) {
    const double theta = any(), x = any(), y = any();
    const X3 X = planar_transform(theta, x, y);
    const M3 forward = sub_block(spatial_transform(theta, x, y)), back = sub_block(spatial_inverse(theta, x, y));
    const Motion m = motion();
    const Force f = force();
    expect_equal(full(X), forward);
    expect_equal(full(inverse(X)), back);
    EXPECT_LT(norm(coordinates(X * m) - forward * coordinates(m)), 1e-14);
    EXPECT_LT(norm(coordinates(inverse_apply(X, m)) - back * coordinates(m)), 1e-14);
    EXPECT_LT(norm(coordinates(X * f) - transpose(back) * coordinates(f)), 1e-14);
    EXPECT_LT(norm(coordinates(transpose_apply(X, f)) - transpose(forward) * coordinates(f)), 1e-14);
    EXPECT_NEAR(dot(X * m, X * f), dot(m, f), 1e-13) << "power does not depend on the frame";
    const X3 Y = planar_transform(any(), any(), any());
    expect_equal(full(X * Y), full(X) * full(Y), 2);
  }
}

TEST_F(Planar, InertiaIsThatOfSpace) {
  for (int i = 0; i < 100; ++i) {
    const double m = any(), cx = any(), cy = any(), about_com = any(), theta = any(), x = any(), y = any();
    const auto I = planar_inertia(m, cx, cy, about_com);
    const X3 X = planar_transform(theta, x, y);
    const M6 dense = spatial_inertia(m, cx, cy, about_com);
    const M6 to = spatial_transform(theta, x, y), from = spatial_inverse(theta, x, y);
    expect_equal(full(I), sub_block(dense), 10);
    expect_equal(full(X * I), sub_block(transpose(from) * dense * from), 50);
    expect_equal(full(transpose_apply(X, I)), sub_block(transpose(to) * dense * to), 50);
    const Motion v = motion();
    EXPECT_LT(norm(coordinates(I * v) - sub_block(dense) * coordinates(v)), 1e-13);
    const auto J = planar_inertia(any(), any(), any(), any());
    expect_equal(full(I + J), full(I) + full(J), 10);
  }
}

TEST_F(Planar, ArticulatedInertiaIsThatOfSpace) {
  for (int i = 0; i < 100; ++i) {
    const double theta = any(), x = any(), y = any();
    const X3 X = planar_transform(theta, x, y);
    const auto A = articulated(), B = articulated();
    const auto I = planar_inertia(any(), any(), any(), any());
    M6 dense;  // only the entries that concern the plane
    const int keep[3] = {2, 3, 4};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) dense(keep[k], keep[l]) = full(A)(k, l);
    const M6 to = spatial_transform(theta, x, y), from = spatial_inverse(theta, x, y);
    expect_equal(full(X * A), sub_block(transpose(from) * dense * from), 50);
    expect_equal(full(transpose_apply(X, A)), sub_block(transpose(to) * dense * to), 50);
    expect_equal(full(A + B), full(A) + full(B));
    expect_equal(full(A - B), full(A) - full(B));
    expect_equal(full(A + I), full(A) + full(I), 10);
    expect_equal(full(PlanarArticulatedInertia<double>(I)), full(I), 0);
    const Motion v = motion();
    EXPECT_LT(norm(coordinates(A * v) - full(A) * coordinates(v)), 1e-13);
  }
}

TEST_F(Planar, DisplacementsAreInvariantAndTheAccurateOneIsProportionalToTheScrew) {
  for (int i = 0; i < 100; ++i) {
    const double theta = 0.7 * any(), x = any(), y = any();  // |theta| < pi/2
    const X3 X = planar_transform(theta, x, y);
    const Motion simple = displacement_simple(X), accurate = displacement_accurate(X);
    EXPECT_EQ(simple.w, std::sin(theta));
    EXPECT_LT(norm(coordinates(X * accurate) - coordinates(accurate)), 1e-14) << "v = X v";
    // moving for unit time with the velocity u turns by theta about the pole and must land on the new origin
    const Motion u = (theta / std::sin(theta)) * accurate;
    const double px = -u.y / u.w, py = u.x / u.w;
    EXPECT_NEAR(px - std::cos(theta) * px + std::sin(theta) * py, x, 1e-12);
    EXPECT_NEAR(py - std::sin(theta) * px - std::cos(theta) * py, y, 1e-12);
  }
  const Motion shift = displacement_accurate(X3{1, 0, 3, -4});
  EXPECT_EQ(coordinates(shift)[1], 3);
  EXPECT_EQ(coordinates(shift)[2], -4);
  // first order: the error of the simple one shrinks with the square of the displacement
  const X3 small = planar_transform(1e-4, 2e-4, -3e-4);
  EXPECT_NEAR(displacement_simple(small).x, 2e-4, 1e-7);
  EXPECT_NEAR(displacement_simple(small).y, -3e-4, 1e-7);
}

TEST_F(Planar, CostsAreSmall) {
  using C = Counted<>;
  const PlanarTransform<C> X = planar_transform(C(0.3), C(1.0), C(2.0));
  const PlanarMotion<C> v{C(1.0), C(2.0), C(3.0)};
  const PlanarInertia<C> I = planar_inertia(C(1.0), C(2.0), C(3.0), C(4.0));
  C::reset();
  (void)(X * v);
  EXPECT_EQ(C::count(), (OperationCount{6, 4, 0, 0, 0}));
  C::reset();
  (void)(X * I);
  EXPECT_EQ(C::count(), (OperationCount{8, 8, 0, 0, 0}));
  C::reset();
  (void)(X * PlanarArticulatedInertia<C>(I));
  EXPECT_EQ(C::count(), (OperationCount{14, 16, 0, 0, 0}));
}

}  // namespace
}  // namespace cardan::planar_test
