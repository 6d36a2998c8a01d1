// Impulsive dynamics of trees (section 11.7): against dense matrices, and the book's equations of a body, a handle and
// two bodies that collide.
#include "cardan/algorithms/impulse_response.hpp"
#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/operational_space.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd response(const Model& model, const VectorXd& q, const VectorXd& u,
                  const std::vector<ForceVector<double>>& impulses = {}) {
  Workspace<double> w(model);
  w.fill(std::nan(""));
  VectorXd dv = VectorXd::Constant(model.nv(), std::nan(""));
  impulse_response<double>(model, w, q, u, dv, impulses);
  return dv;
}

TEST(ImpulseResponse, IsTheInverseMassMatrixTimesImpulses) {
  Worst worst("dv = H^-1 (u + sum J' iota)", 1e-11), rest("without wrenches", 1e-11);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const MatrixXd H = run.mass_matrix(c.q);
    const MatrixXd J = run.world_jacobian(c.q);  // column j: the motion of velocity j
    VectorXd u = c.tau;
    rest.add(relative_error(response(c.model, c.q, c.tau), VectorXd(H.ldlt().solve(u))), c.name);
    for (int j = 0; j < c.model.nv(); ++j)
      for (int body = 1; body <= c.model.bodies(); ++body) {
        int above = body;
        while (above != 0 && above != c.model.body_of_dof(j)) above = c.model.link(above).parent;
        if (above == 0) continue;
        const ForceVector<double>& f = c.f_ext[static_cast<std::size_t>(body)];
        for (int k = 0; k < 6; ++k) u[j] += J(k, j) * f[k];
      }
    worst.add(relative_error(response(c.model, c.q, c.tau, c.f_ext), VectorXd(H.ldlt().solve(u))), c.name);
  }
}

/// iota = I^A dv_i at a handle (11.56): the operational-space inertia of a frame, whatever tree hangs on it.
TEST(ImpulseResponse, AHandleRespondsByItsArticulatedInertia) {
  Worst worst("dv of a frame = Phi iota", 1e-10);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 5);
    const int frame = random.below(c.model.frames());
    const int body = c.model.frame(frame).body;
    if (body == 0) continue;
    Poisoned run(c.model);
    const MatrixXd J = run.jacobian(c.q, frame);
    const VectorXd iota = random.values(6);
    const Transform<double> X = c.model.frame(frame).X * run.kinematics(c.q).X_0[static_cast<std::size_t>(body)];
    std::vector<ForceVector<double>> impulses(static_cast<std::size_t>(c.model.bodies()) + 1);
    impulses[static_cast<std::size_t>(body)] =
        transpose_apply(X, ForceVector<double>{{iota[0], iota[1], iota[2]}, {iota[3], iota[4], iota[5]}});
    Workspace<double> w(c.model);
    OperationalSpaceWorkspace<double> s(c.model, 1);
    MatrixXd Phi(6, 6);
    const int frames[1] = {frame};
    operational_space_inverse_inertia<double>(c.model, w, s, c.q, frames, Phi);
    worst.add(relative_error(VectorXd(J * response(c.model, c.q, VectorXd::Zero(c.model.nv()), impulses)),
                             VectorXd(Phi * iota)),
              c.name);
  }
}

/// lambda = -(1 + e) n.(v2 - v1) / (n.(I1^-1 + I2^-1) n) (11.65): the rate of approach is reversed, momentum is kept,
/// energy too where e = 1.
TEST(ImpulseResponse, TwoBodiesCollideByTheBooksEquation) {
  Worst rate("rate after a collision (m/s)", 1e-12), momentum("momentum (N s)", 1e-12),
      energy("energy, e = 1 (J)", 1e-12);
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    ModelBuilder builder;
    for (const char* name : {"one", "two"}) {
      BodySpec body;
      body.name = name;
      body.mass = random.mass();
      builder.body(body);
      JointSpec joint;
      joint.name = joint.successor = name;
      joint.predecessor = "world";
      joint.type = Free{};
      builder.joint(joint);
    }
    const Model model = builder.build();
    const VectorXd q = random_configuration(random, model), v = random.values(12);
    Poisoned run(model);
    const MatrixXd J = run.world_jacobian(q), H = run.mass_matrix(q);
    const Vec3<double> point = random.vector(), n = random.direction();
    const ForceVector<double> along = force_at_point(n, point);
    VectorXd row(12);  // zeta = row . v
    for (int j = 0; j < 12; ++j) {
      double sum = 0.0;
      for (int k = 0; k < 6; ++k) sum += J(k, j) * along[k];
      row[j] = j < 6 ? -sum : sum;
    }
    const double e = trial % 2 == 0 ? 1.0 : 0.3, zeta = row.dot(v);
    const double lambda = -(1.0 + e) * zeta / row.dot(H.ldlt().solve(row));
    const std::vector<ForceVector<double>> impulses{{}, -lambda * along, lambda * along};
    const VectorXd after = v + response(model, q, VectorXd::Zero(12), impulses);
    rate.add(std::abs(row.dot(after) + e * zeta), "");
    const auto total = [&](const VectorXd& x) {
      const Kinematics<double> k = run.kinematics(q, x);
      const ForceVector<double> h = cardan::momentum(model, k);
      VectorXd out(6);
      for (int i = 0; i < 6; ++i) out[i] = h[i];
      return out;
    };
    momentum.add((total(after) - total(v)).cwiseAbs().maxCoeff(), "");
    if (e == 1.0) energy.add(std::abs(0.5 * after.dot(H * after) - 0.5 * v.dot(H * v)), "");
  }
}

TEST(ImpulseResponse, RefusesWrongSizes) {
  const RandomCase c(3);
  Workspace<double> w(c.model);
  VectorXd dv(c.model.nv());
  const VectorXd longer(c.model.nv() + 1);
  EXPECT_THROW(impulse_response<double>(c.model, w, c.q, longer, dv), std::invalid_argument);
  const std::vector<ForceVector<double>> few(1);
  EXPECT_THROW(impulse_response<double>(c.model, w, c.q, c.tau, dv, few), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test
