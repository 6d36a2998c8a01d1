#include "cardan/simulate/system_workspace.hpp"

#include "cardan/constraints/mobility.hpp"
#include "cardan/contact/internal/bilateral_staggering.hpp"
#include "cardan/contact/internal/contact_doubling.hpp"
#include "cardan/contact/internal/contact_loads.hpp"
#include "cardan/contact/internal/contact_switch.hpp"
#include "cardan/dynamics/internal/redmax_problem.hpp"
#include "cardan/dynamics/internal/system_assembly.hpp"
#include "cardan/model/singularity.hpp"
#include "cardan/simulate/internal/change_point_bridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace cardan {

namespace {

constexpr double kContactStep = 1e-3;  // s, where none is chosen
constexpr int kManyVelocities = 60;    // from here on an implicit step does without dense matrices

/// Bodies with poses of their own, the world first; none: empty.
std::vector<bool> maximal_bodies(const System& system) {
  const Settings& settings = system.settings();
  if (settings.formulation != Formulation::maximal && settings.maximal_bodies.empty()) return {};
  std::vector<bool> out(static_cast<std::size_t>(system.model().bodies()) + 1,
                        settings.formulation == Formulation::maximal);
  for (const int body : settings.maximal_bodies) out[static_cast<std::size_t>(body)] = true;
  return out;
}

/// True if a joint may turn on and on, so that its coordinates are to be counted.
bool turns(const Joint& joint) {
  for (const char* other : {"prismatic", "translational", "fixed", "spherical", "free"})
    if (std::string_view(joint.type_name()) == other) return false;
  return true;
}

IntegratorOptions stepping_options(const Settings& settings) {
  IntegratorOptions out = settings.steps;
  if (!settings.step_is_chosen) out.step = kContactStep;
  return out;
}

std::unique_ptr<RecursiveProblem> make_joint_problem(const System& system, const Model& model) {
  if (system.settings().formulation == Formulation::redmax) return std::make_unique<RedmaxProblem>(system, model);
  return std::make_unique<RecursiveProblem>(system, model);
}

/// Joints with other charts (Euler angles, spheres) whose coordinates no force, constraint or coupling speaks of.
std::vector<int> free_to_change(const System& system) {
  const Model& model = system.model();
  std::vector<bool> referred(static_cast<std::size_t>(model.nv()));
  const auto refer = [&](const Touches& touches) {
    for (const int v : touches.velocities) referred[static_cast<std::size_t>(v)] = true;
  };
  for (const auto& force : system.forces()) refer(force->touches());
  for (const auto& constraint : system.constraints()) refer(constraint->touches());
  std::vector<int> out;
  for (int i = 1; i <= model.bodies(); ++i) {
    bool is_free = true;
    for (int v = model.link(i).v; v < model.link(i).v + model.link(i).nv; ++v)
      is_free = is_free && !referred[static_cast<std::size_t>(v)];
    if (model.joint(i).has_charts() && is_free) out.push_back(i);
  }
  return out;
}

}  // namespace

SystemWorkspace::~SystemWorkspace() = default;

SystemWorkspace::SystemWorkspace(const System& system)
    : u_(first_values(system.inputs())),
      system_(system.bound_to(switches_, u_)),
      own_(make_joint_problem(system_, system_.model())),
      recursive_(own_.get()) {
  problem_ = recursive_;
  if (system.settings().formulation == Formulation::reduced) {
    reduced_ = std::make_unique<ReducedProblem>(*own_, system.settings().independent);
    problem_ = reduced_.get();
  } else if (std::vector<bool> maximal = maximal_bodies(system); !maximal.empty()) {
    maximal_ = std::make_unique<MaximalProblem>(system_, std::move(maximal));
    problem_ = maximal_.get();
  } else {
    changes_chart_ = free_to_change(system);
  }
  if (ConstrainedDynamics* const constrained = own_->constraints())
    for (int i = 0; i < constrained->constraints().size(); ++i)
      if (const LoopState* loop = constrained->constraints().loop(i); loop && turns(loop->loop().type)) {
        round_loops_.emplace_back();
        for (const int v : constrained->constraints().velocities(i))
          if (turns(model().joint(model().body_of_dof(v)))) round_loops_.back().push_back(v);
      }
  first_states_ = system.initial({}).z;
  rates_.resize(first_states_.size());
}

bool SystemWorkspace::reparameterize(State& state) {
  bool any = problem_->reparameterize(state);
  std::vector<std::pair<int, Joint>> changes;
  for (const int body : changes_chart_) {
    double *q = state.q.data() + recursive_->model().link(body).q,
           *v = state.v.data() + recursive_->model().link(body).v;
    const Joint& joint = recursive_->model().joint(body);
    if (auto other = joint.other_chart(q)) {
      joint.change_chart(*other, q, v);
      changes.emplace_back(body, std::move(*other));
    }
  }
  if (changes.empty()) return any;
  ModelData data = recursive_->model().data();
  data.identity = ModelData::next_identity();
  for (auto& [body, joint] : changes) data.joints[body] = std::move(joint);
  other_ = make_joint_problem(system_, Model(std::move(data)));
  problem_ = recursive_ = other_.get();
  return true;
}

bool SystemWorkspace::step_implicitly(const Point& at, double h, Out<double> change) {
  if (problem_->step_implicitly(at, h, change)) return true;
  const bool is_tree = problem_ == own_.get() && system_.driven_joints().empty() &&
                       system_.settings().implicit_forces != ImplicitForces::exact;
  if (!is_tree || model().nv() < kManyVelocities) return false;
  if (!direct_)
    direct_ = std::make_unique<MaximalProblem>(
        system_, std::vector<bool>(static_cast<std::size_t>(model().bodies()) + 1, false));
  return direct_->step_implicitly(at, h, change);
}

void SystemWorkspace::follow(double t, State& state) {
  if (maximal_)
    (void)maximal_->project(t, state);  // an output between two steps that were both closed
  else
    recursive_->follow(t, state);
}

State SystemWorkspace::problem_state(const State& state) const {
  if (reduced_) return reduced_->reduce(state);
  return maximal_ ? maximal_->from_model(state) : state;
}

State SystemWorkspace::model_state(const State& state) const {
  if (reduced_) return reduced_->expand(state);
  if (maximal_) return maximal_->to_model(state);
  State out = state;
  for (const int body : changes_chart_) {
    if (!other_) break;
    const Link& link = model().link(body);
    double *q = out.q.data() + link.q, *v = out.v.data() + link.v;
    if (recursive_ != own_.get()) recursive_->model().joint(body).change_chart(model().joint(body), q, v);
    model().joint(body).continue_from(last_q_.data() + link.q, q, v);
    std::copy_n(q, link.nq, last_q_.data() + link.q);
  }
  own_->reparameterize(out);
  return out;
}

Eigen::VectorXd SystemWorkspace::model_velocity(const State& at, const Eigen::VectorXd& velocity) const {
  State moving = at;
  moving.v.assign(velocity.data(), velocity.data() + velocity.size());
  const State out = model_state(moving);
  return Eigen::Map<const Eigen::VectorXd>(out.v.data(), static_cast<Eigen::Index>(out.v.size()));
}

std::string SystemWorkspace::explain(const Point& at) { return problem_->explain(at); }

std::string SystemWorkspace::lock(double t, const State& state) {
  const bool by_feedback = system_.settings().stabilization == Stabilization::baumgarte;
  if ((!maximal_ && !by_feedback) || own_->constraints() == nullptr) return {};
  constexpr double kLargestMove = 0.01;  // rad or m
  const State here = model_state(state);
  double fastest = 0.0;
  for (const double v : here.v) fastest = std::max(fastest, std::abs(v));
  std::vector<double> x(here.v.size());
  for (const double later : {1e-4, 1e-3, 1e-2}) {
    State ahead = here;
    const double scale = std::min(later, kLargestMove / std::max(fastest, 1e-300));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = scale * here.v[i];
    own_->space().move(here.q.data(), x.data(), ahead.q.data());
    const Assembly assembly = assemble(t + later, ahead);
    if (assembly.closed) continue;
    return fmt::format("{} cannot be kept closed {:g} s later: {:.3g} m or rad apart; the mechanism locks here",
                       assembly.worst, later, std::max(assembly.distance, assembly.angle));
  }
  return {};
}

const std::vector<double>& SystemWorkspace::element_states(const State& state) const {
  return static_cast<int>(state.z.size()) == system_.element_states() ? state.z : first_states_;
}

void SystemWorkspace::acceleration(double t, const State& state, Out<double> a) {
  const std::vector<double>& z = element_states(state);
  if (has_contact_laws()) {
    State whole = state;
    whole.z = z;
    return contact_loads().acceleration(t, whole, a);
  }
  if (maximal_) {
    State whole = state;
    whole.z = z;
    return maximal_->joint_accelerations(t, whole, a);
  }
  if (!reduced_) return own_->acceleration({t, state.q, state.v, z}, a, rates_);
  const State few = reduced_->reduce(state);
  std::vector<double> reduced(few.v.size());
  reduced_->acceleration({t, few.q, few.v, z}, reduced, rates_);
  reduced_->expand_acceleration(few, reduced, a);
}

std::string SystemWorkspace::why_singular() const { return maximal_ ? maximal_->why_singular() : std::string(); }

bool SystemWorkspace::has_contact_laws() {
  if (!system_.is_stepped() && contact_log_.summary.mode.empty()) return false;
  if (!laws_are_plain_) laws_are_plain_ = beyond_events(system_).empty();
  return *laws_are_plain_;
}

ContactLoads& SystemWorkspace::contact_loads() {
  if (!contact_loads_) contact_loads_ = std::make_unique<ContactLoads>(*own_, 2.0 * system_.settings().penetration);
  return *contact_loads_;
}

void SystemWorkspace::loads(double t, const State& state, Loads& out) {
  if (has_contact_laws()) {
    State whole = state;
    whole.z = element_states(state);
    return contact_loads().loads(t, whole, out);
  }
  if (maximal_) {
    State whole = state;
    whole.z = element_states(state);
    return maximal_->loads(t, whole, out);
  }
  out.accelerations.resize(state.v.size());
  acceleration(t, state, out.accelerations);
  const std::vector<double> a = out.accelerations;
  own_->loads({t, state.q, state.v, element_states(state)}, a, out);
}

void SystemWorkspace::loads_under(double t, const State& state, const Eigen::VectorXd& multipliers, Loads& out) {
  const std::vector<double> still(state.v.size());
  const std::vector<ForceVector<double>> none(static_cast<std::size_t>(model().bodies()) + 1);
  own_->loads({t, state.q, still, element_states(state)}, still, multipliers, none, out);
}

void SystemWorkspace::sample(double t, State& state, RecursiveProblem::Look look) {
  if (state.z.empty()) return;
  State seen = model_state(state);
  own_->sample(t, seen, look);
  state.z = seen.z;
}

void SystemWorkspace::generalized_forces(double t, const State& state, Out<double> tau) {
  recursive_->generalized_forces({t, state.q, state.v, element_states(state)}, tau);
}

void SystemWorkspace::driving_forces(double t, const State& state, Out<double> tau) {
  recursive_->driving_forces({t, state.q, state.v, element_states(state)}, tau);
}

Energy SystemWorkspace::energy(const State& state, double t) {
  return own_->energy({t, state.q, state.v, element_states(state)});
}

Assembly SystemWorkspace::assemble(double t, const State& state, const KeptJoints& kept) {
  return cardan::assemble(*recursive_, reduced_.get(), t, state, kept);
}

double SystemWorkspace::longest_turning_step(const State& state) const {
  constexpr double kTurn = 1.0;  // rad: less than half a turn, and some room for what the step accelerates
  if (system_.is_stepped()) return std::numeric_limits<double>::infinity();
  double fastest = 0.0;
  const auto add = [&](const std::vector<double>& v, int first, int count) {
    double sum = 0.0;
    for (int i = first; i < first + count; ++i) sum += std::abs(v[static_cast<std::size_t>(i)]);
    fastest = std::max(fastest, sum);
  };
  if (maximal_ || other_) {
    const State of_model = model_state(state);  // which also counts the turns of the step before
    for (int body = 1; body <= model().bodies(); ++body)
      if (turns(model().joint(body))) add(of_model.v, model().link(body).v, model().link(body).nv);
  }
  if (!maximal_)
    for (const auto& loop : round_loops_) {
      double sum = 0.0;
      for (const int v : loop) sum += std::abs(state.v[static_cast<std::size_t>(v)]);
      fastest = std::max(fastest, sum);
    }
  return fastest > 0.0 ? kTurn / fastest : std::numeric_limits<double>::infinity();
}

State SystemWorkspace::restart_from(const State& state) {
  recursive_ = own_.get();
  if (!reduced_ && !maximal_) problem_ = own_.get();
  return problem_state(state);
}

State SystemWorkspace::begin(double t, const State& initial) {
  last_q_ = initial.q;
  recursive_ = own_.get();
  if (!reduced_ && !maximal_) problem_ = own_.get();
  State state = system_.initial(initial);
  if (reduced_) return problem_state(state);
  ConstrainedDynamics* const constrained = constraints();
  if (!constrained) {
    recursive_->follow(t, state);
    return problem_state(state);
  }
  const Assembly assembly = assemble(t, state);
  if (system_.settings().stabilization == Stabilization::baumgarte && assembly.contradicts.empty())
    return problem_state(state);  // errors die out on the way
  if (!assembly.closed) throw std::runtime_error("simulate: " + assembly.complaint());
  state.q = assembly.state.q;
  state.v = assembly.state.v;
  constrained->expect_rank(analyze_mobility(model(), constrained->constraints(), t, state.q).rank);
  return problem_state(state);
}

void SystemWorkspace::look_at_switches(double t, const State& state) { own_->look_at({t, state}, switches_); }

Projection SystemWorkspace::project(double t, State& state) {
  const RunProfile::Scope scope(profile(), RunProfile::Part::constraints);
  last_projection_ = problem_->project(t, state);
  if (maximal_ && own_->constraints() && last_projection_.result == Projection::Result::changed) {
    // bodies of their own say nothing of how near the loops are to a change point
    State of_model = maximal_->to_model(state);
    own_->constraints()->project_velocities(t, of_model.q, of_model.v);
    last_projection_.clearance = own_->constraints()->clearance();
  }
  return last_projection_;
}

void SystemWorkspace::jump(double t, State& state) {
  if (system_.is_stepped()) return;  // steps of contact solve for velocities
  if (maximal_)
    maximal_->jump(t, state);
  else if (!reduced_)
    recursive_->jump(t, state);
}

std::unique_ptr<Integrator> SystemWorkspace::make_run_integrator(const Settings& settings) {
  if (!system_.is_stepped()) {
    auto integrator = make_integrator(settings.integrator, *this, settings.steps);
    return ChangePointBridge::fits(*this, settings)
               ? std::make_unique<ChangePointBridge>(*this, std::move(integrator), settings)
               : std::move(integrator);
  }
  if (settings.contact == ContactMode::events) return std::make_unique<ContactEvents>(*own_, settings, contact_log_);
  if (settings.contact == ContactMode::automatic && settings.contact_solver == ContactSolver::exact &&
      !settings.step_is_automatic && events_fit(system_))
    return std::make_unique<ContactSwitch>(*own_, settings, stepping_options(settings), contact_log_);
  return make_contact_stepper(settings);
}

std::unique_ptr<Integrator> SystemWorkspace::make_contact_stepper(const Settings& settings) {
  if (settings.contact_solver == ContactSolver::bilateral_staggered_projections)
    return std::make_unique<BilateralStaggering>(*own_, stepping_options(settings), settings, contact_log_);
  if (settings.step_is_automatic) return std::make_unique<ContactDoubling>(*own_, settings, contact_log_);
  return std::make_unique<ContactStepper>(*own_, stepping_options(settings), settings, contact_log_);
}

bool SystemWorkspace::may_reach_limits() const {
  if (system_.is_stepped() || reduced_ || maximal_ || !system_.driven_joints().empty()) return false;
  for (int v = 0; v < model().nv(); ++v)
    if (std::isfinite(model().dof(v).lower) || std::isfinite(model().dof(v).upper)) return true;
  return false;
}

bool SystemWorkspace::is_beyond_limits(const State& state, double slack) const {
  for (int body = 1; body <= model().bodies(); ++body) {
    const Link& link = model().link(body);
    if (link.nq != link.nv) continue;
    for (int k = 0; k < link.nv; ++k) {
      const DofProperties& dof = model().dof(link.v + k);
      const double q = state.q[static_cast<std::size_t>(link.q + k)];
      if (q < dof.lower - slack || q > dof.upper + slack) return true;
    }
  }
  return false;
}

double SystemWorkspace::violation(double t, const State& state) {
  if (maximal_) return maximal_->constraint_error(t, state);
  return rows() > 0 ? constraint_error(t, model_state(state)) : 0.0;
}

double SystemWorkspace::constraint_error(double t, const State& state) {
  return own_->constraints() ? own_->constraints()->position_error(t, state.q) : 0.0;
}

}  // namespace cardan
