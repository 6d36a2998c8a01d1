// Floating bases: equal to the general algorithms on the same model with its free joint, momentum, round trips.
#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/floating_base_matrix.hpp"
#include "cardan/algorithms/hybrid_dynamics.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/newton_euler.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

constexpr std::uint64_t kFloatingTrees = trials(60);
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  explicit Case(std::uint64_t seed) : model(random_floating_builder(seed).build()), w(model) {
    Random random(seed + 300);
    q = random_configuration(random, model);
    v = random.values(model.nv());
    a = random.values(model.nv());
    tau = random.values(model.nv(), 5.0);
    tau.head(6).setZero();
    f_ext.resize(static_cast<std::size_t>(model.bodies()) + 1);
    for (std::size_t i = 1; i < f_ext.size(); ++i) f_ext[i] = random.force();
  }
  VectorXd nothing() const { return VectorXd::Constant(model.nv(), std::nan("")); }
  /// The base's entries must not be read.
  VectorXd without_base(VectorXd x) const {
    x.head(6).setConstant(std::nan(""));
    return x;
  }
  Workspace<double>& scratch() {
    w.fill(std::nan(""));
    return w;
  }
  VectorXd forward() {
    VectorXd out = nothing();
    floating_base_forward_dynamics<double>(model, scratch(), q, v, without_base(tau), out, f_ext);
    return out;
  }
  MatrixXd momentum_matrix(const Kinematics<double>& k) {
    MatrixXd A = MatrixXd::Constant(6, model.nv(), std::nan(""));
    floating_base_momentum_matrix<double>(model, scratch(), k, A);
    return A;
  }

  Model model;
  Workspace<double> w;
  VectorXd q, v, a, tau;
  std::vector<ForceVector<double>> f_ext;
};

TEST(FloatingBase, ForwardDynamicsIsThatOfTheFreeJoint) {
  Worst table("Table 9.4 = forward_dynamics, over cond(H) / 1e6", 1e-9),
      matrix("Table 9.5 = forward_dynamics, over cond(H) / 1e6", 1e-9);
  for (std::uint64_t seed = 0; seed < kFloatingTrees; ++seed) {
    Case c(seed);
    Poisoned run(c.model);
    const VectorXd expected = run.forward_dynamics(c.q, c.v, c.tau, c.f_ext);
    const double amplified = amplification(run.mass_matrix(c.q));
    table.add(relative_error(c.forward(), expected) / amplified, c.model.name());
    FloatingBaseMatrix<double> m(c.model);
    VectorXd a = c.nothing();
    floating_base_forward_dynamics_by_matrix<double>(c.model, c.scratch(), m, c.q, c.v, c.without_base(c.tau), a,
                                                     c.f_ext);
    matrix.add(relative_error(a, expected) / amplified, c.model.name());
  }
}

/// [I0 F; F' H] [a0; qdd] + [p0; C] = [0; tau], and the joints' own equation.
TEST(FloatingBase, EquationOfMotion) {
  Worst blocks("H^fl = H - F' I0^-1 F, by Schur complement", 1e-9), motion("H^fl qdd + C^fl = tau", 1e-9);
  for (std::uint64_t seed = 0; seed < kFloatingTrees; ++seed) {
    Case c(seed);
    Poisoned run(c.model);
    FloatingBaseMatrix<double> m(c.model);
    floating_base_equation<double>(c.model, c.scratch(), m, c.q, c.v, c.f_ext);
    const int n = m.joints();
    const MatrixXd H_fl = Eigen::Map<MatrixXd>(m.H_fl().column(0), n, n);
    // the inverse of a Schur complement is a block of the inverse
    const MatrixXd block = run.inverse_mass_matrix(c.q).bottomRightCorner(n, n);
    blocks.add(relative_error(MatrixXd(H_fl * block), MatrixXd(MatrixXd::Identity(n, n))) / amplification(H_fl));
    const VectorXd qdd = c.forward().tail(n), C_fl = Eigen::Map<VectorXd>(m.C_fl.data(), n);
    const double size = (H_fl.cwiseAbs() * qdd.cwiseAbs()).maxCoeff();
    motion.add(relative_error(VectorXd(H_fl * qdd + C_fl), VectorXd(c.tau.tail(n)), size), c.model.name());
  }
}

TEST(FloatingBase, InverseDynamicsFindsTheBase) {
  Worst hybrid("Table 9.6 = hybrid dynamics", 1e-10), back("FD(floating ID) = qdd, over cond(H) / 1e6", 1e-9),
      residual("ID with the base's acceleration: no force at the base", 1e-10);
  for (std::uint64_t seed = 0; seed < kFloatingTrees; ++seed) {
    Case c(seed);
    Poisoned run(c.model);
    VectorXd a = c.without_base(c.a), tau = c.nothing();
    floating_base_inverse_dynamics<double>(c.model, c.scratch(), c.q, c.v, a, tau, c.f_ext);
    EXPECT_EQ(a.tail(c.model.nv() - 6), c.a.tail(c.model.nv() - 6));
    const double size = tau.cwiseAbs().maxCoeff();
    residual.add(relative_error(run.inverse_dynamics(c.q, c.v, a, c.f_ext), tau, size), c.model.name());
    std::vector<Given> given(static_cast<std::size_t>(c.model.bodies()) + 1, Given::acceleration);
    given[1] = Given::force;
    VectorXd a2 = c.without_base(c.a), tau2 = c.nothing();
    tau2.head(6).setZero();
    hybrid_dynamics<double>(c.model, c.scratch(), given, c.q, c.v, a2, tau2, c.f_ext);
    hybrid.add(std::max(relative_error(a, a2), relative_error(tau, tau2)), c.model.name());
    c.tau = tau;
    back.add(relative_error(c.forward(), a) / amplification(run.mass_matrix(c.q)), c.model.name());
  }
}

TEST(FloatingBase, Momentum) {
  Worst sum("I0 v0 + F qd = sum of momenta", 1e-10), rows("[I0 F] = first rows of the mass matrix", 1e-10);
  for (std::uint64_t seed = 0; seed < kFloatingTrees; ++seed) {
    Case c(seed);
    Poisoned run(c.model);
    const Kinematics<double> k = run.kinematics(c.q, c.v);
    const MatrixXd A = c.momentum_matrix(k);
    rows.add(relative_error(A, run.mass_matrix(c.q).topRows(6)), c.model.name());
    const Vector6 in_world = motion_transform(k.X_0[1]).transpose() * (A * c.v);
    sum.add(relative_error(in_world, dense(momentum(c.model, k))), c.model.name());
  }
}

/// Without weight and load the momentum stays: its rate by differences along the motion that Table 9.4 gives.
TEST(FloatingBase, MomentumIsConserved) {
  Worst rate("d(momentum)/dt = 0 whatever the joints' forces", 1e-8);
  for (std::uint64_t seed = 0; seed < kFloatingTrees; ++seed) {
    Case c(seed);
    c.model = random_floating_builder(seed).gravity(Vec3<double>{}).build();
    c.f_ext.clear();
    Poisoned run(c.model);
    const VectorXd a = c.forward();
    const auto momentum_at = [&](double t) -> MatrixXd {
      return dense(momentum(c.model, run.kinematics(integrate(c.model, c.q, c.v, t), c.v + t * a)));
    };
    const double h = 3e-4 / std::max(1.0, a.cwiseAbs().maxCoeff() / 30.0);
    const MatrixXd zero = MatrixXd::Zero(6, 1);
    const double parts = (run.mass_matrix(c.q).topRows(6).cwiseAbs() * a.cwiseAbs()).maxCoeff();
    rate.add(relative_error(difference_at_zero(momentum_at, h), zero, parts), c.model.name());
  }
}

/// With no momentum, J^fl qd is the velocity of the frame.
TEST(FloatingBase, Jacobian) {
  Worst velocity("J^fl qd = velocity of a frame without momentum", 1e-9),
      jump("J^fl dqd = jump of velocity under joint impulses", 1e-9);
  for (std::uint64_t seed = 0; seed < kFloatingTrees; ++seed) {
    Case c(seed);
    Poisoned run(c.model);
    const Kinematics<double> poses = run.kinematics(c.q);
    const MatrixXd A = c.momentum_matrix(poses);
    VectorXd still = c.v;
    still.head(6) = -A.leftCols(6).ldlt().solve(A.rightCols(c.model.nv() - 6) * c.v.tail(c.model.nv() - 6));
    const Kinematics<double> k = run.kinematics(c.q, still);
    const VectorXd after = run.inverse_mass_matrix_product(c.q, c.tau);  // of impulses in the joints only
    MatrixXd J = MatrixXd::Constant(6, c.model.nv() - 6, std::nan(""));
    for (int frame = 0; frame < c.model.frames(); ++frame) {
      floating_base_jacobian<double>(c.model, poses, {A.data(), 6, c.model.nv()}, frame, J);
      const Vector6 v = dense(frame_velocity(c.model, k, frame));
      velocity.add(relative_error(Vector6(J * still.tail(J.cols())), v, still.norm()), c.model.name());
      const Vector6 jumped = run.jacobian(c.q, frame) * after;
      jump.add(relative_error(Vector6(J * after.tail(J.cols())), jumped, after.norm()), c.model.name());
    }
  }
}

/// Far from the world's origin nothing is lost: the base's place does not enter.
TEST(FloatingBase, FarAwayIsAsNear) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Case c(seed);
    c.f_ext.clear();
    const VectorXd near_by = c.forward();
    c.q.segment(4, 3) += Vector3(1e7, -3e7, 2e7);
    EXPECT_EQ(c.forward(), near_by);
  }
}

TEST(FloatingBase, ABodyAloneFalls) {
  const Model model =
      ModelBuilder().body("stone", {2.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}}).joint("world", "stone", Free{}).build();
  Workspace<double> w(model);
  FloatingBaseMatrix<double> m(model);
  const std::vector<double> q = model.neutral(), zero(6);
  VectorXd a(6), by_matrix(6), by_inverse(6), tau(6), expected = VectorXd::Zero(6);
  expected(5) = -9.81;
  floating_base_forward_dynamics<double>(model, w, q, zero, zero, a);
  floating_base_forward_dynamics_by_matrix<double>(model, w, m, q, zero, zero, by_matrix);
  floating_base_inverse_dynamics<double>(model, w, q, zero, by_inverse, tau);
  for (const VectorXd& found : {a, by_matrix, by_inverse}) EXPECT_TRUE(near(found, expected, 1e-15));
  EXPECT_EQ(tau, VectorXd::Zero(6));
}

TEST(FloatingBase, IsRequired) {
  const MassProperties mass{1.0, {}, Sym3<double>{1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
  const auto refuses = [&](const Model& m) {
    Workspace<double> w(m);
    const std::vector<double> q(static_cast<std::size_t>(m.nq())), v(static_cast<std::size_t>(m.nv()));
    std::vector<double> a(v), tau(v);
    const auto text = [](const auto& call) -> std::string {
      try {
        call();
      } catch (const std::invalid_argument& error) {
        return error.what();
      }
      return "accepted";
    };
    const std::string what =
        ": needs a floating base: one body on a free joint at the world, without armature, that carries all others";
    EXPECT_EQ(text([&] { floating_base_forward_dynamics<double>(m, w, q, v, tau, a); }),
              "floating_base_forward_dynamics" + what);
    EXPECT_EQ(text([&] { floating_base_inverse_dynamics<double>(m, w, q, v, a, tau); }),
              "floating_base_inverse_dynamics" + what);
    EXPECT_EQ(text([&] { FloatingBaseMatrix<double>{m}; }), "FloatingBaseMatrix" + what);
  };
  refuses(ModelBuilder().body("arm", mass).joint("world", "arm", Revolute{}).build());
  refuses(ModelBuilder()
              .body("one", mass)
              .body("two", mass)
              .joint("world", "one", Free{})
              .joint("world", "two", Free{})
              .build());
  refuses(ModelBuilder().build());
}

}  // namespace
}  // namespace cardan::test
