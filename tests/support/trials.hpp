// How often a test on random input is repeated, and how long simulations run.
#pragma once

#include "cardan/math/inline.hpp"

namespace cardan::test {

/// All n in a build that runs fast; a fifth under sanitizers, which look at how memory is used, not at the results.
#ifdef CARDAN_SANITIZED
constexpr int trials(int n) { return (n + 4) / 5; }
constexpr double kPartOfTime = 0.02;
#else
constexpr int trials(int n) { return n; }
constexpr double kPartOfTime = 1.0;
#endif

}  // namespace cardan::test
