#include "cardan/simulate/internal/at_rest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include "cardan/math/orthogonal.hpp"

namespace cardan {

AtRest::AtRest(SystemWorkspace& workspace, State state)
    : workspace_(workspace),
      steady_(workspace),
      t_(workspace.system().settings().start),
      state_(std::move(state)),
      n_(workspace.space().sizes().v),
      m_(workspace.rows()) {
  std::fill(state_.v.begin(), state_.v.end(), 0.0);
  lambda_.setZero(m_);
  zero_.assign(static_cast<std::size_t>(n_), 0.0);
  workspace_.sample(t_, state_, RecursiveProblem::Look::all);
  find_limits();
  Eigen::VectorXd dv(n_);
  steps_by_bodies_ = workspace.system().settings().formulation == Formulation::maximal && m_ == 0 && state_.z.empty() &&
                     limited_.empty() && workspace_.step_implicitly({t_, state_}, 1.0, dv);
}

/// Lists plain coordinates with limits, and which of them rest on one.
void AtRest::find_limits() {
  const Model& model = workspace_.model();
  if (n_ != model.nv() || workspace_.space().sizes().q != model.nq()) return;  // other coordinates than the model's
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    for (int k = 0; link.nq == link.nv && k < link.nv; ++k) {
      const DofProperties& dof = model.dof(link.v + k);
      if (std::isinf(dof.lower) && std::isinf(dof.upper)) continue;
      Limited limited{link.q + k, link.v + k, dof.lower, dof.upper};
      const double q = state_.q[static_cast<std::size_t>(limited.q)];
      if (q <= dof.lower || q >= dof.upper) limited.side = q <= dof.lower ? -1 : 1;
      limited_.push_back(limited);
    }
  }
}

std::vector<RestingLimit> AtRest::limits() const {
  std::vector<RestingLimit> out;
  for (const Limited& l : limited_)
    if (l.side != 0) out.push_back({l.v, l.side < 0 ? l.lower : l.upper, l.force});
  return out;
}

Eigen::MatrixXd AtRest::rows() const {
  const auto reached = std::count_if(limited_.begin(), limited_.end(), [](const Limited& l) { return l.side != 0; });
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m_ + reached, n_);
  if (m_ > 0) out.topRows(m_) = J_;
  Eigen::Index row = m_;
  for (const Limited& l : limited_)
    if (l.side != 0) out(row++, l.v) = 1.0;
  return out;
}

void AtRest::evaluate() {
  const Point at(t_, state_);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(m_);
  Eigen::VectorXd error(m_), f(n_);
  workspace_.residual(at, zero_, none, f, error);
  workspace_.linearize(at, zero_, none, {.H = &H_, .K = steps_by_bodies_ ? nullptr : &K_, .J = m_ > 0 ? &J_ : nullptr});
  f = -f;
  for (bool again = true; std::exchange(again, false);) {
    const Eigen::MatrixXd A = rows();
    r_ = f;
    if (A.rows() == 0) break;
    const Eigen::VectorXd forces = Orthogonal(A.transpose()).solve(-f);
    lambda_ = forces.head(m_);
    r_ += A.transpose() * forces;
    Eigen::Index row = m_;
    for (Limited& l : limited_) {
      if (l.side == 0) continue;
      l.force = forces[row++];
      if (l.force * l.side <= 0.0) continue;  // it pushes back
      l.side = 0;
      again = true;
    }
  }
  if (m_ > 0) {
    Eigen::MatrixXd pull;
    workspace_.linearize(at, zero_, lambda_, {.pull_by_q = &pull});
    K_ += pull;
  }
  z_dot_.resize(static_cast<Eigen::Index>(state_.z.size()));
  if (state_.z.empty()) return;
  steady_.rates(at, z_dot_);
  steady_.linearize_states(at, zero_, lambda_, states_);
}

double AtRest::haste() const {
  return std::max(n_ > 0 ? H_.ldlt().solve(r_).lpNorm<Eigen::Infinity>() : 0.0, state_rate());
}

AtRest::Change AtRest::step(double mu) const {
  if (steps_by_bodies_) {  // (H - h^2 K) dv = h f at rest, dx = h dv
    const double h = 1.0 / std::sqrt(mu);
    Eigen::VectorXd dv(n_);
    (void)workspace_.step_implicitly({t_, state_}, h, dv);
    return {h * dv, Eigen::VectorXd(0)};
  }
  const Eigen::MatrixXd C = rows();
  const auto nz = static_cast<Eigen::Index>(state_.z.size()), n = n_ + nz, all = n + C.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(all, all);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(all);
  A.topLeftCorner(n_, n_) = mu * H_ - K_;
  b.head(n_) = r_;
  if (nz > 0) {
    A.block(0, n_, n_, nz) = -states_.f_by_z;
    A.block(n_, 0, nz, n_) = -states_.rate_by_q;
    A.block(n_, n_, nz, nz) = std::sqrt(mu) * Eigen::MatrixXd::Identity(nz, nz) - states_.rate_by_z;
    b.segment(n_, nz) = z_dot_;
  }
  A.topRightCorner(n_, C.rows()) = C.transpose();
  A.bottomLeftCorner(C.rows(), n_) = C;
  const Eigen::VectorXd x = Orthogonal(A).solve(b);
  return {x.head(n_), x.segment(n_, nz)};
}

bool AtRest::stop_at_limits(Change& change) {
  Limited* first = nullptr;
  double part = 1.0;
  for (Limited& l : limited_) {
    const double q = state_.q[static_cast<std::size_t>(l.q)], dx = change.x[l.v];
    if (l.side != 0 || dx == 0.0) continue;
    const double room = (dx > 0.0 ? l.upper : l.lower) - q;
    if (std::abs(dx) * part <= std::abs(room)) continue;
    part = room / dx;
    first = &l;
  }
  if (first == nullptr) return false;
  first->side = change.x[first->v] > 0.0 ? 1 : -1;
  change.scale(part);
  return true;
}

bool AtRest::move(const Change& change) {
  State next = state_;
  workspace_.space().move(state_.q.data(), change.x.data(), next.q.data());
  workspace_.space().normalize(next.q.data());
  for (const Limited& l : limited_)
    if (l.side != 0) next.q[static_cast<std::size_t>(l.q)] = l.side < 0 ? l.lower : l.upper;
  if (workspace_.project(t_, next).result == Projection::Result::failed) return false;
  std::fill(next.v.begin(), next.v.end(), 0.0);
  before_ = state_;
  state_.q = next.q;
  for (std::size_t i = 0; i < state_.z.size(); ++i) state_.z[i] += change.z[static_cast<Eigen::Index>(i)];
  return true;
}

void AtRest::take_back() {
  state_ = before_;
  evaluate();
}

}  // namespace cardan
