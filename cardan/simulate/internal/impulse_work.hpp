// The work that prescribed motions do in an instant where their velocities jump. Impulses Lambda take v to v+,
//   H (v+ - v) = J' Lambda,
// and while all rates r = J v change in proportion from r to r+, as they do if the jump is the limit of a short ramp,
// row i does Lambda_i (r_i + r+_i) / 2; all rows together do what the kinetic energy gains.
#pragma once

#include "cardan/simulate/system_workspace.hpp"

namespace cardan {

class ImpulseWork {
 public:
  /// t is just after the jump; states of the model.
  ImpulseWork(SystemWorkspace& workspace, double t, const State& before, const State& after);

  /// J, of all motions of the joint that moves this body.
  double of_joint(int body) const { return joints_[static_cast<std::size_t>(body)]; }
  /// J, of a motion; of a joint's, as above.
  double of(const Constraint& motion) const;

 private:
  std::vector<double> joints_;
  std::vector<std::pair<const Constraint*, double>> others_;
};

}  // namespace cardan
