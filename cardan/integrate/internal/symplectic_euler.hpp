// v1 = v0 + h a(q0, v0), then q1 = q0 moved by h v1: order 1, symplectic where the mass matrix is constant.
#pragma once

#include "cardan/integrate/internal/stepper.hpp"

namespace cardan {

class SymplecticEuler : public Stepper {
 public:
  SymplecticEuler(Problem& problem, const IntegratorOptions& options)
      : Stepper("symplectic_euler", problem, options, Chart{true}),
        rates_(state_.v.size() + state_.z.size()),
        x_(state_.v) {}

 protected:
  void advance(double h, double) override {
    evaluate(time_, state_, rates_);
    require_finite(time_, state_, rates_);
    const std::size_t nv = x_.size();
    for (std::size_t i = 0; i < nv; ++i) {
      next_.v[i] = state_.v[i] + h * rates_[i];
      x_[i] = h * next_.v[i];
    }
    for (std::size_t i = 0; i < state_.z.size(); ++i) next_.z[i] = state_.z[i] + h * rates_[nv + i];
    space().move(state_.q.data(), x_.data(), next_.q.data());
  }

 private:
  std::vector<double> rates_, x_;
};

}  // namespace cardan
