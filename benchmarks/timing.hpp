// Times several ways of doing something against each other: their blocks take turns, so that whatever the machine
// does in between happens to all of them; the median block counts.
#pragma once

#include "benchmarks/peer.hpp"

#include <vector>

namespace cardan::bench {

struct Effort {
  int blocks = 61;           // per way; the median is taken
  double block_ns = 100000;  // about this long is one block
};

/// Since some moment.
double now_ns();

/// Nanoseconds a call of each way, over `states` states in turn.
std::vector<double> time_together(const std::vector<Call>& ways, int states, const Effort& effort);

/// Scalar multiply-adds a nanosecond that one core can do: the ceiling for code on one state.
double fma_per_ns();

}  // namespace cardan::bench
