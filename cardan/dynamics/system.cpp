#include "cardan/dynamics/system.hpp"

#include "cardan/constraints/coupling_constraint.hpp"
#include "cardan/constraints/internal/loop_force.hpp"
#include "cardan/dynamics/internal/system_assembly.hpp"
#include "cardan/dynamics/joint_limits.hpp"
#include "cardan/forces/joint_spring.hpp"
#include "cardan/model/internal/characteristic_length.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace cardan {

namespace {

constexpr double kSampleRounding = 1e-9;  // of a period

void check_touches(const Model& model, const std::string& name, const Touches& touches) {
  for (const int body : touches.bodies)
    if (body < 1 || body > model.bodies())
      throw std::invalid_argument("system: " + name + " acts on a body that the model does not have");
  for (const int v : touches.velocities)
    if (v < 0 || v >= model.nv())
      throw std::invalid_argument("system: " + name + " acts on a velocity that the model does not have");
}

/// Joints whose motion is prescribed, each once.
std::vector<PrescribedMotion> prescribed_joints(const Model& model, const Constraints& constraints) {
  std::vector<PrescribedMotion> out;
  for (const auto& constraint : constraints)
    if (const auto* motion = dynamic_cast<const JointMotionConstraint*>(constraint.get())) {
      const int body = motion->motion().body;
      for (const PrescribedMotion& other : out)
        if (other.body == body)
          throw std::invalid_argument("system: joint \"" + model.joint_name(body) + "\": two motions prescribe it");
      out.push_back(motion->motion());
    }
  return out;
}

/// The settings with the mode of contact that the scene needs.
Settings settings_for(const Scene& scene) {
  Settings out = scene.settings;
  const std::string contact = scene.contact.acting_where();
  bool stepped = !contact.empty() || !scene.bearings.empty();
  for (int v = 0; v < scene.model.nv(); ++v) {
    const DofProperties& dof = scene.model.dof(v);
    const bool bounces = dof.restitution > 0.0 && (std::isfinite(dof.lower) || std::isfinite(dof.upper));
    stepped |= dof.friction > 0.0 || bounces;
  }
  for (const LoopJoint& loop : scene.model.loops()) stepped |= has_laws(loop);
  stepped |= out.contact_solver == ContactSolver::bilateral_staggered_projections;
  if (out.contact_solver != ContactSolver::exact) {
    if (out.contact == ContactMode::events)
      throw ModelError((scene.where.empty() ? "simulate" : scene.where) +
                       ": expected contact = \"stepping\" with this contact_solver, found \"events\"");
    if (stepped) out.contact = ContactMode::stepping;
  }
  out.laws_act = stepped || out.contact != ContactMode::automatic;
  if (out.laws_act && out.formulation != Formulation::recursive)
    throw ModelError((contact.empty() ? scene.where.empty() ? "simulate" : scene.where : contact) +
                     ": expected formulation \"recursive\" with contact or friction, found \"" +
                     formulation_names()[static_cast<std::size_t>(out.formulation)] + "\"");
  if (out.laws_act && !out.maximal_bodies.empty())
    throw ModelError((contact.empty() ? scene.where.empty() ? "simulate" : scene.where : contact) +
                     ": expected no body with maximal = true with contact or friction, found \"" +
                     scene.model.body_name(out.maximal_bodies.front()) + "\"");
  if (!out.maximal_bodies.empty() && out.formulation != Formulation::recursive &&
      out.formulation != Formulation::maximal)
    throw ModelError((scene.where.empty() ? "simulate" : scene.where) +
                     ": expected formulation \"recursive\" or \"maximal\" with a body that is maximal, found \"" +
                     formulation_names()[static_cast<std::size_t>(out.formulation)] + "\"");
  return out;
}

/// The model without those limits beyond which a joint starts: they cannot hold it, and all others do.
Model without_violated_limits(const Scene& scene) {
  if (static_cast<int>(scene.initial.q.size()) != scene.model.nq()) return scene.model;
  const std::vector<BeyondLimit> violated = beyond_limits(scene.model, scene.initial.q);
  if (violated.empty()) return scene.model;
  ModelData data = scene.model.data();
  for (const BeyondLimit& limit : violated) {
    DofProperties& dof = data.dofs[scene.model.link(limit.body).v + limit.k];
    if (limit.is_below())
      dof.lower = -std::numeric_limits<double>::infinity();
    else
      dof.upper = std::numeric_limits<double>::infinity();
  }
  data.identity = ModelData::next_identity();
  return Model(std::move(data));
}

}  // namespace

System::System(const Model& model, Forces forces, Constraints constraints, const Settings& settings) {
  auto data = std::make_shared<Data>();
  data->model = model;
  data->settings = settings;
  data->forces = joint_springs(model);
  for (const auto& spring : data->forces)
    data->plain_springs += dynamic_cast<const CoordinateSprings*>(spring.get()) != nullptr;
  for (const LoopJoint& loop : model.loops())
    if (has_springs(loop)) data->forces.push_back(std::make_shared<const LoopForce>(loop));
  data->forces.insert(data->forces.end(), forces.begin(), forces.end());
  int states = 0;
  for (const auto& force : data->forces) {
    const Touches touches = force->touches();
    check_touches(model, force->name(), touches);
    data->first_state.push_back(states);
    states += touches.states;
  }
  data->first_state.push_back(states);

  const double length = characteristic_length(model);
  const bool reduced_loops = settings.formulation == Formulation::reduced && !settings.independent.empty();
  if (!reduced_loops)
    for (const LoopJoint& loop : model.loops())
      data->constraints.push_back(std::make_shared<const LoopConstraint>(loop, length));
  if (settings.couplings && settings.formulation != Formulation::reduced)
    for (const Coupling& coupling : model.couplings())
      data->constraints.push_back(std::make_shared<const CouplingConstraint>(model, coupling));
  if (settings.formulation == Formulation::reduced) {
    Constraints all = data->constraints;
    all.insert(all.end(), constraints.begin(), constraints.end());
    if (!all.empty())
      throw std::invalid_argument(
          "system: the reduced formulation takes couplings only, and loops where `independent` "
          "says which joints are independent, found " +
          all.front()->name() + ": choose the recursive one");
  }
  const std::vector<PrescribedMotion> prescribed = prescribed_joints(model, constraints);
  const bool only_joints = settings.formulation == Formulation::recursive && settings.maximal_bodies.empty() &&
                           data->constraints.empty() && prescribed.size() == constraints.size() &&
                           settings.stabilization == Stabilization::projection && !settings.laws_act;
  if (only_joints) data->driven = prescribed;
  for (const auto& constraint : constraints) check_touches(model, constraint->name(), constraint->touches());
  data->constraints.insert(data->constraints.end(), constraints.begin(), constraints.end());
  data_ = std::move(data);
}

System::System(const Scene& scene)
    : System(without_violated_limits(scene), scene.forces, scene.constraints, settings_for(scene)) {
  auto data = std::make_shared<Data>(*data_);
  data->contact = scene.contact;
  data->bearings = scene.bearings;
  if (!scene.contact.acting_where().empty())
    data->contact_scene = std::make_shared<const ContactScene>(data->model, scene.contact);
  data->inputs = scene.inputs;
  data->breaks = scene.breaks;
  data->first_inputs = first_values(scene.inputs);
  data_ = data;
  if (scene.settings.contact == ContactMode::events)
    if (const std::string what = beyond_events(*this); !what.empty())
      throw ModelError((scene.where.empty() ? "simulate" : scene.where) +
                       ": contact = \"events\": expected rigid contacts, limits and dry friction, found " + what +
                       ": choose \"stepping\" or \"auto\"");
  const auto needs_start = [](const auto& force) { return force->needs_start(); };
  if (std::any_of(data->forces.begin(), data->forces.end(), needs_start)) data->forces = started_forces(scene);
}

/// The forces with what they take from the start: lengths that nobody gave are those of the pose without strain, states
/// are those of the start.
Forces System::started_forces(const Scene& scene) const {
  auto generic = std::make_shared<Data>(*data_);
  generic->settings.code = Settings::Code::generic;  // nothing is to be compiled for two states
  System plain = *this;
  plain.data_ = std::move(generic);
  RecursiveProblem equations(plain, model());
  std::optional<ReducedProblem> reduced;
  if (settings().formulation == Formulation::reduced) reduced.emplace(equations, settings().independent);
  const auto assembled = [&](double t, const State& state) {
    const Assembly assembly = assemble(equations, reduced ? &*reduced : nullptr, t, state, scene.kept);
    return assembly.closed ? assembly.state : state;
  };
  const bool continued = !scene.unstrained.q.empty();
  StateKinematics strained(scene.model), unstrained(scene.model);
  const State start = assembled(scene.settings.start, scene.initial);
  const State before = continued ? assembled(0.0, scene.unstrained) : start;
  const Instant at = strained.at(scene.settings.start, start.q, start.v, {nullptr, 0}, u());
  const Instant without = unstrained.at(continued ? 0.0 : scene.settings.start, before.q, before.v, {nullptr, 0}, u());
  Forces out = data_->forces;
  for (auto& force : out)
    if (force->needs_start()) force = force->started_at(force->touches().states > 0 ? at : without);
  return out;
}

System System::bound_to(SwitchBoard& board, const std::vector<double>& u) const {
  System out = with_inputs(u);
  const auto chooses = [](const auto& force) { return force->has_switches(); };
  if (std::none_of(data_->forces.begin(), data_->forces.end(), chooses)) return out;
  auto data = std::make_shared<Data>(*data_);
  board.bind(data->forces);
  out.data_ = std::move(data);
  return out;
}

System System::with_inputs(const std::vector<double>& u) const {
  System out = *this;
  out.u_ = &u;
  return out;
}

bool System::is_conservative() const {
  const bool moved = std::any_of(data_->constraints.begin(), data_->constraints.end(),
                                 [](const auto& c) { return !c->is_workless(); });
  return !moved && !is_stepped() && std::all_of(data_->forces.begin(), data_->forces.end(), [](const auto& force) {
    return force->is_conservative();
  });
}

bool is_sample_time(double period, double t) {
  return std::abs(t - std::round(t / period) * period) <= kSampleRounding * period;
}

double System::next_sample(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto& force : data_->forces)
    if (const double period = force->period(); period > 0.0)
      next = std::min(next, (std::floor(t / period + kSampleRounding) + 1.0) * period);
  return next;
}

std::string beyond_events(const System& system) {
  if (!system.bearings().empty()) return "a bearing";
  for (const LoopJoint& loop : system.model().loops())
    if (has_laws(loop)) return "limits or dry friction of a loop";
  const ContactRules& rules = system.contact();
  const auto special = [](const ContactCoefficients& c) -> std::string {
    if (c.stiffness) return "stiffness of a contact";
    if (c.rolling.value_or(0.0) > 0.0) return "rolling friction of a contact";
    if (c.torsional.value_or(0.0) > 0.0) return "torsional friction of a contact";
    return {};
  };
  if (rules.ground && rules.ground->height_field) return "a height field";
  if (rules.ground)
    if (std::string what = special(rules.ground->coefficients); !what.empty()) return what;
  for (const ContactRule& rule : rules.rules)
    if (std::string what = special(rule.coefficients); !what.empty()) return what;
  if (!system.contacts_act()) return {};
  for (const WorldShape& shape : system.contact_scene()->shapes()) {
    if (shape.solid.kind == collision::Kind::mesh) return "a mesh that is not its hull";
    if (shape.material.is_area) return "patch = \"area\" of a shape";
  }
  return {};
}

State System::initial(const State& state) const {
  State out = state;
  if (static_cast<int>(out.z.size()) == element_states()) return out;
  out.z.assign(static_cast<std::size_t>(element_states()), 0.0);
  for (std::size_t i = 0; i < data_->forces.size(); ++i)
    data_->forces[i]->initial_states(
        std::span(out.z).subspan(static_cast<std::size_t>(data_->first_state[i]),
                                 static_cast<std::size_t>(data_->first_state[i + 1] - data_->first_state[i])));
  return out;
}

std::vector<std::string> state_columns(const Forces& forces) {
  std::vector<std::string> out;
  std::map<std::string, int> used;
  for (const auto& force : forces) {
    const int n = force->touches().states;
    if (n == 0) continue;
    const std::string name = force->name();
    const std::size_t open = name.find('"'), close = name.rfind('"');
    std::string label = open < close ? name.substr(open + 1, close - open - 1) : name;
    if (const int same = used[label]++; same > 0) label += "#" + std::to_string(same + 1);
    for (int k = 0; k < n; ++k) out.push_back("z." + label + (n > 1 ? "." + std::to_string(k) : ""));
  }
  return out;
}

}  // namespace cardan
