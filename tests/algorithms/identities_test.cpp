// The identities that tie the dynamics algorithms together (end of the book's checklist), on 200 random trees that mix
// every joint type. Errors are relative to the size of the quantity; those of a solution with H also to cond(H).
#include "cardan/algorithms/energy.hpp"
#include "tests/support/dense_aba.hpp"
#include "tests/support/near.hpp"
#include "tests/support/newton_euler.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

const auto kTrees = static_cast<std::uint64_t>(repetitions(200, 1000));
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Identities, MassMatrix) {
  Worst columns("3: columns of H = ID_delta(e_i)", 1e-9), product("3: H x = ID_delta(x)", 1e-9),
      difference("3: H a = ID(a) - ID(0)", 1e-9), base("H in the base frame = H in body frames", 1e-9),
      energy("4: v'Hv / 2 = sum of v.Iv / 2", 1e-9), inverse("H^-1 H = 1, over cond(H) / 1e6", 1e-9),
      solve("H^-1 x in O(n), over cond(H) / 1e6", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const int n = c.model.nv();
    const MatrixXd H = run.mass_matrix(c.q);
    ASSERT_EQ(H, H.transpose()) << c.name;
    base.add(relative_error(run.mass_matrix(c.q, MassMatrixForm::base_frame), H), c.name);
    ASSERT_EQ(Eigen::LLT<MatrixXd>(H).info(), Eigen::Success) << c.name << ": not positive definite";
    for (int i = 0; i < n; ++i)
      columns.add(relative_error(run.mass_matrix_product(c.q, VectorXd::Unit(n, i)), H.col(i)), c.name);
    product.add(relative_error(run.mass_matrix_product(c.q, c.a), H * c.a), c.name);
    difference.add(relative_error(run.inverse_dynamics(c.q, c.v, c.a) - run.bias(c.q, c.v), H * c.a,
                                  run.bias(c.q, c.v).cwiseAbs().maxCoeff()),
                   c.name);
    const double T = kinetic_energy<double>(c.model, run.kinematics(c.q, c.v), c.v);
    energy.add(relative_error(0.5 * c.v.dot(H * c.v), T), c.name);
    const double amplified = amplification(H);
    const MatrixXd H1 = run.inverse_mass_matrix(c.q);
    ASSERT_EQ(H1, H1.transpose()) << c.name;
    inverse.add(relative_error(H1 * H, MatrixXd::Identity(n, n)) / amplified, c.name);
    solve.add(relative_error(run.inverse_mass_matrix_product(c.q, c.a), H.llt().solve(c.a)) / amplified, c.name);
  }
}

/// The result starts as NaN: what is not asked for must still be NaN.
TEST(Identities, LowerPartOfTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    for (const auto form : {MassMatrixForm::body_frame, MassMatrixForm::base_frame}) {
      const MatrixXd H = run.mass_matrix(c.q, form), lower = run.mass_matrix(c.q, form, MassMatrixPart::lower);
      for (int j = 0; j < c.model.nv(); ++j)
        for (int i = 0; i < c.model.nv(); ++i) {
          const bool written = i >= j && i < c.model.subtree_dofs_end(c.model.body_of_dof(j));
          if (written)
            ASSERT_EQ(lower(i, j), H(i, j)) << c.name;
          else
            ASSERT_TRUE(std::isnan(lower(i, j))) << c.name << " " << i << " " << j;
        }
    }
  }
}

TEST(Identities, BranchSparsityOfTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    const MatrixXd H = Poisoned(c.model).mass_matrix(c.q);
    const auto carries = [&](int i, int j) {
      for (; j > i; j = c.model.dof_parent(j)) continue;
      return j == i;
    };
    for (int i = 0; i < c.model.nv(); ++i)
      for (int j = i; j < c.model.nv(); ++j) {
        if (carries(i, j)) continue;
        ASSERT_EQ(H(i, j), 0.0) << c.name << ": " << i << ", " << j;
      }
  }
}

TEST(Identities, InverseAndForwardDynamics) {
  Worst residual("1: ID(FD(tau)) = tau", 1e-9), back("1: FD(ID(a)) = a, over cond(H) / 1e6", 1e-9),
      matrix("2: FD = H^-1 (tau - C), over cond(H) / 1e6", 1e-9), table("2: FD = Table 7.1, over cond(H) / 1e6", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const MatrixXd H = run.mass_matrix(c.q);
    const double amplified = amplification(H);
    const VectorXd qdd = run.forward_dynamics(c.q, c.v, c.tau, c.f_ext);
    const double forces = (H.cwiseAbs() * qdd.cwiseAbs()).maxCoeff();
    residual.add(relative_error(run.inverse_dynamics(c.q, c.v, qdd, c.f_ext), c.tau, forces), c.name);
    const VectorXd tau = run.inverse_dynamics(c.q, c.v, c.a, c.f_ext);
    back.add(relative_error(run.forward_dynamics(c.q, c.v, tau, c.f_ext), c.a) / amplified, c.name);
    const VectorXd by_matrix = H.llt().solve(c.tau - run.bias(c.q, c.v, c.f_ext));
    matrix.add(relative_error(qdd, by_matrix) / amplified, c.name);
    const Kinematics<double> k = run.kinematics(c.q, c.v, VectorXd::Zero(c.model.nv()));
    table.add(relative_error(qdd, dense_aba(c.model, k, c.tau, c.f_ext).qdd) / amplified, c.name);
  }
}

TEST(Identities, InverseDynamicsIsNewtonAndEuler) {
  Worst momentum("ID = rates of momentum (finite differences)", 1e-8);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    const VectorXd tau = Poisoned(c.model).inverse_dynamics(c.q, c.v, c.a);
    momentum.add(relative_error(tau, newton_euler_by_differences(c.model, c.q, c.v, c.a)), c.name);
  }
}

TEST(Identities, PartsOfTheBias) {
  Worst same("5: C = ID(0)", 1e-9), parts("5: gravity + velocity + external parts = C", 1e-9),
      still("5: gravity = ID(v = 0, a = 0)", 1e-9), external("5.6: external part = -J' f", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    const Model weightless = random_builder(seed).gravity(Vec3<double>{}).build();
    Poisoned run(c.model), floating(weightless);
    const VectorXd zero = VectorXd::Zero(c.model.nv()), bias = run.bias(c.q, c.v, c.f_ext);
    same.add(relative_error(bias, run.inverse_dynamics(c.q, c.v, zero, c.f_ext)), c.name);
    const VectorXd gravity = run.gravity(c.q), velocity = floating.bias(c.q, c.v),
                   loads = floating.bias(c.q, zero, c.f_ext);
    parts.add(relative_error(gravity + velocity + loads, bias), c.name);
    still.add(relative_error(gravity, run.inverse_dynamics(c.q, zero, zero)), c.name);
    const Kinematics<double> k = run.kinematics(c.q);
    std::vector<ForceVector<double>> in_bodies(c.f_ext.size());
    for (std::size_t i = 1; i < c.f_ext.size(); ++i) in_bodies[i] = k.X_0[i] * c.f_ext[i];
    external.add(relative_error(loads, -run.jacobian_transpose_product(c.q, in_bodies)), c.name);
  }
}

TEST(Identities, PowerBalance) {
  Worst power("6: d(T + V)/dt = tau.v + external power (differences)", 1e-8);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const VectorXd qdd = run.forward_dynamics(c.q, c.v, c.tau, c.f_ext);
    const auto energy = [&](double t) -> MatrixXd {
      const VectorXd v = c.v + t * qdd;
      const Kinematics<double> k = run.kinematics(integrate(c.model, c.q, c.v, t), v);
      return MatrixXd::Constant(1, 1, kinetic_energy<double>(c.model, k, v) + potential_energy(c.model, k));
    };
    const Kinematics<double> k = run.kinematics(c.q, c.v);
    double expected = c.tau.dot(c.v), size = c.tau.cwiseAbs().dot(c.v.cwiseAbs());
    for (std::size_t i = 1; i < c.f_ext.size(); ++i) expected += dot(k.v[i], k.X_0[i] * c.f_ext[i]);
    // accelerations may be large where H is nearly singular: a step that moves them little
    const double h = 3e-4 / std::max(1.0, qdd.cwiseAbs().maxCoeff() / 30.0);
    size = std::max(size, std::abs(energy(0.0)(0, 0)));
    power.add(relative_error(difference_at_zero(energy, h)(0, 0), expected, size), c.name);
  }
}

TEST(Identities, ArticulatedInertiaByAssemblyAndByProjection) {
  Worst inverse("15: I^A J H^-1 J' = 1 for free bodies, over cond(H) / 1e6", 1e-9), joint("16: I^a S = 0", 1e-9),
      force("16: I^A a + p^A = I^a a_parent + p^a", 1e-9), projected("16: S'(I^A a + p^A) = tau", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const Kinematics<double> k = run.kinematics(c.q, c.v, VectorXd::Zero(c.model.nv()));
    const DenseArticulated A = dense_aba(c.model, k, c.tau);
    const MatrixXd H = run.mass_matrix(c.q), H1 = run.inverse_mass_matrix(c.q);
    for (int i = 1; i <= c.model.bodies(); ++i) {
      const auto b = static_cast<std::size_t>(i), up = static_cast<std::size_t>(c.model.link(i).parent);
      const Link& link = c.model.link(i);
      const Vector6 f = A.I_A[b] * A.a[b] + A.p_A[b];
      const Matrix6 X = motion_transform(k.X[b]);
      const double size = f.norm() + A.p_A[b].norm();
      force.add(relative_error(f, A.I_a[b] * (X * A.a[up]) + A.p_a[b], size), c.name);
      for (int j = link.v; j < link.v + link.nv; ++j) {
        const Vector6 S = dense(k.S[static_cast<std::size_t>(j)]);
        const double rotor = c.model.armature(j);
        if (rotor == 0.0 && link.nv == 1) joint.add(relative_error(A.I_a[b] * S, Vector6::Zero(), A.I_A[b].norm()));
        projected.add(relative_error(S.dot(f) + rotor * A.qdd(j), c.tau(j), size + std::abs(c.tau(j))), c.name);
      }
      const bool hangs_on_a_free_joint = link.parent == 0 && link.kernel == JointKernel::free;
      if (!hangs_on_a_free_joint || c.model.armature(link.v) != 0.0) continue;
      const MatrixXd J = run.jacobian(c.q, c.model.body_frame(i));
      const Matrix6 to_user = motion_transform(c.model.frame(c.model.body_frame(i)).X);
      const MatrixXd handle = to_user.inverse() * J;  // of the internal frame
      inverse.add(
          relative_error(A.I_A[b] * handle * H1 * handle.transpose(), MatrixXd(Matrix6::Identity())) / amplification(H),
          c.name);
    }
  }
}

}  // namespace
}  // namespace cardan::test
