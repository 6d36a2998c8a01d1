#include "apps/evaluate.hpp"

#include "apps/compiled_results.hpp"
#include "apps/formulated_dynamics.hpp"
#include "apps/modes_report.hpp"
#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/impulse_response.hpp"
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/contact/collision_world.hpp"
#include "cardan/forces/controller.hpp"
#include "cardan/forces/line_force.hpp"
#include "cardan/joints/internal/coordinate_names.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/simulate/internal/contact_modes.hpp"
#include "cardan/simulate/recorder.hpp"

#include <fmt/format.h>
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>

namespace cardan::command {

namespace {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Set where a number that was written is not finite: infinity and NaN are no JSON.
thread_local bool all_finite = true;

/// Numbers with 17 digits, so that reading them gives the same bits.
std::string json(double x) {
  all_finite = all_finite && std::isfinite(x);
  return fmt::format("{:.17g}", x);
}
std::string json(std::span<const double> v) {
  std::string out = "[";
  for (std::size_t i = 0; i < v.size(); ++i) out += (i == 0 ? "" : ", ") + json(v[i]);
  return out + "]";
}
std::string json(const Vec3<double>& v) { return json(std::span(v.e)); }
std::string json(const MotionVector<double>& m) { return json(std::array{m[0], m[1], m[2], m[3], m[4], m[5]}); }
std::string json(const ForceVector<double>& f) { return json(std::array{f[0], f[1], f[2], f[3], f[4], f[5]}); }
/// By rows.
std::string json(const Eigen::MatrixXd& M) {
  std::string out = "[";
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    const Eigen::VectorXd row = M.row(i);
    out += (i == 0 ? "" : ", ") + json(std::span(row.data(), static_cast<std::size_t>(row.size())));
  }
  return out + "]";
}

class Evaluator {
 public:
  Evaluator(const Scene& scene, const EvalRequest& request, Couplings couplings)
      : model_(scene.model),
        scene_(scene),
        contact_(scene.contact),
        constrained_(constraints_of(scene, couplings), request.constraint_method.empty()
                                                           ? scene.settings.constraint_method
                                                           : constraint_method(request.constraint_method)),
        forces_(generic_system(scene), scene.model),
        passive_(without_controllers(scene), scene.model),
        forces_act_(request.forces),
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
      modes_.emplace(scene.model, scene.contact, true, &constrained_.constraints(), ContactModes::Joints::alone);
  }

  /// Everything that quantities share at one state.
  void set(const EvalState& s, const std::string& where) {
    state_ = &s;
    where_ = where;
    constrained_.reset();
    forward_kinematics<double>(model_, w_, s.q, s.v, s.a, k_);
    elements_ = forces_.system().initial(bare());
    forces_.sample(s.t, elements_, RecursiveProblem::Look::all);
    if (forces_act_) forces_.generalized_forces({s.t, elements_}, applied_);
  }

  /// Throws where the mass matrix of the tree is singular; with constraints, the direct method may still solve.
  void require_regular_inertia(const std::string& where) {
    if (is_constrained()) return;
    if (const std::string why = explain_singular_mass_matrix(model_, w_, state_->q); !why.empty())
      throw std::runtime_error(where + ": " + why);
  }

  /// Says what is singular though the loops hold; empty: nothing.
  std::string singular() const { return formulated_ ? formulated_->why_singular() : constrained_.why_singular(); }
  bool is_constrained() { return constrained_.constraints().size() > 0; }
  bool has_contact() const { return modes_.has_value(); }
  std::string operator()(Quantity quantity, int frame);
  /// What a compiled function has computed.
  std::string show(Quantity quantity, const std::vector<double>& result) const;

 private:
  /// Nothing is compiled: only the forces are asked for.
  static System generic_system(Scene scene) {
    scene.settings.code = Settings::Code::generic;
    scene.contact = {};  // refused before, where dynamics are asked for
    return System(scene);
  }
  static System without_controllers(Scene scene) {
    std::erase_if(scene.forces, [](const auto& force) { return dynamic_cast<const Controller*>(force.get()); });
    return generic_system(std::move(scene));
  }
  static ConstraintSet constraints_of(const Scene& scene, Couplings couplings) {
    ConstraintSet out(scene.model, couplings == Couplings::hold ? ConstraintSet::Include::loops_and_couplings
                                                                : ConstraintSet::Include::loops);
    for (const auto& constraint : scene.constraints) out.add(constraint);
    return out;
  }
  /// The state without those of force elements.
  State bare() const {
    State out;
    out.q = state_->q;
    out.v = state_->v;
    return out;
  }
  void accelerate();
  void accelerate_with_contact(const std::vector<double>& tau);
  std::string contact_forces();
  std::string constraint_forces();
  std::string multipliers(const Eigen::VectorXd& all);
  std::string impulse_response(int frame);
  std::string constraint_error();
  std::string distances(bool touching);
  std::string records();
  std::string equilibrium() const;
  std::string paths();

  const Model& model_;
  const Scene& scene_;
  const ContactRules& contact_;
  std::optional<CollisionWorld> world_;
  ConstrainedDynamics constrained_;
  std::optional<FormulatedDynamics> formulated_;  // where another formulation is asked for
  std::optional<ContactModes> modes_;             // where contacts act
  std::vector<LawUnit> contacts_;                 // that touch
  std::string where_;                             // for messages
  RecursiveProblem forces_, passive_;             // with controllers, and without
  bool forces_act_;
  Workspace<double> w_;
  Kinematics<double> k_;
  std::vector<double> out_, applied_;  // applied_: zero unless forces act
  Eigen::MatrixXd H_, J_;
  const EvalState* state_ = nullptr;
  State elements_;  // the same state, with the states of force elements
};

std::string Evaluator::operator()(Quantity quantity, int frame) {
  const auto& [t, q, v, a, tau, wrench] = *state_;
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
  }
  return "null";
}

void Evaluator::accelerate() {
  const auto& [t, q, v, a, tau, wrench] = *state_;
  std::vector<double> all = applied_;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] += tau[i];
  if (formulated_)
    (*formulated_)(t, bare(), all, out_);
  else if (modes_)
    accelerate_with_contact(all);
  else if (is_constrained())
    constrained_.forward_dynamics(t, q, v, all, out_);
  else
    forward_dynamics<double>(model_, w_, q, v, all, out_);
}

/// Solves for the accelerations with all contacts that touch; throws where one is about to bounce, or where no forces
/// obey all laws.
void Evaluator::accelerate_with_contact(const std::vector<double>& tau) {
  constexpr ContactModes::Limits kSlow{1e-7, 1e-7};  // m/s
  const auto& [t, q, v, a, given, wrench] = *state_;
  if (!modes_->move_to(t, q, v))
    throw std::runtime_error(where_ + ": expected a regular mass matrix with contact, found a singular one");
  modes_->set_forces(tau);
  modes_->gather(scene_.settings.penetration, contacts_);
  for (const LawUnit& unit : contacts_)
    if (const std::string other = not_rigid(unit.point.law); !other.empty())
      throw std::runtime_error(
          fmt::format("{}: {}: expected a rigid contact with friction alone for accelerations, found {}: simulate it "
                      "instead",
                      where_, modes_->name(unit), other));
  for (const LawUnit& unit : contacts_)
    if (unit.u()[0] < -kSlow.rest)
      throw std::runtime_error(
          fmt::format("{}: {}: expected contacts at rest along their normals for accelerations, found one that closes "
                      "at {:.6g} m/s: an impulse acts there",
                      where_, modes_->name(unit), -unit.u()[0]));
  const ContactModes::Selection selection = modes_->select(contacts_, kSlow);
  if (!selection.solved)
    throw std::runtime_error(
        fmt::format("{}: {}: expected forces that obey the laws of all contacts, found none: no acceleration exists "
                    "here, only an impulse goes on",
                    where_, selection.worst));
  for (std::size_t i = 0; i < out_.size(); ++i) out_[i] = modes_->acceleration()[static_cast<Eigen::Index>(i)];
  constrained_.set_multipliers(modes_->multipliers());
}

/// Writes the points that touch, with the force on b.
std::string Evaluator::contact_forces() {
  std::string out = "[";
  if (modes_) {
    accelerate();
    const CollisionWorld& world = modes_->points()->world();
    const auto owner = [&](int shape) {
      return json_text(world.owners()[static_cast<std::size_t>(world.shapes()[static_cast<std::size_t>(shape)].owner)]);
    };
    for (const LawUnit& unit : contacts_)
      out += fmt::format(R"({}{{"a": {}, "b": {}, "point": {}, "normal": {}, "force": {}}})",
                         out.size() == 1 ? "" : ", ", owner(unit.point.shape_a), owner(unit.point.shape_b),
                         json(unit.point.point), json(unit.point.axes[0]), json(unit.force()));
  }
  return out + "]";
}

/// Writes the force of a loop: moment and force on body b, in the axes of the loop's frame there and about its origin.
std::string Evaluator::constraint_forces() {
  if (is_constrained()) accelerate();
  return multipliers(constrained_.multipliers());
}

/// Writes the jump of velocities under the impulses tau at the joints and a wrench on the frame, and the impulses of
/// the constraints. Nothing that stays finite acts: no gravity, no springs, no contacts.
std::string Evaluator::impulse_response(int frame) {
  const auto& [t, q, v, a, tau, wrench] = *state_;
  std::vector<ForceVector<double>> impulses;
  if (!wrench.empty()) {
    const Frame& on = model_.frame(frame);
    impulses.resize(static_cast<std::size_t>(model_.bodies()) + 1);
    const Pose<double> pose = frame_pose(model_, k_, frame);
    const Vec3<double> force = pose.R * Vec3<double>{wrench[3], wrench[4], wrench[5]};
    const Vec3<double> moment = pose.R * Vec3<double>{wrench[0], wrench[1], wrench[2]} + cross(pose.p, force);
    impulses[static_cast<std::size_t>(on.body)] = {moment, force};
  }
  if (is_constrained())
    constrained_.impulse_response(t, q, tau, out_, impulses);
  else
    cardan::impulse_response<double>(model_, w_, q, tau, out_, impulses);
  const std::string jump = json(out_);
  return fmt::format(R"({{"dv": {}, "constraint_impulses": {}}})", jump,
                     is_constrained() ? multipliers(constrained_.impulses()) : "[]");
}

/// Writes multipliers of the constraints, by name.
std::string Evaluator::multipliers(const Eigen::VectorXd& all) {
  const ConstraintSet& set = constrained_.constraints();
  std::string out = "[";
  for (int i = 0; i < set.size(); ++i) {
    const double* lambda = all.data() + set.first_row(i);
    const LoopState* loop = set.loop(i);
    out += fmt::format(R"({}{{"constraint": {}, )", i == 0 ? "" : ", ", json_text(set.constraint(i).name()));
    if (loop) {
      const ForceVector<double> f = loop->force(lambda);
      out += fmt::format(R"("moment": {}, "force": {}}})", json(f.moment), json(f.force));
    } else {
      const auto rows = static_cast<std::size_t>(set.rows_of(i).size());
      out += fmt::format(R"("multiplier": {}}})", rows == 1 ? json(*lambda) : json(std::span(lambda, rows)));
    }
  }
  return out + "]";
}

std::string Evaluator::constraint_error() {
  constrained_.position_error(state_->t, state_->q);
  const Eigen::VectorXd& gap = constrained_.constraints().gap();
  return json(std::span(gap.data(), static_cast<std::size_t>(gap.size())));
}

/// Writes what the scene's records say of the state, by column; with all forces.
std::string Evaluator::records() {
  SystemWorkspace workspace{System(scene_)};
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
  const Instant at{model_, state_->t, state_->q, state_->v, {nullptr, 0}, k_};
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
    case Quantity::pose: {
      const auto row = [&](std::size_t i) { return json(std::span(result).subspan(3 * i, 3)); };
      return fmt::format(R"({{"R": [{}, {}, {}], "p": {}}})", row(0), row(1), row(2), row(3));
    }
    default: return json(result);
  }
}

/// Infinity and NaN are no JSON; they come out of singular mass matrices and numbers near the end of the range.
void require_finite(Quantity quantity, const std::string& where, const std::string& known) {
  if (all_finite) return;
  all_finite = true;
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
    return quantity == Quantity::forward_dynamics || quantity == Quantity::impulse_response;
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
    const std::vector<std::string> names = coordinate_names(model.joint(i), true);
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
      // the compiled forward dynamics is that of the tree
      const bool of_tree = quantity == Quantity::forward_dynamics
                               ? !evaluator.is_constrained() && !request.forces && !evaluator.has_contact() &&
                                     request.formulation.empty()
                               : quantity != Quantity::inverse_dynamics || !request.forces;
      const std::vector<double>* known = of_tree ? compiled.find(quantity, i) : nullptr;
      const std::string result = known ? evaluator.show(quantity, *known) : evaluator(quantity, request.frame);
      require_finite(quantity, where, evaluator.singular());
      out += fmt::format("{}\"{}\": {}", n == 0 ? "" : ",\n   ", quantity_name(quantity), result);
    }
    out += "}";
  }
  return out + "]}\n";
}

}  // namespace cardan::command
