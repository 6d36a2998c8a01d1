#include "cardan/simulate/simulator.hpp"

#include "cardan/model/model_builder.hpp"
#include "cardan/simulate/trajectory.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

Model pendulum() {
  return ModelBuilder()
      .body("upper", {1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.001, 0.0, 0.0, 0.0}})
      .body("lower", {1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.001, 0.0, 0.0, 0.0}})
      .joint("world", "upper", Revolute{{0.0, 1.0, 0.0}})
      .joint("upper", "lower", Spherical{}, {Mat3<double>::identity(), {0.0, 0.0, -1.0}})
      .build();
}

State tilted(const Model& model) {
  State state(model);
  state.q[0] = 1.0;
  state.v = {0.0, 1.0, 0.5, -2.0};
  return state;
}

struct Recorded {
  RunSummary summary;
  Trajectory trajectory;
};
Recorded simulate(SystemWorkspace& system, const State& start, const Settings& options,
                  const Simulator::GoOn& go_on = {}) {
  Recorded out{{}, Trajectory(system.model())};
  out.summary =
      Simulator(system, options)
          .run(
              start, [&](double t, const State& state) { out.trajectory.add(t, state, system.energy(state)); }, go_on);
  return out;
}

Settings options(const std::string& integrator, double duration, double every, double step = 1e-3) {
  Settings out;
  out.integrator = integrator;
  out.duration = duration;
  out.output_every = every;
  out.steps.step = step;
  return out;
}

TEST(Simulator, OutputsAtTheTimesAskedFor) {
  const Model model = pendulum();
  SystemWorkspace system{System(model)};
  for (const std::string& name : integrator_names()) {
    const Recorded run = simulate(system, tilted(model), options(name, 0.25, 0.1, 0.003));
    const std::vector<double> expected{0.0, 0.1, 0.2, 0.25};
    ASSERT_EQ(run.trajectory.size(), 4u) << name;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(run.trajectory.times()[i], expected[i]);
    EXPECT_EQ(run.summary.end, RunSummary::End::done);
    EXPECT_EQ(run.summary.end_time, 0.25);
    EXPECT_GT(run.summary.steps, 0);
    EXPECT_GT(run.summary.evaluations, 0);
    EXPECT_GT(run.summary.wall_time, 0.0);
  }
  // a duration that is a multiple has no row twice; an interval longer than the run has both ends
  EXPECT_EQ(simulate(system, tilted(model), options("rk4", 1.0, 0.1)).trajectory.size(), 11u);
  EXPECT_EQ(simulate(system, tilted(model), options("rk4", 1.0, 7.0)).trajectory.size(), 2u);
}

TEST(Simulator, KeepsTheEnergyAndAgreesWithTheIntegratorAlone) {
  const Model model = pendulum();
  SystemWorkspace system{System(model)};
  EXPECT_TRUE(system.is_conservative());
  const Recorded run = simulate(system, tilted(model), options("munthe_kaas_4", 3.0, 0.01));
  const EnergyDrift drift = energy_drift(run.trajectory);
  EXPECT_LT(drift.relative, 1e-9);
  EXPECT_GE(drift.largest, std::abs(drift.last));
  TreeProblem plain(model);
  const State expected = test::run("munthe_kaas_4", plain, tilted(model), 3.0, with_step(1e-3));
  State end(model);
  std::copy(run.trajectory.q(300).begin(), run.trajectory.q(300).end(), end.q.begin());
  std::copy(run.trajectory.v(300).begin(), run.trajectory.v(300).end(), end.v.begin());
  EXPECT_LT(distance(model, expected, end), 1e-9);
}

TEST(Simulator, SameSceneSameBits) {
  for (const char* name : {"munthe_kaas_4", "munthe_kaas_54", "bdf2"}) {
    std::vector<double> seen[2];
    for (auto& numbers : seen) {
      const Model model = pendulum();
      SystemWorkspace system{System(model)};
      const Recorded run = simulate(system, tilted(model), options(name, 1.0 * kPartOfTime, 0.01));
      for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
        numbers.insert(numbers.end(), run.trajectory.q(i).begin(), run.trajectory.q(i).end());
        numbers.push_back(run.trajectory.energies()[i].total());
      }
    }
    EXPECT_EQ(seen[0], seen[1]) << name;
  }
}

TEST(Simulator, CompiledAndGenericAgree) {
  const Model model = pendulum();
  SystemWorkspace generic{System(model, {}, {}, generic_code())}, compiled{System(model)};
  EXPECT_FALSE(generic.is_compiled());
  const Recorded a = simulate(generic, tilted(model), options("rk4", 2.0, 0.1));
  const Recorded b = simulate(compiled, tilted(model), options("rk4", 2.0, 0.1));
  Worst worst("compiled against generic over 2 s", 1e-10);
  for (std::size_t i = 0; i < a.trajectory.size(); ++i)
    for (std::size_t k = 0; k < a.trajectory.q(i).size(); ++k)
      worst.add(std::abs(a.trajectory.q(i)[k] - b.trajectory.q(i)[k]));
}

TEST(Simulator, StopsWhenTold) {
  const Model model = pendulum();
  SystemWorkspace system{System(model)};
  const Recorded run = simulate(system, tilted(model), options("rk4", 100.0, 0.1), [](double t) { return t < 0.4235; });
  EXPECT_EQ(run.summary.end, RunSummary::End::stopped);
  EXPECT_NEAR(run.summary.end_time, 0.424, 1e-12);
  EXPECT_EQ(run.trajectory.size(), 6u);
  EXPECT_EQ(run.trajectory.times().back(), run.summary.end_time);
}

/// A force that is no number after 0.5 s: what was computed before stays.
TEST(Simulator, FailureKeepsWhatWasComputed) {
  const Model model = pendulum();
  const TimeFunction wall({"0", "0", "0", "0", "0", "log(0.5 - t)"});
  SystemWorkspace system{System(model, forces_of(model, {{model.find_frame("lower"), {}, false, wall}}))};
  const Recorded run = simulate(system, tilted(model), options("rk4", 2.0, 0.01));
  EXPECT_EQ(run.summary.end, RunSummary::End::failed);
  EXPECT_NE(run.summary.failure.find("not finite"), std::string::npos) << run.summary.failure;
  EXPECT_GT(run.summary.end_time, 0.45);
  EXPECT_LE(run.summary.end_time, 0.5);
  EXPECT_GE(run.trajectory.size(), 46u);
  for (std::size_t i = 0; i < run.trajectory.size(); ++i)
    for (const double x : run.trajectory.q(i)) EXPECT_TRUE(std::isfinite(x));
}

TEST(Simulator, FailureAtOnceLeavesTheStart) {
  const Model model = pendulum();
  const TimeFunction nothing({"0", "0", "0", "log(-1 - t)", "0", "0"});
  SystemWorkspace system{System(model, forces_of(model, {{model.find_frame("lower"), {}, false, nothing}}))};
  for (const std::string& name : integrator_names()) {
    const Recorded run = simulate(system, tilted(model), options(name, 2.0, 0.01));
    EXPECT_EQ(run.summary.end, RunSummary::End::failed) << name;
    ASSERT_EQ(run.trajectory.size(), 1u) << name;
    EXPECT_EQ(run.trajectory.q(0)[0], 1.0);
  }
}

TEST(Simulator, RefusesOptionsWithoutSense) {
  const Model model = pendulum();
  SystemWorkspace system{System(model)};
  EXPECT_THROW(Simulator(system, options("rk4", 0.0, 0.1)), std::invalid_argument);
  EXPECT_THROW(Simulator(system, options("rk4", INFINITY, 0.1)), std::invalid_argument);
  EXPECT_THROW(Simulator(system, options("rk4", 1.0, 0.0)), std::invalid_argument);
  EXPECT_THROW(Simulator(system, options("rk4", 1.0, 1e-12)), std::invalid_argument);
  EXPECT_THROW(Simulator(system, options("rk4", 1.0, 0.1, -1.0)), std::invalid_argument);
  EXPECT_THROW(Simulator(system, options("rk5", 1.0, 0.1)), std::invalid_argument);
}

TEST(Trajectory, BetweenRowsItIsSmooth) {
  const Model model = pendulum();
  SystemWorkspace system{System(model)};
  const Recorded fine = simulate(system, tilted(model), options("munthe_kaas_4", 1.0, 0.001));
  const Recorded coarse = simulate(system, tilted(model), options("munthe_kaas_4", 1.0, 0.01));
  const Trajectory again = resample(coarse.trajectory, system, 0.001);
  ASSERT_EQ(again.size(), fine.trajectory.size());
  Worst q("resampled positions", 1e-6), v("resampled velocities", 1e-2);
  for (std::size_t i = 0; i < again.size(); ++i) {
    for (std::size_t k = 0; k < again.q(i).size(); ++k) q.add(std::abs(again.q(i)[k] - fine.trajectory.q(i)[k]));
    for (std::size_t k = 0; k < again.v(i).size(); ++k) v.add(std::abs(again.v(i)[k] - fine.trajectory.v(i)[k]));
  }
  EXPECT_EQ(coarse.trajectory.at(-1.0).q, tilted(model).q);
  EXPECT_EQ(coarse.trajectory.at(9.0).q[0], coarse.trajectory.q(100)[0]);
  EXPECT_THROW(Trajectory(model).at(0.0), std::out_of_range);
  Trajectory wrong(model);
  wrong.add(1.0, State(model), {});
  EXPECT_THROW(wrong.add(1.0, State(model), {}), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test
