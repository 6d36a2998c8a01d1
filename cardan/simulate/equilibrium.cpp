#include "cardan/simulate/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

namespace {

/// The equations at rest, in the coordinates that integrators move.
class AtRest {
 public:
  AtRest(SystemWorkspace& workspace, State state)
      : workspace_(workspace), state_(std::move(state)), n_(workspace.space().sizes().v), m_(workspace.rows()) {
    std::fill(state_.v.begin(), state_.v.end(), 0.0);
    lambda_.setZero(m_);
    zero_.assign(static_cast<std::size_t>(n_), 0.0);
  }

  const State& state() const { return state_; }
  const Eigen::VectorXd& multipliers() const { return lambda_; }
  const Eigen::VectorXd& imbalance() const { return r_; }
  double residual() const { return r_.size() > 0 ? r_.lpNorm<Eigen::Infinity>() : 0.0; }

  /// Evaluates H, K, J and what is left of the forces once constraints take what they can.
  void evaluate() {
    workspace_.sample(t_, state_);
    const Point at(t_, state_);
    Eigen::VectorXd none = Eigen::VectorXd::Zero(m_), error(m_);
    r_.resize(n_);
    workspace_.residual(at, zero_, none, r_, error);
    workspace_.linearize(at, zero_, none, {.H = &H_, .K = &K_, .J = m_ > 0 ? &J_ : nullptr});
    r_ = -r_;
    if (m_ == 0) return;
    lambda_ = J_.transpose().completeOrthogonalDecomposition().solve(-r_);
    r_ += J_.transpose() * lambda_;
    Eigen::MatrixXd pull;
    workspace_.linearize(at, zero_, lambda_, {.pull_by_q = &pull});
    K_ += pull;
  }

  /// How fast the imbalance would accelerate the mechanism.
  double haste() const { return n_ > 0 ? H_.ldlt().solve(r_).lpNorm<Eigen::Infinity>() : 0.0; }

  /// Solves (mu H - K) dx = r among displacements that keep the constraints.
  Eigen::VectorXd step(double mu) const {
    const Eigen::MatrixXd S = mu * H_ - K_;
    if (m_ == 0) return S.completeOrthogonalDecomposition().solve(r_);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n_ + m_, n_ + m_);
    A.topLeftCorner(n_, n_) = S;
    A.topRightCorner(n_, m_) = J_.transpose();
    A.bottomLeftCorner(m_, n_) = J_;
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n_ + m_);
    b.head(n_) = r_;
    return A.completeOrthogonalDecomposition().solve(b).head(n_);
  }

  /// Moves by dx and closes the loops again; false, and nothing moved, where they do not close.
  bool move(const Eigen::VectorXd& dx) {
    State next = state_;
    workspace_.space().move(state_.q.data(), dx.data(), next.q.data());
    workspace_.space().normalize(next.q.data());
    if (workspace_.project(t_, next).result == Projection::Result::failed) return false;
    std::fill(next.v.begin(), next.v.end(), 0.0);
    state_.q = next.q;
    return true;
  }

 private:
  SystemWorkspace& workspace_;
  const double t_ = workspace_.system().settings().start;
  State state_;
  const int n_, m_;
  Eigen::MatrixXd H_, K_, J_;
  Eigen::VectorXd r_, lambda_;
  std::vector<double> zero_;
};

}  // namespace

Equilibrium find_equilibrium(SystemWorkspace& workspace, const State& start) {
  constexpr int kMostSteps = 2000;
  constexpr double kFirst = 0.05, kLongest = 0.3;  // m or rad in one step
  constexpr double kRest = 1e-13;                  // a step shorter than this changes nothing
  if (workspace.system().is_stepped())
    throw std::runtime_error("equilibrium: not available with contact, dry friction or bearings yet");
  AtRest at(workspace, workspace.begin(workspace.system().settings().start, start));
  at.evaluate();
  Equilibrium out{at.state(), at.multipliers(), at.residual()};
  double haste = at.haste(), mu = haste / kFirst;
  double best = haste;
  int last_gain = 0;
  for (int i = 0; i < kMostSteps && std::isfinite(haste); ++i) {
    if (haste == 0.0) {
      out.found = true;
      break;
    }
    Eigen::VectorXd dx = at.step(mu);
    const double length = dx.size() > 0 ? dx.lpNorm<Eigen::Infinity>() : 0.0;
    if (!std::isfinite(length)) break;
    if (length > kLongest) dx *= kLongest / length;
    if (!at.move(dx)) {
      mu = 4.0 * mu + 1e-6 * haste;
      continue;
    }
    at.evaluate();
    const double before = haste;
    haste = at.haste();
    // forces that balance twice as well allow steps in pseudo-time that are twice as long, and more
    mu *= std::min(2.0, std::pow(haste / before, 1.5));
    if (haste < 0.5 * best) {
      best = haste;
      last_gain = i;
    }
    if (length < kRest || (haste < 1e-9 && i > last_gain + 10)) {
      out.found = true;
      break;
    }
  }
  out.state = at.state();
  out.multipliers = at.multipliers();
  out.residual = at.residual();
  // a length below rounding says little where nothing holds the mechanism: then the forces must be small as well
  out.found = out.found && haste < 1e-6;
  return out;
}

}  // namespace cardan
