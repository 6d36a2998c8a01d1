// Bounds how far a step may go: to the next time at which a text of time jumps or an input bends, never over a stretch
// in which such a text does something that the ends of a step would not show, and no longer than the longest step.
#pragma once

#include "cardan/dynamics/system.hpp"

#include <deque>

namespace cardan {

class TimeBreaks {
 public:
  TimeBreaks(const System& system, double start, double duration, double longest_step);

  /// The latest time to which a step from t may lead. Times must not fall from call to call.
  double limit(double t);
  /// True if t is just before a jump, which after() then follows; texts are to be asked on either side of it only.
  bool is_at(double t);
  /// Tells whether any text jumps within the run.
  bool has_jumps() const;
  /// Passes the jump: returns the time just after it.
  double after();

 private:
  double guard(double t) const;
  void search(double t);

  /// Holds what one text allows: its stretches, and the one that holds the present time.
  struct Pace {
    std::vector<TimeText::Stretch> stretches;
    std::size_t now = 0;
    double limit(double t);
  };

  TimeTexts texts_;
  std::vector<double> given_;  // breaks of the system
  double duration_, end_, longest_step_, searched_;
  std::deque<double> jumps_;
  std::vector<Pace> paces_;
};

}  // namespace cardan
