// Searches for the numbers of a scene with which a run comes out best.
//
// Sought is the least value of a text of outcomes (outcome.hpp), parameters and varied numbers, within ranges and where
// other such texts are >= 0. Where the run has a derivative (run_gradient.hpp) the search goes by sequential quadratic
// programs, and by moving asymptotes where these find nothing; where it has none, by models of values alone. What is
// found is a local optimum. The same request gives the same bits.
#pragma once

#include "cardan/gradient/run_gradient.hpp"

#include <map>
#include <utility>

namespace cardan {

struct Search {
  std::string minimize;
  std::vector<std::string> subject_to{};            // hold where they are >= 0
  std::vector<std::pair<double, double>> ranges{};  // of the family's names, low and high
  std::map<std::string, std::string> words{};       // that stand in texts for names that are no words
};

/// How far a search has come.
struct SearchProgress {
  int evaluations = 0;
  double value = 0.0;  // of the last evaluation; infinite where its run failed
  double best = 0.0;   // of those that hold the constraints; infinite without any
};

struct SearchOptions {
  int most_evaluations = 500;
  /// Does without derivatives though there are some.
  bool by_values = false;
  /// Asked after every evaluation; false ends the work with std::runtime_error.
  std::function<bool(const SearchProgress&)> go_on{};
};

/// What texts are worth with some numbers.
struct SearchedPoint {
  std::vector<double> numbers, constraints;
  double value = 0.0;
};

struct Optimum {
  SearchedPoint start, found;
  std::string method;              // "SLSQP, by gradients of runs"
  std::vector<std::string> notes;  // what a user should know, a line each
  int evaluations = 0, failed = 0;
};

/// Searches from the family's own values. Throws std::invalid_argument on a request that makes no sense,
/// std::runtime_error where the run at the start fails, where no numbers are found that hold the constraints, and where
/// this build cannot search; one line each.
Optimum optimize(const SceneFamily& family, const Search& search, const SearchOptions& options = {});

}  // namespace cardan
