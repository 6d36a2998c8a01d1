// Euler angles that go on in another order before they lock, and what is said where they cannot.
#include "cardan/model/model_builder.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// A body that tumbles about a fixed point, by one kind of ball joint or another.
Model top(const Joint& joint, const std::vector<DofProperties>& dofs = {}) {
  return ModelBuilder()
      .body("top", {1.0, {0.1, 0.0, 0.3}, {0.05, 0.08, 0.03, 0.0, 0.0, 0.0}})
      .joint(JointSpec{.name = "ball", .successor = "top", .type = joint, .dofs = dofs})
      .build();
}

TEST(Charts, EulerAnglesPassTheirLock) {
  // turns about y: XYZ would lock at a quarter turn
  Scene by_angles = scene_of(top(SphericalEuler({0, 1, 2}))), by_quaternion = scene_of(top(Spherical{}));
  by_angles.initial.v = {0.3, 6.0, 0.2};
  by_quaternion.initial.v = {0.3, 6.0, 0.2};
  for (Scene* scene : {&by_angles, &by_quaternion}) {
    scene->settings.duration = 2.0;
    scene->settings.output_every = 0.1;
  }
  for (const char* integrator : {"munthe_kaas_54", "rk4", "bdf2"}) {
    for (Scene* scene : {&by_angles, &by_quaternion}) {
      scene->settings.choose_integrator(integrator);
      scene->settings.steps.step = 2e-4;
      scene->settings.steps.tolerance = 1e-11;
    }
    const Trajectory a = simulate(by_angles), q = simulate(by_quaternion);
    EXPECT_EQ(a.summary.end, RunSummary::End::done) << a.summary.failure;
    ASSERT_EQ(a.size(), q.size());
    Worst worst(std::string("orientation by Euler angles and by quaternion, ") + integrator,
                integrator == std::string("bdf2") ? 1e-3 : 1e-8);
    for (std::size_t row = 0; row < a.size(); ++row) {
      const auto x = a.q(row);
      const Mat3<double> R = rotation_rpy(x[0], 0, 0) * rotation_rpy(0, x[1], 0) * rotation_rpy(0, 0, x[2]);
      const auto w = q.q(row);
      const Mat3<double> expected = quaternion_to_matrix(Quaternion<double>{w[0], w[1], w[2], w[3]});
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) worst.add(std::abs(R(i, j) - expected(i, j)));
    }
    EXPECT_LT(energy_drift(a).relative, 1e-3);
  }
}

TEST(Charts, AnglesWithASpringStopAtTheirLockAndSaySo) {
  // a spring speaks of these very angles, so they cannot be exchanged
  DofProperties spring;
  spring.stiffness = 1e-3;
  Scene scene = scene_of(top(SphericalEuler({0, 1, 2}), {spring, spring, spring}));
  scene.initial.q = {0.0, 0.5 * std::numbers::pi, 0.0};
  const Trajectory run = simulate(scene);
  EXPECT_EQ(run.summary.end, RunSummary::End::failed);
  EXPECT_NE(run.summary.failure.find("gimbal lock"), std::string::npos) << run.summary.failure;
  EXPECT_NE(run.summary.failure.find("\"ball\""), std::string::npos) << run.summary.failure;
}

TEST(Charts, ChangingTheOrderMovesNothing) {
  Worst worst("orientation and angular velocity after a change of order", 1e-13);
  for (int trial = 0; trial < 50; ++trial) {
    const double q[3]{0.1 * trial, 1.4 + 0.003 * trial, -0.2 * trial}, v[3]{1.0, -0.5, 0.1 * trial};
    const SphericalEuler from({0, 1, 2});
    const Joint joint(from), other = *joint.other_chart(q);
    double q1[3]{q[0], q[1], q[2]}, v1[3]{v[0], v[1], v[2]};
    joint.change_chart(other, q1, v1);
    const JointMotion a = joint_motion(joint, q, v), b = joint_motion(other, q1, v1);
    MotionVector<double> wa, wb;
    for (int i = 0; i < 3; ++i) {
      wa += v[i] * a.S[i];
      wb += v1[i] * b.S[i];
      for (int j = 0; j < 3; ++j) worst.add(std::abs(a.X.E(i, j) - b.X.E(i, j)));
    }
    for (int i = 0; i < 3; ++i) worst.add(std::abs(wa.angular[i] - wb.angular[i]));
    EXPECT_GT(std::get<SphericalEuler>(other.type).regularity(q1), 0.9);
  }
}

}  // namespace
}  // namespace cardan::test
