#include "apps/evaluator.hpp"

#include "apps/json_numbers.hpp"
#include "apps/modes_report.hpp"
#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/forces/line_force.hpp"
#include "cardan/simulate/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>

namespace cardan::command {

namespace {

/// Makes a system of which only the forces are asked for: nothing is compiled.
System generic_system(Scene scene) {
  scene.settings.code = Settings::Code::generic;
  scene.contact = {};  // refused before, where dynamics are asked for
  return System(scene);
}
System without_actuators(Scene scene) {
  std::erase_if(scene.forces, [](const auto& force) { return force->is_actuator(); });
  return generic_system(std::move(scene));
}
ConstraintSet constraints_of(const Scene& scene, Couplings couplings) {
  ConstraintSet out(scene.model, couplings == Couplings::hold ? ConstraintSet::Include::loops_and_couplings
                                                              : ConstraintSet::Include::loops);
  for (const auto& constraint : scene.constraints) out.add(constraint);
  return out;
}

}  // namespace

Evaluator::Evaluator(const Scene& scene, const EvalRequest& request, Couplings couplings)
    : model_(scene.model),
      scene_(scene),
      contact_(scene.contact),
      constrained_(constraints_of(scene, couplings), request.constraint_method.empty()
                                                         ? scene.settings.constraint_method
                                                         : constraint_method(request.constraint_method)),
      u_(first_values(scene.inputs)),
      forces_(generic_system(scene).with_inputs(u_), scene.model),
      passive_(without_actuators(scene).with_inputs(u_), scene.model),
      forces_act_(request.forces),
      drives_(request.drives),
      w_(model_),
      k_(model_),
      out_(static_cast<std::size_t>(model_.nv())),
      applied_(out_),
      H_(model_.nv(), model_.nv()),
      J_(6, model_.nv()) {
  if (scene.settings.stabilization == Stabilization::baumgarte) constrained_.stabilization = scene.settings.baumgarte;
  if (!request.formulation.empty() && request.formulation != formulation_names().front())
    formulated_.emplace(scene, formulation(request.formulation));
  if (!scene.contact.acting_where().empty())
    modes_.emplace(scene.model, std::make_shared<const ContactScene>(scene.model, scene.contact),
                   &constrained_.constraints(), ContactModes::Joints::alone);
}

void Evaluator::set(const EvalState& s, const std::string& where) {
  state_ = &s;
  where_ = where;
  u_ = s.u;
  constrained_.reset();
  forward_kinematics<double>(model_, w_, s.q, s.v, s.a, k_);
  elements_ = forces_.system().initial(bare());
  forces_.sample(s.t, elements_, RecursiveProblem::Look::all);
  if (forces_act_) forces_.generalized_forces({s.t, elements_}, applied_);
}

void Evaluator::require_regular_inertia(const std::string& where) {
  if (is_constrained()) return;
  if (const std::string why = explain_singular_mass_matrix(model_, w_, state_->q); !why.empty())
    throw std::runtime_error(where + ": " + why);
}

std::string Evaluator::operator()(Quantity quantity, int frame) {
  const auto& [t, q, v, a, tau, wrench, u] = *state_;
  switch (quantity) {
    case Quantity::inverse_dynamics:
      inverse_dynamics<double>(model_, w_, q, v, a, out_);
      for (std::size_t i = 0; i < out_.size(); ++i) out_[i] -= applied_[i];
      return json(out_);
    case Quantity::applied_forces:
      passive_.generalized_forces({t, passive_.system().initial(bare())}, out_);
      return json(out_);
    case Quantity::records: return records();
    case Quantity::equilibrium: return equilibrium();
    case Quantity::forward_dynamics: accelerate(); return json(out_);
    case Quantity::bias: bias<double>(model_, w_, q, v, out_); return json(out_);
    case Quantity::gravity: gravity<double>(model_, w_, q, out_); return json(out_);
    case Quantity::mass_matrix: mass_matrix<double>(model_, w_, q, H_); return json(H_);
    case Quantity::energy:
      return fmt::format(R"({{"kinetic": {}, "potential": {}}})", json(kinetic_energy<double>(model_, k_, v)),
                         json(potential_energy(model_, k_)));
    case Quantity::center_of_mass: return json(center_of_mass(model_, k_));
    case Quantity::momentum: return json(centroidal_momentum(model_, k_));
    case Quantity::pose: {
      const Pose<double> pose = frame_pose(model_, k_, frame);
      return fmt::format(R"({{"R": [{}, {}, {}], "p": {}}})", json(pose.R.row[0]), json(pose.R.row[1]),
                         json(pose.R.row[2]), json(pose.p));
    }
    case Quantity::velocity: return json(frame_velocity(model_, k_, frame));
    case Quantity::acceleration: return json(frame_acceleration(model_, k_, frame));
    case Quantity::jacobian: frame_jacobian<double>(model_, k_, frame, J_); return json(J_);
    case Quantity::constraint_forces: return constraint_forces();
    case Quantity::constraint_error: return constraint_error();
    case Quantity::distances: return distances(false);
    case Quantity::collisions: return distances(true);
    case Quantity::paths: return paths();
    case Quantity::contact_forces: return contact_forces();
    case Quantity::impulse_response: return impulse_response(frame);
    case Quantity::inverse_dynamics_derivatives: return inverse_dynamics_derivatives();
    case Quantity::forward_dynamics_derivatives: return forward_dynamics_derivatives();
    case Quantity::linearization: return linearization();
    case Quantity::drive_forces: return drive_forces();
  }
  return "null";
}

/// Writes what the scene's records say of the state, by column; with all forces.
std::string Evaluator::records() {
  SystemWorkspace workspace{System(scene_)};
  std::copy(u_.begin(), u_.end(), workspace.inputs().begin());
  Recorder recorder(workspace, scene_.records);
  const auto row = recorder(state_->t, elements_, workspace.energy(elements_, state_->t));
  std::string out = "{";
  std::size_t i = 0;
  for (const RecordedColumns& record : recorder.layout())
    for (const std::string& column : record.columns)
      out += fmt::format("{}{}: {}", out.size() == 1 ? "" : ", ", json_text(column), json(row[i++]));
  return out + "}";
}

/// Writes the equilibrium that the scene sinks to from the state.
std::string Evaluator::equilibrium() const {
  Scene scene = scene_;
  scene.initial = bare();
  return equilibrium_json(find_modes_of(std::move(scene), "eval"));
}

/// Writes the nearest shapes of each pair of bodies; with `touching`, only those whose gap is not positive.
std::string Evaluator::distances(bool touching) {
  if (!world_) world_.emplace(model_, contact_);
  world_->update(k_);
  std::string out = "[";
  for (const BodyDistance& d : world_->distances()) {
    if (touching && d.contact.gap > 0.0) continue;
    out += fmt::format(
        R"({}{{"a": {}, "b": {}, "shape_a": {}, "shape_b": {}, "gap": {}, "normal": {}, "point_a": {}, "point_b": {}}})",
        out.size() == 1 ? "" : ", ", json_text(d.a), json_text(d.b), d.shape_a, d.shape_b, json(d.contact.gap),
        json(d.contact.normal), json(d.contact.point_a), json(d.contact.point_b));
  }
  return out + "]";
}

/// Writes length and speed of every spring, cable and muscle by its name.
std::string Evaluator::paths() {
  const Instant at{model_, state_->t, state_->q, state_->v, {nullptr, 0}, forces_.system().u(), k_};
  std::string out = "{";
  for (const auto& force : forces_.system().forces())
    if (const auto* line = dynamic_cast<const LineForce*>(force.get()))
      out += fmt::format(R"({}{}: {{"length": {}, "speed": {}}})", out.size() == 1 ? "" : ", ",
                         json_text(line->label()), json(line->length(at)), json(line->speed(at)));
  return out + "}";
}

std::string Evaluator::show(Quantity quantity, const std::vector<double>& result) const {
  const auto matrix = [&](int rows) {
    const Eigen::MatrixXd M = Eigen::Map<const Eigen::MatrixXd>(result.data(), rows, model_.nv());
    return json(M);
  };
  switch (quantity) {
    case Quantity::mass_matrix: return matrix(model_.nv());
    case Quantity::jacobian: return matrix(6);
    case Quantity::inverse_dynamics_derivatives:
    case Quantity::forward_dynamics_derivatives: {
      const auto square = [&, n = model_.nv()](int i) {
        return json(Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(result.data() + i * n * n, n, n)));
      };
      return fmt::format(R"({{"dq": {}, "dv": {}, "{}": {}}})", square(0), square(1),
                         quantity == Quantity::inverse_dynamics_derivatives ? "da" : "dtau", square(2));
    }
    case Quantity::pose: {
      const auto row = [&](std::size_t i) { return json(std::span(result).subspan(3 * i, 3)); };
      return fmt::format(R"({{"R": [{}, {}, {}], "p": {}}})", row(0), row(1), row(2), row(3));
    }
    default: return json(result);
  }
}

}  // namespace cardan::command
