// Dynamic equivalence: inertia shifted over a joint leaves the equation of motion as it is; what may not be shifted is
// refused, and would change it.
#include "cardan/model/dynamic_equivalence.hpp"
#include "cardan/algorithms/equivalent_models.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

/// base - middle - tip; inertia is to go over the joint that moves "middle".
struct Example {
  Example(const Joint& type, std::uint64_t seed) : model(build(type, seed)), body(model.find_joint("middle")) {}

  /// From the joint's moving frame to the frame of "middle".
  RigidBodyInertia<double> in_body(const RigidBodyInertia<double>& I) const {
    return transpose_apply(from_pose(at_successor.R, at_successor.p), I);
  }

  Pose<double> at_successor;
  Model model;
  int body;

 private:
  Model build(const Joint& type, std::uint64_t seed) {
    Random random(seed);
    if (seed % 2 == 0) at_successor = random.pose();
    JointSpec joint;
    joint.predecessor = "base";
    joint.successor = "middle";
    joint.type = type;
    joint.at = random.pose();
    joint.at_successor = at_successor;
    ModelBuilder builder;
    for (const char* name : {"base", "middle", "tip"}) builder.body(name, random.mass());
    builder.keep_fixed_joints().joint("world", "base", Free{}, random.pose()).joint(joint);
    const Vec3<double> axis = random.direction();
    return builder.joint("middle", "tip", Revolute(axis), random.pose()).build();
  }
};

/// Particles on the line through the origin along the axis: their mass, where its center is, and I about axes across.
RigidBodyInertia<double> on_axis(const Vec3<double>& axis, double m, double c, double I) {
  const Vec3<double> n = (1.0 / norm(axis)) * axis;
  Sym3<double> across;  // I (1 - n n')
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) across(i, j) = I * ((i == j ? 1.0 : 0.0) - n[i] * n[j]);
  return {m, (m * c) * n, across};
}

std::string refusal(const Example& e, const RigidBodyInertia<double>& I) {
  try {
    with_shifted_inertia(e.model, e.body, e.in_body(I));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

const Sym3<double> any_inertia{0.3, -0.1, 0.2, 0.05, 0.02, -0.04};

TEST(DynamicEquivalence, WhatTheJointLetsPass) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed + 50);
    const Vec3<double> axis = random.chance(0.5) ? random.direction() : Vec3<double>{0.0, -1.0, 0.0};
    const struct {
      Joint type;
      RigidBodyInertia<double> I;
    } cases[] = {
        {Revolute(axis), on_axis(axis, 0.7, 0.4, 0.3)},
        {Prismatic(axis), {0.0, {}, any_inertia}},
        {Spherical{}, {0.6, {}, {}}},
        {Fixed{}, {0.6, {0.1, 0.2, -0.3}, any_inertia}},
    };
    for (const auto& c : cases) {
      const Example e(c.type, seed);
      const Model shifted = with_shifted_inertia(e.model, e.body, e.in_body(c.I));
      const Equivalence result = dynamically_equivalent(e.model, shifted);
      EXPECT_TRUE(result.holds) << c.type.type_name() << ", seed " << seed << ": " << result.largest_difference;
      EXPECT_NEAR(shifted.link(e.body).I.m, e.model.link(e.body).I.m - c.I.m, 1e-12);
      EXPECT_NEAR(shifted.link(1).I.m, e.model.link(1).I.m + c.I.m, 1e-12);
      const double moved = std::abs(shifted.link(e.body).I.I(0, 0) - e.model.link(e.body).I.I(0, 0));
      EXPECT_TRUE(moved > 1e-6 || c.I.m > 0.0);
    }
  }
}

TEST(DynamicEquivalence, WhatItDoesNot) {
  const Vec3<double> z{0.0, 0.0, 1.0};
  const std::string pass = "): inertia that passes through it must be ";
  for (const std::uint64_t seed : {1u, 2u}) {
    const Example pin(Revolute(z), seed), slide(Prismatic(z), seed), ball(Spherical{}, seed), hook(Universal{}, seed);
    EXPECT_EQ(refusal(pin, {0.5, {0.1, 0.0, 0.0}, {}}),
              "joint \"middle\" (revolute" + pass + "mass on the joint's axis");
    EXPECT_EQ(refusal(pin, {0.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}}),
              "joint \"middle\" (revolute" + pass + "mass on the joint's axis");
    EXPECT_EQ(refusal(slide, {0.5, {}, {}}), "joint \"middle\" (prismatic" + pass + "a pure rotational inertia");
    EXPECT_EQ(refusal(ball, {0.5, {}, any_inertia}),
              "joint \"middle\" (spherical" + pass + "a point mass at the joint's center");
    EXPECT_EQ(refusal(hook, {0.5, {}, {}}), "joint \"middle\" (universal" + pass + "nothing");
    EXPECT_EQ(refusal(hook, {}), "accepted");
  }
  const Example e(Fixed{}, 1);
  EXPECT_THROW(with_shifted_inertia(e.model, 0, {}), ModelError);
  EXPECT_THROW(with_shifted_inertia(e.model, 4, {}), ModelError);
}

/// A shift that was refused does change the dynamics: the same masses with particles put beside the axis.
TEST(DynamicEquivalence, IsNotFoundWhereThereIsNone) {
  const auto arm = [](double heavier, double off_axis) {
    return ModelBuilder()
        .body("base", {1.0 + heavier, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
        .body("arm", {1.0 - heavier, {0.3 + off_axis, 0.0, 0.0}, {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}})
        .joint("world", "base", Free{})
        .joint("base", "arm", Revolute{})
        .build();
  };
  const Model model = arm(0.0, 0.0);
  const Equivalence same = dynamically_equivalent(model, arm(0.0, 0.0));
  EXPECT_TRUE(same.holds);
  EXPECT_EQ(same.largest_difference, 0.0);
  EXPECT_EQ(same.velocity, -1);
  const Equivalence other = dynamically_equivalent(model, arm(0.0, 1e-3));
  EXPECT_FALSE(other.holds);
  EXPECT_GT(other.largest_difference, 1e-5);
  EXPECT_GE(other.velocity, 0);
  EXPECT_FALSE(dynamically_equivalent(model, arm(0.2, 0.0)).holds);
  EXPECT_TRUE(dynamically_equivalent(model, arm(0.0, 1e-3), 0.1).holds);
  const Equivalence unlike = dynamically_equivalent(model, random_model(0));
  EXPECT_FALSE(unlike.holds);
  EXPECT_TRUE(std::isinf(unlike.largest_difference));
}

TEST(DynamicEquivalence, FewestParameters) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = random_model(seed);
    const Equivalence result = dynamically_equivalent(model, with_fewest_parameters(model));
    EXPECT_TRUE(result.holds) << model.name() << ": " << result.largest_difference;
  }
}

}  // namespace
}  // namespace cardan::test
