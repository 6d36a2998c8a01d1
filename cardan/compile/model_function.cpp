#include "cardan/compile/model_function.hpp"

namespace cardan {

const char* name(ModelFunction function) {
  switch (function) {
    case ModelFunction::forward_dynamics: return "forward_dynamics";
    case ModelFunction::inverse_dynamics: return "inverse_dynamics";
    case ModelFunction::mass_matrix: return "mass_matrix";
    case ModelFunction::bias: return "bias";
    case ModelFunction::gravity: return "gravity";
    case ModelFunction::pose: return "pose";
    case ModelFunction::jacobian: return "jacobian";
  }
  return "";
}

const std::vector<ModelFunction>& all_model_functions() {
  static const std::vector<ModelFunction> all{ModelFunction::forward_dynamics, ModelFunction::inverse_dynamics,
                                              ModelFunction::mass_matrix,      ModelFunction::bias,
                                              ModelFunction::gravity,          ModelFunction::pose,
                                              ModelFunction::jacobian};
  return all;
}

bool needs_frame(ModelFunction function) {
  return function == ModelFunction::pose || function == ModelFunction::jacobian;
}

Signature signature(const Model& model, ModelFunction function) {
  const int nq = model.nq(), nv = model.nv();
  const Argument q{"q", nq, "coordinates"}, v{"v", nv, "velocities"};
  switch (function) {
    case ModelFunction::forward_dynamics: return {{q, v, {"tau", nv, "joint forces"}}, {"a", nv, "accelerations"}};
    case ModelFunction::inverse_dynamics: return {{q, v, {"a", nv, "accelerations"}}, {"tau", nv, "joint forces"}};
    case ModelFunction::mass_matrix: return {{q}, {"H", nv * nv, "symmetric, nv x nv"}};
    case ModelFunction::bias: return {{q, v}, {"tau", nv, "joint forces at zero acceleration"}};
    case ModelFunction::gravity: return {{q}, {"tau", nv, "joint forces that hold the mechanism at rest"}};
    case ModelFunction::pose: return {{q}, {"pose", 12, "rotation by rows, then position, in the world"}};
    case ModelFunction::jacobian: return {{q}, {"J", 6 * nv, "6 x nv by columns, angular first, in the frame's axes"}};
  }
  return {};
}

}  // namespace cardan
