// Armature (the inertia of a rotor as seen at the joint) adds to the diagonal of H, whatever the joint type and
// wherever in the tree, and to nothing else.
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A free body, the joint with or without rotors, and a body beyond it.
Model model_with(const Joint& type, double armature, std::uint64_t seed) {
  Random random(seed);
  JointSpec joint;
  joint.predecessor = "base";
  joint.successor = "middle";
  joint.type = type;
  joint.at = Pose<double>{random.aligned_rotation(), random.vector()};
  joint.dofs.assign(static_cast<std::size_t>(type.nv()), {});
  for (DofProperties& d : joint.dofs) d.armature = armature;
  return ModelBuilder()
      .body("base", random.mass())
      .body("middle", random.mass())
      .body("tip", random.mass())
      .joint("world", "base", Free{}, random.pose())
      .joint(joint)
      .joint("middle", "tip", Revolute(random.direction()), random.pose())
      .build();
}

class Armature : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Armature, IsOnTheDiagonalInEveryAlgorithm) {
  constexpr double rho = 0.7;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    const Joint type = random_joint(random, GetParam());
    const Model plain = model_with(type, 0.0, seed), model = model_with(type, rho, seed);
    const VectorXd q = random_configuration(random, model), v = random.values(model.nv()),
                   x = random.values(model.nv());
    Poisoned without(plain), run(model);
    VectorXd rotor = VectorXd::Zero(model.nv());
    for (int i = 0; i < model.nv(); ++i) rotor(i) = model.armature(i);
    const MatrixXd H = without.mass_matrix(q) + MatrixXd(rotor.asDiagonal());
    EXPECT_TRUE(near(run.mass_matrix(q), H, 1e-15));
    EXPECT_TRUE(near(run.mass_matrix_product(q, x), VectorXd(H * x), 1e-13));
    EXPECT_EQ(run.bias(q, v), without.bias(q, v));
    const VectorXd extra = rotor.cwiseProduct(x);
    EXPECT_TRUE(near(run.inverse_dynamics(q, v, x), VectorXd(without.inverse_dynamics(q, v, x) + extra), 1e-14));
    EXPECT_TRUE(near(run.forward_dynamics(q, v, x), VectorXd(H.llt().solve(x - run.bias(q, v))), 1e-10));
    EXPECT_TRUE(near(run.inverse_mass_matrix_product(q, x), VectorXd(H.llt().solve(x)), 1e-10));
    EXPECT_TRUE(
        near(MatrixXd(run.inverse_mass_matrix(q) * H), MatrixXd(MatrixXd::Identity(H.rows(), H.rows())), 1e-10));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Armature, ::testing::Range<std::size_t>(0, std::variant_size_v<decltype(Joint::type)>),
                         [](const auto& info) {
                           Random random(1);
                           return std::string(random_joint(random, info.param).type_name());
                         });

}  // namespace
}  // namespace cardan::test
