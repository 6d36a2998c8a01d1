// Chooses step sizes from error estimates: proportional-integral control (Gustafsson; Hairer, Norsett and Wanner, IV.2)
// for an error that grows with the fifth power of the step.
#pragma once

#include <algorithm>
#include <cmath>

namespace cardan {

class StepControl {
 public:
  void reset() { memory_ = 1e-4; }

  /// The factor for the next step after one with this error, in units of the tolerance.
  double accept(double error) {
    const double factor = kSafety * std::pow(std::max(error, 1e-10), -kProportional) * std::pow(memory_, kIntegral);
    memory_ = std::max(error, 1e-4);
    return std::clamp(factor, kSmallest, kLargest);
  }
  /// The factor for the same step again.
  static double reject(double error) { return std::max(kSmallest, kSafety * std::pow(error, -kProportional)); }

 private:
  static constexpr double kSafety = 0.9, kSmallest = 0.2, kLargest = 10.0, kIntegral = 0.04,
                          kProportional = 0.2 - 0.75 * kIntegral;
  double memory_ = 1e-4;
};

}  // namespace cardan
