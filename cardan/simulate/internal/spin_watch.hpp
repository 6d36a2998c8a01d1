// Tells how far steps bend the path of a body that spins in free flight. The velocity of a free joint is in axes that
// turn with the body: where no force acts it obeys v' = -omega x v, which a method of low order turns by a little too
// much or too little in every step, c (omega h)^p rad.
#pragma once

#include "cardan/dynamics/settings.hpp"
#include "cardan/simulate/system_workspace.hpp"

namespace cardan {

class SpinWatch {
 public:
  SpinWatch(const SystemWorkspace& workspace, const Settings& settings);
  /// Looks at a state of the model, at a few times of the run.
  void look(double t, const State& state);
  /// Says which body's path is bent, by how much, and what would do; empty where none is.
  const std::string& note() const { return note_; }
  /// True if look() would do nothing.
  bool is_idle(double t) const { return t < next_; }

 private:
  Model model_;
  std::string integrator_;
  double step_, duration_, next_;
  double factor_ = 0.0;  // c
  int power_ = 0;        // p
  std::string note_;
};

}  // namespace cardan
