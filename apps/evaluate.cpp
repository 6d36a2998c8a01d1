#include "apps/evaluate.hpp"

#include "apps/compiled_results.hpp"
#include "apps/evaluator.hpp"
#include "apps/json_numbers.hpp"
#include "cardan/model/singularity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cardan::command {

namespace {

/// Infinity and NaN are no JSON; they come out of singular mass matrices and numbers near the end of the range.
void require_finite(Quantity quantity, const std::string& where, const std::string& known) {
  if (all_written_finite()) return;
  const char* reason = !known.empty() ? known.c_str()
                       : quantity == Quantity::forward_dynamics || quantity == Quantity::impulse_response
                           ? "the mass matrix is singular or numbers are too large"
                       : quantity == Quantity::center_of_mass || quantity == Quantity::momentum
                           ? "there is no moving mass or numbers are too large"
                           : "numbers are too large";
  throw std::runtime_error(
      fmt::format("{}: {}: expected a finite result, found none: {}", where, quantity_name(quantity), reason));
}

bool accelerates(const EvalRequest& request) {
  return std::any_of(request.quantities.begin(), request.quantities.end(), [](Quantity quantity) {
    return quantity == Quantity::forward_dynamics || quantity == Quantity::impulse_response ||
           quantity == Quantity::forward_dynamics_derivatives || quantity == Quantity::linearization;
  });
}

/// False if rotors make up for a joint that loses a direction: then the mass matrix is regular all the same.
bool needs_more_than_armature(const Model& model, const SingularJoint& joint) {
  const Link& link = model.link(joint.body);
  for (int k = link.v; k < link.v + link.nv; ++k)
    if (!(model.armature(k) > 0.0)) return true;
  return false;
}

/// No quantity is defined where a joint's pose or its derivative is not; where S only loses rank, all are but the
/// acceleration, because the mass matrix is singular then.
void require_regular(const Model& model, const EvalRequest& request, const EvalState& state, const std::string& where) {
  for (const SingularJoint& joint : singular_joints(model, state.q))
    if (!joint.finite || (accelerates(request) && needs_more_than_armature(model, joint)))
      throw std::runtime_error(fmt::format("{}: {}", where, joint.what));
}

std::string layout(const Model& model) {
  std::string out;
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    const std::vector<std::string> names = model.coordinate_names(i, true);
    std::string coordinates;  // where all have names
    if (!names.empty() && std::none_of(names.begin(), names.end(), [](const auto& name) { return name.empty(); }))
      for (const std::string& name : names) coordinates += (coordinates.empty() ? "" : ", ") + json_text(name);
    if (!coordinates.empty()) coordinates = fmt::format(R"(, "coordinates": [{}])", coordinates);
    out += fmt::format(R"({}  {{"joint": {}, "type": "{}", "q": {}, "nq": {}, "v": {}, "nv": {}{}}})",
                       i == 1 ? "\n" : ",\n", json_text(model.joint_name(i)), model.joint(i).type_name(), link.q,
                       link.nq, link.v, link.nv, coordinates);
  }
  return out;
}

}  // namespace

std::string evaluate(const Scene& scene, const EvalRequest& request, Couplings couplings) {
  const Model& model = scene.model;
  Evaluator evaluator(scene, request, couplings);
  const CompiledResults compiled(model, request);
  std::string out = fmt::format("{{\"nq\": {}, \"nv\": {},\n \"layout\": [{}],\n \"results\": [", model.nq(),
                                model.nv(), layout(model));
  for (std::size_t i = 0; i < request.states.size(); ++i) {
    const std::string where = fmt::format("eval: {}: state {}", request.file, i);
    require_regular(model, request, request.states[i], where);
    evaluator.set(request.states[i], where);
    if (accelerates(request)) evaluator.require_regular_inertia(where);
    out += i == 0 ? "\n  {" : ",\n  {";
    for (std::size_t n = 0; n < request.quantities.size(); ++n) {
      const Quantity quantity = request.quantities[n];
      // the compiled functions are those of the tree
      const bool is_forward =
          quantity == Quantity::forward_dynamics || quantity == Quantity::forward_dynamics_derivatives;
      const bool is_inverse =
          quantity == Quantity::inverse_dynamics || quantity == Quantity::inverse_dynamics_derivatives;
      const bool of_tree = is_forward ? !evaluator.is_constrained() && !request.forces && !evaluator.has_contact() &&
                                            request.formulation.empty()
                                      : !is_inverse || !request.forces;
      const std::vector<double>* known = of_tree ? compiled.find(quantity, i) : nullptr;
      const std::string result = known ? evaluator.show(quantity, *known) : evaluator(quantity, request.frame);
      require_finite(quantity, where, evaluator.singular());
      out += fmt::format("{}\"{}\": {}", n == 0 ? "" : ",\n   ", quantity_name(quantity), result);
      if (quantity == Quantity::inverse_dynamics && evaluator.is_constrained()) out += ",\n   \"of\": \"tree\"";
    }
    out += "}";
  }
  return out + "]}\n";
}

}  // namespace cardan::command
