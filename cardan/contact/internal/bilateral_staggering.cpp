#include "cardan/contact/internal/bilateral_staggering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Eigen::Index slot(int body) { return 6 * static_cast<Eigen::Index>(body - 1); }

template <class V>
Vector6 six(const V& x) {
  Vector6 out;
  for (int c = 0; c < 6; ++c) out[c] = x[c];
  return out;
}

Matrix6 matrix_of(const RigidBodyInertia<double>& I) {
  Matrix6 out;
  for (int c = 0; c < 6; ++c) {
    MotionVector<double> unit;
    unit[c] = 1.0;
    out.col(c) = six(I * unit);
  }
  return out;
}

}  // namespace

BilateralStaggering::BilateralStaggering(RecursiveProblem& problem, const IntegratorOptions& options,
                                         const Settings& settings, ContactLog& log)
    : Stepper("bilateral_staggered_projections", problem, options, Chart{true}),
      mechanism_(problem),
      system_(problem.system()),
      model_(problem.model()),
      settings_(settings.staggering),
      gamma_(settings.baumgarte.gamma),
      log_(log),
      kinematics_(model_),
      blocks_(system_.forces()),
      J_(6 * bodies(), model_.nv()),
      W_(static_cast<std::size_t>(model_.bodies()) + 1, Matrix6::Zero()),
      f_b_(Eigen::VectorXd::Zero(6 * bodies())),
      wrenches_(W_.size()),
      dv_(static_cast<std::size_t>(model_.nv())),
      x_(dv_),
      tau_(dv_) {
  refuse_element_states();
  refuse_the_unknown();
  if (system_.contacts_act()) world_.emplace(system_.contact_scene());
  inertia_.setZero(6 * bodies(), 6 * bodies());
  for (int body = 1; body <= model_.bodies(); ++body) {
    const Matrix6 I = matrix_of(model_.link(body).I);
    const Eigen::LLT<Matrix6> factor(I);
    if (factor.info() != Eigen::Success)
      throw ModelError(
          fmt::format("body \"{}\": expected mass and inertia with contact_solver = "
                      "\"bilateral_staggered_projections\", found a body without",
                      model_.body_name(body)));
    inertia_.block<6, 6>(slot(body), slot(body)) = I;
    W_[static_cast<std::size_t>(body)] = factor.solve(Matrix6::Identity());
  }
  for (const Bearing& bearing : system_.bearings()) rubbing_.push_back({implicit_contacts(model_, bearing)});
  log_ = {};
  log_.summary.mode = "stepping";
  log_.summary.solver = name();
  if (world_) log_.owners = world_->owners();
}

void BilateralStaggering::refuse_the_unknown() const {
  const auto refuse = [&](const std::string& what, const char* expected) {
    throw ModelError(
        fmt::format("{}: expected {} with contact_solver = \"bilateral_staggered_projections\"", what, expected));
  };
  for (const auto& constraint : system_.constraints())
    if (dynamic_cast<const LoopConstraint*>(constraint.get()) == nullptr)
      refuse(constraint->name(), "loops as the only constraints");
  for (const auto& [joint, frame] : model_.data().joint_frame)
    if (!model_.data().joint_index.contains(joint))
      refuse(fmt::format("fixed joint \"{}\"", joint), "a body of its own on it (ModelBuilder::keep_fixed_joints)");
  for (int v = 0; v < model_.nv(); ++v)
    if (model_.dof(v).friction > 0.0)
      refuse(fmt::format("joint \"{}\" friction", model_.joint_name(model_.body_of_dof(v))),
             "friction by bearings alone");
}

void BilateralStaggering::restart() {
  f_b_.setZero();
  beta_.resize(0);
  log_.forces.clear();
  log_.summary.since = time_;
}

void BilateralStaggering::advance(double h, double t1) {
  evaluate(t1, h);
  if (!reduced_.prepare(H_ - h * D_ - (h * h) * K_, reduced_rows_)) require_regular(t1, state_);
  if (!maximal_.prepare(M_, maximal_rows_)) fail(t1, {}, "the inertia of a body with implicit forces is not positive");
  stagger(h);
  if (!reduced_.solve(sides_.reduced + h * J_.transpose() * (f_a_ + f_b_)))
    fail(t1, {}, "no velocities satisfy the rows of contacts and limits");
  log_touches(h);
  ++evaluations_;
  for (std::size_t i = 0; i < dv_.size(); ++i) {
    next_.v[i] = reduced_.v()[static_cast<Eigen::Index>(i)];
    dv_[i] = next_.v[i] - state_.v[i];
    x_[i] = h * next_.v[i];
  }
  require_finite(t1, state_, dv_);
  space().move(state_.q.data(), x_.data(), next_.q.data());
}

void BilateralStaggering::evaluate(double t, double h) {
  Problem::Want want{.H = &H_, .K = &K_, .D = &D_, .J = &J_loops_, .f = &f_, .velocity = &loop_velocity_};
  want.implicit = Problem::Implicit::forces;
  const std::vector<double> none(dv_.size());
  problem_.linearize({t, state_}, none, {nullptr, 0}, want);
  const Eigen::Map<const Eigen::VectorXd> v0(state_.v.data(), model_.nv());
  sides_.reduced = H_ * v0 - h * (D_ * v0) + h * f_;
  const Instant at = kinematics_.with_accelerations(t, state_.q, state_.v, system_.u());
  set_jacobian(at);
  J_dot_v_.setZero(6 * bodies());
  for (int body = 1; settings_.velocity_products && body <= model_.bodies(); ++body)
    J_dot_v_.segment<6>(slot(body)) = six(at.bias_acceleration(body));
  set_maximal(at, h);
  find_touches(at);
  set_rows(at);
  set_bearings(at);
}

/// J of body i = X_i J of its parent, and its own S, all in internal frames.
void BilateralStaggering::set_jacobian(const Instant& at) {
  J_.setZero();
  for (int body = 1; body <= model_.bodies(); ++body) {
    const Link& link = model_.link(body);
    const auto set = [&](int column, const MotionVector<double>& m) { J_.block<6, 1>(slot(body), column) = six(m); };
    for (int up = link.parent; up != 0; up = model_.link(up).parent)
      for (int k = model_.link(up).v; k < model_.link(up).v + model_.link(up).nv; ++k) {
        MotionVector<double> m;
        for (int c = 0; c < 6; ++c) m[c] = J_(slot(link.parent) + c, k);
        set(k, at.bodies.X[static_cast<std::size_t>(body)] * m);
      }
    for (int k = link.v; k < link.v + link.nv; ++k) set(k, at.bodies.S[static_cast<std::size_t>(k)]);
  }
}

void BilateralStaggering::set_maximal(const Instant& at, double h) {
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  Pushes pushes(wrenches_, Out<double>(tau_.data(), nv_));
  for (const auto& force : system_.forces()) force->add(at, pushes);
  M_ = inertia_;
  sides_.maximal.resize(6 * bodies());
  for (int body = 1; body <= model_.bodies(); ++body) {
    const RigidBodyInertia<double>& I = model_.link(body).I;
    const MotionVector<double>& v = at.velocity(body);
    const MotionVector<double> gravity{{}, rotate(at.X_0(body).E, model_.gravity())};
    sides_.maximal.segment<6>(slot(body)) =
        six(I * v) + h * six(I * gravity - cross(v, I * v) + wrenches_[static_cast<std::size_t>(body)]);
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto& on = blocks_.touches(i).bodies;
    const Tangent& tangent = blocks_.evaluate_definite(i, at, system_.first_states(), h);
    for (std::size_t a = 0; a < on.size(); ++a)
      for (std::size_t b = 0; b < on.size(); ++b) {
        const auto row = static_cast<Eigen::Index>(6 * a), column = static_cast<Eigen::Index>(6 * b);
        const Matrix6 K = tangent.K.block<6, 6>(row, column), D = tangent.D.block<6, 6>(row, column);
        M_.block<6, 6>(slot(on[a]), slot(on[b])) -= h * D + (h * h) * K;
        sides_.maximal.segment<6>(slot(on[a])) -= h * (D * six(at.velocity(on[b])));
      }
  }
}

}  // namespace cardan
