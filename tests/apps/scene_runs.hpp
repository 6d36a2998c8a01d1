// What tests of scenes share: writing a scene, running it by the command and reading its motion.
#pragma once

#include "cardan/io/internal/csv.hpp"
#include "tests/apps/run_command.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace cardan::test {

using Json = nlohmann::json;

inline const std::string kExamplesOfScenes = CARDAN_SOURCE_DIR "/examples/";

/// A rod of 1 kg and 1 m that swings about y, I = 1/12 + 1/4 about its pivot.
inline const std::string kRod = R"(cardan = 1
name = "rod"
[[body]]
name = "rod"
mass = 1.0
com = [0, 0, -0.5]
inertia = [0.08333333333333333, 0.08333333333333333, 0.001, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = [0.4]
)";
/// Another below it.
inline const std::string kLowerRod = R"([[body]]
name = "lower"
parent = "rod"
mass = 1
com = [0, 0, -0.5]
inertia = [0.08333333333333333, 0.08333333333333333, 0.001, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0, 0, -1] }
)";
inline constexpr double kRodInertia = 1.0 / 12.0 + 0.25, kRodMoment = 0.5 * 9.81;

class SceneRuns : public ::testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) const { return run_command(arguments, folder_); }
  std::string file(const std::string& text, const std::string& name = "scene.toml") const {
    return folder_.write(name, text);
  }
  /// Runs a scene and reads its motion.
  CsvTable motion(const std::string& text, std::vector<std::string> options = {}) const {
    const std::string out = folder_.path("run.csv");
    std::vector<std::string> arguments{"simulate", file(text), "--out", out};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
    return outcome.code == 0 ? load_csv(out) : CsvTable{};
  }
  static double value(const CsvTable& table, const std::string& column, std::size_t row) {
    const std::size_t c = table.find(column);
    EXPECT_LT(c, table.columns.size()) << column;
    return c < table.columns.size() ? table.rows.at(row).at(c) : NAN;
  }
  Json eval(const std::string& scene, const std::string& request) const {
    const Outcome outcome = run({"eval", scene, file(request, "request.json")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? Json::parse(outcome.out) : Json();
  }

  TemporaryFolder folder_;
};

/// Integrates x' = f(t, x) by small steps of the classical Runge-Kutta method.
template <std::size_t N>
std::array<double, N> integrated(std::array<double, N> x, double end, int steps,
                                 const std::function<std::array<double, N>(double, const std::array<double, N>&)>& f) {
  const double h = end / steps;
  const auto plus = [](std::array<double, N> a, double s, const std::array<double, N>& b) {
    for (std::size_t i = 0; i < N; ++i) a[i] += s * b[i];
    return a;
  };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const auto k1 = f(t, x), k2 = f(t + 0.5 * h, plus(x, 0.5 * h, k1)), k3 = f(t + 0.5 * h, plus(x, 0.5 * h, k2)),
               k4 = f(t + h, plus(x, h, k3));
    for (std::size_t k = 0; k < N; ++k) x[k] += h / 6.0 * (k1[k] + 2.0 * k2[k] + 2.0 * k3[k] + k4[k]);
  }
  return x;
}

}  // namespace cardan::test
