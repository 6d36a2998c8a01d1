// No algorithm allocates memory once its workspace is made.
#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/floating_base_matrix.hpp"
#include "cardan/algorithms/forward_dynamics_adjoint.hpp"
#include "cardan/algorithms/hybrid_matrix.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/algorithms/joint_forces.hpp"
#include "cardan/algorithms/momentum_matrix.hpp"
#include "cardan/algorithms/operational_space.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(Allocations, AreCountedAtAll) {
  const AllocationCounter counter;
  ::operator delete(::operator new(100));
  EXPECT_EQ(counter.count(), 1);
}

/// The function object itself is made before counting starts.
void expect_none(const char* name, const Model& model, const std::function<void()>& call) {
  const AllocationCounter counter;
  call();
  const long count = counter.count();
  EXPECT_EQ(count, 0) << name << ", " << model.name();
}

TEST(Allocations, NoneInHybridDynamicsAndOperationalSpace) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c(seed);
    const Model& m = c.model;
    Workspace<double> w(m);
    std::vector<Given> given(static_cast<std::size_t>(m.bodies()) + 1, Given::force);
    for (std::size_t i = 0; i < given.size(); i += 2) given[i] = Given::acceleration;
    HybridMatrix<double> matrix(m, given);
    Eigen::VectorXd qdd = c.a, tau = c.tau, b(12);
    std::vector<ForceVector<double>> f(c.f_ext);
    const int frames[] = {m.frames() - 1, m.frames() - 2};
    OperationalSpaceWorkspace<double> s(m, 2);
    Eigen::MatrixXd Phi(12, 12);
    const std::span<const ForceVector<double>> f_ext(c.f_ext);
    expect_none("hybrid_dynamics", m, [&] { hybrid_dynamics<double>(m, w, given, c.q, c.v, qdd, tau, f_ext); });
    expect_none("hybrid_dynamics_by_matrix", m,
                [&] { hybrid_dynamics_by_matrix<double>(m, w, matrix, c.q, c.v, qdd, tau, f_ext); });
    expect_none("joint_forces", m, [&] { joint_forces<double>(m, w, c.q, c.v, c.a, f, f_ext); });
    expect_none("operational_space_inverse_inertia", m,
                [&] { operational_space_inverse_inertia<double>(m, w, s, c.q, frames, Phi); });
    expect_none("operational_space_bias", m,
                [&] { operational_space_bias<double>(m, w, s, c.q, c.v, c.tau, frames, b, f_ext); });
  }
}

TEST(Allocations, NoneOnFloatingBases) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Model m = random_floating_builder(seed).build();
    Random random(seed);
    const Eigen::VectorXd q = random_configuration(random, m), v = random.values(m.nv()), tau = random.values(m.nv());
    Workspace<double> w(m);
    Kinematics<double> k(m);
    forward_kinematics<double>(m, w, q, k);
    FloatingBaseMatrix<double> matrix(m);
    Eigen::VectorXd a(v), x(v);
    Eigen::MatrixXd A(6, m.nv()), J(6, m.nv() - 6);
    expect_none("floating_base_forward_dynamics", m,
                [&] { floating_base_forward_dynamics<double>(m, w, q, v, tau, a); });
    expect_none("floating_base_forward_dynamics_by_matrix", m,
                [&] { floating_base_forward_dynamics_by_matrix<double>(m, w, matrix, q, v, tau, a); });
    expect_none("floating_base_inverse_dynamics", m, [&] { floating_base_inverse_dynamics<double>(m, w, q, v, a, x); });
    expect_none("floating_base_momentum_matrix", m, [&] { floating_base_momentum_matrix<double>(m, w, k, A); });
    expect_none("floating_base_jacobian", m, [&] {
      floating_base_jacobian<double>(m, k, {A.data(), 6, m.nv()}, m.frames() - 1, J);
    });
  }
}

TEST(Allocations, NoneInDerivatives) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c(seed);
    const Model& m = c.model;
    ForwardDerivativeWorkspace<double> w(m);
    Eigen::MatrixXd by_q(m.nv(), m.nv()), by_v(by_q), by_a(by_q);
    const std::span<const ForceVector<double>> f(c.f_ext);
    expect_none("inverse_dynamics_derivatives", m,
                [&] { inverse_dynamics_derivatives<double>(m, w.inverse, c.q, c.v, c.a, by_q, by_v, by_a, f); });
    Eigen::VectorXd x(m.nv()), y(x), z(x);
    expect_none("forward_dynamics_adjoint", m,
                [&] { forward_dynamics_adjoint<double>(m, w, c.q, c.v, c.tau, c.a, x, y, z, f); });
    expect_none("forward_dynamics_derivatives", m,
                [&] { forward_dynamics_derivatives<double>(m, w, c.q, c.v, c.tau, by_q, by_v, by_a, f); });
  }
}

TEST(Allocations, NoneInAnyAlgorithm) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c(seed);
    const Model& m = c.model;
    Workspace<double> w(m);
    Kinematics<double> k(m);
    const int last_frame = m.frames() - 1;
    Eigen::VectorXd x(m.nv());
    Eigen::MatrixXd H(m.nv(), m.nv()), J(6, m.nv());
    std::vector<MotionVector<double>> motions(static_cast<std::size_t>(m.bodies()) + 1);
    const std::span<const ForceVector<double>> f(c.f_ext);
    const BranchSparsity tree(m);
    const auto expect_none = [&](const char* name, const std::function<void()>& call) {
      test::expect_none(name, m, call);
    };
    expect_none("inverse_dynamics", [&] { inverse_dynamics<double>(m, w, c.q, c.v, c.a, x, f); });
    expect_none("bias", [&] { bias<double>(m, w, c.q, c.v, x, f); });
    expect_none("gravity", [&] { gravity<double>(m, w, c.q, x); });
    expect_none("mass_matrix_product", [&] { mass_matrix_product<double>(m, w, c.q, c.a, x); });
    expect_none("forward_dynamics", [&] { forward_dynamics<double>(m, w, c.q, c.v, c.tau, x, f); });
    expect_none("inverse_mass_matrix_product", [&] { inverse_mass_matrix_product<double>(m, w, c.q, c.a, x); });
    expect_none("inverse_mass_matrix", [&] { inverse_mass_matrix<double>(m, w, c.q, H); });
    expect_none("mass_matrix in the base frame",
                [&] { mass_matrix<double>(m, w, c.q, H, MassMatrixForm::base_frame); });
    expect_none("mass_matrix", [&] { mass_matrix<double>(m, w, c.q, H); });
    expect_none("factorize_ltdl", [&] { factorize_ltdl<double>(tree, H); });
    expect_none("solve_ltdl", [&] { solve_ltdl<double>(tree, H, x); });
    mass_matrix<double>(m, w, c.q, H);
    expect_none("multiply_H", [&] { multiply_H<double>(tree, H, c.a, x); });
    expect_none("factorize_ltl", [&] { factorize_ltl<double>(tree, H); });
    expect_none("solve_ltl", [&] { solve_ltl<double>(tree, H, x); });
    expect_none("multiply_L", [&] { multiply_L<double>(tree, H, x, Diagonal::stored); });
    expect_none("multiply_L_transposed", [&] { multiply_L_transposed<double>(tree, H, x, Diagonal::stored); });
    expect_none("forward_kinematics (poses)", [&] { forward_kinematics<double>(m, w, c.q, k); });
    expect_none("forward_kinematics (velocities)", [&] { forward_kinematics<double>(m, w, c.q, c.v, k); });
    expect_none("forward_kinematics", [&] { forward_kinematics<double>(m, w, c.q, c.v, c.a, k); });
    expect_none("frame_pose", [&] { frame_pose(m, k, last_frame); });
    expect_none("frame_velocity", [&] { frame_velocity(m, k, last_frame); });
    expect_none("frame_classical_acceleration", [&] { frame_classical_acceleration(m, k, last_frame); });
    expect_none("kinetic_energy", [&] { kinetic_energy<double>(m, k, c.v); });
    expect_none("potential_energy", [&] { potential_energy(m, k); });
    expect_none("center_of_mass", [&] { center_of_mass(m, k); });
    expect_none("centroidal_momentum", [&] { centroidal_momentum(m, k); });
    expect_none("frame_jacobian", [&] { frame_jacobian<double>(m, k, last_frame, J); });
    expect_none("frame_jacobian_world_axes", [&] { frame_jacobian_world_axes<double>(m, k, last_frame, J); });
    for (int i = 0; i < m.frames(); ++i)
      expect_none("frame_jacobian_rate", [&] { frame_jacobian_rate<double>(m, w, c.q, c.v, k, i, J); });
    expect_none("world_jacobian", [&] { world_jacobian<double>(m, k, J); });
    expect_none("momentum_matrix", [&] { momentum_matrix<double>(m, w, c.q, k, Vec3<double>{}, J); });
    expect_none("centroidal_momentum_matrix", [&] { centroidal_momentum_matrix<double>(m, w, c.q, k, J); });
    expect_none("jacobian_product", [&] { jacobian_product<double>(m, w, c.q, c.a, motions); });
    expect_none("jacobian_rate_product", [&] { jacobian_rate_product<double>(m, w, c.q, c.v, c.a, motions); });
    expect_none("jacobian_transpose_product", [&] { jacobian_transpose_product<double>(m, w, c.q, f, x); });
  }
}

}  // namespace
}  // namespace cardan::test
