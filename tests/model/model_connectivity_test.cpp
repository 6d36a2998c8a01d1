// Numbering, spanning trees, and what must not matter: the order of the description, which end of a joint is called
// predecessor, whether fixed bodies are merged, and how body frames are turned.
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cardan::test::model_connectivity_test {
namespace {

using Eigen::VectorXd;
const MassProperties kMass{1.0, {}, Sym3<double>{1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};

/// Bodies "1", "2", ... with revolute joints; parents as in the book, "0" being the world.
Model tree(const std::vector<int>& parent, const std::vector<Joint>& types = {}) {
  ModelBuilder builder;
  for (std::size_t i = parent.size(); i >= 1; --i) {  // tips first: the order must not matter
    const std::string up = parent[i - 1] == 0 ? "world" : std::to_string(parent[i - 1]);
    builder.body(std::to_string(i), kMass)
        .joint(up, std::to_string(i), types.empty() ? Joint(Revolute{}) : types[i - 1]);
  }
  return builder.build();
}

std::set<std::string> names(const Model& model, const std::vector<int>& bodies) {
  std::set<std::string> out;
  for (const int b : bodies) out.insert(b == 0 ? "0" : model.body_name(b));
  return out;
}
std::set<std::string> children(const Model& model, const std::string& name) {
  const int b = name == "0" ? 0 : model.find_joint(name);
  std::vector<int> out;
  for (int i = 1; i <= model.bodies(); ++i)
    if (model.link(i).parent == b) out.push_back(i);
  return names(model, out);
}
std::set<std::string> subtree(const Model& model, const std::string& name) {
  std::vector<int> out;
  for (int i = model.find_joint(name); i < model.subtree_end(model.find_joint(name)); ++i) out.push_back(i);
  return names(model, out);
}
std::set<std::string> support(const Model& model, const std::string& name) {
  std::vector<int> out;
  for (int i = model.find_joint(name); i > 0; i = model.link(i).parent) out.push_back(i);
  return names(model, out);
}

TEST(Connectivity, SetsOfFigure46) {  // mu(0) = {1, 4}, mu(1) = {2, 3}, nu(1) = {1, 2, 3, 5}, kappa(8) = {4, 8}
  const Model model = tree({0, 1, 1, 0, 3, 4, 4, 4});
  using Set = std::set<std::string>;
  EXPECT_EQ(children(model, "0"), (Set{"1", "4"}));
  EXPECT_EQ(children(model, "1"), (Set{"2", "3"}));
  EXPECT_EQ(subtree(model, "1"), (Set{"1", "2", "3", "5"}));
  EXPECT_EQ(support(model, "8"), (Set{"4", "8"}));
  int supports = 0, subtrees = 0;  // Eq. 4.3
  for (int i = 1; i <= model.bodies(); ++i) {
    supports += model.depth(i);
    subtrees += model.subtree_end(i) - i;
    EXPECT_EQ(static_cast<std::size_t>(model.depth(i)), support(model, model.body_name(i)).size());
  }
  EXPECT_EQ(supports, subtrees);
}

TEST(Connectivity, ExpandedParentArrayOfSection65) {
  // lambda = (0, 1, 1, 2, 2, 3), joint 2 with 3 degrees of freedom: lambda' = (0, 1, 2, 3, 1, 4, 4, 5)
  std::vector<Joint> types(6, Joint(Revolute{}));
  types[1] = Translational{};
  const Model model = tree({0, 1, 1, 2, 2, 3}, types);
  // ours counts from zero, with -1 for none, and numbers depth first: map to the book's numbers
  const std::vector<int> first{1, 2, 5, 6, 7, 8}, expected{0, 1, 2, 3, 1, 4, 4, 5};
  std::vector<int> book(8, -1);  // the book's number of our velocity
  for (int i = 1; i <= 6; ++i) {
    const Link& link = model.link(model.find_joint(std::to_string(i)));
    for (int k = 0; k < link.nv; ++k)
      book[static_cast<std::size_t>(link.v + k)] = first[static_cast<std::size_t>(i) - 1] + k;
  }
  for (int v = 0; v < 8; ++v) {
    const int up = model.dof_parent(v);
    EXPECT_EQ(up < 0 ? 0 : book[static_cast<std::size_t>(up)],
              expected[static_cast<std::size_t>(book[static_cast<std::size_t>(v)]) - 1]);
    EXPECT_LT(up, v);
  }
}

TEST(Connectivity, FixedBodiesAreSkippedInTheExpandedParentArray) {
  ModelBuilder builder;
  builder.body("a", kMass).body("b", kMass).body("c", kMass).body("d", kMass).keep_fixed_joints();
  builder.joint("world", "a", Planar{})
      .joint("a", "b", Fixed{})
      .joint("b", "c", Revolute{})
      .joint("b", "d", Revolute{});
  const Model model = builder.build();
  EXPECT_EQ(model.bodies(), 4);
  EXPECT_EQ(model.nv(), 4);
  for (const char* name : {"c", "d"}) EXPECT_EQ(model.dof_parent(model.link(model.find_joint(name)).v), 1);
}

TEST(Connectivity, NumberingIsRegularOnRandomTrees) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Model model = random_model(seed);
    for (int i = 1; i <= model.bodies(); ++i) {
      const int parent = model.link(i).parent;
      EXPECT_LT(parent, i);
      EXPECT_LE(model.subtree_end(i), model.subtree_end(parent)) << "a subtree is a run of numbers";
      for (int j = i; j < model.subtree_end(i); ++j) {
        int up = j;
        while (up > i) up = model.link(up).parent;
        EXPECT_EQ(up, i);
      }
    }
  }
}

TEST(Connectivity, LeastDepthSpanningTreeAndLoops) {
  // a crank-slider: whichever way it is described, the chord is the joint farthest from the world
  const MassProperties m = kMass;
  ModelBuilder builder;
  builder.body("slider", m).body("rod", m).body("crank", m);
  builder.joint("crank", "rod", Revolute{}, {}, "pin").joint("rod", "slider", Revolute{}, {}, "wrist");
  builder.joint("world", "crank", Revolute{}, {}, "main").joint("world", "slider", Prismatic{}, {}, "guide");
  const Model model = builder.build();
  EXPECT_EQ(model.bodies(), 3);
  ASSERT_EQ(model.loops().size(), 1u);
  EXPECT_TRUE(model.loops()[0].name == "pin" || model.loops()[0].name == "wrist");
  for (int i = 1; i <= 3; ++i) EXPECT_LE(model.depth(i), 2);
  // a ring of 9: depth 5 at most, one loop
  ModelBuilder ring;
  for (int i = 0; i < 9; ++i) ring.body(std::to_string(i), m);
  ring.joint("world", "0", Revolute{});
  for (int i = 0; i < 9; ++i)
    ring.joint(std::to_string(i), std::to_string((i + 1) % 9), Revolute{}, {}, "j" + std::to_string(i));
  const Model round = ring.build();
  ASSERT_EQ(round.loops().size(), 1u);
  for (int i = 1; i <= 9; ++i) EXPECT_LE(round.depth(i), 5);
}

/// The same bodies and joints: dynamics of both, coordinate by coordinate found by joint name.
void expect_same_dynamics(const Model& a, const Model& b, double sign = 1.0, bool same_body_frames = true) {
  ASSERT_EQ(a.nv(), b.nv());
  ASSERT_EQ(a.nq(), b.nq());
  Random random(5);
  const VectorXd qa = random_configuration(random, a), va = random.values(a.nv()), aa = random.values(a.nv());
  VectorXd qb(qa), vb(va), ab(aa);
  const auto each = [&](const auto& f) {
    for (int i = 1; i <= a.bodies(); ++i) {
      if (a.link(i).nv == 0) continue;
      const int j = b.find_joint(a.joint_name(i));
      ASSERT_GT(j, 0) << a.joint_name(i);
      f(a.link(i), b.link(j));
    }
  };
  each([&](const Link& from, const Link& to) {
    qb.segment(to.q, to.nq) = sign * qa.segment(from.q, from.nq);
    vb.segment(to.v, to.nv) = sign * va.segment(from.v, from.nv);
    ab.segment(to.v, to.nv) = sign * aa.segment(from.v, from.nv);
  });
  Poisoned run_a(a), run_b(b);
  const VectorXd tau_a = run_a.inverse_dynamics(qa, va, aa), tau_b = run_b.inverse_dynamics(qb, vb, ab);
  const VectorXd qdd_a = run_a.forward_dynamics(qa, va, aa), qdd_b = run_b.forward_dynamics(qb, vb, ab);
  const double tau_size = tau_a.cwiseAbs().maxCoeff(), qdd_size = qdd_a.cwiseAbs().maxCoeff();
  each([&](const Link& from, const Link& to) {
    const VectorXd t = sign * tau_b.segment(to.v, to.nv), d = sign * qdd_b.segment(to.v, to.nv);
    EXPECT_TRUE(near(VectorXd(tau_a.segment(from.v, from.nv)), t, 1e-11, tau_size));
    EXPECT_TRUE(near(VectorXd(qdd_a.segment(from.v, from.nv)), d, 1e-9, qdd_size));
  });
  // and the named frames are in the same places
  const Kinematics<double> ka = run_a.kinematics(qa), kb = run_b.kinematics(qb);
  for (int f = 0; f < a.frames(); ++f) {
    const int g = b.find_frame(a.frame(f).name);
    if (g < 0 || (!same_body_frames && a.frame(f).name.starts_with("body"))) continue;
    EXPECT_TRUE(near(dense(frame_pose(a, ka, f).p), dense(frame_pose(b, kb, g).p), 1e-13, 1.0)) << a.frame(f).name;
  }
}

TEST(Equivalence, FixedBodiesMergedOrKept) {
  for (std::uint64_t seed = 0; seed < 20; seed += 2)  // even seeds merge
    expect_same_dynamics(random_builder(seed).build(), random_builder(seed).keep_fixed_joints().build());
}

JointSpec joint_number(int i, Random& random) {
  JointSpec out;
  out.name = "joint " + std::to_string(i);
  out.type = random_joint(random, static_cast<std::size_t>(i - 1));
  out.at = random.chance(0.5) ? Pose<double>{random.aligned_rotation(), random.vector()} : random.pose();
  return out;
}

/// A branched mechanism with all kinds of joints whose description can be varied.
struct Variation {
  bool backwards = false;  // bodies and joints in the opposite order
  bool swapped = false;    // predecessor and successor exchanged, joint reversed
  bool turned = false;     // every body's own frame turned and shifted
};
Model varied(const Variation& how) {
  constexpr int types = std::variant_size_v<decltype(Joint::type)>;
  Random random(42);
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  std::vector<Pose<double>> turn{{}};
  const auto name = [](int i) { return i == 0 ? std::string("world") : "body " + std::to_string(i); };
  for (int i = 1; i <= types; ++i) {
    const int parent = i / 2;
    JointSpec joint = joint_number(i, random);
    const MassProperties mass = random.mass();
    const Pose<double> own = random.pose();  // the body's frame in another one fixed in the body
    turn.push_back(how.turned ? own : Pose<double>{});
    // x_old = own x_new: masses and placements as seen from the new frames
    const Pose<double> back = inverse(turn.back());
    bodies.push_back({name(i), to_parent(mass, back.R, back.p), {}, {}});
    joint.predecessor = name(parent);
    joint.successor = name(i);
    joint.at = inverse(turn[static_cast<std::size_t>(parent)]) * joint.at;
    joint.at_successor = back * joint.at_successor;
    if (how.swapped) {
      std::swap(joint.predecessor, joint.successor);
      std::swap(joint.at, joint.at_successor);
      joint.type.reversed = !joint.type.reversed;
    }
    joints.push_back(joint);
  }
  if (how.backwards) {
    std::reverse(bodies.begin(), bodies.end());
    std::reverse(joints.begin(), joints.end());
  }
  ModelBuilder builder;
  for (const BodySpec& body : bodies) builder.body(body);
  for (const JointSpec& joint : joints) builder.joint(joint);
  for (int i = 1; i <= types; ++i)
    builder.frame("point " + std::to_string(i), name(i), inverse(turn[static_cast<std::size_t>(i)]));
  return builder.build();
}

TEST(Equivalence, OrderOfTheDescription) { expect_same_dynamics(varied({}), varied({.backwards = true})); }

TEST(Equivalence, ReversedJointsBetweenSwappedBodies) {  // Table 4.2
  expect_same_dynamics(varied({}), varied({.swapped = true}));
  expect_same_dynamics(varied({.backwards = true}), varied({.backwards = true, .swapped = true, .turned = true}), 1.0,
                       false);
}

TEST(Equivalence, BodyFramesTurnedByTheUser) { expect_same_dynamics(varied({}), varied({.turned = true}), 1.0, false); }

TEST(Equivalence, AReversedJointRunsTheOtherWay) {
  // turning a body about an axis by q is turning the other about it by -q: the same mechanism with all signs changed
  const auto pendulum = [](bool reversed) {
    Random random(8);
    ModelBuilder builder;
    const Pose<double> first = random.pose(), second{random.aligned_rotation(), random.vector()};
    Joint revolute = Revolute(Vec3<double>{1.0, 0.0, 0.0}), prismatic = Prismatic(random.direction());
    revolute.reversed = prismatic.reversed = reversed;
    builder.body("a", random.mass()).body("b", random.mass());
    return builder.joint("world", "a", revolute, first).joint("a", "b", prismatic, second).build();
  };
  expect_same_dynamics(pendulum(false), pendulum(true), -1.0);
}

}  // namespace
}  // namespace cardan::test::model_connectivity_test
