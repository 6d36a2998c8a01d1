#include "cardan/integrate/internal/variational.hpp"

#include "cardan/math/orthogonal.hpp"
#include "cardan/solve/rank_tolerance.hpp"

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
      history_{x_, x_, x_, x_} {
  refuse_element_states();
  const Model& model = mechanism_->tree();
  for (int k = 0; k < model.nv(); ++k) damping_[static_cast<std::size_t>(k)] = mechanism_->joint_damping(k);
  for (const int body : mechanism_->driven_bodies())
    for (int k = 0; k < model.link(body).nv; ++k)
      any_driven_ = driven_[static_cast<std::size_t>(model.link(body).v + k)] = true;
  take_tree();
}

void Variational::take_tree() {
  const Model& model = mechanism_->tree();
  tree_ = std::make_unique<DiscreteTree<double, FullTurn>>(model);
  if (rows_ == 0 && !any_driven_) code_ = DiscreteStepCode::make(model);
  std::vector<bool> bodies(static_cast<std::size_t>(mechanism_->tree().bodies()) + 1);
  for (const int body : mechanism_->driven_bodies()) bodies[static_cast<std::size_t>(body)] = true;
  tree_->set_driven(std::move(bodies));
}

void Variational::forget() {
  known_steps_ = 0;
  force_known_ = momentum_known_ = false;
  if (problem_.mechanism() == mechanism_) return;
  mechanism_ = problem_.mechanism();  // the same in other charts
  take_tree();
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
  const auto& [a, b, c, d] = history_;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    if (order >= 3)
      x_[k] = 4.0 * (a[k] + c[k]) - 6.0 * b[k] - d[k];
    else if (order == 2)
      x_[k] = 3.0 * (a[k] - b[k]) + c[k];
    else if (order == 1)
      x_[k] = 2.0 * a[k] - b[k];
    else
      x_[k] = order == 0 ? a[k] : h * state_.v[k];
  }
}

bool Variational::correct_by_code(double h, bool fresh) {
  std::copy(next_.q.begin(), next_.q.end(), code_->q1().begin());
  std::copy(x_.begin(), x_.end(), code_->x().begin());
  const std::span<double> target = code_->momentum();
  for (std::size_t k = 0; k < x_.size(); ++k) target[k] = p_[k] + 0.5 * (h * force_[k] - damping_[k] * x_[k]);
  if (!code_->correct(fresh)) return false;
  std::copy_n(code_->correction().begin(), dx_.size(), dx_.begin());
  return true;
}

bool Variational::correct_increment(double h, double t1, bool fresh, double& gap) {
  ++evaluations_;
  if (use_code_) return correct_by_code(h, fresh);
  if (!(tree_->move(next_.q, x_, h) > FullTurn::kLeastCosine)) return false;
  tree_->left_momentum(x_, h, r_);
  for (std::size_t k = 0; k < r_.size(); ++k) r_[k] = p_[k] + 0.5 * (h * force_[k] - damping_[k] * x_[k]) - r_[k];
  if (fresh) tree_->factorize(h, diagonal_);
  if (rows_ > 0) Eigen::Map<Eigen::VectorXd>(r_.data(), J0_.cols()) += J0_.transpose() * lambda_;
  tree_->solve(r_, dx_);
  if (rows_ > 0) close_loops(t1, fresh, gap);
  return true;
}

/// Adds the multipliers whose pull closes the loops.
void Variational::close_loops(double t1, bool fresh, double& gap) {
  if (fresh)
    for (int row = 0; row < rows_; ++row) {
      const Eigen::VectorXd pull = J0_.row(row).transpose();
      tree_->solve(In<double>(pull.data(), static_cast<int>(pull.size())),
                   Out<double>(Z_.col(row).data(), static_cast<int>(Z_.rows())));
    }
  mechanism_->evaluate_constraints(t1, next_.q, gap_, J1_);
  gap = gap_.lpNorm<Eigen::Infinity>();
  Eigen::Map<Eigen::VectorXd> dx(dx_.data(), static_cast<Eigen::Index>(dx_.size()));
  Orthogonal solver;
  solver.set_threshold(kRankTolerance);
  solver.compute(J1_ * Z_);
  const Eigen::VectorXd change = solver.solve(-gap_ - J1_ * dx);
  lambda_ += change;
  dx += Z_ * change;
}

bool Variational::solve_increment(double h, double t1) {
  for (std::size_t k = 0; k < x_.size(); ++k)
    if (driven_[k]) x_[k] = x_driven_[k];
  lambda_.setZero(rows_);
  space().move(state_.q.data(), x_.data(), next_.q.data());
  bool fresh = true;
  double last = 0.0;
  for (int i = 0; i < kMostIterations; ++i) {
    double gap = 0.0;
    if (!correct_increment(h, t1, fresh, gap)) return false;
    const double size = largest(dx_);
    if (!(size < 1e3)) return false;
    // the increment is what is solved for: a difference of configurations would bring their rounding, over h, into
    // momenta
    if (!space().moves_by_adding()) space().increment_rate(x_.data(), dx_.data(), dx_.data());
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += dx_[k];
    space().move(state_.q.data(), x_.data(), next_.q.data());
    const double contraction = i > 0 && last > 0.0 ? size / last : 1.0;
    const bool exact_enough = fresh && size < kConverged;
    const bool reused_enough = !fresh && size * contraction < 2e-16 * (1.0 - std::min(contraction, 0.5)) + 1e-17;
    if ((exact_enough || reused_enough || size < 1e-15) && gap <= std::max(kLoopsClosed, 10.0 * size * size + size))
      return std::isfinite(size) && (use_code_ || tree_->move(next_.q, x_, h) > FullTurn::kLeastCosine);
    fresh = i > 0 && contraction > kReuse;
    last = size;
  }
  return false;
}

void Variational::find_velocity(double h, double t1) {
  for (std::size_t k = 0; k < x_.size(); ++k)
    if (!driven_[k]) next_.v[k] = 2.0 * x_[k] / h - state_.v[k];
  follow(t1, next_);
  if (use_code_) return find_velocity_by_code(h, t1);
  tree_->right_momentum(x_, h, p_);
  for (std::size_t k = 0; k < p_.size(); ++k) p_[k] -= 0.5 * damping_[k] * x_[k];
  tree_->factorize_inertia();
  evaluate_end_forces(t1);
  for (int i = 0; i < kMostVelocityIterations; ++i) {
    tree_->end_momentum(next_.v, r_);
    for (std::size_t k = 0; k < r_.size(); ++k) r_[k] = p_[k] + 0.5 * h * end_force_[k] - r_[k];
    tree_->solve(r_, dx_);
    for (std::size_t k = 0; k < dx_.size(); ++k) next_.v[k] += dx_[k];
    if (!(largest(dx_) > 1e-14 * (1.0 + largest(next_.v)))) break;
    kick_ = end_force_;
    evaluate_end_forces(t1);
    if (kick_ == end_force_) break;  // the forces do not depend on velocities
  }
}

void Variational::find_velocity_by_code(double h, double t1) {
  std::copy(next_.q.begin(), next_.q.end(), code_->q1().begin());
  std::copy(x_.begin(), x_.end(), code_->x().begin());
  evaluate_end_forces(t1);
  const std::span<double> added = code_->momentum();
  for (int i = 0; i < kMostVelocityIterations; ++i) {
    for (std::size_t k = 0; k < x_.size(); ++k) added[k] = 0.5 * (h * end_force_[k] - damping_[k] * x_[k]);
    code_->finish();
    double change = 0.0;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      p_[k] = code_->end_momentum()[k] + added[k];
      change = std::max(change, std::abs(code_->end_velocity()[k] - next_.v[k]));
      next_.v[k] = code_->end_velocity()[k];
    }
    if (!(change > 1e-14 * (1.0 + largest(next_.v)))) break;
    kick_ = end_force_;
    evaluate_end_forces(t1);
    if (kick_ == end_force_) break;  // the forces do not depend on velocities
  }
  momentum_known_ = true;
}

bool Variational::solve_step(double t0, double t1) {
  const double h = t1 - t0;
  if (!force_known_) evaluate_forces(t0, state_, force_);
  force_known_ = true;
  if (rows_ > 0) {
    mechanism_->evaluate_constraints(t0, state_.q, gap_, J0_);
    Z_.resize(J0_.cols(), rows_);
  }
  if (any_driven_) {
    next_ = state_;
    follow(t1, next_);
    space().difference(state_.q.data(), next_.q.data(), x_driven_.data());
  }
  for (std::size_t k = 0; k < diagonal_.size(); ++k)
    diagonal_[k] = mechanism_->tree().armature(static_cast<int>(k)) / h + 0.5 * damping_[k];
  bool solved = false;
  for (const bool by_code : {true, false}) {  // code of its own gives up where a body turns far in a step
    if (by_code && !code_) continue;
    use_code_ = by_code;
    begin_equations(h);
    for (const int order : {3, 0, -1}) {
      guess_increment(h, order);
      if ((solved = solve_increment(h, t1)) || known_steps_ == 0) break;
    }
    if (solved) break;
  }
  momentum_known_ = false;
  if (!solved) return false;
  std::rotate(history_.begin(), history_.end() - 1, history_.end());
  history_[0] = x_;
  known_steps_ = std::abs(h - history_step_) <= 1e-9 * h ? known_steps_ + 1 : 1;
  history_step_ = h;
  find_velocity(h, t1);
  return all_finite(next_.q) && all_finite(next_.v);
}

/// Sets what the equations of a step from state_ need.
void Variational::begin_equations(double h) {
  if (!use_code_ || !momentum_known_) tree_->start(state_.q);
  if (!momentum_known_) tree_->start_momentum(state_.v, p_);
  momentum_known_ = true;
  if (!use_code_) return;
  std::copy(state_.q.begin(), state_.q.end(), code_->q0().begin());
  std::copy(diagonal_.begin(), diagonal_.end(), code_->diagonal().begin());
  code_->set_step(h);
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
