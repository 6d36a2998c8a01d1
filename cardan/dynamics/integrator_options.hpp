// Numbers of the methods that step through time: lengths of steps, tolerances, damping.
#pragma once

#include <limits>

namespace cardan {

struct IntegratorOptions {
  double step = 1e-3;                                             // the step; for adaptive methods the first one tried
  double tolerance = 1e-8;                                        // of one step, relative; adaptive methods
  double absolute_tolerance = 0.0;                                // 0: the same number as the relative one
  double largest_step = std::numeric_limits<double>::infinity();  // adaptive methods
  double smallest_step = 0.0;                                     // 0: what still changes the time
  int newton_iterations = 50;                                     // at most; implicit methods
  double newton_tolerance = 1e-12;  // of the last correction, relative to the step's motion
  /// If positive, bdf1 and bdf2 also stop when the imbalance of forces times the step squared, |H r|, falls below this
  /// value (the criterion of REDMAX) [kg m, kg m^2].
  double newton_residual = 0.0;
  double spectral_radius = 0.9;  // of generalized_alpha at infinite frequency: 1 keeps all, 0 damps out in one step
};

}  // namespace cardan
