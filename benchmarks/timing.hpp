// Times several ways of doing something against each other: their blocks take turns, so that whatever the machine
// does in between happens to all of them; the median block counts.
#pragma once

#include "benchmarks/peer.hpp"

#include <vector>

namespace cardan::bench {

class Contest {
 public:
  /// Each way is called on `states` states in turn; about so long is one block.
  Contest(std::vector<Call> ways, int states, double block_ns = 100000);

  /// So many more blocks of each way. To be called again later: a machine is disturbed for seconds, blocks that are far
  /// apart are not all hit.
  void run(int blocks);
  /// Nanoseconds a call of each way: medians of all blocks so far.
  std::vector<double> medians() const;

 private:
  std::vector<Call> ways_;
  int states_;
  std::vector<int> calls_;  // in a block, of each way
  std::vector<std::vector<double>> times_;
};

struct Effort {
  int blocks = 61;  // of each way
  double block_ns = 100000;
};

/// A contest with all its blocks at once.
std::vector<double> time_together(const std::vector<Call>& ways, int states, const Effort& effort = {});

/// Since some moment.
double now_ns();

/// Scalar multiply-adds a nanosecond that one core can do: the ceiling for code on one state.
double fma_per_ns();

}  // namespace cardan::bench
