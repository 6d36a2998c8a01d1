// A mechanism that cannot follow: the run stops at the first step whose projection fails and says what locks.
#include "cardan/simulate/simulate.hpp"
#include "tests/constraints/linkages.hpp"
#include "tests/support/elements.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

class Locking : public ::testing::TestWithParam<const char*> {};

TEST_P(Locking, ACrankDrivenPastItsDeadPoint) {
  Scene scene = scene_of(four_bar(about_z(), 1.0, 0.8, 0.8, 1.2));
  const int crank = scene.model.joint_named("crank");
  scene.constraints =
      constraints_of(scene.model, {{crank, PrescribedMotion::Kind::position, TimeFunction({"0.9 + 0.5*t"}, 2)}});
  if (std::string(GetParam()) != "munthe_kaas_54") scene.settings.choose_step(1e-3);
  scene.settings.integrator = GetParam();
  scene.settings.duration = 10.0;
  scene.initial.q[static_cast<std::size_t>(scene.model.link(crank).q)] = 0.9;
  assemble(scene);
  const Trajectory run = simulate(scene);
  EXPECT_EQ(run.summary.end, RunSummary::End::failed);
  EXPECT_NE(run.summary.failure.find("cannot be kept closed"), std::string::npos) << run.summary.failure;
  EXPECT_NE(run.summary.failure.find("the mechanism locks here"), std::string::npos) << run.summary.failure;
  EXPECT_GT(run.size(), 2u);
  for (std::size_t row = 0; row < run.size(); ++row)
    for (const double q : run.q(row)) EXPECT_LT(std::abs(q), 10.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, Locking,
                         ::testing::Values("munthe_kaas_54", "munthe_kaas_4", "rk4", "bdf2", "generalized_alpha",
                                           "variational", "linearly_implicit_euler"));

}  // namespace
}  // namespace cardan::test
