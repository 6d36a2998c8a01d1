// How forces depend on the states of elements and on inputs, and how those states change, to first order and exact:
// forces and rates run on dual numbers, eight directions at once.
#pragma once

#include "cardan/dynamics/state_tangent.hpp"
#include "cardan/forces/force.hpp"

#include <functional>
#include <memory>

namespace cardan {

class ElementTangent {
 public:
  ElementTangent(const Model& model, const Forces& forces);
  ~ElementTangent();
  ElementTangent(const ElementTangent&) = delete;
  ElementTangent& operator=(const ElementTangent&) = delete;

  /// Rates of the states of a force, where they are others than Force::rate_dual says; may be empty.
  using Rates = std::function<void(const Force&, const Instant& here, const DualInstant& at, std::span<Dual8> z_dot)>;
  /// first_state[i]: where the states of the i-th force begin in z.
  void compute(const Instant& here, std::span<const int> first_state, const Rates& rates, StateTangent& out);

 private:
  struct Scratch;
  Forces forces_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace cardan
