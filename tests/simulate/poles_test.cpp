// Bodies on spheres and ellipsoids that run over a pole of their coordinates, against the same motion in coordinates
// whose poles lie elsewhere.
#include "cardan/joints/surface.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/simulate/simulate.hpp"

#include <gtest/gtest.h>

namespace cardan::test::poles_test {
namespace {

const MassProperties kBody{1.3, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.025, 0.001, 0.0, 0.002}};

Scene scene_of(const Joint& joint, const Pose<double>& at, std::vector<double> q, std::vector<double> v) {
  Scene scene;
  scene.model = ModelBuilder().gravity({1.5, -0.7, -3.0}).body("b", kBody).joint("world", "b", joint, at).build();
  scene.initial = State(scene.model);
  scene.initial.q = std::move(q);
  scene.initial.v = std::move(v);
  scene.settings.duration = 1.6;
  scene.settings.output_every = 0.01;
  scene.settings.choose_integrator("munthe_kaas_54");
  scene.settings.steps.tolerance = 1e-12;
  return scene;
}

Pose<double> pose_of(const Trajectory& run, std::size_t row) {
  Workspace<double> w(run.model());
  Kinematics<double> k(run.model());
  forward_kinematics<double>(run.model(), w, run.q(row), k);
  return frame_pose(run.model(), k, run.model().body_frame(1));
}

/// Compares the poses of the body in two runs; returns how near the first came to its pole.
double compare(const Scene& over_the_pole, const Scene& beside_it, double limit) {
  const Trajectory a = simulate(over_the_pole), b = simulate(beside_it);
  EXPECT_EQ(a.summary.end, RunSummary::End::done) << a.summary.failure;
  EXPECT_EQ(b.summary.end, RunSummary::End::done) << b.summary.failure;
  EXPECT_EQ(a.size(), b.size());
  double nearest = 1.0, worst = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    nearest = std::min(nearest, std::abs(std::cos(a.q(i)[1])));
    const Pose<double> p = pose_of(a, i), q = pose_of(b, i);
    worst = std::max(worst, norm(p.p - q.p));
    for (int r = 0; r < 3; ++r) worst = std::max(worst, norm(p.R.row[r] - q.R.row[r]));
  }
  EXPECT_LT(worst, limit);
  std::printf("    poses differ by %.1e; cos v at least %.2g\n", worst, nearest);
  return nearest;
}

/// A sphere's joint with a free spin is a ball joint at its center.
TEST(Poles, ABodyOnASphereRunsOverThePoleAsOnABallJoint) {
  const double r = 0.5;
  const Pose<double> outward{Mat3<double>::identity(), {0.0, 0.0, r}};
  // at u = v = 0 the frame's axes x, y, z are the world's y, z, x
  const double half = std::sqrt(0.5) * std::sqrt(0.5);
  for (const double aside : {0.0, 1e-3, 0.3}) {
    const Scene on = scene_of(on_surface(sphere_surface(r), free_spin), {}, {0.0, 0.0, 0.0}, {aside, 5.0, 0.4});
    // the same angular velocity in the body's axes: u turns about z = its y, v about -y = its -x, the spin about its z
    Scene ball = on;
    ball.model = ModelBuilder()
                     .gravity({1.5, -0.7, -3.0})
                     .body("center", {})
                     .body("b", kBody)
                     .joint("world", "center", Spherical{})
                     .joint("center", "b", Fixed{}, outward)
                     .build();
    ball.initial = State(ball.model);
    ball.initial.q = {half, half, half, half};
    ball.initial.v = {-5.0, aside, 0.4};
    const Trajectory a = simulate(on), b = simulate(ball);
    ASSERT_EQ(a.summary.end, RunSummary::End::done) << a.summary.failure;
    double nearest = 1.0, worst = 0.0;
    Workspace<double> w(ball.model);
    Kinematics<double> k(ball.model);
    for (std::size_t i = 0; i < a.size(); ++i) {
      nearest = std::min(nearest, std::abs(std::cos(a.q(i)[1])));
      forward_kinematics<double>(ball.model, w, b.q(i), k);
      const Pose<double> p = pose_of(a, i), q = frame_pose(ball.model, k, ball.model.frame_named("b"));
      worst = std::max(worst, norm(p.p - q.p));
      for (int c = 0; c < 3; ++c) worst = std::max(worst, norm(p.R.row[c] - q.R.row[c]));
    }
    EXPECT_LT(worst, 1e-8) << aside;
    EXPECT_LT(nearest, 0.2) << aside;  // far beyond where the chart of the scene is given up
    std::printf("    aside %g: poses differ by %.1e; cos v at least %.2g\n", aside, worst, nearest);
  }
}

TEST(Poles, ABodyOnAnEllipsoidRunsOverThePole) {
  const double a = 0.5, b = 0.7, c = 0.4;
  // the same ellipsoid with its poles on y: axes (z, x, y)
  const Pose<double> turned{mat3<double>(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0), {}};
  for (const double aside : {0.0, 0.05, 0.2}) {
    const Scene over =
        scene_of(on_surface(ellipsoid_surface(a, b, c), free_spin), {}, {0.0, 0.0, 0.3}, {aside, 5.0, 0.4});
    const Scene beside = scene_of(on_surface(ellipsoid_surface(c, a, b), free_spin), turned,
                                  {0.5 * M_PI, 0.0, 0.3 + 0.5 * M_PI}, {-5.0, aside, 0.4});
    EXPECT_LT(compare(over, beside, 1e-8), 0.2) << aside;
  }
}

/// Both surfaces at once: an egg that rolls and slides over a ball.
TEST(Poles, AnEggOnABallGoesThroughPolesOfBoth) {
  const Surface ball = sphere_surface(0.6), egg = ellipsoid_surface(0.3, 0.25, 0.4);
  const Joint joint = surface_on_surface(ball, egg, free_spin);
  Scene scene = scene_of(joint, {}, {0.2, 1.0, 0.1, -1.0, 0.3}, {0.3, 1.5, 0.2, -1.4, 0.1});
  const Trajectory run = simulate(scene);
  ASSERT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  EXPECT_LT(energy_drift(run).relative, 1e-8);
  double of_ball = 1.0, of_egg = 1.0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    of_ball = std::min(of_ball, std::abs(std::cos(run.q(i)[1])));
    of_egg = std::min(of_egg, std::abs(std::cos(run.q(i)[3])));
  }
  EXPECT_LT(of_ball, 0.4);
  EXPECT_LT(of_egg, 0.4);
}

/// Where something speaks of the coordinates they cannot be changed, and the run ends at the pole by name.
TEST(Poles, CoordinatesThatAForceSpeaksOfEndAtThePoleByName) {
  JointSpec joint;
  joint.name = "b";
  joint.successor = "b";
  joint.type = on_surface(sphere_surface(0.5), free_spin);
  joint.dofs.resize(3);
  joint.dofs[0].damping = 1e-3;
  Scene scene = scene_of(joint.type, {}, {0.0, 0.5 * M_PI, 0.0}, {0.0, 0.1, 0.0});
  scene.model = ModelBuilder().gravity({0.0, 0.0, 0.0}).body("b", kBody).joint(joint).build();
  std::string said;
  try {
    said = simulate(scene).summary.failure;
  } catch (const std::runtime_error& refused) {
    said = refused.what();
  }
  EXPECT_NE(said.find("pole"), std::string::npos) << said;
  EXPECT_NE(said.find("\"b\""), std::string::npos) << said;
}

}  // namespace
}  // namespace cardan::test::poles_test
