// The plain case: a model with gravity and joint forces given as a function.
#pragma once

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/integrate/dynamics.hpp"
#include "cardan/integrate/force_derivatives.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace cardan {

/// The model must outlive it.
class ModelDynamics : public Dynamics {
 public:
  /// Sets every entry of tau.
  using JointForces = std::function<void(double t, In<double> q, In<double> v, Out<double> tau)>;

  explicit ModelDynamics(const Model& model, JointForces forces = {});

  const Model& model() const override { return model_; }
  void acceleration(double t, In<double> q, In<double> v, Out<double> a) override;
  /// K and D exact but for the joint forces, whose derivatives are found by central differences.
  void linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                 OutMatrix<double> D) override;

 private:
  const Model& model_;
  Workspace<double> workspace_;
  std::vector<double> tau_;
  JointForces forces_;
  std::unique_ptr<ForceDerivatives> derivatives_;  // made when first needed
};

}  // namespace cardan
