// Drag of a fluid: closed forms, and D against differences.
#include "cardan/forces/fluid_drag.hpp"

#include "cardan/io/scene_spec.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

class FluidDragTest : public ::testing::Test {
 protected:
  FluidDragTest()
      : scene(SceneSpec::parse(R"(cardan = 1
[[body]]
name = "box"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "free"
[[force]]
type = "fluid"
body = "box"
at = { xyz = [0.1, 0, 0] }
box = [0.2, 0.4, 0.5]
density = 10
viscosity = 0.3
wind = [0, 0, 2]
)",
                               "box.toml")
                  .bind()),
        kinematics(scene.model) {}

  ForceVector<double> wrench(const std::vector<double>& v) {
    std::vector<ForceVector<double>> bodies(2);
    std::vector<double> tau(6);
    Pushes pushes(bodies, tau);
    scene.forces.at(0)->add(kinematics.at(0.0, scene.initial.q, v), pushes);
    return bodies[1];
  }
  Scene scene;
  StateKinematics kinematics;
};

TEST_F(FluidDragTest, HasItsClosedForm) {
  const double pi = std::acos(-1.0), d = 1.1 / 3.0;
  // along z at 5 m/s, 3 against the wind
  ForceVector<double> f = wrench({0, 0, 0, 0, 0, 5});
  const double z = -3.0 * pi * d * 0.3 * 3.0 - 0.5 * 10.0 * 0.2 * 0.4 * 9.0;
  EXPECT_NEAR(f.force[2], z, 1e-13);
  EXPECT_NEAR(f.moment[1], -0.1 * z, 1e-13);  // about the body's origin
  // turning about its own center, with the wind
  f = wrench({4, 0, 0, 0, 0, 2});
  EXPECT_NEAR(f.moment[0],
              -pi * d * d * d * 0.3 * 4.0 - 10.0 * 0.2 * (std::pow(0.4, 4) + std::pow(0.5, 4)) / 64.0 * 16.0, 1e-13);
  EXPECT_NEAR(norm(f.force), 0.0, 1e-13);
}

TEST_F(FluidDragTest, DampsAsDifferencesSay) {
  const std::vector<double> v{1.0, -2.0, 0.5, 3.0, -1.0, 4.0};
  Tangent tangent;
  tangent.resize(scene.forces[0]->touches());
  scene.forces[0]->add_tangent(kinematics.at(0.0, scene.initial.q, v), tangent);
  const double h = 1e-6;
  for (std::size_t j = 0; j < 6; ++j) {
    std::vector<double> up = v, down = v;
    up[j] += h;
    down[j] -= h;
    const ForceVector<double> a = wrench(up), b = wrench(down);
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(tangent.D(i, static_cast<Eigen::Index>(j)), (a[i] - b[i]) / (2.0 * h), 1e-7) << i << j;
  }
}

}  // namespace
}  // namespace cardan
