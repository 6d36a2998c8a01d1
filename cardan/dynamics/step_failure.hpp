// A step that cannot be made, and why.
#pragma once

#include <stdexcept>
#include <string>

namespace cardan {

/// A step that cannot be made. The integrator stays at the last accepted step.
struct StepFailure : std::runtime_error {
  StepFailure(double failed_at, std::string at_joint, const std::string& why);

  double time;
  std::string joint;  // what cannot go on; empty where no joint is to blame
  std::string reason;
};

}  // namespace cardan
