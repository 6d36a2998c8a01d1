// What tests of run gradients share: the gradient of a scene given as text, and the same numbers from runs that know
// nothing of derivatives.
#pragma once

#include "cardan/gradient/optimize.hpp"
#include "cardan/gradient/run_gradient.hpp"
#include "cardan/io/internal/csv.hpp"
#include "cardan/io/scene_family.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/simulate/simulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace cardan::test {

using Names = std::vector<std::string>;

inline SceneFamily family_of(const std::string& text, const Names& by) {
  return scene_family(SceneSpec::parse(text, "scene.toml"), by, {});
}

inline RunGradient gradient_of(const std::string& text, const Names& of, const Names& by) {
  return run_gradient(family_of(text, by), of);
}

/// Takes an outcome from the rows that a run writes into its file.
inline double outcome_of(const CsvTable& run, const std::string& outcome) {
  const auto dot = outcome.rfind('.');
  const std::string kind = outcome.substr(dot + 1);
  const std::size_t c = run.find(outcome.substr(0, dot)), t = run.find("t");
  double sum = 0.0, squares = 0.0, least = INFINITY, largest = -INFINITY;
  for (std::size_t row = 0; row < run.rows.size(); ++row) {
    const double x = run.rows[row].at(c);
    if (row > 0) sum += 0.5 * (run.rows[row][t] - run.rows[row - 1][t]) * (x + run.rows[row - 1][c]);
    squares += x * x;
    least = std::min(least, x);
    largest = std::max(largest, x);
  }
  if (kind == "min") return least;
  if (kind == "max") return largest;
  if (kind == "rms") return std::sqrt(squares / static_cast<double>(run.rows.size()));
  return kind == "integral" ? sum : run.rows.back().at(c);
}

inline CsvTable rows_of(const Scene& scene) {
  const Trajectory run = simulate(scene);
  EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  return parse_csv(trajectory_csv(run), "run");
}

/// Central differences of order eight, of runs by `simulate`.
inline std::map<std::string, double> difference(const SceneFamily& family, std::size_t i, const Names& of,
                                                double step = 2e-3) {
  constexpr double weights[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  const double h = step * (family.values[i] != 0.0 ? std::abs(family.values[i]) : 1.0);
  std::map<std::string, double> out;
  for (int k = 1; k <= 4; ++k)
    for (const int side : {-1, 1}) {
      std::vector<double> values = family.values;
      values[i] += side * k * h;
      const CsvTable run = rows_of(family.scene(values));
      for (const std::string& outcome : of) out[outcome] += side * weights[k - 1] * outcome_of(run, outcome) / h;
    }
  return out;
}

/// Gradients must be what differences of runs are, and values what runs write.
inline void expect_differences(const std::string& text, const Names& of, const Names& by, double tolerance) {
  const SceneFamily family = family_of(text, by);
  const RunGradient found = run_gradient(family, of);
  const CsvTable run = rows_of(family.scene(family.values));
  for (std::size_t k = 0; k < of.size(); ++k) {
    const double value = outcome_of(run, of[k]);
    EXPECT_NEAR(found.outcomes[k].value, value, 1e-9 * (1.0 + std::abs(value))) << of[k];
  }
  for (std::size_t i = 0; i < by.size(); ++i) {
    const std::map<std::string, double> slopes = difference(family, i, of);
    for (std::size_t k = 0; k < of.size(); ++k) {
      const double slope = slopes.at(of[k]);
      EXPECT_NEAR(found.outcomes[k].by[i], slope, tolerance * (1.0 + std::abs(slope))) << of[k] << " by " << by[i];
    }
  }
}

}  // namespace cardan::test
