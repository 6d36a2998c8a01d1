// [[force]], [[motion]] and [simulation] of scenes.
#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/forces/applied_wrench.hpp"
#include "cardan/integrate/internal/cvode.hpp"
#include "cardan/io/load.hpp"
#include "tests/io/sound_scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

TEST(SceneLoads, AreReadAsWritten) {
  Scene scene = parse_scene(kSoundScene, "bench.toml");
  ASSERT_EQ(scene.forces.size(), 2u);
  const auto wrench = [&](std::size_t i) -> const AppliedWrench& {
    return dynamic_cast<const ForceOf<AppliedWrench>&>(*scene.forces[i]).element();
  };
  const AppliedWrench& push = wrench(0);
  EXPECT_EQ(scene.model.frame(push.frame).name, "bead");
  EXPECT_EQ(push.at[2], 0.1);
  EXPECT_FALSE(push.in_body_axes);
  const auto w = push.wrench(0.2);
  const double expected[] = {0.0, 0.0, 0.0, 0.0, 2.0 * std::sin(0.6), 1.0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(w[i], expected[i]);
  const AppliedWrench& turn = wrench(1);
  EXPECT_TRUE(turn.in_body_axes);
  EXPECT_DOUBLE_EQ(turn.wrench(1.0)[1], std::exp(-1.0));
  EXPECT_EQ(turn.wrench(1.0)[5], 0.0);

  ASSERT_EQ(scene.constraints.size(), 2u);
  const auto motion = [&](std::size_t i) -> const PrescribedMotion& {
    return dynamic_cast<const JointMotionConstraint&>(*scene.constraints[i]).motion();
  };
  const PrescribedMotion& swing = motion(0);
  EXPECT_EQ(scene.model.joint_name(swing.body), "arm");
  EXPECT_EQ(swing.kind, PrescribedMotion::Kind::position);
  EXPECT_DOUBLE_EQ(swing.motion(0.3)[2], -2.0 * std::sin(0.6));
  const PrescribedMotion& other = motion(1);
  EXPECT_EQ(other.kind, PrescribedMotion::Kind::acceleration);
  EXPECT_EQ(other.motion.size(), 2);
  EXPECT_DOUBLE_EQ(other.motion(0.3)[0], 0.3);
}

TEST(SceneRecords, AreReadAsWritten) {
  const Scene scene = parse_scene(kSoundScene, "bench.toml");
  const std::vector<RecordedColumns>& layout = scene.records.layout();
  ASSERT_EQ(layout.size(), 2u);
  EXPECT_EQ(layout[0].columns, (std::vector<std::string>{"tip.x", "tip.y", "tip.z"}));
  EXPECT_EQ(layout[0].unit, "m");
  EXPECT_EQ(layout[1].columns, std::vector<std::string>{"spread"});
  EXPECT_EQ(layout[1].unit, "m");
  const auto& point = std::get<Records::OfFrame>(scene.records.entries()[0]);
  EXPECT_EQ(scene.model.frame(point.frame).name, "bead");
  EXPECT_EQ(point.at[2], 0.1);
  SystemWorkspace system{System(scene)};
  Recorder recorder(system, scene.records);
  State state = scene.initial;
  state.v[static_cast<std::size_t>(scene.model.link(scene.model.find_joint("cam")).v) + 1] = 7.0;
  const auto row = recorder(0.0, state, {3.0, 1.0});
  ASSERT_EQ(row.size(), 4u);
  EXPECT_DOUBLE_EQ(row[3], 0.5 * (row[2] - 0.3) + 7.0 + 4.0);
}

TEST(SceneLoads, SimulationHasDefaults) {
  const auto settings = [](const std::string& lines) {
    return parse_scene("cardan = 1\n[simulation]\n" + lines, "bench.toml").settings;
  };
  const Settings none = settings("");
  EXPECT_EQ(none.duration, 10.0);
  EXPECT_EQ(none.integrator, "munthe_kaas_54");
  EXPECT_EQ(settings("step = 0.25").integrator, "munthe_kaas_4");
  const Settings options = settings("integrator = \"rk4\"\nstep = 0.25\ntolerance = 1e-3");
  EXPECT_EQ(options.steps.step, 0.25);
  EXPECT_EQ(options.steps.tolerance, 1e-3);
  EXPECT_EQ(options.integrator, "rk4");
  const Settings stabilized = settings("stabilization = \"baumgarte\"\nbaumgarte = [4, 5, 6]");
  EXPECT_EQ(stabilized.stabilization, Stabilization::baumgarte);
  EXPECT_EQ(stabilized.baumgarte.gamma, 6.0);
  EXPECT_EQ(settings("formulation = \"reduced\"").formulation, Formulation::reduced);
}

TEST(SceneLoads, CvodeIsTakenOrRefusedWithItsReason) {
  std::string text = kSoundScene;
  text.replace(text.find("\"rk4\""), 5, "\"cvode\"");
  if (has_cvode()) {
    EXPECT_EQ(parse_scene(text, "bench.toml").settings.integrator, "cvode");
    return;
  }
  try {
    parse_scene(text, "bench.toml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("simulation: integrator: " + std::string(kNoCvode)), std::string::npos)
        << error.what();
  }
}

/// A function of time so long that its derivatives would not fit.
TEST(SceneLoads, HostileMotionsAreRefusedInOneLine) {
  std::string long_text = "t";
  for (int i = 0; i < 150; ++i) long_text = "sin(" + long_text + "*t)";
  std::string many = "0";
  while (many.size() < 19'000) many += "+sin(" + std::to_string(many.size()) + "*t)*exp(t)";
  for (const std::string& text : {long_text, many, std::string(15'000, '('), "(" + many + ")^9.5"}) {
    std::string scene = kSoundScene;
    scene.replace(scene.find("0.5*sin(2*t)"), 12, text);
    try {
      parse_scene(scene, "bench.toml");
    } catch (const ModelError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("scene: bench.toml:"));
      EXPECT_LT(std::string(error.what()).size(), 1000u);
    }
  }
}

}  // namespace
}  // namespace cardan::test
