// Example 7.1: the articulated inertia of a box that holds a cylinder free to turn about x and to slide along y.
#include "cardan/model/model_builder.hpp"
#include "cardan/spatial/projected_inertia.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

// any numbers: mass and (isotropic) rotational inertia of the box and of the cylinder
constexpr double m1 = 3.0, I1 = 0.7, m2 = 1.5, I2 = 0.2;

Matrix6 expected() {  // diag(I1, I1 + I2, I1 + I2, m1 + m2, m1, m1 + m2)
  Vector6 d;
  d << I1, I1 + I2, I1 + I2, m1 + m2, m1, m1 + m2;
  return d.asDiagonal();
}
Sym3<double> isotropic(double I) { return {I, I, I, 0.0, 0.0, 0.0}; }

TEST(Example71, ByAssembly) {
  const RigidBodyInertia<double> box = rigid_body_inertia(m1, Vec3<double>{}, isotropic(I1));
  const ArticulatedInertia<double> cylinder = articulated(rigid_body_inertia(m2, Vec3<double>{}, isotropic(I2)));
  MotionMatrix<double, 2> S;
  S.column[0].angular[0] = 1.0;
  S.column[1].linear[1] = 1.0;
  const auto U = cylinder * S;
  const Matrix<double, 2, 2> D = LDLT(dot(S, U)).inverse();
  ForceMatrix<double, 2> K;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) K.column[i] += D(k, i) * U.column[k];
  EXPECT_TRUE(near(dense(project(S, cylinder, U, K) + box), expected(), 1e-15));
}

TEST(Example71, ByProjection) {  // I^A = (J H^-1 J')^-1, section 7.2.1
  const Model model =
      ModelBuilder()
          .body("box", {m1, {}, isotropic(I1)})
          .body("cylinder", {m2, {}, isotropic(I2)})
          .joint("world", "box", Free{})
          .joint("box", "cylinder",
                 Composite({Revolute(Vec3<double>{1.0, 0.0, 0.0}), Prismatic(Vec3<double>{0.0, 1.0, 0.0})}))
          .build();
  Poisoned run(model);
  const std::vector<double> zero = model.neutral();
  const Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(zero.data(), model.nq());
  const Eigen::MatrixXd J = run.jacobian(q, model.find_frame("box")), H1 = run.inverse_mass_matrix(q);
  const Matrix6 Phi = J * H1 * J.transpose();
  EXPECT_TRUE(near(Matrix6(Phi.inverse()), expected(), 1e-14));
}

}  // namespace
}  // namespace cardan::test
