// How often a test on random input is repeated, and how long simulations run.
#pragma once

#include "cardan/math/inline.hpp"

#include <cstdlib>

namespace cardan::test {

/// All n in a build that runs fast; a fifth under sanitizers, which look at how memory is used, not at the results.
#ifdef CARDAN_SANITIZED
constexpr int trials(int n) { return (n + 4) / 5; }
constexpr double kPartOfTime = 0.02;
#else
constexpr int trials(int n) { return n; }
constexpr double kPartOfTime = 1.0;
#endif

/// Counts the repetitions of a test that `make long` runs as a proof: `thorough` there (CARDAN_LONG=1), and everywhere
/// else the fixed sample, which is the beginning of the same sequence.
inline int repetitions(int sample, int thorough) {
  const char* wish = std::getenv("CARDAN_LONG");
  return wish && *wish == '1' ? thorough : trials(sample);
}

}  // namespace cardan::test
