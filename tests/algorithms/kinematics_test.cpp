// Poses, velocities, accelerations and Jacobians against finite differences of poses, and against each other.
#include "cardan/algorithms/kinematics.hpp"
#include "tests/support/near.hpp"
#include "tests/support/newton_euler.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test::kinematics_test {
namespace {

constexpr std::uint64_t kTrees = trials(60);
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The velocity with which a motion transform from a fixed frame changes: dX/dt = -v x X.
Vector6 velocity_of(const Matrix6& rate, const Matrix6& X) {
  const Matrix6 m = -rate * X.inverse();
  Vector6 out;
  out << m(2, 1), m(0, 2), m(1, 0), m(5, 1), m(3, 2), m(4, 0);
  return out;
}

TEST(Kinematics, VelocitiesAndAccelerationsAreRatesOfPoses) {
  Worst velocity("frame velocity (differences)", 1e-9), acceleration("frame acceleration (differences)", 1e-9),
      classical("classical acceleration = 2nd derivative of position", 1e-6);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const Kinematics<double> k = run.kinematics(c.q, c.v, c.a);
    for (int f = 0; f < c.model.frames(); ++f) {
      const auto X = [&](double t) -> MatrixXd {
        return motion_transform(frame_transform(c.model, run.kinematics(moved(c.model, c.q, c.v, c.a, t)), f));
      };
      const auto v = [&](double t) -> MatrixXd {
        const Kinematics<double> at_t = run.kinematics(moved(c.model, c.q, c.v, c.a, t), c.v + t * c.a);
        return dense(frame_velocity(c.model, at_t, f));
      };
      const Vector6 v_f = dense(frame_velocity(c.model, k, f)), a_f = dense(frame_acceleration(c.model, k, f));
      velocity.add(relative_error(velocity_of(difference_at_zero(X), X(0.0)), v_f, 1.0), c.name);
      // a spatial acceleration in a moving frame is the rate of the velocity's components (v x v = 0)
      acceleration.add(relative_error(difference_at_zero(v), a_f, 1.0), c.name);
      const auto position = [&](double t) {
        return dense(frame_pose(c.model, run.kinematics(moved(c.model, c.q, c.v, c.a, t)), f).p);
      };
      const double h = 1e-3;
      const Vector3 second =
          (-position(2 * h) + 16 * position(h) - 30 * position(0) + 16 * position(-h) - position(-2 * h)) /
          (12 * h * h);
      const Vector3 in_frame = dense(frame_transform(c.model, k, f).E) * second;
      const Vector6 a_classical = dense(frame_classical_acceleration(c.model, k, f));
      classical.add(relative_error(in_frame, a_classical.tail<3>(), 1.0), c.name);
    }
  }
}

TEST(Kinematics, FewerOutputsGiveTheSame) {
  const RandomCase c(7);
  Poisoned run(c.model);
  const Kinematics<double> all = run.kinematics(c.q, c.v, c.a), some = run.kinematics(c.q, c.v),
                           few = run.kinematics(c.q);
  for (int f = 0; f < c.model.frames(); ++f) {
    const Matrix6 X = motion_transform(frame_transform(c.model, all, f));
    EXPECT_EQ(X, motion_transform(frame_transform(c.model, some, f)));
    EXPECT_EQ(X, motion_transform(frame_transform(c.model, few, f)));
    EXPECT_EQ(dense(frame_velocity(c.model, all, f)), dense(frame_velocity(c.model, some, f)));
  }
}

TEST(Jacobians, ProductsWithVelocitiesAndAccelerations) {
  Worst velocity("J v = frame velocity", 1e-9), acceleration("J a + J_dot v = frame acceleration", 1e-9),
      rate("J_dot (differences)", 1e-9), world("world axes: R J", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const Kinematics<double> k = run.kinematics(c.q, c.v, c.a);
    for (int f = 0; f < c.model.frames(); ++f) {
      const MatrixXd J = run.jacobian(c.q, f), J_dot = run.jacobian_rate(c.q, c.v, f);
      const Vector6 a = dense(frame_acceleration(c.model, k, f));
      velocity.add(relative_error(Vector6(J * c.v), dense(frame_velocity(c.model, k, f)), 1e-3), c.name);
      acceleration.add(relative_error(Vector6(J * c.a + J_dot * c.v), a, 1e-3), c.name);
      const auto J_t = [&](double t) -> MatrixXd { return run.jacobian(integrate(c.model, c.q, c.v, t), f); };
      rate.add(relative_error(difference_at_zero(J_t), J_dot, 1.0), c.name);
      const Matrix3 R = dense(frame_pose(c.model, k, f).R);
      Matrix6 turn = Matrix6::Zero();
      turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = R;
      world.add(relative_error(run.jacobian_world_axes(c.q, f), turn * J, 1e-3), c.name);
    }
  }
}

TEST(Jacobians, ZeroOffThePathAndFromWorldColumns) {
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    const Kinematics<double> k = run.kinematics(c.q);
    const MatrixXd columns = run.world_jacobian(c.q);
    for (int f = 0; f < c.model.frames(); ++f) {
      const MatrixXd J = run.jacobian(c.q, f);
      MatrixXd expected = motion_transform(frame_transform(c.model, k, f)) * columns;
      for (int i = 1; i <= c.model.bodies(); ++i) {
        const int tip = c.model.frame(f).body;
        const bool carries = i <= tip && tip < c.model.subtree_end(i);
        if (carries) continue;
        const Link& link = c.model.link(i);
        expected.middleCols(link.v, link.nv).setZero();
        ASSERT_TRUE((J.middleCols(link.v, link.nv).array() == 0.0).all()) << c.name;
      }
      EXPECT_TRUE(near(J, expected, 1e-13, 1e-3)) << c.name;
    }
  }
}

TEST(Jacobians, ProductsWithoutForming) {
  Worst product("J x for all bodies", 1e-9), rate("J_dot x for all bodies", 1e-9), transposed("J' f", 1e-9);
  for (std::uint64_t seed = 0; seed < kTrees; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    Random random(seed);
    const VectorXd x = random.values(c.model.nv());
    const MatrixXd Jx = run.jacobian_product(c.q, x), rate_x = run.jacobian_rate_product(c.q, c.v, x);
    ASSERT_TRUE((Jx.col(0).array() == 0.0).all() && (rate_x.col(0).array() == 0.0).all());
    const Kinematics<double> along_x = run.kinematics(c.q, x);
    VectorXd tau = VectorXd::Zero(c.model.nv());
    for (int i = 1; i <= c.model.bodies(); ++i) {
      const auto b = static_cast<std::size_t>(i);
      const int f = c.model.body_frame(i);
      const Matrix6 X = motion_transform(c.model.frame(f).X);
      product.add(relative_error(Vector6(Jx.col(i)), dense(along_x.v[b]), 1e-3), c.name);
      rate.add(relative_error(Vector6(X * rate_x.col(i)), Vector6(run.jacobian_rate(c.q, c.v, f) * x), 1e-3), c.name);
      tau += run.jacobian(c.q, f).transpose() * X.inverse().transpose() * dense(c.f_ext[b]);
    }
    transposed.add(relative_error(run.jacobian_transpose_product(c.q, c.f_ext), tau), c.name);
  }
}

}  // namespace
}  // namespace cardan::test::kinematics_test
