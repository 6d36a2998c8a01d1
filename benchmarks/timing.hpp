// Times several ways of doing something against each other, in rounds. Within a round their blocks take turns, so that
// whatever else the machine does happens to all of them, and the median block counts; the quietest round is reported.
#pragma once

#include "benchmarks/peer.hpp"

#include <vector>

namespace cardan::bench {

class Contest {
 public:
  /// Each way is called on `states` states in turn; about so long is one block.
  Contest(std::vector<Call> ways, int states, double block_ns = 100000);

  /// One more round, of so many blocks of each way. Neighbors disturb a virtual machine for seconds: rounds that are
  /// far apart are not all hit.
  void run_round(int blocks = 7);
  /// Nanoseconds a call of each way: medians of the quietest round, the one with the least sum of all ways, each taken
  /// relative to its own best.
  std::vector<double> medians() const;

 private:
  std::vector<Call> ways_;
  int states_;
  std::vector<int> calls_;                    // in a block, of each way
  std::vector<std::vector<double>> medians_;  // of each round, of each way
};

struct Effort {
  int rounds = 9, blocks = 7;
  double block_ns = 100000;
};

/// A contest with all its rounds at once.
std::vector<double> time_together(const std::vector<Call>& ways, int states, const Effort& effort = {});

/// Since some moment.
double now_ns();

/// Scalar multiply-adds a nanosecond that one core can do: the ceiling for code on one state.
double fma_per_ns();

}  // namespace cardan::bench
