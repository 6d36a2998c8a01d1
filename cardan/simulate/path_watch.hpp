// Watches the paths of springs, cables and muscles during a run: where one comes to lie on a surface that it may be
// wrapped over, lifts off it, or jumps because it changes the side of a surface or a conditional point comes or goes
// away from the straight line. The instant is located within the step.
#pragma once

#include "cardan/dynamics/system.hpp"
#include "cardan/forces/line_force.hpp"

#include <functional>

namespace cardan {

struct PathEvent {
  enum class Kind { touches, lifts_off, jumps };
  double t = 0.0;    // s
  std::string line;  // "muscle "biceps""
  Kind kind = Kind::touches;
  double from = 0.0, to = 0.0;  // lengths before and after, m
};

/// Describes an event without its time: "muscle "biceps" lifts off its surface".
std::string describe(const PathEvent& event);

class PathWatch {
 public:
  explicit PathWatch(const System& system);
  /// True if no path can do any of this.
  bool is_idle() const { return lines_.empty(); }

  /// Looks at a state of the model without comparing it with an earlier one.
  void start(double t, const State& state);
  /// Looks at the end of a step from the last look; state_at(t) gives states within it. Adds what happened.
  void look(double t, const State& state, const std::function<State(double)>& state_at, std::vector<PathEvent>& out);

 private:
  struct View {
    std::vector<bool> there;  // surfaces touched, then points
    int touched = 0;
    double length = 0.0, speed = 0.0;
  };
  View view(const LineForce& line, const Instant& at);
  std::vector<View> view_all(double t, const State& state);
  void locate(const LineForce& line, View before, View after, double t0, double t1,
              const std::function<State(double)>& state_at, std::vector<PathEvent>& out);

  std::vector<std::shared_ptr<const LineForce>> lines_;
  StateKinematics kinematics_;
  PathShape shape_;
  double t_ = 0.0;
  std::vector<View> last_;
};

}  // namespace cardan
