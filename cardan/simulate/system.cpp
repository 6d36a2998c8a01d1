#include "cardan/simulate/system.hpp"

#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/hybrid_dynamics.hpp"
#include "cardan/algorithms/jacobian_products.hpp"

#include <algorithm>

namespace cardan {

System::System(const Model& model, Loads loads, const SystemOptions& options)
    : model_(model),
      loads_(std::move(loads)),
      springs_(model),
      workspace_(model),
      kinematics_(model),
      tau_(static_cast<std::size_t>(model.nv())),
      applied_(tau_),
      state_(model) {
  check();
  if (!loads_.forces.empty()) body_force_.resize(static_cast<std::size_t>(model.bodies()) + 1);
  add_constraints(options);
  if (constrained_) return;
  given_.assign(static_cast<std::size_t>(model.bodies()) + 1, Given::force);
  for (const PrescribedMotion& m : loads_.motions) {
    given_[static_cast<std::size_t>(m.body)] = Given::acceleration;
    for (int i = 0; i < m.motion.size(); ++i) driven_.push_back(model.link(m.body).v + i);
  }
  acting_.resize(model.nv());

  if (options.code == Code::generic || !driven_.empty()) return;
  compiled_ = compile(model, {ModelFunction::forward_dynamics});
  const auto& function = compiled_->functions().front();
  // the interpreter, where there is no machine code, is slower than the generic algorithm
  if (function.code && function.code->backend() == Backend::interpreter)
    compiled_.reset();
  else
    compiled_workspace_ = std::make_unique<CompiledWorkspace>(*compiled_);
}

void System::check() const {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw std::invalid_argument("system: " + what);
  };
  for (const AppliedForce& f : loads_.forces) {
    require(f.frame >= 0 && f.frame < model_.frames(), "a force acts on a frame that the model does not have");
    require(model_.frame(f.frame).body != 0, "a force acts on \"" + model_.frame(f.frame).name + "\", which is fixed");
    require(f.wrench.size() == 6, "a force must have 6 entries, moment and force");
  }
  std::vector<int> seen;
  for (const PrescribedMotion& m : loads_.motions) {
    require(m.body >= 1 && m.body <= model_.bodies(), "a motion is of a joint that the model does not have");
    const Link& link = model_.link(m.body);
    const std::string joint = "joint \"" + model_.joint_name(m.body) + "\"";
    require(link.nq == link.nv, joint + ": motions can be prescribed only where coordinates have rates as velocities");
    require(m.motion.size() == link.nv, joint + ": its motion must have an entry for each coordinate");
    require(m.kind != PrescribedMotion::Kind::position || m.motion.derivatives() == 2,
            joint + ": a prescribed position needs two derivatives");
    require(std::find(seen.begin(), seen.end(), m.body) == seen.end(), joint + ": two motions prescribe it");
    seen.push_back(m.body);
  }
  for (const PrescribedBodyMotion& m : loads_.body_motions) {
    require(m.frame >= 0 && m.frame < model_.frames(), "a motion is of a frame that the model does not have");
    require(model_.frame(m.frame).body != 0, "\"" + model_.frame(m.frame).name + "\" is fixed and cannot be moved");
    require(m.position || m.rpy, "a motion of a body must have a position or angles");
    for (const auto* f : {&m.position, &m.rpy})
      require(!*f || ((*f)->size() == 3 && (*f)->derivatives() == 2),
              "a motion of a body must have three entries with two derivatives");
  }
}

bool System::is_conservative() const {
  return loads_.forces.empty() && loads_.motions.empty() && loads_.body_motions.empty() && !springs_.any_damping();
}

void System::add_applied_forces(double t, In<double> q, Out<double> tau) {
  forward_kinematics(model_, workspace_, q, kinematics_);
  std::fill(body_force_.begin(), body_force_.end(), ForceVector<double>{});
  for (AppliedForce& f : loads_.forces) {
    const Frame& frame = model_.frame(f.frame);
    const auto w = f.wrench(t);
    Vec3<double> moment{w[0], w[1], w[2]}, force{w[3], w[4], w[5]};
    if (!f.in_body_axes) {
      const Transform<double> X = frame_transform(model_, kinematics_, f.frame);
      moment = rotate(X.E, moment);
      force = rotate(X.E, force);
    }
    body_force_[static_cast<std::size_t>(frame.body)] +=
        transpose_apply(frame.X, ForceVector<double>{moment + cross(f.at, force), force});
  }
  jacobian_transpose_product<double>(model_, workspace_, q, body_force_, applied_);
  for (int i = 0; i < tau.size(); ++i) tau[i] += applied_[static_cast<std::size_t>(i)];
}

void System::generalized_forces(double t, In<double> q, In<double> v, Out<double> tau) {
  springs_.force(q, v, tau);
  if (!body_force_.empty()) add_applied_forces(t, q, tau);
}

void System::linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                       OutMatrix<double> D) {
  if (!driven_.empty() || constrained_) return Dynamics::linearize(t, q, v, M, f, K, D);
  linearize_freely(t, q, v, M, f, K, D);
}

void System::linearize_freely(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f,
                              OutMatrix<double> K, OutMatrix<double> D) {
  if (!linearized_)
    linearized_ =
        std::make_unique<ModelDynamics>(model_, [this](double at_t, In<double> at_q, In<double> at_v, Out<double> tau) {
          generalized_forces(at_t, at_q, at_v, tau);
        });
  linearized_->linearize(t, q, v, M, f, K, D);
}

void System::acceleration(double t, In<double> q, In<double> v, Out<double> a) {
  if (constrained_) {
    generalized_forces(t, q, v, tau_);
    return constrained_->forward_dynamics(t, q, v, tau_, a);
  }
  if (driven_.empty()) {
    generalized_forces(t, q, v, tau_);
    if (compiled_) return forward_dynamics(*compiled_, *compiled_workspace_, q, v, tau_, a);
    return forward_dynamics(model_, workspace_, q, v, tau_, a);
  }
  set_state(t, q, v);
  prescribed_accelerations(t, a);
  generalized_forces(t, state_.q, state_.v, tau_);
  hybrid_dynamics(model_, workspace_, given_, state_.q, state_.v, a, tau_);
}

void System::follow(double t, State& state) {
  if (constrained_) {
    correct(t, state);
    return;
  }
  for (PrescribedMotion& m : loads_.motions) {
    if (m.kind != PrescribedMotion::Kind::position) continue;
    const auto values = m.motion(t);
    const Link& link = model_.link(m.body);
    std::copy_n(values.begin(), link.nv, state.q.begin() + link.q);
    std::copy_n(values.begin() + link.nv, link.nv, state.v.begin() + link.v);
  }
}

void System::driving_forces(double t, In<double> q, In<double> v, Out<double> tau) {
  Eigen::VectorXd a(model_.nv());
  acceleration(t, q, v, a);
  std::fill_n(tau.data(), tau.size(), 0.0);
  if (constrained_) return add_motion_multipliers(tau);
  if (driven_.empty()) return;
  generalized_forces(t, state_.q, state_.v, acting_);
  for (const int i : driven_) tau[i] = tau_[static_cast<std::size_t>(i)] - acting_[i];
}

Energy System::energy(const State& state) {
  forward_kinematics(model_, workspace_, state.q, state.v, kinematics_);
  return {kinetic_energy(model_, kinematics_, state.v),
          potential_energy(model_, kinematics_) + springs_.energy(state.q)};
}

void System::set_state(double t, In<double> q, In<double> v) {
  std::copy_n(q.data(), q.size(), state_.q.begin());
  std::copy_n(v.data(), v.size(), state_.v.begin());
  follow(t, state_);
}

void System::prescribed_accelerations(double t, Out<double> a) {
  std::fill_n(a.data(), a.size(), 0.0);
  for (PrescribedMotion& m : loads_.motions) {
    const auto values = m.motion(t);
    const Link& link = model_.link(m.body);
    std::copy_n(values.end() - link.nv, link.nv, a.data() + link.v);  // the highest derivative
  }
}

}  // namespace cardan
