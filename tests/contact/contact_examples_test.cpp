// The examples with contact, each to its end: what their comments promise.
#include "cardan/io/load.hpp"
#include "tests/support/contact_scenes.hpp"
#include "tests/support/trials.hpp"

namespace cardan::test {
namespace {

Trajectory run_example(const std::string& name, double duration = 0.0) {
  Scene scene = load(CARDAN_SOURCE_DIR "/examples/" + name + ".toml");
  if (duration > 0.0) scene.settings.duration = duration;
  Trajectory run = simulate(scene);
  EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  EXPECT_LE(run.summary.contact->unsolved, run.summary.steps / 200) << "residual " << run.summary.contact->residual;
  for (const double x : run.q(run.size() - 1)) EXPECT_TRUE(std::isfinite(x));
  return run;
}

double fastest(const Trajectory& run) {
  double out = 0.0;
  for (const double v : run.v(run.size() - 1)) out = std::max(out, std::abs(v));
  return out;
}
double farthest(const Trajectory& run) {
  double out = 0.0;
  for (int k = 0; k < run.model().nq(); ++k) out = std::max(out, std::abs(last_q(run, k) - q_at(run, 0, k)));
  return out;
}

TEST(ContactExamples, StackStands) {
  const Trajectory run = run_example("stack", repetitions(2, 60));
  EXPECT_LT(farthest(run), 1e-9);
}

TEST(ContactExamples, PyramidStands) {
  const Trajectory run = run_example("pyramid", repetitions(1, 20) * 0.3);
  EXPECT_LT(farthest(run), 1e-9);
  EXPECT_LT(fastest(run), 1e-6);
}

TEST(ContactExamples, DominoesFallOneAfterAnother) {
  const Trajectory run = run_example("dominoes");
  for (int i = 0; i < 9; ++i) EXPECT_GT(2.0 * std::asin(std::abs(last_q(run, 7 * i + 2))), 0.5) << i;
}

/// Laws that no method solves in a whole step are solved in halves of it.
TEST(ContactExamples, DominoesWithAnyFrictionAreSolved) {
  Scene scene = load(CARDAN_SOURCE_DIR "/examples/dominoes.toml");
  long unsolved = 0, steps = 0;
  for (const double friction : {0.3, 0.35, 0.5, 0.6}) {
    scene.contact.ground->coefficients.friction = friction;
    const Trajectory run = simulate(scene);
    EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
    unsolved += run.summary.contact->unsolved;
    steps += run.summary.steps;
  }
  std::printf("    %ld of %ld steps of dominoes unsolved\n", unsolved, steps);
  EXPECT_LE(unsolved, 1);
}

TEST(ContactExamples, CradleSwingsAtItsEndsOnly) {
  const Trajectory run = run_example("newtons_cradle");
  double middle = 0.0, last = 0.0;
  for (std::size_t row = 0; row < run.size(); ++row) {
    middle = std::max(middle, std::abs(q_at(run, row, 2)));
    last = std::max(last, std::abs(q_at(run, row, 4)));
  }
  EXPECT_LT(middle, 1e-3);
  EXPECT_NEAR(last, 0.6, 1e-3);
  EXPECT_LT(energy_drift(run).relative, 1e-5);
}

TEST(ContactExamples, MarblesStayInTheirRing) {
  const Trajectory run = run_example("marbles");
  for (int i = 0; i < 12; ++i) {
    EXPECT_LT(std::hypot(last_q(run, 7 * i + 4), last_q(run, 7 * i + 5)), 0.15) << i;
    EXPECT_GT(last_q(run, 7 * i + 6), 0.0149) << i;
  }
}

TEST(ContactExamples, RagdollFallsAndLiesWithinItsLimits) {
  const Trajectory run = run_example("ragdoll");
  EXPECT_LT(last_q(run, 6), 0.4);
  EXPECT_LT(run.energies().back().kinetic, 1.0);
  const Model& model = run.model();
  for (std::size_t row = 0; row < run.size(); ++row)
    for (int body = 2; body <= model.bodies(); ++body)
      for (int k = 0; k < model.link(body).nv; ++k) {
        const double q = q_at(run, row, model.link(body).q + k);
        EXPECT_GT(q, model.dof(model.link(body).v + k).lower - 1e-3);
        EXPECT_LT(q, model.dof(model.link(body).v + k).upper + 1e-3);
      }
}

TEST(ContactExamples, GripperHoldsByFriction) {
  const Trajectory run = run_example("gripper", repetitions(2, 60));
  EXPECT_LT(std::abs(last_q(run, 8) - q_at(run, 0, 8)), 1e-9);
}

TEST(ContactExamples, DoorComesToRest) {
  const Trajectory run = run_example("door_hinge");
  EXPECT_LT(fastest(run), 1e-12);
  EXPECT_GT(last_q(run, 0), 0.5);
}

TEST(ContactExamples, JackHoldsAndTheSteepScrewRuns) {
  const Trajectory run = run_example("screw_jack");
  EXPECT_LT(std::abs(last_q(run, 0)), 1e-9);
  EXPECT_LT(last_q(run, 1), -1.0);
}

TEST(ContactExamples, RimlessWheelRollsAtASteadyPace) {
  const Trajectory run = run_example("rimless_wheel");
  EXPECT_GT(last_q(run, 4), 0.8);
}

TEST(ContactExamples, ArchStands) {
  const Trajectory run = run_example("arch");
  EXPECT_LT(farthest(run), 1e-9);
}

TEST(ContactExamples, CardHouseStands) {
  const Trajectory run = run_example("card_house", repetitions(2, 60));
  EXPECT_LT(farthest(run), 1e-9);
  EXPECT_LT(fastest(run), 1e-6);
}

TEST(ContactExamples, TippeTopTurnsOver) {
  const Trajectory run = run_example("tippe_top");
  const auto upward = [&](std::size_t row) {  // z of the top's axis
    return 1.0 - 2.0 * (std::pow(q_at(run, row, 1), 2) + std::pow(q_at(run, row, 2), 2));
  };
  EXPECT_GT(upward(0), 0.99);
  EXPECT_LT(upward(run.size() - 1), -0.9);
  EXPECT_LT(last_v(run, 2), 0.0);  // seen from its stem it spins the other way: angular momentum stays upright
}

TEST(ContactExamples, RobotsFallAndLieStill) {
  for (const char* name : {"humanoid_falls", "quadruped_falls"}) {
    const Trajectory run = run_example(name);
    EXPECT_LT(last_q(run, 6), 0.5) << name;
    EXPECT_LT(fastest(run), 1e-6) << name;
  }
}

}  // namespace
}  // namespace cardan::test
