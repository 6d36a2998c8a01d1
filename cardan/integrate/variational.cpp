#include "cardan/integrate/variational.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kConverged = 1e-9;  // of an exact Newton step, whose error is then its square
constexpr double kReuse = 0.05;      // contraction up to which the factor is kept
constexpr int kMostIterations = 20;
constexpr int kMostSplits = 3;          // a step that cannot be solved is made in 2, 4, 8 parts
constexpr double kLoopsClosed = 1e-13;  // m or rad
constexpr double kRepeats = 1e-10;      // relative, of the rows of loops that repeat one another
constexpr int kMostVelocityIterations = 50;

Mechanism* mechanism_of(Problem& problem) {
  Mechanism* const mechanism = problem.mechanism();
  if (mechanism == nullptr)
    throw std::invalid_argument(
        "integrator variational: needs a mechanism in joint coordinates (formulation = \"recursive\", "
        "stabilization = \"projection\", no prescribed acceleration); munthe_kaas_54 runs all others");
  return mechanism;
}

double largest(const std::vector<double>& x) {
  double out = 0.0;
  for (const double e : x) out = std::abs(e) <= out ? out : std::abs(e);  // NaN stays
  return out;
}

}  // namespace

Variational::Variational(Problem& problem, const IntegratorOptions& options)
    : Stepper("variational", problem, options, Chart{true}),
      mechanism_(mechanism_of(problem)),
      rows_(mechanism_->constraint_rows()),
      tree_(std::make_unique<DiscreteTree>(mechanism_->tree())),
      driven_(state_.v.size()),
      damping_(state_.v.size()),
      x_(state_.v.size()),
      dx_(x_),
      r_(x_),
      force_(x_),
      end_force_(x_),
      p_(x_),
      x_driven_(x_),
      diagonal_(x_),
      kick_(x_),
      history_{x_, x_, x_} {
  refuse_element_states();
  const Model& model = mechanism_->tree();
  for (int k = 0; k < model.nv(); ++k) damping_[static_cast<std::size_t>(k)] = mechanism_->joint_damping(k);
  for (const int body : mechanism_->driven_bodies())
    for (int k = 0; k < model.link(body).nv; ++k)
      any_driven_ = driven_[static_cast<std::size_t>(model.link(body).v + k)] = true;
  tell_driven();
}

void Variational::tell_driven() {
  std::vector<bool> bodies(static_cast<std::size_t>(mechanism_->tree().bodies()) + 1);
  for (const int body : mechanism_->driven_bodies()) bodies[static_cast<std::size_t>(body)] = true;
  tree_->set_driven(std::move(bodies));
}

void Variational::forget() {
  known_steps_ = 0;
  force_known_ = false;
  if (problem_.mechanism() == mechanism_) return;
  mechanism_ = problem_.mechanism();  // the same in other charts
  tree_ = std::make_unique<DiscreteTree>(mechanism_->tree());
  tell_driven();
}

void Variational::follow(double t, State& state) {
  if (any_driven_) mechanism_->follow(t, state);
}

void Variational::evaluate_forces(double t, const State& state, std::vector<double>& out) {
  mechanism_->generalized_forces({t, state}, out);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += damping_[k] * state.v[k];
}

void Variational::evaluate_end_forces(double t1) {
  if (rows_ == 0) return evaluate_forces(t1, next_, end_force_);
  closed_ = next_;
  (void)problem_.project(t1, closed_);  // accept() says where it fails
  evaluate_forces(t1, closed_, end_force_);
}

void Variational::guess_increment(double h, int order) {
  const bool same_step = std::abs(h - history_step_) <= 1e-9 * h;
  order = same_step ? std::min(order, known_steps_ - 1) : -1;
  const auto& [a, b, c] = history_;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    if (order >= 2)
      x_[k] = 3.0 * (a[k] - b[k]) + c[k];
    else if (order == 1)
      x_[k] = 2.0 * a[k] - b[k];
    else
      x_[k] = order == 0 ? a[k] : h * state_.v[k];
  }
}

bool Variational::solve_increment(double h, double t1) {
  for (std::size_t k = 0; k < x_.size(); ++k)
    if (driven_[k]) x_[k] = x_driven_[k];
  lambda_.setZero(rows_);
  space().move(state_.q.data(), x_.data(), next_.q.data());
  bool factorized = false;
  double last = 0.0;
  for (int i = 0; i < kMostIterations; ++i) {
    ++evaluations_;
    if (!tree_->move(next_.q, x_, h)) return false;
    tree_->residual(x_, h, r_);
    for (std::size_t k = 0; k < r_.size(); ++k) r_[k] = 0.5 * h * force_[k] - 0.5 * damping_[k] * x_[k] - r_[k];
    const bool fresh = !factorized;
    if (!factorized) {
      for (std::size_t k = 0; k < diagonal_.size(); ++k)
        diagonal_[k] = mechanism_->tree().armature(static_cast<int>(k)) / h + 0.5 * damping_[k];
      tree_->factorize(h, diagonal_);
      factorized = true;
    }
    if (rows_ > 0) {
      Eigen::Map<Eigen::VectorXd> r(r_.data(), static_cast<Eigen::Index>(r_.size()));
      r += J0_.transpose() * lambda_;
      if (fresh)
        for (int row = 0; row < rows_; ++row) {
          const Eigen::VectorXd pull = J0_.row(row).transpose();
          tree_->solve(In<double>(pull.data(), static_cast<int>(pull.size())),
                       Out<double>(Z_.col(row).data(), static_cast<int>(Z_.rows())));
        }
    }
    tree_->solve(r_, dx_);
    double gap = 0.0;
    if (rows_ > 0) {  // the multipliers whose pull closes the loops
      mechanism_->evaluate_constraints(t1, next_.q, gap_, J1_);
      gap = gap_.lpNorm<Eigen::Infinity>();
      Eigen::Map<Eigen::VectorXd> dx(dx_.data(), static_cast<Eigen::Index>(dx_.size()));
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
      solver.setThreshold(kRepeats);
      solver.compute(J1_ * Z_);
      const Eigen::VectorXd change = solver.solve(-gap_ - J1_ * dx);
      lambda_ += change;
      dx += Z_ * change;
    }
    const double size = largest(dx_);
    if (!(size < 1e3)) return false;
    space().move(next_.q.data(), dx_.data(), next_.q.data());
    if (space().moves_by_adding())
      for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += dx_[k];
    else
      space().difference(state_.q.data(), next_.q.data(), x_.data());
    const double contraction = i > 0 && last > 0.0 ? size / last : 1.0;
    const bool exact_enough = fresh && size < kConverged;
    const bool reused_enough = !fresh && size * contraction < 2e-16 * (1.0 - std::min(contraction, 0.5)) + 1e-17;
    if ((exact_enough || reused_enough || size < 1e-15) && gap <= std::max(kLoopsClosed, 10.0 * size * size + size))
      return tree_->move(next_.q, x_, h) && std::isfinite(size);
    if (i > 0 && contraction > kReuse) factorized = false;
    last = size;
  }
  return false;
}

void Variational::find_velocity(double h, double t1) {
  tree_->end_momentum(x_, h, p_);
  for (std::size_t k = 0; k < p_.size(); ++k) p_[k] -= 0.5 * damping_[k] * x_[k];
  for (std::size_t k = 0; k < x_.size(); ++k)
    if (!driven_[k]) next_.v[k] = 2.0 * x_[k] / h - state_.v[k];
  follow(t1, next_);
  tree_->factorize_inertia();
  evaluate_end_forces(t1);
  for (int i = 0; i < kMostVelocityIterations; ++i) {
    tree_->momentum(next_.v, r_);
    for (std::size_t k = 0; k < r_.size(); ++k) r_[k] = p_[k] + 0.5 * h * end_force_[k] - r_[k];
    tree_->solve(r_, dx_);
    for (std::size_t k = 0; k < dx_.size(); ++k) next_.v[k] += dx_[k];
    if (!(largest(dx_) > 1e-14 * (1.0 + largest(next_.v)))) break;
    kick_ = end_force_;
    evaluate_end_forces(t1);
    if (kick_ == end_force_) break;  // the forces do not depend on velocities
  }
}

bool Variational::solve_step(double t0, double t1) {
  const double h = t1 - t0;
  if (!force_known_) evaluate_forces(t0, state_, force_);
  force_known_ = true;
  tree_->start(state_.q, state_.v);
  if (rows_ > 0) {
    mechanism_->evaluate_constraints(t0, state_.q, gap_, J0_);
    Z_.resize(J0_.cols(), rows_);
  }
  if (any_driven_) {
    next_ = state_;
    follow(t1, next_);
    space().difference(state_.q.data(), next_.q.data(), x_driven_.data());
  }
  bool solved = false;
  for (const int order : {2, 0, -1}) {
    guess_increment(h, order);
    if ((solved = solve_increment(h, t1)) || known_steps_ == 0) break;
  }
  if (!solved) return false;
  history_[2].swap(history_[1]);
  history_[1].swap(history_[0]);
  history_[0] = x_;
  known_steps_ = std::abs(h - history_step_) <= 1e-9 * h ? known_steps_ + 1 : 1;
  history_step_ = h;
  find_velocity(h, t1);
  return all_finite(next_.q) && all_finite(next_.v);
}

void Variational::advance(double h, double t1) {
  follow(time_, state_);
  if (solve_step(time_, t1)) {
    force_.swap(end_force_);
    return;
  }
  const State start = state_;
  for (int split = 1; split <= kMostSplits; ++split) {
    const int parts = 1 << split;
    bool solved = true;
    state_ = start;
    forget();
    for (int k = 0; k < parts && solved; ++k) {
      solved = solve_step(t1 - h * (parts - k) / parts, t1 - h * (parts - k - 1) / parts);
      if (!solved) break;
      force_.swap(end_force_);
      if (k + 1 < parts) state_ = next_;
    }
    if (!solved) continue;
    state_ = start;
    return;
  }
  state_ = start;
  explain(time_, state_);
  require_finite(t1, next_, end_force_);
  fail(t1, {}, fmt::format("the equations of a step of {} s have no solution nearby: give a smaller step", h));
}

}  // namespace cardan
