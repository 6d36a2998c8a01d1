// Differentiates inverse dynamics by configuration and velocity, exactly, by dual numbers: eight columns in
// each pass over the tree.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/model.hpp"

#include <memory>

namespace cardan {

class InverseDynamicsDerivatives {
 public:
  explicit InverseDynamicsDerivatives(const Model& model);
  ~InverseDynamicsDerivatives();
  InverseDynamicsDerivatives(const InverseDynamicsDerivatives&) = delete;
  InverseDynamicsDerivatives& operator=(const InverseDynamicsDerivatives&) = delete;

  /// d tau/dq (in the tangent space) and d tau/dv of tau = ID(q, v, a), without external forces.
  void compute(In<double> q, In<double> v, In<double> a, OutMatrix<double> by_q, OutMatrix<double> by_v);

 private:
  struct Scratch;
  Model model_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace cardan
