// Which table gives a coefficient of a pair.
#include "cardan/collision/internal/pair_law.hpp"

#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

namespace cardan::test::pair_law_test {
namespace {

/// Two balls over a ground.
struct Balls {
  explicit Balls(const ContactRules& rules) : scene(two_balls(), rules) {}
  static Model two_balls() {
    ModelBuilder builder;
    for (const char* name : {"one", "two"}) {
      builder.body({name, {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}}, {{Sphere{0.1}, {}, true, true, "", ""}}, ""});
      builder.joint("world", name, Free{});
    }
    return builder.build();
  }
  PairLaw between() const { return pair_law(scene, 0, 1); }
  PairLaw one_on_ground() const { return pair_law(scene, 0, 2); }

  ContactScene scene;
};

TEST(PairLaw, EachCoefficientIsTakenForItself) {
  ContactRules rules;
  rules.ground = Ground{.coefficients = {.restitution = 0.2, .stiffness = 100.0}};
  rules.rules = {{.coefficients = {.friction = 0.8, .restitution = 0.1, .stiffness = 50.0}},
                 {.a = "one", .b = "ground", .coefficients = {.damping = 3.0}},
                 {.a = "one", .b = "two", .coefficients = {.restitution = 0.9}}};
  const Balls balls(rules);
  const PairLaw on_ground = balls.one_on_ground(), between = balls.between();
  EXPECT_EQ(on_ground.friction, 0.8);
  EXPECT_EQ(on_ground.restitution, 0.2);
  EXPECT_EQ(on_ground.stiffness, 100.0);
  EXPECT_EQ(on_ground.damping, 3.0);
  EXPECT_EQ(between.friction, 0.8);
  EXPECT_EQ(between.restitution, 0.9);
  EXPECT_EQ(between.stiffness, 50.0);
  EXPECT_EQ(between.damping, 0.0);
}

/// The velocity is that of shape a against shape b, whichever table it comes from.
TEST(PairLaw, AMovingSurfaceIsThatOfTheTableThatSaysSo) {
  ContactRules rules;
  rules.ground = Ground{.coefficients = {.surface_velocity = Vec3<double>{1.0, 0.0, 0.0}}};
  EXPECT_EQ(Balls(rules).one_on_ground().surface_velocity[0], -1.0);
  rules.rules = {{.a = "one", .b = "ground", .coefficients = {.friction = 0.3}}};
  EXPECT_EQ(Balls(rules).one_on_ground().surface_velocity[0], -1.0);
  rules.rules[0].coefficients.surface_velocity = Vec3<double>{2.0, 0.0, 0.0};
  EXPECT_EQ(Balls(rules).one_on_ground().surface_velocity[0], 2.0);
  std::swap(rules.rules[0].a, rules.rules[0].b);
  EXPECT_EQ(Balls(rules).one_on_ground().surface_velocity[0], -2.0);
}

}  // namespace
}  // namespace cardan::test::pair_law_test
