// The plain case: a model with gravity and joint forces given as a function.
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/integrate/dynamics.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace cardan {

/// The model must outlive it.
class ModelDynamics : public Dynamics {
 public:
  /// Sets every entry of tau.
  using JointForces = std::function<void(double t, In<double> q, In<double> v, Out<double> tau)>;

  explicit ModelDynamics(const Model& model, JointForces forces = {})
      : model_(model), workspace_(model), tau_(static_cast<std::size_t>(model.nv())), forces_(std::move(forces)) {}

  const Model& model() const override { return model_; }
  void acceleration(double t, In<double> q, In<double> v, Out<double> a) override {
    if (forces_) forces_(t, q, v, tau_);
    forward_dynamics(model_, workspace_, q, v, tau_, a);
  }

 private:
  const Model& model_;
  Workspace<double> workspace_;
  std::vector<double> tau_;
  JointForces forces_;
};

}  // namespace cardan
