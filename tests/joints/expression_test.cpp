// Joints given only by their pose: against the reference solutions of general joints (50-digit Lagrangian mechanics,
// no recursive algorithm), and against the library's own joints written as text.
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/symbolic/parse.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/golden_general_joints.hpp"
#include "tests/support/joint_tester.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan {
namespace {

using nlohmann::json;
using namespace test;

TEST(ExpressionJoint, SurfaceOnSurfaceReference) {
  const auto data = shared_json(kGeneralJoints);
  if (!data) GTEST_SKIP() << missing_data(kGeneralJoints);
  GoldenErrors errors("surfaces as text");
  for (const char* name : {"sphere_sphere", "sphere_torus", "torus_torus", "torus_torus_5dof"}) {
    const json& joint = data->at("joints").at(name);
    const bool spins = joint.at("ndof") == 5;
    std::vector<std::string> coordinates{"u1", "v1", "u2", "v2"};
    if (spins) coordinates.push_back("psi");
    const Joint type =
        ExpressionJoint(coordinates, contact_text(joint, spins ? "psi" : "psi0"), {{"psi0", joint.value("psi0", 0.0)}});
    const Model model =
        ModelBuilder().body("child", golden_body(joint.at("body"))).joint("world", "child", type).build();
    for (const json& c : joint.at("cases")) {
      errors.check_kinematics(type, c, name);
      errors.check_dynamics(model, c, name);
    }
  }
}

TEST(ExpressionJoint, TwoLinkedRingsReference) {
  const auto data = shared_json(kGeneralJoints);
  if (!data) GTEST_SKIP() << missing_data(kGeneralJoints);
  const json& chain = data->at("joints").at("torus_chain_2");
  const json ring = chain.at("torus");
  const Joint first =
      ExpressionJoint({"u", "v"}, fmt::format("rotx(pi) * inv({})", surface_frame_text(ring, "u", "v")));
  const Joint second = ExpressionJoint({"u1", "v1", "u2", "v2"}, contact_text({{"A", ring}, {"B", ring}}, "pi/2"));
  const Model model = ModelBuilder()
                          .body("a", golden_body(chain.at("body")))
                          .body("b", golden_body(chain.at("body")))
                          .joint("world", "a", first)
                          .joint("a", "b", second)
                          .build();
  GoldenErrors errors("two linked rings as text");
  for (const json& c : chain.at("cases")) errors.check_dynamics(model, c, "torus_chain_2");
}

/// The library's universal joint, once as itself and once as text, in one place of one tree.
TEST(ExpressionJoint, SameDynamicsAsTheJointItDescribes) {
  const auto tree = [](const Joint& middle) {
    const MassProperties mass{1.0, {0.1, -0.2, 0.3}, {0.2, 0.3, 0.25, 0.01, 0.02, 0.03}};
    const Pose<double> at{rotation_rpy(0.3, -0.2, 0.5), {0.1, 0.4, -0.2}};
    return ModelBuilder()
        .body("a", mass)
        .body("b", mass)
        .body("c", mass)
        .joint("world", "a", Revolute(Vec3<double>{0.0, 1.0, 0.0}), at)
        .joint("a", "b", middle, at)
        .joint("b", "c", Spherical{}, at)
        .build();
  };
  const Model
      built_in = tree(Universal{}),
      as_text = tree(ExpressionJoint({"a", "b"}, "rotx(a) * roty(b)")),
      as_code = tree(ExpressionJoint(2, [](std::span<const Expr> q) {
        return Pose<Expr>{exp_so3(Vec3<Expr>{q[0], Expr(), Expr()}) * exp_so3(Vec3<Expr>{Expr(), q[1], Expr()}), {}};
      }));
  const std::vector<double> q{0.3, -0.5, 0.7, 0.5, 0.5, -0.5, 0.5}, v{1.0, -2.0, 0.5, 0.3, 0.1, -0.4},
      tau{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  std::vector<double> expected(6), found(6);
  Workspace<double> w(built_in);
  forward_dynamics(built_in, w, q, v, tau, expected);
  for (const Model* model : {&as_text, &as_code}) {
    Workspace<double> own(*model);
    forward_dynamics(*model, own, q, v, tau, found);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-11 * std::abs(expected[i]) + 1e-12);
  }
}

/// A constant made outside the pose is the number that it is, in every joint.
TEST(ExpressionJoint, TakesConstantsFromOutside) {
  const Expr r(0.1), twice = r + r;
  const ExpressionJoint joint(1, [&](std::span<const Expr> q) { return shift({r * cos(q[0]), twice, Expr()}); });
  const DoubleJoint at = evaluate(joint, {0.7}, {1.0});
  EXPECT_NEAR(at.pose.p[0], 0.1 * std::cos(0.7), 1e-15);
  EXPECT_EQ(at.pose.p[1], 0.2);
}

/// A node of another graph means nothing in this joint.
TEST(ExpressionJoint, RefusesExpressionsOfOtherGraphs) {
  Graph graph;
  const Expr r = sin(graph.input(0));
  EXPECT_THROW(ExpressionJoint(1,
                               [&](std::span<const Expr> q) {
                                 return shift({r * cos(q[0]), Expr(), Expr()});
                               }),
               GraphMismatch);
  EXPECT_THROW(ExpressionJoint(1, [&](std::span<const Expr>) { return shift({r, Expr(), Expr()}); }), GraphMismatch);
  Expr kept;
  const ExpressionJoint first(1, [&](std::span<const Expr> q) { return turn(0, kept = Expr(2.0) * q[0]); });
  EXPECT_THROW(ExpressionJoint(1, [&](std::span<const Expr> q) { return turn(0, kept + q[0]); }), GraphMismatch);
}

TEST(ExpressionJoint, RunsWithoutAllocating) {
  const ExpressionJoint joint({"u", "v"}, "trans(cos(u)*v, sin(u), u*v) * rotx(u) * roty(v)");
  const double q[] = {0.3, 0.4}, s[] = {std::sin(0.3), std::sin(0.4)}, c[] = {std::cos(0.3), std::cos(0.4)};
  const AllocationCounter allocations;
  joint.kinematics<double, 2>(Coordinates<double>{q, s, c}, Vector<double, 2>{0.1, 0.2});
  EXPECT_EQ(allocations.count(), 0);
}

TEST(ExpressionJoint, RefusesWhatIsNoJoint) {
  EXPECT_THROW(ExpressionJoint({"a"}, "frame(a,0,0, 0,1,0, 0,0,1, 0,0,0)"), std::invalid_argument);
  EXPECT_THROW(ExpressionJoint({"a", "b", "c", "d", "e", "f", "g"}, "rotz(a)"), std::invalid_argument);
  EXPECT_THROW(ExpressionJoint({"a"}, "rotz(b)"), ParseError);
}

}  // namespace
}  // namespace cardan
