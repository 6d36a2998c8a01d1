// What `cardan eval` is asked: which quantities at which states, read from JSON and checked against the model.
#pragma once

#include "cardan/forces/input.hpp"
#include "cardan/model/model.hpp"
#include "cardan/model/state.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cardan {

enum class Quantity {
  inverse_dynamics,
  forward_dynamics,
  mass_matrix,
  bias,
  gravity,
  energy,
  center_of_mass,
  momentum,
  pose,
  velocity,
  acceleration,
  jacobian,
  constraint_forces,
  constraint_error,
  applied_forces,
  records,
  equilibrium,
  distances,
  collisions,
  paths,
  contact_forces,
  impulse_response,
  inverse_dynamics_derivatives,
  forward_dynamics_derivatives,
  linearization,
  drive_forces,
};

const char* quantity_name(Quantity quantity);

struct EvalState {
  double t = 0.0;
  std::vector<double> q, v, a, tau;
  std::vector<double> wrench{};  // on the frame: moment, force, in its own axes; or empty
  std::vector<double> u{};       // the inputs
};

/// The algorithms as they are; compiled for the model; compiled for several states at once. The numbers agree.
enum class EvalBackend { generic, compiled, batch };

struct EvalRequest {
  std::string file;  // where it comes from, for messages
  std::vector<Quantity> quantities;
  int frame = -1;  // index in the model; -1 where no quantity needs one
  EvalBackend backend = EvalBackend::generic;
  bool forces = false;            // springs, dampers and force elements enter the dynamics
  std::string constraint_method;  // empty: the scene's
  std::string formulation;        // of forward_dynamics; empty: recursive
  std::vector<int> drives;        // bodies whose joints drive_forces act at
  std::vector<EvalState> states;
};

/// Throws ModelError, one line: eval: FILE: state 2: "q": expected 7 numbers, found 6. States count from 0.
/// Afterwards every quantity has what it needs: lists have the model's sizes, numbers are finite, quaternions are
/// normalized (further than 1e-6 from unit length they are refused). Where a state has no q or no v, that of
/// `otherwise` takes its place, if there is one; else v, a and tau are zero.
EvalRequest load_eval_request(const std::string& path, const Model& model, const State* otherwise = nullptr,
                              const Inputs& inputs = {});

/// Reads text in memory; messages call it by the name.
EvalRequest parse_eval_request(std::string_view text, const std::string& name, const Model& model,
                               const State* otherwise = nullptr, const Inputs& inputs = {});

}  // namespace cardan
