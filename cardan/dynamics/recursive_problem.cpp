#include "cardan/dynamics/recursive_problem.hpp"

#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/hybrid_dynamics.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/compile/internal/compiled_joints.hpp"
#include "cardan/dynamics/internal/led_motions.hpp"
#include "cardan/model/singularity.hpp"

#include <algorithm>

namespace cardan {

namespace {

bool has_invented_joints(const Model& model) {
  bool any = false;
  for (int i = 1; i <= model.bodies(); ++i)
    for_each_part(model.joint(i), 0, 0, [&]<class J>(const J&, int, int) { any |= std::same_as<J, ExpressionJoint>; });
  return any;
}

/// Machine code for invented joints, where the algorithms run generically.
Model model_for(const System& system, const Model& model) {
  const bool generic = system.settings().code == Settings::Code::generic;
  return generic || system.constraints().empty() || !has_invented_joints(model) ? model : with_compiled_joints(model);
}

/// True if there is more than a tree and its springs, in this very model, and nothing in the settings asks for other
/// ways: held choices of texts, feedback of errors, a method of constraints by name.
bool can_be_code(const System& system, const Model& model) {
  const Settings& settings = system.settings();
  const Forces& forces = system.forces();
  const bool has_more = forces.size() > system.plain_springs() || !system.constraints().empty();
  return has_more && model.identity() == system.model().identity() && system.driven_joints().empty() &&
         !system.is_stepped() &&
         (system.constraints().empty() || (settings.stabilization == Stabilization::projection &&
                                           settings.constraint_method == ConstraintMethod::automatic)) &&
         std::none_of(forces.begin(), forces.end(), [](const auto& force) { return force->has_switches(); });
}

}  // namespace

RecursiveProblem::RecursiveProblem(const System& system, const Model& model, Settings::Code code)
    : system_(system),
      model_(model_for(system, model)),
      equations_(model_),
      space_(model_, system.element_states()),
      kinematics_(model_),
      wrenches_(static_cast<std::size_t>(model.bodies()) + 1),
      motions_(wrenches_.size()),
      tau_(static_cast<std::size_t>(model.nv())),
      applied_(tau_),
      no_forces_(tau_),
      state_(model_) {
  const Settings& settings = system.settings();
  leads_ = leads(system.constraints());
  for (const auto& force : system.forces()) forces_on_bodies_ |= !force->touches().bodies.empty();
  may_compile_system_ = code != Settings::Code::generic && can_be_code(system, model);
  if (!system.driven_joints().empty()) {
    given_.assign(wrenches_.size(), Given::force);
    for (const PrescribedMotion& m : system.driven_joints())
      given_[static_cast<std::size_t>(m.body)] = Given::acceleration;
    return;
  }
  if (!system.constraints().empty()) {
    ConstraintSet set(model_, ConstraintSet::Include::nothing);
    for (const auto& constraint : system.constraints()) set.add(constraint);
    constrained_ = std::make_unique<ConstrainedDynamics>(std::move(set), settings.constraint_method);
    if (settings.stabilization == Stabilization::baumgarte) constrained_->stabilization = settings.baumgarte;
    return;
  }
  if (code != Settings::Code::generic && !may_compile_system_) compile_tree();
}

void RecursiveProblem::compile_system(const Point& at) {
  may_compile_system_ = false;
  code_ = compile(system_, at.t, at.q, constrained_ ? constrained_->expected_rank() : -1);
  if (!code_.motion && !constrained_) compile_tree();
}

void RecursiveProblem::compile_tree() {
  if (!CompiledModel::fits(model_)) return;
  const bool has_springs_of_system = model_.identity() == system_.model().identity();
  compiled_ = compile(model_, {ModelFunction::forward_dynamics}, {.joint_springs = has_springs_of_system});
  const auto& function = compiled_->functions().front();
  // the interpreter, where there is no machine code, is slower than the generic algorithm
  if (function.code && function.code->backend() == Backend::interpreter) {
    compiled_.reset();
    return;
  }
  compiled_workspace_ = std::make_unique<CompiledWorkspace>(*compiled_);
  if (has_springs_of_system) springs_in_code_ = system_.plain_springs();
}

Instant RecursiveProblem::instant_of(std::size_t force, const Instant& at) const {
  const auto first = system_.first_states();
  return at.of_element(first[force], first[force + 1] - first[force]);
}

void RecursiveProblem::generalized_forces(const Point& at, Out<double> tau) { sum_forces(at, 0, tau); }

void RecursiveProblem::sum_forces(const Point& at, std::size_t first, Out<double> tau) {
  const Forces& forces = system_.forces();
  for (int i = 0; i < tau.size(); ++i) tau[i] = 0.0;
  if (forces_on_bodies_) std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  const Instant instant = forces_on_bodies_ ? evaluate(at) : as_evaluated(at);
  Pushes pushes(wrenches_, tau);
  if (at.z.size() == 0)
    for (std::size_t i = first; i < forces.size(); ++i) forces[i]->add(instant, pushes);
  else
    for (std::size_t i = first; i < forces.size(); ++i) forces[i]->add(instant_of(i, instant), pushes);
  if (!forces_on_bodies_) return;
  jacobian_transpose_product<double>(model_, equations_.workspace(), at.q, wrenches_, applied_);
  for (int i = 0; i < tau.size(); ++i) tau[i] += applied_[static_cast<std::size_t>(i)];
}

void RecursiveProblem::accelerate(const Point& at, In<double> tau, Out<double> a) {
  if (constrained_)
    constrained_->forward_dynamics(at.t, at.q, at.v, tau, a);
  else if (compiled_)
    forward_dynamics(*compiled_, *compiled_workspace_, at.q, at.v, tau, a);
  else
    forward_dynamics(model_, equations_.workspace(), at.q, at.v, tau, a);
}

void RecursiveProblem::acceleration(const Point& at, Out<double> a, Out<double> z_dot) {
  if (may_compile_system_) compile_system(at);
  if (code_.motion && code_.motion->run(at.t, at.q, at.v, at.z, system_.u(), no_forces_, a, z_dot)) return;
  acceleration_and_multipliers(at, a, z_dot);
}

void RecursiveProblem::acceleration_and_multipliers(const Point& at, Out<double> a, Out<double> z_dot) {
  const auto rates_there = [&](const Point& there) {
    if (z_dot.size() > 0) rates(forces_on_bodies_ ? as_evaluated(there) : evaluate(there), z_dot);
  };
  if (!given_.empty()) {
    lead(at);
    driven_accelerations(at.t, a);
    const Point there(at.t, state_.q, state_.v, at.z);
    generalized_forces(there, tau_);
    hybrid_dynamics(model_, equations_.workspace(), given_, state_.q, state_.v, a, tau_);
    return rates_there(there);
  }
  if (system_.forces().size() == springs_in_code_) return accelerate(at, no_forces_, a);
  sum_forces(at, springs_in_code_, tau_);
  accelerate(at, tau_, a);
  rates_there(at);
}

void RecursiveProblem::lead(const Point& at) {
  std::copy_n(at.q.data(), at.q.size(), state_.q.begin());
  std::copy_n(at.v.data(), at.v.size(), state_.v.begin());
  follow(at.t, state_);
}

void RecursiveProblem::rates(const Point& at, Out<double> z_dot) { rates(evaluate(at), z_dot); }

void RecursiveProblem::rates(const Instant& at, Out<double> z_dot) const {
  const auto first = system_.first_states();
  for (std::size_t i = 0; i < system_.forces().size(); ++i)
    system_.forces()[i]->rate(instant_of(i, at),
                              std::span(z_dot.data() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])));
}

void RecursiveProblem::add_constraint_forces(In<double> q, In<double> lambda, Out<double> tau) {
  const ConstraintSet& set = constrained_->constraints();
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  add_constraint_wrenches(lambda, wrenches_);
  for (int i = 0; i < set.size(); ++i) {
    const ConstraintRows& rows = set.rows_of(i);
    for (int row = 0; row < rows.size(); ++row)
      for (std::size_t k = 0; k < rows.velocities.size(); ++k)
        tau[rows.velocities[k]] +=
            lambda[set.first_row(i) + row] * rows.on_velocities(row, static_cast<Eigen::Index>(k));
  }
  jacobian_transpose_product<double>(model_, equations_.workspace(), q, wrenches_, applied_);
  for (int i = 0; i < tau.size(); ++i) tau[i] += applied_[static_cast<std::size_t>(i)];
}

Eigen::VectorXd RecursiveProblem::row_target() const {
  const ConstraintSet& set = constrained_->constraints();
  const Baumgarte& b = constrained_->stabilization;
  return set.k() - 2.0 * b.alpha * set.drift() - b.beta * b.beta * set.gap();
}

void RecursiveProblem::row_accelerations(In<double> q, In<double> a, Out<double> out) {
  const ConstraintSet& set = constrained_->constraints();
  jacobian_product<double>(model_, equations_.workspace(), q, a, motions_);
  const Eigen::VectorXd target = row_target();
  for (int i = 0; i < set.size(); ++i) {
    const ConstraintRows& rows = set.rows_of(i);
    for (int row = 0; row < rows.size(); ++row) {
      double& sum = out[set.first_row(i) + row];
      sum = -target[set.first_row(i) + row];
      for (const auto& on : rows.on_bodies)
        sum += dot(motions_[static_cast<std::size_t>(on.body)], on.row[static_cast<std::size_t>(row)]);
      for (std::size_t k = 0; k < rows.velocities.size(); ++k)
        sum += rows.on_velocities(row, static_cast<Eigen::Index>(k)) * a[rows.velocities[k]];
    }
  }
}

void RecursiveProblem::residual(const Point& at, In<double> a, In<double> lambda, Out<double> r,
                                Out<double> row_error) {
  if (!given_.empty()) return Problem::residual(at, a, lambda, r, row_error);
  generalized_forces(at, tau_);
  if (constrained_) {
    constrained_->constraints().evaluate(at.t, at.q, at.v);
    add_constraint_forces(at.q, lambda, tau_);
    row_accelerations(at.q, a, row_error);
  }
  equations_.balance(at.q, at.v, a, r);
  for (int i = 0; i < r.size(); ++i) r[i] -= tau_[static_cast<std::size_t>(i)];
}

Projection RecursiveProblem::project(double t, State& state) {
  if (!constrained_ || system_.settings().stabilization == Stabilization::baumgarte) return {};
  if (code_.projection) {
    std::copy(state.v.begin(), state.v.end(), tau_.begin());
    if (code_.projection->project(t, state, Projection::kClosed)) {
      Projection out{Projection::Result::changed};
      out.kick = relative_change(tau_, state.v);
      out.clearance = code_.projection->clearance();
      return out;
    }
  }
  if (!constrained_->project_positions(t, state.q, Projection::kClosed)) {
    const ConstraintSet& set = constrained_->constraints();
    const double error = constrained_->position_error(t, state.q);
    if (!(error <= Projection::kOpen)) {
      Projection out{Projection::Result::failed, "", error};
      double most = -1.0;
      for (int i = 0; i < set.size(); ++i)
        if (const double gap = set.rows_of(i).gap.lpNorm<Eigen::Infinity>(); !(gap <= most)) {
          most = gap;
          out.worst = set.constraint(i).name();
        }
      return out;
    }
  }
  const std::vector<double> before = state.v;
  constrained_->project_velocities(t, state.q, state.v);
  Projection out{Projection::Result::changed};
  if (leads_) {
    constrained_->constraints().evaluate(t, state.q, state.v);
    out = led_by(constrained_->constraints(), state);
  }
  out.kick = relative_change(before, state.v);
  out.clearance = constrained_->clearance();
  return out;
}

Mechanism* RecursiveProblem::mechanism() {
  if (tree_.bodies() == 0) {
    const bool generic = system_.settings().code == Settings::Code::generic || !has_invented_joints(model_);
    tree_ = generic ? model_ : with_compiled_joints(model_);
  }
  const Constraints& all = system_.constraints();
  const bool positions = std::all_of(all.begin(), all.end(), [](const auto& c) { return c->is_holonomic(); });
  return positions && system_.settings().stabilization != Stabilization::baumgarte ? this : nullptr;
}

void RecursiveProblem::evaluate_constraints(double t, In<double> q, Eigen::VectorXd& gap, Eigen::MatrixXd& J) {
  ConstraintSet& set = constrained_->constraints();
  std::fill(tau_.begin(), tau_.end(), 0.0);
  set.evaluate(t, q, tau_);  // at rest: gaps and J depend on positions only
  gap = set.gap();
  J.resize(set.rows(), model_.nv());
  set.matrix(J);
}

std::vector<int> RecursiveProblem::driven_bodies() const {
  std::vector<int> out;
  for (const PrescribedMotion& m : system_.driven_joints()) out.push_back(m.body);
  return out;
}

std::string RecursiveProblem::explain(const Point& at) {
  const auto joints = singular_joints(model_, std::span(at.q.data(), static_cast<std::size_t>(at.q.size())));
  if (!joints.empty()) return joints.front().what;
  return constrained_ ? constrained_->why_singular() : std::string();
}

void RecursiveProblem::sample(double t, State& state, Look look) {
  const Instant instant = evaluate({t, state});
  const auto first = system_.first_states();
  const Forces& forces = system_.forces();
  const std::vector<double> before = state.z;  // all look at the same instant
  const Instant seen{instant.model, t, instant.q, instant.v, before, instant.u, instant.bodies};
  for (std::size_t i = 0; i < forces.size(); ++i)
    if (forces[i]->period() > 0.0 && (look == Look::all || is_sample_time(forces[i]->period(), t)))
      forces[i]->sample(instant_of(i, seen),
                        std::span(state.z.data() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])));
}

void RecursiveProblem::look_at(const Point& at, SwitchBoard& switches) {
  const Instant instant = evaluate(at);
  switches.look([&](std::size_t force) { return instant_of(force, instant); });
}

Energy RecursiveProblem::energy(const Point& point) {
  const Instant at = evaluate(point);
  Energy out{kinetic_energy(model_, at.bodies, point.v), potential_energy(model_, at.bodies)};
  for (std::size_t i = 0; i < system_.forces().size(); ++i)
    out.potential += system_.forces()[i]->energy(instant_of(i, at));
  return out;
}

}  // namespace cardan
