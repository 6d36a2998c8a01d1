// Simulations that must obey: loops stay closed, energy stays, bodies go where they are told.
#include "cardan/io/load.hpp"
#include "cardan/simulate/simulator.hpp"
#include "tests/constraints/linkages.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

Settings with_step_of_1_ms() {
  Settings out;
  out.choose_step(1e-3);
  return out;
}

struct RunOfScene {
  RunSummary summary;
  double first_energy = 0.0, most = 0.0;  // of the total energy: at the start, and the largest change
};

RunOfScene run_scene(const Scene& scene, double duration, double step, const std::string& integrator) {
  SystemWorkspace system{System(scene)};
  Settings options = scene.settings;
  options.duration = duration;
  options.steps.step = step;
  options.integrator = integrator;
  RunOfScene out;
  out.summary = Simulator(system, options).run(scene.initial, [&](double t, const State& state) {
    const double energy = system.energy(state).total();
    if (t == 0.0) out.first_energy = energy;
    out.most = std::max(out.most, std::abs(energy - out.first_energy));
    EXPECT_LT(system.constraint_error(t, state), 1e-11);
  });
  return out;
}

Scene example(const char* name) { return load(std::string(CARDAN_SOURCE_DIR "/examples/") + name + ".toml"); }

class ConservativeLinkage : public ::testing::TestWithParam<const char*> {};

TEST_P(ConservativeLinkage, StaysClosedAndKeepsItsEnergy) {
  const Scene scene = example(GetParam());
  const RunOfScene run = run_scene(scene, 2.0 * kPartOfTime, 1e-3, "rk4");
  EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  EXPECT_LT(run.summary.largest_constraint_error, 1e-11);
  EXPECT_LT(run.most, 1e-7 * std::max(1.0, std::abs(run.first_energy)));
}
INSTANTIATE_TEST_SUITE_P(Examples, ConservativeLinkage,
                         ::testing::Values("four_bar", "watt_linkage", "delta_robot", "bricard"),
                         [](const auto& info) { return info.param; });

class DrivenLinkage : public ::testing::TestWithParam<const char*> {};

TEST_P(DrivenLinkage, StaysClosed) {
  const RunOfScene run = run_scene(example(GetParam()), 0.5 * kPartOfTime, 1e-3, "munthe_kaas_4");
  EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  EXPECT_LT(run.summary.largest_constraint_error, 1e-11);
}
INSTANTIATE_TEST_SUITE_P(Examples, DrivenLinkage, ::testing::Values("slider_crank", "stewart_platform", "differential"),
                         [](const auto& info) { return info.param; });

TEST(Linkage, TheSceneChoosesTheMethod) {
  const auto run_by = [](const std::string& method) {
    Scene scene = example("four_bar");
    if (!method.empty()) scene.settings.constraint_method = constraint_method(method);
    scene.settings.code = Settings::Code::generic;  // machine code solves in a way of its own
    SystemWorkspace system{System(scene)};
    Settings options = scene.settings;
    options.duration = 0.1;
    std::vector<double> all;
    Simulator(system, options).run(scene.initial, [&](double, const State& s) {
      all.insert(all.end(), s.q.begin(), s.q.end());
      all.insert(all.end(), s.v.begin(), s.v.end());
    });
    return all;
  };
  const std::vector<double> otherwise = run_by("");
  EXPECT_EQ(run_by("automatic"), otherwise);
  EXPECT_EQ(run_by("articulated"), otherwise);
  for (const char* method : {"direct", "dual", "elimination", "sparse"}) {
    const std::vector<double> run = run_by(method);
    EXPECT_TRUE(run != otherwise) << method << ": rounds otherwise, so that equal bits say it was not used";
    ASSERT_EQ(run.size(), otherwise.size());
    for (std::size_t i = 0; i < run.size(); ++i) EXPECT_NEAR(run[i], otherwise[i], 1e-11) << method;
  }
}

TEST(Linkage, EveryIntegratorStaysOnTheConstraints) {
  const Scene scene = example("four_bar");
  std::vector<double> reference;
  for (const std::string& name : integrator_names()) {
    SystemWorkspace system{System(scene.model)};
    Settings options;
    options.duration = 0.3 * kPartOfTime;
    options.steps.step = 1e-3;
    options.steps.tolerance = 1e-10;
    options.integrator = name;
    std::vector<double> end;
    const auto summary = Simulator(system, options).run(scene.initial, [&](double, const State& s) { end = s.q; });
    EXPECT_EQ(summary.end, RunSummary::End::done) << name << ": " << summary.failure;
    EXPECT_LT(summary.largest_constraint_error, 1e-11) << name;
    if (reference.empty()) reference = end;
    for (std::size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(end[i], reference[i], 5e-3) << name;
  }
}

/// The crank of a slider-crank at constant speed: the slider's place is known, and so is the force of its drive.
TEST(Linkage, ASliderGoesWhereTheCrankSendsIt) {
  const Scene scene = example("slider_crank");
  SystemWorkspace system{System(scene)};
  const auto slider = static_cast<std::size_t>(scene.model.link(scene.model.find_joint("slider")).q);
  Settings options = with_step_of_1_ms();
  options.duration = 0.2 * kPartOfTime;
  Simulator(system, options).run(scene.initial, [&](double t, const State& state) {
    const double angle = 0.4 + 20.0 * t, y = 0.1 * std::sin(angle);
    EXPECT_NEAR(state.q[slider], 0.1 * std::cos(angle) + std::sqrt(0.09 - y * y), 1e-11);
    // power of the drive = change of energy + loss in the damper
    std::vector<double> tau(state.v.size());
    system.driving_forces(t, state.q, state.v, tau);
    const auto energy = [&](double h) {
      State moved = state;
      std::vector<double> a(state.v.size());
      system.acceleration(t, state.q, state.v, a);
      for (std::size_t i = 0; i < a.size(); ++i) {
        moved.q[i] += h * state.v[i] + 0.5 * h * h * a[i];
        moved.v[i] += h * a[i];
      }
      return system.energy(moved).total();
    };
    const double power = (energy(1e-5) - energy(-1e-5)) / 2e-5 + 2.0 * state.v[slider] * state.v[slider];
    EXPECT_NEAR(tau[0] * state.v[0], power, 1e-5 * (1.0 + std::abs(power)));
  });
}

/// A tip that is led along a circle while its orientation turns: the arm follows, whatever that takes.
TEST(BodyMotion, PointAndOrientationFollowTime) {
  ModelBuilder builder("arm");
  Sym3<double> I{0.1, 0.12, 0.09, 0.0, 0.0, 0.0};
  builder.body("tool", {2.0, {0.05, -0.02, 0.1}, I}).joint("world", "tool", Free{});
  builder.body("tail", {1.0, {0.2, 0.0, 0.0}, I}).joint("tool", "tail", about_z(), along_x(0.3));
  const Model model = builder.build();
  PrescribedBodyMotion motion;
  motion.frame = model.find_frame("tool");
  motion.at = {0.1, 0.2, -0.1};
  motion.position = TimeFunction({"0.5*cos(2*t)", "0.5*sin(2*t)", "0.3*t"}, 2);
  motion.rpy = TimeFunction({"0.4*sin(t)", "0.3*cos(2*t)", "t"}, 2);
  SystemWorkspace system{System(model, {}, {std::make_shared<const BodyMotionConstraint>(model, motion)})};
  Settings options = with_step_of_1_ms();
  options.duration = 1.0 * kPartOfTime;
  double tail = 0.0;
  const auto summary = Simulator(system, options).run(State(model), [&](double t, const State& state) {
    Workspace<double> w(model);
    Kinematics<double> k(model);
    forward_kinematics(model, w, state.q, k);
    const Pose<double> pose = frame_pose(model, k, motion.frame);
    const Vec3<double> p = pose * motion.at;
    EXPECT_NEAR(p[0], 0.5 * std::cos(2.0 * t), 1e-11);
    EXPECT_NEAR(p[2], 0.3 * t, 1e-11);
    const Mat3<double> R = rotation_rpy(0.4 * std::sin(t), 0.3 * std::cos(2.0 * t), t);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(pose.R(i, j), R(i, j), 1e-11);
    tail = state.q[7];
  });
  EXPECT_EQ(summary.end, RunSummary::End::done) << summary.failure;

  // without the projections of the simulator the accelerations alone lead there, too
  const State state = system.begin(0.0, State(model));
  std::vector<double> a(7);
  system.acceleration(0.0, state.q, state.v, a);
  constexpr double h = 1e-4;
  State moved = state;
  std::vector<double> mean(7);
  for (std::size_t i = 0; i < 7; ++i) mean[i] = state.v[i] + 0.5 * h * a[i];
  integrate(model, state.q.data(), mean.data(), h, moved.q.data());
  EXPECT_LT(system.constraint_error(h, moved), 1e-10);
  EXPECT_NE(tail, 0.0);
}

TEST(Linkage, OneThatCannotCloseIsRefused) {
  const Model model = four_bar(about_z(), 0.1, 0.2, 0.3, 2.0);
  SystemWorkspace system{System(model)};
  Simulator simulator(system, Settings{});
  try {
    simulator.run(State(model), [](double, const State&) {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "simulate: loop \"pin\" cannot be closed: its ends stay 1.4 m and 0 rad apart");
  }
}

}  // namespace
}  // namespace cardan::test
