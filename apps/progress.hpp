// One line on the terminal that says how far long work has come. Nothing where the output is not a terminal.
#pragma once

#include <chrono>

namespace cardan::command {

class Progress {
 public:
  enum class Of { seconds, runs };
  /// The work goes from 0 to end, in simulated seconds or in runs.
  explicit Progress(double end, Of of = Of::seconds);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(double time);

 private:
  using Clock = std::chrono::steady_clock;
  bool on_terminal_, shown_ = false;
  double end_, time_ = 0.0;
  Of of_;
  long calls_ = 0;
  Clock::time_point begin_, last_;
};

}  // namespace cardan::command
