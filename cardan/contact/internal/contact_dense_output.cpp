// States between the ends of a step of contact stepping.
#include "cardan/contact/internal/contact_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

void ContactStepper::interpolate(double t, State& out) const {
  Stepper::interpolate(t, out);
  const double h = time_ - previous_time_;
  if (!(h > 0.0)) return;
  const double s = std::clamp((t - previous_time_) / h, 0.0, 1.0);
  for (const FreeJoint& joint : rows_.free()) joint.interpolate(next_, state_, s, is_smooth_ ? h : 0.0, out);
}

void ContactStepper::build_dense_output(const State& previous, double h, DenseOutput& out) const {
  std::vector<double> x(previous.v.size()), rate(x);
  space().difference(previous.q.data(), state_.q.data(), x.data());
  out.q0 = previous.q;
  // a step in which nothing closes has its velocities at both ends, unless it turns too far to see which way
  bool smooth = is_smooth_;
  for (std::size_t k = 0; k < x.size(); ++k)
    smooth &= std::abs(x[k] - 0.5 * h * (previous.v[k] + state_.v[k])) <= std::max(0.25 * std::abs(x[k]), 1e-9);
  if (smooth) {
    space().increment_rate(x.data(), state_.v.data(), rate.data());
    out.x.set(nullptr, x.data(), previous.v.data(), rate.data(), h);
  } else {
    for (std::size_t k = 0; k < x.size(); ++k) rate[k] = x[k] / h;
    out.x.set(nullptr, x.data(), rate.data(), rate.data(), h);
  }
  out.v.set_line(previous.v.data(), state_.v.data());
  out.z.set_line(previous.z.data(), state_.z.data());
}

}  // namespace cardan
