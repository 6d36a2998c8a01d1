// Vectors and matrices of the wrong size are refused by every function with one line that says which and how.
#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/floating_base_matrix.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/hybrid_matrix.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/algorithms/joint_forces.hpp"
#include "cardan/algorithms/momentum_matrix.hpp"
#include "cardan/algorithms/operational_space.hpp"

#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// nq = 8, nv = 7, two bodies.
Model example() {
  MassProperties mass{1.0, {}, Sym3<double>{1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
  return ModelBuilder()
      .body("base", mass)
      .body("arm", mass)
      .joint("world", "base", Free{})
      .joint("base", "arm", Revolute{})
      .build();
}

class Sizes : public ::testing::Test {
 protected:
  template <class Call>
  void refuses(const std::string& message, const Call& call) {
    try {
      call();
      ADD_FAILURE() << "accepted, expected: " << message;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), message);
    }
  }

  const Model m = example();
  Workspace<double> w{m};
  Kinematics<double> k{m};
  const std::vector<double> q{1, 0, 0, 0, 0, 0, 0, 0}, v = std::vector<double>(7), bad = std::vector<double>(3);
  std::vector<double> out = std::vector<double>(7), bad_out = std::vector<double>(3);
  Eigen::MatrixXd H{7, 7}, J{6, 7}, bad_H{7, 8};
  std::vector<ForceVector<double>> f = std::vector<ForceVector<double>>(3), bad_f = std::vector<ForceVector<double>>(2);
  std::vector<MotionVector<double>> x = std::vector<MotionVector<double>>(3),
                                    bad_x = std::vector<MotionVector<double>>(4);
  using Forces = std::span<const ForceVector<double>>;
};

TEST_F(Sizes, Dynamics) {
  refuses("inverse_dynamics: q must have 8 entries, found 3", [&] { inverse_dynamics<double>(m, w, bad, v, v, out); });
  refuses("inverse_dynamics: v must have 7 entries, found 3", [&] { inverse_dynamics<double>(m, w, q, bad, v, out); });
  refuses("inverse_dynamics: a must have 7 entries, found 3", [&] { inverse_dynamics<double>(m, w, q, v, bad, out); });
  refuses("inverse_dynamics: tau must have 7 entries, found 3",
          [&] { inverse_dynamics<double>(m, w, q, v, v, bad_out); });
  refuses("inverse_dynamics: f_ext must have 3 entries, found 2",
          [&] { inverse_dynamics<double>(m, w, q, v, v, out, Forces(bad_f)); });
  refuses("bias: q must have 8 entries, found 3", [&] { bias<double>(m, w, bad, v, out); });
  refuses("bias: v must have 7 entries, found 3", [&] { bias<double>(m, w, q, bad, out); });
  refuses("bias: tau must have 7 entries, found 3", [&] { bias<double>(m, w, q, v, bad_out); });
  refuses("bias: f_ext must have 3 entries, found 2", [&] { bias<double>(m, w, q, v, out, Forces(bad_f)); });
  refuses("gravity: q must have 8 entries, found 3", [&] { gravity<double>(m, w, bad, out); });
  refuses("gravity: tau must have 7 entries, found 3", [&] { gravity<double>(m, w, q, bad_out); });
  refuses("mass_matrix_product: q must have 8 entries, found 3",
          [&] { mass_matrix_product<double>(m, w, bad, v, out); });
  refuses("mass_matrix_product: x must have 7 entries, found 3",
          [&] { mass_matrix_product<double>(m, w, q, bad, out); });
  refuses("mass_matrix_product: Hx must have 7 entries, found 3",
          [&] { mass_matrix_product<double>(m, w, q, v, bad_out); });
  refuses("forward_dynamics: q must have 8 entries, found 3", [&] { forward_dynamics<double>(m, w, bad, v, v, out); });
  refuses("forward_dynamics: v must have 7 entries, found 3", [&] { forward_dynamics<double>(m, w, q, bad, v, out); });
  refuses("forward_dynamics: tau must have 7 entries, found 3",
          [&] { forward_dynamics<double>(m, w, q, v, bad, out); });
  refuses("forward_dynamics: a must have 7 entries, found 3",
          [&] { forward_dynamics<double>(m, w, q, v, v, bad_out); });
  refuses("forward_dynamics: f_ext must have 3 entries, found 2",
          [&] { forward_dynamics<double>(m, w, q, v, v, out, Forces(bad_f)); });
}

TEST_F(Sizes, HybridDynamics) {
  const std::vector<Given> given(3, Given::force), bad_given(2, Given::force);
  std::vector<double> a(7);
  HybridMatrix<double> h(m, given);
  refuses("hybrid_dynamics: given must have 3 entries, found 2",
          [&] { hybrid_dynamics<double>(m, w, bad_given, q, v, a, out); });
  refuses("hybrid_dynamics: q must have 8 entries, found 3",
          [&] { hybrid_dynamics<double>(m, w, given, bad, v, a, out); });
  refuses("hybrid_dynamics: v must have 7 entries, found 3",
          [&] { hybrid_dynamics<double>(m, w, given, q, bad, a, out); });
  refuses("hybrid_dynamics: a must have 7 entries, found 3",
          [&] { hybrid_dynamics<double>(m, w, given, q, v, bad_out, out); });
  refuses("hybrid_dynamics: tau must have 7 entries, found 3",
          [&] { hybrid_dynamics<double>(m, w, given, q, v, a, bad_out); });
  refuses("hybrid_dynamics: f_ext must have 3 entries, found 2",
          [&] { hybrid_dynamics<double>(m, w, given, q, v, a, out, Forces(bad_f)); });
  refuses("HybridMatrix: given must have 3 entries, found 2", [&] { HybridMatrix<double>(m, bad_given); });
  refuses("hybrid_dynamics_by_matrix: q must have 8 entries, found 3",
          [&] { hybrid_dynamics_by_matrix<double>(m, w, h, bad, v, a, out); });
  refuses("hybrid_dynamics_by_matrix: v must have 7 entries, found 3",
          [&] { hybrid_dynamics_by_matrix<double>(m, w, h, q, bad, a, out); });
  refuses("hybrid_dynamics_by_matrix: a must have 7 entries, found 3",
          [&] { hybrid_dynamics_by_matrix<double>(m, w, h, q, v, bad_out, out); });
  refuses("hybrid_dynamics_by_matrix: tau must have 7 entries, found 3",
          [&] { hybrid_dynamics_by_matrix<double>(m, w, h, q, v, a, bad_out); });
  refuses("hybrid_dynamics_by_matrix: f_ext must have 3 entries, found 2",
          [&] { hybrid_dynamics_by_matrix<double>(m, w, h, q, v, a, out, Forces(bad_f)); });
  refuses("joint_forces: q must have 8 entries, found 3", [&] { joint_forces<double>(m, w, bad, v, v, f); });
  refuses("joint_forces: v must have 7 entries, found 3", [&] { joint_forces<double>(m, w, q, bad, v, f); });
  refuses("joint_forces: a must have 7 entries, found 3", [&] { joint_forces<double>(m, w, q, v, bad, f); });
  refuses("joint_forces: f must have 3 entries, found 2", [&] { joint_forces<double>(m, w, q, v, v, bad_f); });
  refuses("joint_forces: f_ext must have 3 entries, found 2",
          [&] { joint_forces<double>(m, w, q, v, v, f, Forces(bad_f)); });
}

TEST_F(Sizes, FloatingBase) {
  std::vector<double> a(7);
  FloatingBaseMatrix<double> b(m);
  Eigen::MatrixXd J1(6, 1);
  const std::string forward = "floating_base_forward_dynamics: ",
                    by_matrix = "floating_base_forward_dynamics_by_matrix: ",
                    inverse = "floating_base_inverse_dynamics: ";
  refuses(forward + "q must have 8 entries, found 3",
          [&] { floating_base_forward_dynamics<double>(m, w, bad, v, v, out); });
  refuses(forward + "v must have 7 entries, found 3",
          [&] { floating_base_forward_dynamics<double>(m, w, q, bad, v, out); });
  refuses(forward + "tau must have 7 entries, found 3",
          [&] { floating_base_forward_dynamics<double>(m, w, q, v, bad, out); });
  refuses(forward + "a must have 7 entries, found 3",
          [&] { floating_base_forward_dynamics<double>(m, w, q, v, v, bad_out); });
  refuses(forward + "f_ext must have 3 entries, found 2",
          [&] { floating_base_forward_dynamics<double>(m, w, q, v, v, out, Forces(bad_f)); });
  refuses(by_matrix + "q must have 8 entries, found 3",
          [&] { floating_base_forward_dynamics_by_matrix<double>(m, w, b, bad, v, v, out); });
  refuses(by_matrix + "v must have 7 entries, found 3",
          [&] { floating_base_forward_dynamics_by_matrix<double>(m, w, b, q, bad, v, out); });
  refuses(by_matrix + "tau must have 7 entries, found 3",
          [&] { floating_base_forward_dynamics_by_matrix<double>(m, w, b, q, v, bad, out); });
  refuses(by_matrix + "a must have 7 entries, found 3",
          [&] { floating_base_forward_dynamics_by_matrix<double>(m, w, b, q, v, v, bad_out); });
  refuses(inverse + "q must have 8 entries, found 3",
          [&] { floating_base_inverse_dynamics<double>(m, w, bad, v, a, out); });
  refuses(inverse + "v must have 7 entries, found 3",
          [&] { floating_base_inverse_dynamics<double>(m, w, q, bad, a, out); });
  refuses(inverse + "a must have 7 entries, found 3",
          [&] { floating_base_inverse_dynamics<double>(m, w, q, v, bad_out, out); });
  refuses(inverse + "tau must have 7 entries, found 3",
          [&] { floating_base_inverse_dynamics<double>(m, w, q, v, a, bad_out); });
  refuses(inverse + "f_ext must have 3 entries, found 2",
          [&] { floating_base_inverse_dynamics<double>(m, w, q, v, a, out, Forces(bad_f)); });
  refuses("floating_base_momentum_matrix: A must be 6 x 7, found 7 x 7",
          [&] { floating_base_momentum_matrix<double>(m, w, k, H); });
  refuses("floating_base_jacobian: A must be 6 x 7, found 7 x 7", [&] {
    floating_base_jacobian<double>(m, k, {H.data(), 7, 7}, 1, J1);
  });
  refuses("floating_base_jacobian: J must be 6 x 1, found 6 x 7", [&] {
    floating_base_jacobian<double>(m, k, {J.data(), 6, 7}, 1, J);
  });
}

TEST_F(Sizes, OperationalSpace) {
  const std::vector<int> frame{1}, none, unknown{99};
  OperationalSpaceWorkspace<double> s(m, 1);
  std::vector<double> six(6);
  Eigen::MatrixXd Phi(6, 6);
  const std::string inverse = "operational_space_inverse_inertia: ", bias = "operational_space_bias: ",
                    inertia = "operational_space_inertia: ";
  refuses(inverse + "q must have 8 entries, found 3",
          [&] { operational_space_inverse_inertia<double>(m, w, s, bad, frame, Phi); });
  refuses(inverse + "frames must have 1 entries, found 0",
          [&] { operational_space_inverse_inertia<double>(m, w, s, q, none, Phi); });
  refuses(inverse + "the model has no frame 99",
          [&] { operational_space_inverse_inertia<double>(m, w, s, q, unknown, Phi); });
  refuses(inverse + "Phi must be 6 x 6, found 7 x 8",
          [&] { operational_space_inverse_inertia<double>(m, w, s, q, frame, bad_H); });
  refuses(bias + "frames must have 1 entries, found 0",
          [&] { operational_space_bias<double>(m, w, s, q, v, v, none, six); });
  refuses(bias + "b must have 6 entries, found 3",
          [&] { operational_space_bias<double>(m, w, s, q, v, v, frame, bad_out); });
  refuses(inertia + "b must have 6 entries, found 3", [&] {
    operational_space_inertia({Phi.data(), 6, 6}, bad, Phi, six);
  });
  refuses(inertia + "I must be 6 x 6, found 7 x 8", [&] {
    operational_space_inertia({Phi.data(), 6, 6}, six, bad_H, six);
  });
  refuses(inertia + "p must have 6 entries, found 3", [&] {
    operational_space_inertia({Phi.data(), 6, 6}, six, Phi, bad_out);
  });
}

TEST_F(Sizes, Matrices) {
  refuses("mass_matrix: q must have 8 entries, found 3", [&] { mass_matrix<double>(m, w, bad, H); });
  refuses("mass_matrix: H must be 7 x 7, found 7 x 8", [&] { mass_matrix<double>(m, w, q, bad_H); });
  refuses("inverse_mass_matrix: q must have 8 entries, found 3", [&] { inverse_mass_matrix<double>(m, w, bad, H); });
  refuses("inverse_mass_matrix: out must be 7 x 7, found 7 x 8", [&] { inverse_mass_matrix<double>(m, w, q, bad_H); });
  refuses("inverse_mass_matrix_product: q must have 8 entries, found 3",
          [&] { inverse_mass_matrix_product<double>(m, w, bad, v, out); });
  refuses("inverse_mass_matrix_product: x must have 7 entries, found 3",
          [&] { inverse_mass_matrix_product<double>(m, w, q, bad, out); });
  refuses("inverse_mass_matrix_product: out must have 7 entries, found 3",
          [&] { inverse_mass_matrix_product<double>(m, w, q, v, bad_out); });
  refuses("momentum_matrix: q must have 8 entries, found 3",
          [&] { momentum_matrix<double>(m, w, bad, k, Vec3<double>{}, J); });
  refuses("momentum_matrix: A must be 6 x 7, found 7 x 7",
          [&] { momentum_matrix<double>(m, w, q, k, Vec3<double>{}, H); });
  refuses("momentum_matrix: A must be 6 x 7, found 7 x 7", [&] { centroidal_momentum_matrix<double>(m, w, q, k, H); });
}

TEST_F(Sizes, Kinematics) {
  refuses("forward_kinematics: q must have 8 entries, found 3", [&] { forward_kinematics<double>(m, w, bad, k); });
  refuses("forward_kinematics: q must have 8 entries, found 3", [&] { forward_kinematics<double>(m, w, bad, v, k); });
  refuses("forward_kinematics: v must have 7 entries, found 3", [&] { forward_kinematics<double>(m, w, q, bad, k); });
  refuses("forward_kinematics: a must have 7 entries, found 3",
          [&] { forward_kinematics<double>(m, w, q, v, bad, k); });
  refuses("kinetic_energy: v must have 7 entries, found 3", [&] { kinetic_energy<double>(m, k, bad); });
  refuses("frame_jacobian: J must be 6 x 7, found 7 x 7", [&] { frame_jacobian<double>(m, k, 1, H); });
  refuses("frame_jacobian_rate: q must have 8 entries, found 3",
          [&] { frame_jacobian_rate<double>(m, w, bad, v, k, 1, J); });
  refuses("frame_jacobian_rate: v must have 7 entries, found 3",
          [&] { frame_jacobian_rate<double>(m, w, q, bad, k, 1, J); });
  refuses("frame_jacobian_rate: J_dot must be 6 x 7, found 7 x 7",
          [&] { frame_jacobian_rate<double>(m, w, q, v, k, 1, H); });
  refuses("world_jacobian: J must be 6 x 7, found 7 x 7", [&] { world_jacobian<double>(m, k, H); });
  refuses("jacobian_product: q must have 8 entries, found 3", [&] { jacobian_product<double>(m, w, bad, v, x); });
  refuses("jacobian_product: x must have 7 entries, found 3", [&] { jacobian_product<double>(m, w, q, bad, x); });
  refuses("jacobian_product: out must have 3 entries, found 4", [&] { jacobian_product<double>(m, w, q, v, bad_x); });
  refuses("jacobian_rate_product: v must have 7 entries, found 3",
          [&] { jacobian_rate_product<double>(m, w, q, bad, v, x); });
  refuses("jacobian_rate_product: x must have 7 entries, found 3",
          [&] { jacobian_rate_product<double>(m, w, q, v, bad, x); });
  refuses("jacobian_rate_product: out must have 3 entries, found 4",
          [&] { jacobian_rate_product<double>(m, w, q, v, v, bad_x); });
  refuses("jacobian_transpose_product: q must have 8 entries, found 3",
          [&] { jacobian_transpose_product<double>(m, w, bad, f, out); });
  refuses("jacobian_transpose_product: f must have 3 entries, found 2",
          [&] { jacobian_transpose_product<double>(m, w, q, bad_f, out); });
  refuses("jacobian_transpose_product: tau must have 7 entries, found 3",
          [&] { jacobian_transpose_product<double>(m, w, q, f, bad_out); });
}

TEST_F(Sizes, Factorization) {
  const BranchSparsity tree(m);
  refuses("factorize_ltl: H must be 7 x 7, found 7 x 8", [&] { factorize_ltl<double>(tree, bad_H); });
  refuses("factorize_ltdl: H must be 7 x 7, found 7 x 8", [&] { factorize_ltdl<double>(tree, bad_H); });
  refuses("multiply_L: x must have 7 entries, found 3", [&] { multiply_L<double>(tree, H, bad_out, Diagonal::unit); });
  refuses("multiply_L_transposed: x must have 7 entries, found 3",
          [&] { multiply_L_transposed<double>(tree, H, bad_out, Diagonal::unit); });
  refuses("multiply_H: x must have 7 entries, found 3", [&] { multiply_H<double>(tree, H, bad, out); });
  refuses("multiply_H: y must have 7 entries, found 3", [&] { multiply_H<double>(tree, H, v, bad_out); });
  refuses("solve_L: x must have 7 entries, found 3", [&] { solve_L<double>(tree, H, bad_out, Diagonal::unit); });
  refuses("solve_L_transposed: x must have 7 entries, found 3",
          [&] { solve_L_transposed<double>(tree, H, bad_out, Diagonal::unit); });
  refuses("multiply_L: L must be 7 x 7, found 7 x 8", [&] { multiply_L<double>(tree, bad_H, out, Diagonal::unit); });
  refuses("solve_L: L must be 7 x 7, found 7 x 8", [&] { solve_L<double>(tree, bad_H, out, Diagonal::unit); });
  refuses("multiply_H: H must be 7 x 7, found 7 x 8", [&] { multiply_H<double>(tree, bad_H, v, out); });
}

}  // namespace
}  // namespace cardan::test
