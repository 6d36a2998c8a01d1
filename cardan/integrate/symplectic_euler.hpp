// v1 = v0 + h a(q0, v0), then q1 = q0 moved by h v1: order 1, and no drift of the energy.
#pragma once

#include "cardan/integrate/stepper.hpp"

namespace cardan {

class SymplecticEuler : public Stepper {
 public:
  SymplecticEuler(Dynamics& dynamics, const IntegratorOptions& options)
      : Stepper("symplectic_euler", dynamics, options, Chart{true}), a_(velocities(dynamics.model())) {}

 protected:
  void advance(double h, double) override {
    evaluate(time_, state_.q, state_.v, a_);
    require_finite(time_, state_, a_);
    for (std::size_t i = 0; i < a_.size(); ++i) next_.v[i] = state_.v[i] + h * a_[i];
    integrate(model(), state_.q.data(), next_.v.data(), h, next_.q.data());
    interpolate_step(h);
  }

 private:
  std::vector<double> a_;
};

}  // namespace cardan
