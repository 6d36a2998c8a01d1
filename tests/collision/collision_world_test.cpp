// Which pairs of a mechanism are looked at, in which order, and what they give.
#include "cardan/collision/collision_world.hpp"

#include "cardan/collision/nearest.hpp"
#include "cardan/model/model_builder.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cardan::test::collision_world_test {
namespace {

ShapeInstance shape_of(const Shape& shape, const std::string& group = {}) {
  ShapeInstance out{shape, {}, true, true, "", ""};
  out.group = group;
  return out;
}

/// A free box, a chain of three bodies and a post that is fixed to the world.
Model example_model() {
  ModelBuilder builder("example");
  const MassProperties mass{1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
  builder.body({"box", mass, {shape_of(Box{0.2, 0.2, 0.2})}, ""});
  builder.body({"one", mass, {shape_of(Sphere{0.3}, "links")}, ""});
  builder.body({"two", mass, {shape_of(Sphere{0.3}, "links"), shape_of(Box{0.1, 0.1, 0.1})}, ""});
  builder.body({"three", mass, {shape_of(Sphere{0.3}, "links")}, ""});
  builder.body({"post", {}, {shape_of(Cylinder{0.1, 1.0})}, ""});
  builder.joint("world", "box", Free{});
  builder.joint("world", "one", Prismatic{{1.0, 0.0, 0.0}}, {Mat3<double>::identity(), {1.0, 0.0, 0.0}});
  builder.joint("one", "two", Prismatic{{1.0, 0.0, 0.0}}, {Mat3<double>::identity(), {1.0, 0.0, 0.0}});
  builder.joint("two", "three", Prismatic{{1.0, 0.0, 0.0}}, {Mat3<double>::identity(), {1.0, 0.0, 0.0}});
  builder.joint("world", "post", Fixed{}, {Mat3<double>::identity(), {0.0, 3.0, 0.0}});
  return builder.build();
}

struct Placed {
  explicit Placed(const Model& m, const ContactRules& rules = {})
      : model(m), world(model, rules), workspace(model), kinematics(model), q(model.neutral()) {
    place();
  }
  void place() {
    forward_kinematics<double>(model, workspace, q, kinematics);
    world.update(kinematics);
  }
  std::vector<std::string> pairs() const {
    std::vector<std::string> out;
    for (const BodyDistance& d : world.distances()) out.push_back(d.a + "|" + d.b);
    return out;
  }
  Model model;
  CollisionWorld world;
  Workspace<double> workspace;
  Kinematics<double> kinematics;
  std::vector<double> q;
};

using Pairs = std::vector<std::string>;

TEST(CollisionWorld, PairsInTheOrderOfTheFileWithoutNeighbors) {
  const Placed placed(example_model());
  EXPECT_EQ(placed.pairs(),
            (Pairs{"box|one", "box|two", "box|three", "box|post", "one|three", "one|post", "two|post", "three|post"}));
}

TEST(CollisionWorld, GroundIsLastAndNotPairedWithWhatIsFixed) {
  ContactRules rules;
  rules.ground = Ground{-1.0, {0.0, 0.0, 1.0}, {}, {}};
  const Placed placed(example_model(), rules);
  const auto distances = placed.world.distances();
  ASSERT_EQ(distances.size(), 12u);
  EXPECT_EQ(distances[4].a + distances[4].b, "boxground");
  EXPECT_NEAR(distances[4].contact.gap, 0.9, 1e-14);
  EXPECT_LT(norm(distances[4].contact.normal - Vec3<double>{0.0, 0.0, -1.0}), 1e-14);
  for (const BodyDistance& d : distances) EXPECT_NE(d.a, "ground");
  for (const BodyDistance& d : distances) EXPECT_FALSE(d.a == "post" && d.b == "ground");
}

TEST(CollisionWorld, NearestShapesSpeakForABody) {
  Placed placed(example_model());
  for (const BodyDistance& d : placed.world.distances())
    if (d.a == "box" && d.b == "two") {
      EXPECT_EQ(d.shape_b, 0);
      EXPECT_NEAR(d.contact.gap, 2.0 - 0.1 - 0.3, 1e-14);
    }
}

TEST(CollisionWorld, RulesAndGroups) {
  ContactRules rules;
  rules.rules.push_back({"", "", true, {}, ""});           // nothing touches ...
  rules.rules.push_back({"box", "links", false, {}, ""});  // ... but the box the links ...
  rules.rules.push_back({"two", "box", true, {}, ""});     // ... without the second
  EXPECT_EQ(Placed(example_model(), rules).pairs(), (Pairs{"box|one", "box|three"}));
  ContactRules disabled;
  disabled.disabled = {{"three", "one"}, {"post", "box"}};
  EXPECT_EQ(Placed(example_model(), disabled).pairs(),
            (Pairs{"box|one", "box|two", "box|three", "one|post", "two|post", "three|post"}));
}

TEST(CollisionWorld, RefusesUnknownNamesAndPairsOfMeshes) {
  ContactRules rules;
  rules.rules.push_back({"bix", "", true, {}, "scene: a.toml:3:1: contact"});
  try {
    (void)CollisionWorld(example_model(), rules);
    FAIL();
  } catch (const ModelError& problem) {
    EXPECT_STREQ(
        problem.what(),
        "scene: a.toml:3:1: contact a: expected a body or a group of shapes, found \"bix\": did you mean \"box\"?");
  }
  Mesh open;
  open.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  open.triangles = {{0, 1, 2}};
  ModelBuilder builder("meshes");
  for (const char* name : {"a", "b"}) {
    builder.body({name, {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}}, {shape_of(open)}, ""});
    builder.joint("world", name, Free{});
  }
  try {
    (void)CollisionWorld(builder.build());
    FAIL();
  } catch (const ModelError& problem) {
    EXPECT_STREQ(
        problem.what(),
        "contact: body \"a\": shape 0 and body \"b\": shape 0: expected one of the two to be convex, found two meshes "
        "that are not: say hull = true, divide them into convex parts, or ignore the pair");
  }
  ContactRules apart;
  apart.rules.push_back({"a", "b", true, {}, ""});
  const CollisionWorld world(builder.build(), apart);
  EXPECT_EQ(world.open_meshes().size(), 2u);
}

TEST(CollisionWorld, NanIsRefused) {
  Placed placed(example_model());
  placed.q[8] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(placed.place(), std::invalid_argument);
}

TEST(CollisionWorld, ContactsKeepTheirNamesAndAllocateNothing) {
  ContactRules rules;
  rules.ground = Ground{-0.1, {0.0, 0.0, 1.0}, {}, {}};
  Placed placed(example_model(), rules);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> first;
  for (const WorldContact& c : placed.world.contacts(1e-3)) first.emplace_back(c.contact.name_a, c.contact.name_b);
  EXPECT_EQ(first.size(), 4u + 3u);  // corners of the box; the three spheres are in the ground by 0.2 m
  const AllocationCounter allocations;
  bool same = true;
  for (int i = 0; i < 20; ++i) {
    placed.q[4] = 0.01 * i;
    placed.q[6] = 1e-9 * i;
    placed.place();
    const auto& contacts = placed.world.contacts(1e-3);
    same = same && contacts.size() == first.size();
    for (std::size_t k = 0; same && k < first.size(); ++k)
      same = contacts[k].contact.name_a == first[k].first && contacts[k].contact.name_b == first[k].second;
  }
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_TRUE(same);
  EXPECT_TRUE(placed.world.in_collision());
}

TEST(CollisionWorld, EveryPairAllocatesNothing) {
  SolidMaker random(20261122);
  constexpr Kind kKinds[] = {Kind::sphere,    Kind::capsule, Kind::box,   Kind::cylinder,
                             Kind::ellipsoid, Kind::hull,    Kind::torus, Kind::plane};
  for (const Kind kind_a : kKinds)
    for (const Kind kind_b : kKinds) {
      if (kind_a == Kind::plane && kind_b == Kind::plane) continue;
      const Solid a = random.solid(kind_a), b = random.solid(kind_b);
      const Pose<double> at_a = random.pose(1.0), near = random.pose(0.5), far = random.pose(5.0);
      collision::PairMemory memory;
      collision::Manifold manifold;
      const AllocationCounter allocations;
      for (const Pose<double>& at_b : {near, far}) {
        (void)collision::nearest(a, at_a, b, at_b, memory);
        collision::find_manifold(a, at_a, b, at_b, {10.0, 4}, memory, manifold);
      }
      EXPECT_EQ(allocations.count(), 0) << kind_name(kind_a) << " " << kind_name(kind_b);
    }
}

TEST(CollisionWorld, RaysFindTheFirstShape) {
  Placed placed(example_model());
  const auto hit = placed.world.cast_ray({{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 10.0});
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->shape, 0);  // begins inside the box
  const auto second = placed.world.cast_ray({{0.5, 0.0, 0.0}, {1.0, 0.0, 0.0}, 10.0});
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(
      placed.world
          .owners()[static_cast<std::size_t>(placed.world.shapes()[static_cast<std::size_t>(second->shape)].owner)],
      "one");
  EXPECT_NEAR(second->hit.distance, 0.2, 1e-12);
  EXPECT_FALSE(placed.world.cast_ray({{0.5, 0.0, 5.0}, {1.0, 0.0, 0.0}, 10.0}).has_value());
}

}  // namespace
}  // namespace cardan::test::collision_world_test
