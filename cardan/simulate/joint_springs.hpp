// The springs and dampers that joints carry (DofProperties): tau = -stiffness (x - rest) - damping v, where x are the
// coordinates; for ball and free joints the increment that leads from the zero pose (a rotation vector, a twist).
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/model/model.hpp"

#include <vector>

namespace cardan {

/// The model must outlive it.
class JointSprings {
 public:
  explicit JointSprings(const Model& model);

  bool any_damping() const { return any_damping_; }
  /// Sets every entry of tau.
  void force(In<double> q, In<double> v, Out<double> tau);
  double energy(In<double> q);

 private:
  /// stiffness (x - rest) of every velocity, in pull_.
  void stretch(In<double> q);

  const Model& model_;
  bool any_spring_ = false, any_damping_ = false, any_on_group_ = false;
  std::vector<double> neutral_, x_, pull_, unit_, rate_;
};

}  // namespace cardan
