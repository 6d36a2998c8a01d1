// Finding joints whose coordinates fail at a state.
#include "cardan/model/singularity.hpp"

#include "cardan/joints/curve.hpp"
#include "cardan/joints/surface.hpp"
#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cardan {
namespace {

constexpr double kQuarter = 0.5 * std::numbers::pi;

Model model_with(const Joint& joint) {
  const MassProperties mass{1.0, {0.1, 0.2, 0.3}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
  return ModelBuilder()
      .body("a", mass)
      .body("b", mass)
      .joint("world", "a", Revolute{})
      .joint("a", "b", joint, {}, "odd")
      .build();
}

std::vector<SingularJoint> found(const Joint& joint, std::vector<double> q) {
  q.insert(q.begin(), 0.3);
  return singular_joints(model_with(joint), q);
}

TEST(Singularity, RegularStatesHaveNone) {
  EXPECT_TRUE(found(Universal{}, {kQuarter, kQuarter}).empty());
  EXPECT_TRUE(found(Spherical{}, {1.0, 0.0, 0.0, 0.0}).empty());
  EXPECT_TRUE(found(SphericalEuler({0, 1, 2}), {0.3, kQuarter - 1e-6, 0.2}).empty());
  EXPECT_TRUE(found(on_surface(sphere_surface(0.5)), {0.2, kQuarter - 1e-6}).empty());
}

TEST(Singularity, GimbalLock) {
  for (const double angle : {kQuarter, -kQuarter}) {
    const auto list = found(SphericalEuler({0, 1, 2}), {0.3, angle, 0.2});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_TRUE(list[0].finite);
    EXPECT_EQ(list[0].body, 2);
  }
  EXPECT_EQ(found(SphericalEuler({0, 2, 0}), {0.3, 0.0, 0.2}).size(), 1u);
  const Joint inside = Composite({Prismatic{}, SphericalEuler({0, 1, 2})});
  EXPECT_EQ(found(inside, {0.7, 0.3, kQuarter, 0.2}).size(), 1u);
}

TEST(Singularity, RotationVectorOfAFullTurn) {
  EXPECT_EQ(found(SphericalExponential{}, {0.0, 4.0 * kQuarter, 0.0}).size(), 1u);
}

/// At the pole of a sphere u only turns the body, as a free spin does: together they lose a direction.
TEST(Singularity, PoleOfASphere) {
  EXPECT_TRUE(found(on_surface(sphere_surface(0.5)), {0.3, kQuarter}).empty());  // still two different motions
  EXPECT_EQ(found(on_surface(sphere_surface(0.5), free_spin), {0.3, kQuarter, 0.1}).size(), 1u);
  const auto touching =
      found(surface_on_surface(sphere_surface(0.5), sphere_surface(0.3), free_spin), {0.3, kQuarter, 0.2, 0.1, 0.4});
  ASSERT_EQ(touching.size(), 1u);
  EXPECT_TRUE(touching[0].finite);
}

/// A pole by its points has no frame at all.
TEST(Singularity, PoleWithoutAFrame) {
  const Surface cone = point_surface([](Expr u, Expr v) { return Vec3<Expr>{v * cos(u), v * sin(u), v}; });
  const auto list = found(on_surface(cone), {0.3, 0.0});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_FALSE(list[0].finite);
}

TEST(Singularity, ZeroTangentOfACurve) {
  // both first control points coincide: the curve starts at rest
  const Joint joint = on_curve(bezier_curve({{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 1.0, 0.0}}));
  EXPECT_TRUE(found(joint, {0.2}).empty());
  const auto list = found(joint, {0.0});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_FALSE(list[0].finite);
  EXPECT_EQ(list[0].what,
            "joint \"odd\" (on_curve) is singular at q = [0]: its pose or a derivative of it is not defined there");
  // a tangent along `up` leaves x undecided
  EXPECT_EQ(found(on_curve(bezier_curve({{0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}})), {0.5}).size(), 1u);
}

}  // namespace
}  // namespace cardan
