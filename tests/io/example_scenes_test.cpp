// The scene files in examples/: what their comments promise, and that they move as mechanics says.
#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/io/load.hpp"
#include "cardan/model/singularity.hpp"
#include "tests/support/near.hpp"
#include "tests/support/newton_euler.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace cardan::test {
namespace {

struct Example {
  const char* name;
  int bodies, nv;
};

Scene load_example(const std::string& name) { return load(CARDAN_SOURCE_DIR "/examples/" + name + ".toml"); }

Eigen::VectorXd as_vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

class ExampleScene : public ::testing::TestWithParam<Example> {};

TEST_P(ExampleScene, HasTheSizeItPromisesAndARegularStart) {
  const Scene scene = load_example(GetParam().name);
  EXPECT_EQ(scene.model.bodies(), GetParam().bodies);
  EXPECT_EQ(scene.model.nv(), GetParam().nv);
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_TRUE(scene.model.warnings().empty());
  EXPECT_TRUE(singular_joints(scene.model, scene.initial.q).empty());
}

/// The forces of inverse dynamics against the change of momentum of every body, and forward dynamics against them.
TEST_P(ExampleScene, ObeysNewtonAndEuler) {
  const Scene scene = load_example(GetParam().name);
  const Model& model = scene.model;
  Eigen::VectorXd q = as_vector(scene.initial.q), v(model.nv()), a(model.nv()), tau(model.nv()), back(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    v(i) = 0.3 * std::cos(1.7 * i);
    a(i) = 0.5 * std::sin(2.3 * i);
  }
  Workspace<double> w(model);
  inverse_dynamics<double>(model, w, q, v, a, tau);
  EXPECT_TRUE(near(tau, newton_euler_by_differences(model, q, v, a), 1e-7));
  forward_dynamics<double>(model, w, q, v, tau, back);
  EXPECT_TRUE(near(back, a, 1e-8));
}

/// Without forces the energy stays: its rate v'(H a + dH/dt v / 2) + dV/dt vanishes along the motion.
TEST_P(ExampleScene, KeepsItsEnergy) {
  const Scene scene = load_example(GetParam().name);
  const Model& model = scene.model;
  const Eigen::VectorXd q = as_vector(scene.initial.q), none = Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd v(model.nv()), a(model.nv());
  for (int i = 0; i < model.nv(); ++i) v(i) = 0.3 * std::cos(1.7 * i);
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_dynamics<double>(model, w, q, v, none, a);
  const auto energy_after = [&](double h) {  // along the motion, to second order
    Eigen::VectorXd moved(q), faster = v + h * a, mean = v + 0.5 * h * a;
    integrate(model, q.data(), mean.data(), h, moved.data());
    forward_kinematics<double>(model, w, moved, faster, k);
    return kinetic_energy<double>(model, k, faster) + potential_energy(model, k);
  };
  const double h = 1e-4, rate = (energy_after(h) - energy_after(-h)) / (2.0 * h);
  forward_kinematics<double>(model, w, q, v, k);
  const double size = kinetic_energy<double>(model, k, v) + std::abs(potential_energy(model, k));
  EXPECT_TRUE(std::isfinite(size));
  EXPECT_LT(std::abs(rate), 1e-5 * size);
}

INSTANTIATE_TEST_SUITE_P(
    All, ExampleScene,
    ::testing::Values(Example{"pendulum", 2, 2}, Example{"cam", 3, 3}, Example{"knee", 3, 6}, Example{"board", 3, 8},
                      Example{"torus_chain_10", 10, 38}, Example{"torus_chain_20", 20, 78},
                      Example{"torus_chain_on_curve", 5, 18}, Example{"windmill", 19, 73}, Example{"heavy_top", 1, 3},
                      Example{"flying_chain", 10, 33}, Example{"unstable_rotation", 1, 6},
                      Example{"forced_pendulum", 2, 3}, Example{"four_bar", 3, 3}, Example{"slider_crank", 3, 3},
                      Example{"watt_linkage", 3, 3}, Example{"bricard", 5, 5}, Example{"delta_robot", 10, 21},
                      Example{"stewart_platform", 13, 24}, Example{"differential", 4, 4},
                      Example{"spring_pendulum", 2, 7}, Example{"walking_linkage", 25, 25}, Example{"shapes", 3, 3},
                      Example{"arm26", 2, 2}, Example{"knee_extensor", 2, 2}, Example{"strand_net", 31, 93},
                      Example{"bow", 13, 37}, Example{"fishing_rod", 18, 52}, Example{"measured_knee", 1, 1},
                      Example{"cart_pole", 2, 2}, Example{"planetary_gear", 3, 3}, Example{"geneva_drive", 2, 2},
                      Example{"rolling_coin", 1, 6}, Example{"mixed_arm", 11, 32},
                      Example{"suspension_bridge", 58, 134}, Example{"umbrella", 17, 17},
                      Example{"spring_tree", 127, 127}, Example{"rack_and_pinion", 2, 2}, Example{"driven_arm", 2, 2},
                      Example{"swing_fit", 1, 1}, Example{"flat_foot", 3, 3}),
    [](const auto& info) { return info.param.name; });

TEST(ExampleScenes, AllAreTested) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CARDAN_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".toml") ++scenes;
  EXPECT_EQ(scenes, 57);  // those with contact: tests/contact/contact_examples_test.cpp
}

}  // namespace
}  // namespace cardan::test
