#include "cardan/dynamics/step_failure.hpp"

#include <fmt/format.h>

#include <utility>

namespace cardan {

StepFailure::StepFailure(double failed_at, std::string at_joint, const std::string& why)
    : std::runtime_error(at_joint.empty() ? fmt::format("t = {:.12g}: {}", failed_at, why)
                                          : fmt::format("t = {:.12g}: joint \"{}\": {}", failed_at, at_joint, why)),
      time(failed_at),
      joint(std::move(at_joint)),
      reason(why) {}

}  // namespace cardan
