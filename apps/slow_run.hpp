// Says, once and while it goes on, why a run is slow: what is stiff, and which method would do.
#pragma once

#include "cardan/simulate/trajectory.hpp"

#include <chrono>

namespace cardan::command {

class SlowRun {
 public:
  SlowRun(SystemWorkspace& workspace, const Settings& settings);
  /// Call after every step; `state` is one of the model, not long ago.
  void at(double t, const State& state);

 private:
  using Clock = std::chrono::steady_clock;
  std::string explain(double t, double step, const State& state);

  SystemWorkspace& workspace_;
  Settings settings_;
  Clock::time_point begin_;
  double last_ = 0.0;
  bool told_ = false;
};

}  // namespace cardan::command
