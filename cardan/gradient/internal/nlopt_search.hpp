// Local searches of NLopt, which know nothing of scenes: numbers between 0 and 1, a value to be made small, and
// constraints that hold where they are >= 0.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cardan {

/// SLSQP: sequential quadratic programs (Kraft 1994). MMA: moving asymptotes (Svanberg 2002). COBYLA: linear models
/// (Powell 1994), BOBYQA: quadratic ones (Powell 2009), both without derivatives.
enum class SearchMethod { slsqp, mma, cobyla, bobyqa };

struct SearchedFunctions {
  int numbers = 0, constraints = 0;
  /// Gives value, constraints and, where asked for (not empty), their slopes, constraint by constraint. What it throws
  /// ends the search and comes out of it.
  std::function<void(std::span<const double> x, double& value, std::span<double> constraints,
                     std::span<double> value_slopes, std::span<double> constraint_slopes)>
      evaluate;
};

struct SearchSteps {
  double first = 0.1;       // of methods without derivatives
  double smallest = 1e-9;   // change of numbers at which the search ends
  double least_gain = 0.0;  // relative change of the value at which it ends
};

/// Whether this build has NLopt.
bool has_nlopt();
/// What to do where it has not.
extern const char* const kNoNlopt;

/// Searches from x, and leaves there where it ended.
void nlopt_search(SearchMethod method, const SearchedFunctions& functions, const SearchSteps& steps,
                  std::vector<double>& x);

}  // namespace cardan
