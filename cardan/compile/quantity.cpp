#include "cardan/compile/quantity.hpp"

namespace cardan {

const char* name(Quantity quantity) {
  switch (quantity) {
    case Quantity::forward_dynamics: return "forward_dynamics";
    case Quantity::inverse_dynamics: return "inverse_dynamics";
    case Quantity::mass_matrix: return "mass_matrix";
    case Quantity::bias: return "bias";
    case Quantity::gravity: return "gravity";
    case Quantity::pose: return "pose";
    case Quantity::jacobian: return "jacobian";
  }
  return "";
}

const std::vector<Quantity>& all_quantities() {
  static const std::vector<Quantity> all{Quantity::forward_dynamics, Quantity::inverse_dynamics,
                                         Quantity::mass_matrix,      Quantity::bias,
                                         Quantity::gravity,          Quantity::pose,
                                         Quantity::jacobian};
  return all;
}

bool needs_frame(Quantity quantity) { return quantity == Quantity::pose || quantity == Quantity::jacobian; }

Signature signature(const Model& model, Quantity quantity) {
  const int nq = model.nq(), nv = model.nv();
  const Argument q{"q", nq, "coordinates"}, v{"v", nv, "velocities"};
  switch (quantity) {
    case Quantity::forward_dynamics: return {{q, v, {"tau", nv, "joint forces"}}, {"qdd", nv, "accelerations"}};
    case Quantity::inverse_dynamics: return {{q, v, {"a", nv, "accelerations"}}, {"tau", nv, "joint forces"}};
    case Quantity::mass_matrix: return {{q}, {"H", nv * nv, "symmetric, nv x nv"}};
    case Quantity::bias: return {{q, v}, {"tau", nv, "joint forces at zero acceleration"}};
    case Quantity::gravity: return {{q}, {"tau", nv, "joint forces that hold the mechanism at rest"}};
    case Quantity::pose: return {{q}, {"pose", 12, "rotation by rows, then position, in the world"}};
    case Quantity::jacobian: return {{q}, {"J", 6 * nv, "6 x nv by columns, angular first, in the frame's axes"}};
  }
  return {};
}

}  // namespace cardan
