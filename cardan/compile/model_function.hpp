// Names what can be compiled: the algorithms, with what each reads and writes (see function_table.hpp).
#pragma once

#include "cardan/model/model.hpp"

#include <string>
#include <vector>

namespace cardan {

enum class ModelFunction {
  forward_dynamics,
  inverse_dynamics,
  mass_matrix,
  bias,
  gravity,
  pose,
  jacobian,
  inverse_mass_matrix,
  inverse_dynamics_derivatives,
  forward_dynamics_derivatives,
  forward_dynamics_adjoint
};
inline constexpr int kModelFunctions = 11;

const char* name(ModelFunction function);
const std::vector<ModelFunction>& all_model_functions();
/// Whether it is a function of one frame rather than of the whole model.
bool needs_frame(ModelFunction function);
/// Tells whether springs and dampers of joints may act in it, beside tau.
inline bool heeds_springs(ModelFunction function) {
  return function == ModelFunction::forward_dynamics || function == ModelFunction::inverse_dynamics;
}

/// One array that a function reads or writes.
struct Argument {
  const char* name;
  int size;
  const char* meaning;
};
struct Signature {
  std::vector<Argument> inputs;
  Argument output;
};
Signature signature(const Model& model, ModelFunction function);

}  // namespace cardan
