// Derivatives of inverse dynamics in closed form against dual numbers, on trees that mix all joints.
#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"

#include "cardan/joints/surface.hpp"
#include "tests/support/dual_derivatives.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;

struct Derivatives {
  MatrixXd by_q, by_v, by_a;
};

/// All scratch and all results are NaN before.
Derivatives differentiate(const Model& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                          const std::vector<ForceVector<double>>& f_ext = {}) {
  const double nan = std::nan("");
  DerivativeWorkspace<double> w(m);
  w.fill(nan);
  const MatrixXd empty = MatrixXd::Constant(m.nv(), m.nv(), nan);
  Derivatives out{empty, empty, empty};
  inverse_dynamics_derivatives<double>(m, w, q, v, a, out.by_q, out.by_v, out.by_a, f_ext);
  return out;
}

TEST(InverseDynamicsDerivatives, EqualDualNumbersOnRandomTrees) {
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(200)); ++seed) {
    const RandomCase c(seed);
    for (const bool external : {false, true}) {
      const auto f = external ? c.f_ext : std::vector<ForceVector<double>>{};
      const Derivatives found = differentiate(c.model, c.q, c.v, c.a, f);
      const DynamicsDerivatives expected = dual_inverse_dynamics_derivatives(c.model, c.q, c.v, c.a, f);
      const double error =
          std::max({relative_error(found.by_q, expected.by_q, 1.0), relative_error(found.by_v, expected.by_v, 1.0),
                    relative_error(found.by_a, Poisoned(c.model).mass_matrix(c.q), 1.0)});
      worst = std::max(worst, error);
      EXPECT_LE(error, 1e-11) << c.name << (external ? " with external forces" : "");
    }
  }
  std::printf("largest relative error %.1e\n", worst);
}

/// Surfaces, curves and texts as joints, forwards and backwards, on two branches.
ModelBuilder invented_builder(const Pose<double>& base) {
  const Pose<double> off{Mat3<double>::identity(), {0.1, -0.2, 0.3}};
  const MassProperties mass{1.5, {0.05, 0.1, -0.02}, {0.02, 0.03, 0.04, 0.001, 0.002, -0.001}};
  const ExpressionJoint text({"u", "w"}, "rotz(u) * trans(0.2 * cos(w), 0.1 * u * w, exp(0.3 * w)) * rotx(sin(u + w))");
  const ExpressionJoint touching = surface_on_surface(torus_surface(0.5, 0.1), ellipsoid_surface(0.2, 0.3, 0.15));
  Joint backwards(touching);
  backwards.reversed = true;
  Joint text_backwards(text);
  text_backwards.reversed = true;
  ModelBuilder builder("invented");
  const auto add = [&](const std::string& parent, const std::string& name, const Joint& joint) {
    builder.body(name, mass);
    builder.joint(parent, name, joint, parent == "world" ? base : off);
  };
  add("world", "a", touching);
  add("a", "b", text);
  add("b", "c", Spherical());
  add("c", "d", backwards);
  add("a", "e", on_surface(ellipsoid_surface(0.2, 0.3, 0.4), {}));
  add("e", "f", text_backwards);
  add("f", "g", Revolute{{0.6, 0.0, 0.8}});
  return builder;
}

TEST(InverseDynamicsDerivatives, EqualDualNumbersOnInventedJoints) {
  const Model m = invented_builder(Pose<double>{}).build();
  Random random(5);
  for (int trial = 0; trial < trials(20); ++trial) {
    const Eigen::VectorXd q = random_configuration(random, m), v = random.values(m.nv()), a = random.values(m.nv());
    std::vector<ForceVector<double>> f(static_cast<std::size_t>(m.bodies()) + 1);
    for (auto& force : f) force = random.force();
    const Derivatives found = differentiate(m, q, v, a, f);
    const DynamicsDerivatives expected = dual_inverse_dynamics_derivatives(m, q, v, a, f);
    EXPECT_TRUE(near(found.by_q, expected.by_q, 1e-11));
    EXPECT_TRUE(near(found.by_v, expected.by_v, 1e-11));
    EXPECT_TRUE(near(found.by_a, Poisoned(m).mass_matrix(q), 1e-12));
  }
}

TEST(InverseDynamicsDerivatives, LoseNoDigitFarFromTheWorldsOrigin) {
  const Model here = invented_builder(Pose<double>{}).build();
  const Model there = invented_builder({Mat3<double>::identity(), {1e4, -2e4, 1e4}}).build();
  Random random(6);
  const Eigen::VectorXd q = random_configuration(random, here), v = random.values(here.nv()),
                        a = random.values(here.nv());
  const Derivatives found = differentiate(there, q, v, a), expected = differentiate(here, q, v, a);
  EXPECT_TRUE(near(found.by_q, expected.by_q, 1e-14));
  EXPECT_TRUE(near(found.by_v, expected.by_v, 1e-14));
  EXPECT_TRUE(near(found.by_a, expected.by_a, 1e-14));

  // a floating base at its own far position
  const Model floating = random_floating_builder(3).build();
  Eigen::VectorXd at = random_configuration(random, floating);
  const Eigen::VectorXd speed = random.values(floating.nv()), acceleration = random.values(floating.nv());
  const Derivatives near_by = differentiate(floating, at, speed, acceleration);
  ASSERT_TRUE(std::holds_alternative<Free>(floating.joint(1).type));
  at.segment<3>(4) += Eigen::Vector3d(1e4, 2e4, -1e4);
  const Derivatives far_off = differentiate(floating, at, speed, acceleration);
  EXPECT_TRUE(near(far_off.by_q, near_by.by_q, 1e-14));
  EXPECT_TRUE(near(far_off.by_v, near_by.by_v, 1e-14));
}

TEST(InverseDynamicsDerivatives, LeaveOutTheMassMatrixWhereItIsNotWanted) {
  const RandomCase c(7);
  DerivativeWorkspace<double> w(c.model);
  const int n = c.model.nv();
  MatrixXd by_q(n, n), by_v(n, n);
  inverse_dynamics_derivatives<double>(c.model, w, c.q, c.v, c.a, by_q, by_v);
  const Derivatives all = differentiate(c.model, c.q, c.v, c.a);
  EXPECT_EQ(by_q, all.by_q);
  EXPECT_EQ(by_v, all.by_v);
}

TEST(InverseDynamicsDerivatives, RefuseWrongSizes) {
  const RandomCase c(8);
  DerivativeWorkspace<double> w(c.model);
  const int n = c.model.nv();
  MatrixXd by_q(n, n), by_v(n, n + 1);
  try {
    inverse_dynamics_derivatives<double>(c.model, w, c.q, c.v, c.a, by_q, by_v);
    FAIL() << "a matrix of the wrong size was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), "inverse_dynamics_derivatives: by_v must be " + std::to_string(n) + " x " +
                                std::to_string(n) + ", found " + std::to_string(n) + " x " + std::to_string(n + 1));
  }
}

}  // namespace
}  // namespace cardan::test
