// Newton's method with a line search: a correction is halved until the residual falls.
#pragma once

#include <Eigen/Dense>

namespace cardan {

struct NewtonLimits {
  int iterations = 50;
  double tolerance = 1e-12;  // of the last correction, in units of `scale`
  double scale = 1.0;
  double residual = 0.0;  // a correction that leaves less than this is the last one as well
  int measured = -1;      // leading entries of the correction that the tolerance speaks of; -1: all
};

/// residual(x, r) sets r; correction(x, r, dx) sets dx, after which x + dx should be better; it may be asked only at
/// the x of the latest residual. False where it does not converge; x and r are then the best that was found.
template <class Residual, class Correction>
[[nodiscard]] bool newton(const NewtonLimits& limits, const Residual& residual, const Correction& correction,
                          Eigen::VectorXd& x, Eigen::VectorXd& r) {
  constexpr int kHalvings = 20;
  constexpr double kStagnation = 1e-8;  // smaller corrections that do not help any more are rounding
  Eigen::VectorXd dx(x.size()), trial(x.size()), trial_r(x.size());
  residual(x, r);
  for (int i = 0; i < limits.iterations && r.allFinite(); ++i) {
    correction(x, r, dx);
    if (!dx.allFinite()) return false;
    const auto measured = dx.head(limits.measured < 0 ? dx.size() : limits.measured);
    const double size = measured.size() == 0 ? 0.0 : measured.cwiseAbs().maxCoeff() / limits.scale;
    double part = 1.0;
    bool falls = false;
    for (int k = 0; k <= kHalvings && !falls; ++k, part *= 0.5) {
      trial = x + part * dx;
      residual(trial, trial_r);
      falls = trial_r.norm() < r.norm();
      if (size <= limits.tolerance) break;
    }
    if (falls) {
      x.swap(trial);
      r.swap(trial_r);
    }
    if (size <= limits.tolerance || (!falls && size <= kStagnation)) {
      if (!falls) residual(x, r);  // what the residual leaves behind belongs to x
      return true;
    }
    if (!falls) return false;
    if (r.norm() < limits.residual) return true;
  }
  return false;
}

}  // namespace cardan
