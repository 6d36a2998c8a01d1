// Expressions that mean nothing do not compile (section 2.1: motions and forces live in different spaces), and those
// that mean something have the type they should.
#include "cardan/math/counted.hpp"
#include "cardan/spatial/newton_euler_motion.hpp"
#include "cardan/spatial/projected_inertia.hpp"

#include <gtest/gtest.h>

namespace cardan::nonsense_test {
namespace {

using M = MotionVector<double>;
using F = ForceVector<double>;
using X = Transform<double>;
using Rigid = RigidBodyInertia<double>;
using Articulated = ArticulatedInertia<double>;
using Inverse = InverseInertia<double>;

template <class A, class B>
concept Adds = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Accumulates = requires(A a, B b) {
  a += b;
};
template <class A, class B>
concept Subtracts = requires(A a, B b) {
  a - b;
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
template <class A, class B>
concept InverseApplies = requires(A a, B b) {
  inverse_apply(a, b);
};
template <class A, class B, class Result>
concept MultipliesTo = requires(A a, B b) {
  { a* b } -> std::same_as<Result>;
};

// sums
static_assert(Adds<M, M> && Adds<F, F> && Adds<Rigid, Rigid> && Adds<Articulated, Articulated>);
static_assert(Adds<Articulated, Rigid>);
static_assert(!Adds<M, F> && !Adds<F, M> && !Subtracts<M, F> && !Subtracts<F, M>);
static_assert(!Accumulates<M, F> && !Accumulates<F, M> && !Accumulates<Rigid, Articulated>);
static_assert(!Adds<Rigid, M> && !Adds<Rigid, Inverse> && !Adds<Articulated, Inverse> && !Adds<X, X>);
// scalar products
static_assert(Dots<M, F> && Dots<F, M> && !Dots<M, M> && !Dots<F, F>);
// cross products
static_assert(Crosses<M, M> && Crosses<M, F> && !Crosses<F, F> && !Crosses<F, M>);
// inertias take motions, inverse inertias take forces
static_assert(MultipliesTo<Rigid, M, F> && MultipliesTo<Articulated, M, F> && MultipliesTo<Inverse, F, M>);
static_assert(!Multiplies<Rigid, F> && !Multiplies<Articulated, F> && !Multiplies<Inverse, M>);
static_assert(!Multiplies<M, M> && !Multiplies<F, F> && !Multiplies<M, F> && !Multiplies<Rigid, Rigid>);
static_assert(!Multiplies<Inverse, Rigid> && !Multiplies<Rigid, X>);
// transforms keep the kind
static_assert(MultipliesTo<X, M, M> && MultipliesTo<X, F, F> && MultipliesTo<X, X, X> && MultipliesTo<X, Rigid, Rigid>);
static_assert(MultipliesTo<X, Articulated, Articulated>);
static_assert(!Multiplies<M, X> && !Multiplies<X, Inverse> && !Multiplies<X, double>);
// the transpose acts on forces and inertias, the inverse on motions
static_assert(TransposeApplies<X, F> && TransposeApplies<X, Rigid> && TransposeApplies<X, Articulated>);
static_assert(!TransposeApplies<X, M> && InverseApplies<X, M> && !InverseApplies<X, F>);
// subspaces of motions
using S = MotionMatrix<double, 2>;
using U = ForceMatrix<double, 2>;
static_assert(Dots<S, F> && Dots<UnitRotation<0>, F> && Dots<AllMotions, F> && Dots<U, M>);
static_assert(!Dots<S, M> && !Dots<UnitRotation<0>, M> && !Dots<AllRotations, M> && !Dots<U, F>);
static_assert(!Multiplies<Inverse, UnitRotation<0>> && !Multiplies<M, UnitRotation<0>>);
static_assert(MultipliesTo<S, Vector<double, 2>, M> && MultipliesTo<U, Vector<double, 2>, F>);
static_assert(!Multiplies<S, Vector<double, 3>>);
// no conversions behind one's back, and no mixing of scalars
static_assert(!std::convertible_to<M, F> && !std::convertible_to<F, M> && !std::convertible_to<Rigid, Articulated>);
static_assert(!std::convertible_to<Vec3<double>, M> && !std::convertible_to<Inverse, Articulated>);
static_assert(!std::is_assignable_v<M&, F> && !std::is_assignable_v<F&, M>);
static_assert(!Adds<M, MotionVector<float>> && !Multiplies<X, MotionVector<Counted<double>>>);

TEST(Nonsense, DoesNotCompile) { SUCCEED() << "checked by the compiler"; }

}  // namespace
}  // namespace cardan::nonsense_test
