// What runs record beside their states, against closed forms and differences of the motion.
#include "cardan/simulate/recorder.hpp"

#include "cardan/model/model_builder.hpp"
#include "cardan/simulate/simulator.hpp"
#include "cardan/simulate/trajectory.hpp"
#include "cardan/symbolic/parse.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Two rods of length 1 that swing about y.
Model double_pendulum() {
  const MassProperties rod{1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.001, 0.0, 0.0, 0.0}};
  return ModelBuilder()
      .body("upper", rod)
      .body("lower", rod)
      .joint("world", "upper", Revolute{{0.0, 1.0, 0.0}})
      .joint("upper", "lower", Revolute{{0.0, 1.0, 0.0}}, {Mat3<double>::identity(), {0.0, 0.0, -1.0}})
      .build();
}

Records all_records(const Model& model) {
  Records records(model);
  const int lower = model.find_frame("lower");
  const Vec3<double> tip{0.0, 0.0, -1.0};
  records.add("tip", lower, FrameQuantity::position, tip);
  records.add("turned", lower, FrameQuantity::orientation);
  records.add("both", lower, FrameQuantity::pose);
  records.add("speed", lower, FrameQuantity::velocity, tip);
  records.add("turning", lower, FrameQuantity::angular_velocity);
  records.add("acc", lower, FrameQuantity::acceleration, tip);
  records.add("height", "tip.z + 2 + 0*t", "m");
  records.add("sum", "height*v.lower - kinetic/(1 + q.upper^2)");
  return records;
}

TEST(Recorder, AgreesWithClosedFormsAndDifferences) {
  const Model model = double_pendulum();
  SystemWorkspace system{System(model)};
  Recorder recorder(system, all_records(model));
  Trajectory run(model, recorder.layout());
  Settings options;
  options.duration = 0.5;
  options.output_every = 1e-4;
  options.integrator = "munthe_kaas_54";
  options.steps.tolerance = 1e-12;
  State start(model);
  start.q = {1.0, 0.5};
  start.v = {2.0, -3.0};
  Simulator(system, options).run(start, [&](double t, const State& state) {
    const Energy energy = system.energy(state);
    run.add(t, state, energy, recorder(t, state, energy));
  });
  ASSERT_EQ(run.recorded(0).size(), 3u + 4u + 7u + 3u + 3u + 3u + 1u + 1u);
  Worst closed("positions, orientations, expressions", 1e-13), differences("velocities, accelerations", 1e-5);
  const auto numbers = [&](std::size_t row, std::size_t first, std::size_t count) {
    return Eigen::Map<const Eigen::VectorXd>(run.recorded(row).data() + first, static_cast<Eigen::Index>(count));
  };
  for (std::size_t i = 1; i + 1 < run.size(); i += 100) {
    const double a = run.q(i)[0], b = a + run.q(i)[1], rate = run.v(i)[0] + run.v(i)[1];
    const Eigen::Vector3d tip(-std::sin(a) - std::sin(b), 0.0, -std::cos(a) - std::cos(b));
    const Eigen::Vector4d turned(std::cos(0.5 * b), 0.0, std::sin(0.5 * b), 0.0);
    const double sign = turned[0] < 0.0 ? -1.0 : 1.0;
    closed.add(relative_error(tip, numbers(i, 0, 3)), "position");
    closed.add(relative_error(sign * turned, numbers(i, 3, 4)), "orientation");
    closed.add(relative_error(Eigen::Vector3d(-std::sin(a), 0.0, -std::cos(a)), numbers(i, 7, 3)), "pose, position");
    closed.add(relative_error(sign * turned, numbers(i, 10, 4)), "pose, orientation");
    closed.add(relative_error(Eigen::Vector3d(0.0, rate, 0.0), numbers(i, 17, 3)), "angular velocity");
    const double height = tip[2] + 2.0;
    closed.add(std::abs(run.recorded(i)[23] - height), "height");
    closed.add(std::abs(run.recorded(i)[24] - (height * run.v(i)[1] - run.energies()[i].kinetic / (1.0 + a * a))),
               "sum");
    differences.add(relative_error((numbers(i + 1, 0, 3) - numbers(i - 1, 0, 3)) / 2e-4, numbers(i, 14, 3)),
                    "velocity");
    differences.add(relative_error((numbers(i + 1, 14, 3) - numbers(i - 1, 14, 3)) / 2e-4, numbers(i, 20, 3)),
                    "acceleration");
  }
  const Trajectory again = resample(run, system, 0.1, &recorder);
  ASSERT_EQ(again.recorded(3).size(), run.recorded(0).size());
  EXPECT_NEAR(again.recorded(3)[0], run.recorded(3000)[0], 1e-9);
  EXPECT_EQ(resample(run, system, 0.1).recorded(3).size(), 0u);
}

TEST(Recorder, DoesNotAllocate) {
  const Model model = double_pendulum();
  SystemWorkspace system{System(model)};
  Recorder recorder(system, all_records(model));
  const State state(model);
  recorder(0.0, state, {});
  const AllocationCounter counter;
  recorder(0.1, state, {});
  EXPECT_EQ(counter.count(), 0);
}

TEST(Records, RefuseNamesThatAreTakenAndColumnsThatAreNone) {
  const Model model = double_pendulum();
  Records records(model);
  EXPECT_THROW(records.add("energy", "t"), std::invalid_argument);
  EXPECT_THROW(records.add("a", "a + 1"), std::invalid_argument);
  EXPECT_THROW(records.add("a", "t +"), ParseError);
  records.add("a", "2*t");
  EXPECT_THROW(records.add("a", "t"), std::invalid_argument);
  EXPECT_EQ(records.layout().size(), 1u);
  EXPECT_EQ(records.columns().back(), "a");
  EXPECT_THROW(Trajectory(model, records.layout()).add(0.0, State(model), {}), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test
