// Asks now and then whether steps of a fixed length are short enough for the stiffness of what is integrated by an
// explicit method: where they are not, limits and clamps of elements can hide that the result means nothing.
#pragma once

#include "cardan/dynamics/settings.hpp"
#include "cardan/simulate/stiffness.hpp"

namespace cardan {

class StiffnessWatch {
 public:
  StiffnessWatch(SystemWorkspace& workspace, const Settings& settings);
  /// Looks at a state of the problem, at a few times of the run.
  void look(double t, const State& state);
  /// Says what is too stiff for the step, and what would do; empty where nothing is.
  const std::string& note() const { return note_; }

 private:
  SystemWorkspace& workspace_;
  std::string integrator_;
  double step_, every_, next_ = 0.0;
  std::string note_;
};

}  // namespace cardan
