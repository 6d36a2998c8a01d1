// Momentum, center of mass and energies against their definitions, and the laws that govern them.
#include "cardan/algorithms/energy.hpp"
#include "tests/support/near.hpp"
#include "tests/support/newton_euler.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test::momentum_test {
namespace {

constexpr std::uint64_t kTrees = trials(60);
using Eigen::MatrixXd;
using Eigen::VectorXd;

Matrix6 shift_to(const Vector3& point) {
  return blocks(Matrix3::Identity(), -skew3(point), Matrix3::Zero(), Matrix3::Identity());
}

TEST(Momentum, MatricesAndSums) {
  Worst total("momentum = sum of X' I v", 1e-9), matrix("momentum matrix A v = momentum", 1e-9),
      central("centroidal momentum matrix A_G v", 1e-9), linear("m dc/dt = linear momentum (differences)", 1e-9),
      locked("A_G v = A v, shifted to the center of mass", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const Kinematics<double> k = run.kinematics(c.q, c.v);
    Vector6 h = Vector6::Zero();
    for (int i = 1; i <= c.model.bodies(); ++i) {
      const auto b = static_cast<std::size_t>(i);
      h += motion_transform(k.X_0[b]).transpose() * dense(c.model.link(i).I) * dense(k.v[b]);
    }
    const Vector3 com = dense(center_of_mass(c.model, k));
    total.add(relative_error(dense(momentum(c.model, k)), h), c.name);
    Random random(seed);
    const Vec3<double> about = random.vector(2.0);
    matrix.add(relative_error(Vector6(run.momentum_matrix(c.q, about) * c.v), shift_to(dense(about)) * h), c.name);
    central.add(relative_error(Vector6(run.centroidal_momentum_matrix(c.q) * c.v), shift_to(com) * h, h.norm()));
    locked.add(relative_error(dense(centroidal_momentum(c.model, k)), shift_to(com) * h, h.norm()), c.name);
    const auto com_at = [&](double t) -> MatrixXd {
      return dense(center_of_mass(c.model, run.kinematics(integrate(c.model, c.q, c.v, t))));
    };
    linear.add(relative_error(c.model.total_mass() * difference_at_zero(com_at), MatrixXd(h.tail<3>())), c.name);
  }
}

TEST(Momentum, ChangesByExternalForcesAndGravityOnlyWhereAllIsFree) {  // identity 21
  Worst rate("21: dh/dt = external forces + weight (free base)", 1e-8),
      apart("21: gravity moves all bodies alike", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    Random random(seed);
    const ModelBuilder builder = random_floating_builder(seed);
    const Model model = builder.build(), weightless = ModelBuilder(builder).gravity(Vec3<double>{}).build();
    Poisoned run(model), floating(weightless);
    const VectorXd q = random_configuration(random, model), v = random.values(model.nv());
    VectorXd tau = random.values(model.nv(), 5.0);
    tau.segment(model.link(1).v, 6).setZero();  // the base is not driven
    Poisoned::Forces f_ext(static_cast<std::size_t>(model.bodies()) + 1);
    Vector6 expected = Vector6::Zero();
    for (std::size_t i = 1; i < f_ext.size(); ++i) expected += dense(f_ext[i] = random.force());
    const Kinematics<double> k = run.kinematics(q);
    const Vector3 weight = model.total_mass() * dense(model.gravity()), com = dense(center_of_mass(model, k));
    expected.head<3>() += com.cross(weight);
    expected.tail<3>() += weight;
    const VectorXd qdd = run.forward_dynamics(q, v, tau, f_ext);
    const auto h_at = [&](double t) -> MatrixXd {
      return dense(momentum(model, run.kinematics(moved(model, q, v, qdd, t), v + t * qdd)));
    };
    const double step = 3e-4 / std::max(1.0, qdd.cwiseAbs().maxCoeff() / 30.0);
    const double size = (model.total_mass() * qdd.cwiseAbs().maxCoeff());
    rate.add(relative_error(Vector6(difference_at_zero(h_at, step)), expected, size), model.name());
    // in free fall only the base's own acceleration shows gravity
    VectorXd difference = qdd - floating.forward_dynamics(q, v, tau, f_ext);
    difference.segment(model.link(1).v, 6).setZero();
    apart.add(difference.cwiseAbs().maxCoeff() / qdd.cwiseAbs().maxCoeff());
  }
}

TEST(Energy, PotentialEnergyGivesGravityForce) {
  Worst force("dV/dq = gravity force (differences)", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    VectorXd slope(c.model.nv());
    for (int i = 0; i < c.model.nv(); ++i) {
      const auto V = [&](double t) -> MatrixXd {
        const VectorXd q = integrate(c.model, c.q, VectorXd::Unit(c.model.nv(), i), t);
        return MatrixXd::Constant(1, 1, potential_energy(c.model, run.kinematics(q)));
      };
      slope(i) = difference_at_zero(V)(0, 0);
    }
    force.add(relative_error(slope, run.gravity(c.q)), c.name);
  }
}

TEST(Energy, ConservedAlongAMotionWithoutForces) {
  // fourth-order Runge-Kutta on the joint rates of a tree whose coordinates are rates
  ModelBuilder builder;
  Random random(3);
  std::string last = "world";
  for (const Joint& joint : {Joint(Universal{}), Joint(SphericalExponential{}), Joint(Prismatic(Vec3<double>{1, 0, 0})),
                             Joint(FreePlanar{}), Joint(Revolute(random.direction()))}) {
    const std::string name = "after " + last;
    builder.body(name, random.mass()).joint(last, name, joint, random.pose());
    last = name;
  }
  const Model model = builder.build();
  Poisoned run(model);
  VectorXd q = random_configuration(random, model), v = random.values(model.nv());
  const VectorXd no_force = VectorXd::Zero(model.nv());
  const auto energy = [&] {
    const Kinematics<double> k = run.kinematics(q, v);
    return kinetic_energy<double>(model, k, v) + potential_energy(model, k);
  };
  const double before = energy();
  const double h = 1e-4;
  for (int i = 0; i < 1000; ++i) {
    const auto f = [&](const VectorXd& p, const VectorXd& r) { return run.forward_dynamics(p, r, no_force); };
    const VectorXd a1 = f(q, v), v2 = v + h / 2 * a1, a2 = f(q + h / 2 * v, v2), v3 = v + h / 2 * a2,
                   a3 = f(q + h / 2 * v2, v3), v4 = v + h * a3, a4 = f(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  EXPECT_TRUE(near(Eigen::Matrix<double, 1, 1>(energy()), Eigen::Matrix<double, 1, 1>(before), 1e-9, 1.0));
}

}  // namespace
}  // namespace cardan::test::momentum_test
