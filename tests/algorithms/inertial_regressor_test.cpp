// Inverse dynamics as a product with inertial parameters, and which of them move anything.
#include "cardan/algorithms/inertial_regressor.hpp"

#include "cardan/io/urdf.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

Eigen::MatrixXd regressor(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          const Eigen::VectorXd& a) {
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, q, v, a, k);
  Eigen::MatrixXd Y = Eigen::MatrixXd::Constant(model.nv(), kInertialParameters * model.bodies(), std::nan(""));
  inverse_dynamics_regressor<double>(model, k, Y);
  return Y;
}

Eigen::VectorXd armature(const Model& model, const Eigen::VectorXd& a) {
  Eigen::VectorXd out(model.nv());
  for (int i = 0; i < model.nv(); ++i) out[i] = model.dof(i).armature * a[i];
  return out;
}

TEST(InertialRegressor, TimesTheParametersIsInverseDynamics) {
  Worst worst("Y pi + armature a against inverse dynamics, relative", 1e-11);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(100)); ++seed) {
    const RandomCase c(seed);
    Poisoned algorithms(c.model);
    const Eigen::VectorXd expected = algorithms.inverse_dynamics(c.q, c.v, c.a);
    const Eigen::VectorXd found =
        regressor(c.model, c.q, c.v, c.a) * inertial_parameters(c.model) + armature(c.model, c.a);
    worst.add((found - expected).cwiseAbs().maxCoeff() / (1.0 + expected.cwiseAbs().maxCoeff()), c.name);
  }
}

/// A hinge about y in gravity along z feels its first moment across the axis, and the moment of inertia about it.
TEST(InertialRegressor, AHingeFeelsThreeParameters) {
  ModelBuilder builder("pendulum");
  builder.body("rod", {1.0, {0.1, 0.2, -0.5}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
      .joint("world", "rod", Revolute{{0.0, 1.0, 0.0}});
  const Model model = builder.build();
  const BaseParameters base = base_parameters(model);
  EXPECT_EQ(base.columns, (std::vector<int>{1, 3, 5}));  // m c_x, m c_z, I_yy
}

TEST(InertialRegressor, BaseParametersGiveTheSameForces) {
  Worst worst("forces by base parameters, relative", 1e-8);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(20)); ++seed) {
    const RandomCase c(seed);
    const BaseParameters base = base_parameters(c.model);
    const Eigen::MatrixXd Y = regressor(c.model, c.q, c.v, c.a);
    const Eigen::VectorXd pi = inertial_parameters(c.model), all = Y * pi;
    const Eigen::VectorXd reduced = base.combination * pi;
    Eigen::VectorXd found = Eigen::VectorXd::Zero(c.model.nv());
    for (std::size_t k = 0; k < base.columns.size(); ++k)
      found += Y.col(base.columns[k]) * reduced[static_cast<Eigen::Index>(k)];
    worst.add((found - all).cwiseAbs().maxCoeff() / (1.0 + all.cwiseAbs().maxCoeff()), c.name);
  }
}

/// Seven hinges, each turned by a right angle against the one before, the first along gravity: 43 of 70 (Gaz et al.
/// 2019 identify as many of the Franka Emika Panda).
TEST(InertialRegressor, ThePandaHas43BaseParameters) {
  const char* file = "robots/panda_arm.urdf";
  if (!std::ifstream(shared_path(file))) GTEST_SKIP() << missing_data(file);
  EXPECT_EQ(base_parameters(load_urdf(shared_path(file))).columns.size(), 43u);
}

}  // namespace
}  // namespace cardan::test
