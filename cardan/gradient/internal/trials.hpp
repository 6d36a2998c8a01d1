// Evaluates texts of a search: numbers that run from 0 to 1 over their ranges in, values in units of what they change
// by out. Runs that fail are told from those that come to their end; the best of these is kept.
#pragma once

#include "cardan/gradient/internal/goal_texts.hpp"
#include "cardan/gradient/internal/nlopt_search.hpp"
#include "cardan/gradient/optimize.hpp"

#include <optional>

namespace cardan {

/// Ends a search: what was found so far is what it found.
struct EnoughTrials {};

/// Texts with one choice of numbers: the value, then the constraints.
struct Trial {
  std::vector<double> x;  // from 0 to 1
  std::string failure;    // why the run failed; empty where it came to its end
  Eigen::VectorXd texts;
  Eigen::MatrixXd slopes;  // by x; empty where nobody asked
};

class Trials {
 public:
  Trials(const SceneFamily& family, const Search& search, const SearchOptions& options);

  const GoalTexts& texts() const { return texts_; }
  bool by_gradients() const { return by_gradients_; }
  /// Runs are differentiated no longer.
  void give_up_gradients() { by_gradients_ = false; }
  const std::vector<bool>& matters() const { return matters_; }
  /// Numbers of the scene.
  std::vector<double> numbers(std::span<const double> x) const;
  SearchedPoint point(const Trial& trial) const;

  /// Tries numbers, with slopes where runs are differentiated. Throws EnoughTrials; a run that fails is a result, and
  /// so is one without a derivative where one is wanted.
  const Trial& at(std::span<const double> x);
  /// Tries numbers, where a run that fails throws what it failed with, or NotDifferentiable.
  const Trial& start_at(std::span<const double> x);

  /// Measures the texts from now on by how much they change across the ranges at a trial.
  void scale_by(const Trial& trial);
  /// By how much constraints are missed, in their units.
  double miss(const Trial& trial) const;
  bool holds(const Trial& trial) const { return miss(trial) <= kSlack; }
  /// The best so far: of those that hold the constraints the one of least value, else the one that misses least.
  const Trial& best() const { return *best_; }
  /// The value to be made small and the constraints as the search sees them.
  SearchedFunctions functions();

  int evaluations() const { return evaluations_; }
  int failed() const { return failed_; }
  /// Whether any run had no derivative where one was wanted.
  bool met_no_gradient() const { return met_no_gradient_; }
  /// Why the last run that failed did.
  const std::string& failure() const { return failure_; }

 private:
  static constexpr double kSlack = 1e-8;

  Trial tried(std::span<const double> x, bool is_start);
  void run(Trial& trial, const std::vector<double>& values);
  Eigen::MatrixXd parameter_slopes(const std::vector<double>& values) const;
  void keep(const Trial& trial);
  bool require_go_on() const;
  void give(const Trial& trial, double& value, std::span<double> constraints, std::span<double> value_slopes,
            std::span<double> constraint_slopes) const;

  const SceneFamily& family_;
  const Search& search_;
  const SearchOptions& options_;
  const GoalTexts texts_;
  bool by_gradients_;
  std::vector<bool> matters_;
  Eigen::VectorXd scale_;
  std::optional<Trial> last_, best_;
  Eigen::VectorXd worst_;  // of texts so far, what runs that fail count as where there are no slopes
  SearchProgress progress_{};
  std::string failure_;
  bool met_no_gradient_ = false;
  int evaluations_ = 0, failed_ = 0;
};

}  // namespace cardan
