// Bodies that spin, in contact steps: what flies keeps its momentum, what rolls its speed, whatever the step.
#include "tests/apps/scene_runs.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace cardan::spin_test {
namespace {

using test::Json;

/// A lopsided body in the axes of which `spin` is its angular velocity.
std::string lopsided(double spin, const std::string& turned = "0, 0, 0") {
  return fmt::format(R"(cardan = 1
gravity = [0, 0, 0]
[ground]
height = -1e4
[[body]]
name = "base"
mass = 2.0
com = [0.1, -0.2, 0.05]
inertia = [0.02, 0.05, 0.06, 0.003, -0.002, 0.004]
[[body.shape]]
sphere = 0.1
[body.joint]
type = "free"
at = {{ rpy = [{}] }}
v = [{:.17g}, {:.17g}, {:.17g}, 1.0, -0.5, 0.7]
)",
                     turned, 0.3 * spin, 0.9 * spin, 0.3 * spin);
}

/// Arms on it: a hinge and a ball joint.
std::string arms(double spin) {
  return fmt::format(R"([[body]]
name = "arm"
parent = "base"
mass = 1.0
com = [0.2, 0.0, 0.05]
inertia = [0.01, 0.03, 0.035, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0.6, 0.8]
at = {{ xyz = [0.2, 0, 0.1] }}
q = [0.3]
v = [{:.17g}]
[[body]]
name = "ball"
parent = "base"
mass = 0.5
com = [0.0, 0.1, -0.2]
inertia = [0.01, 0.01, 0.005, 0, 0, 0]
[body.joint]
type = "spherical"
at = {{ xyz = [-0.2, 0, 0.1] }}
v = [{:.17g}, 0, {:.17g}]
)",
                     0.5 * spin, -0.4 * spin, 0.2 * spin);
}

std::string stepping(double step, double duration) {
  return fmt::format(
      "[simulation]\ncontact = \"stepping\"\nstep = {:.17g}\nduration = {:.17g}\noutput_every = {:.17g}\n", step,
      duration, 0.1 * duration);
}

class SpinningBodies : public test::SceneRuns {
 protected:
  /// Momentum (angular about the center of mass, linear), kinetic energy and center of mass at the outputs of a run.
  Json along(const std::string& scene) const {
    const CsvTable run = motion(scene);
    Json states = Json::array();
    for (const auto& row : run.rows) {
      Json state{{"q", Json::array()}, {"v", Json::array()}};
      for (std::size_t c = 0; c < run.columns.size(); ++c)
        if (run.columns[c].starts_with("q.") || run.columns[c].starts_with("v."))
          state[run.columns[c].substr(0, 1)].push_back(row[c]);
      states.push_back(state);
    }
    const Json request{{"quantities", {"momentum", "energy", "center_of_mass"}}, {"states", states}};
    return eval(folder_.path("scene.toml"), request.dump()).at("results");
  }
  /// Largest change of a part of the momentum, relative.
  static double change(const Json& results, std::size_t first) {
    double largest = 0.0, size = 0.0;
    for (std::size_t k = first; k < first + 3; ++k) {
      const double start = results.at(0).at("momentum").at(k);
      size = std::hypot(size, start);
      for (const Json& at : results)
        largest = std::max(largest, std::abs(at.at("momentum").at(k).get<double>() - start));
    }
    return largest / size;
  }
  static double energy_change(const Json& results) {
    const auto kinetic = [](const Json& at) { return at.at("energy").at("kinetic").get<double>(); };
    double largest = 0.0;
    for (const Json& at : results) largest = std::max(largest, std::abs(kinetic(at) / kinetic(results.at(0)) - 1.0));
    return largest;
  }
  /// Distance of the last center of mass from where its momentum leads on a straight line, of all the way.
  static double off_the_line(const Json& results, double duration, double mass) {
    double square = 0.0, way = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double start = results.at(0).at("center_of_mass").at(k), end = results.back().at("center_of_mass").at(k);
      const double v = results.at(0).at("momentum").at(3 + k).get<double>() / mass;
      square += std::pow(end - start - v * duration, 2);
      way += std::pow(v * duration, 2);
    }
    return std::sqrt(square / way);
  }
};

constexpr double kTurns[] = {0.001, 0.01, 0.1, 0.5, 2.0};  // rad in a step

TEST_F(SpinningBodies, ABodyAloneKeepsMomentumAndEnergy) {
  for (const double turn : kTurns)
    for (const char* turned : {"0, 0, 0", "0.4, -1.1, 2.0"}) {
      const Json run = along(lopsided(turn / 0.001, turned) + stepping(0.001, 1.0));
      EXPECT_LT(change(run, 0), 1e-11) << turn;
      EXPECT_LT(change(run, 3), 1e-11) << turn;
      EXPECT_LT(energy_change(run), 1e-11) << turn;
      EXPECT_LT(off_the_line(run, 1.0, 2.0), 1e-11) << turn;
    }
}

TEST_F(SpinningBodies, AMechanismKeepsMomentumAndItsEnergyStaysInABand) {
  const double bands[] = {1e-7, 1e-4, 1e-2, 1e-1, 1e-1};
  for (std::size_t i = 0; i < std::size(kTurns); ++i) {
    const double spin = kTurns[i] / 0.001, duration = kTurns[i] > 1.0 ? 0.2 : 1.0;
    const Json run = along(lopsided(spin) + arms(spin) + stepping(0.001, duration));
    EXPECT_LT(change(run, 0), 1e-10) << kTurns[i];
    EXPECT_LT(change(run, 3), 1e-10) << kTurns[i];
    EXPECT_LT(energy_change(run), bands[i]) << kTurns[i];
    EXPECT_LT(off_the_line(run, duration, 3.5), 1e-10) << kTurns[i];
  }
}

TEST_F(SpinningBodies, AThrownMechanismFollowsItsParabola) {
  std::string scene = lopsided(20.0) + arms(20.0) + stepping(0.005, 1.0);
  scene.replace(scene.find("[0, 0, 0]"), 9, "[1, 2, -9]");
  const Json run = along(scene);
  const double g[] = {1.0, 2.0, -9.0};
  for (std::size_t k = 0; k < 3; ++k) {
    const double v = run.at(0).at("momentum").at(3 + k).get<double>() / 3.5;
    const double start = run.at(0).at("center_of_mass").at(k), end = run.back().at("center_of_mass").at(k);
    EXPECT_NEAR(end, start + v + 0.5 * g[k], 1e-9) << k;
    EXPECT_NEAR(run.back().at("momentum").at(3 + k).get<double>() / 3.5, v + g[k], 1e-9) << k;
  }
  EXPECT_LT(change(run, 0), 1e-9);
}

TEST_F(SpinningBodies, ASphereThatRollsKeepsItsSpeedAtAnyStep) {
  for (const double step : {0.001, 0.005, 0.05}) {
    const CsvTable run = motion(R"(cardan = 1
[ground]
friction = 0.2
[[body]]
name = "b"
mass = 2.0
inertia = [8e-05, 8e-05, 8e-05, 0, 0, 0]
[[body.shape]]
sphere = 0.01
[body.joint]
type = "free"
q = [1, 0, 0, 0, 0, 0, 0.01]
v = [0, 100, 0, 1, 0, 0]
)" + stepping(step, 5.0));
    EXPECT_NEAR(value(run, "q.b.4", run.rows.size() - 1), 5.0, 1e-9) << step;
    EXPECT_NEAR(value(run, "v.b.1", run.rows.size() - 1), 100.0, 1e-6) << step;
    EXPECT_NEAR(value(run, "q.b.6", run.rows.size() - 1), 0.01, 1e-9) << step;
  }
}

}  // namespace
}  // namespace cardan::spin_test
