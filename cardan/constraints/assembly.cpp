#include "cardan/constraints/assembly.hpp"

#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/constraints/internal/constraint_cluster.hpp"
#include "cardan/math/orthogonal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cardan {

namespace {

constexpr int kMostSteps = 300;
constexpr int kMostSlowSteps = 10;
constexpr int kAttempts = 8;
constexpr double kClosed = 1e-12;       // sum over all rows
constexpr double kNearlyClosed = 1e-9;  // what rounding may leave of a badly conditioned one

void clear_columns(ConstraintCluster& cluster, const std::vector<bool>& may_move) {
  for (std::size_t i = 0; i < cluster.velocities.size(); ++i)
    if (!may_move[static_cast<std::size_t>(cluster.velocities[i])])
      cluster.J.col(static_cast<Eigen::Index>(i)).setZero();
}

/// Minimizes |gap|^2 / 2 over the velocities that may change (Levenberg and Marquardt).
class Closer {
 public:
  Closer(const Model& model, ConstraintSet& set, double t, std::vector<bool> may_move)
      : model_(model), set_(set), t_(t), may_move_(std::move(may_move)), rest_(static_cast<std::size_t>(model.nv())) {}

  bool run(std::vector<double>& q) {
    double damping = 1e-3, error = measure(q);
    clusters_ = constraint_clusters(set_);
    Eigen::VectorXd step(model_.nv());
    int slow = 0;  // steps in a row that gained next to nothing
    std::vector<double> tried(q.size());
    for (int i = 0; i < kMostSteps && error > kClosed && damping < 1e12 && slow < kMostSlowSteps; ++i) {
      std::vector<Block> blocks = linearize();
      for (bool better = false; !better && damping < 1e12;) {
        step.setZero();
        for (std::size_t c = 0; c < blocks.size(); ++c)
          step(clusters_[c].velocities) = -blocks[c].solve(clusters_[c].J, damping * std::min(1.0, error));
        integrate(model_, q.data(), step.data(), 1.0, tried.data());
        keep_limits(tried);
        const double found = measure(tried);
        better = found < error || found <= kClosed;
        damping *= better ? 0.3 : 8.0;
        if (!better) continue;
        slow = found > 0.999 * error ? slow + 1 : 0;
        error = found;
        q = tried;
      }
      measure(q);
    }
    return measure(q) <= kNearlyClosed;
  }

 private:
  double measure(const std::vector<double>& q) {
    set_.evaluate(t_, q.data(), rest_.data());
    const double error = set_.gap().norm();
    return std::isfinite(error) ? error : INFINITY;
  }

  /// (J'J + d)^-1 J' gap of one cluster, which is J' (JJ' + d)^-1 gap: by the smaller of both matrices, since a long
  /// chain in one loop has many more velocities than rows. J has no column of a velocity that must not change.
  struct Block {
    bool by_rows;
    Eigen::MatrixXd A;  // JJ' or J'J
    Eigen::VectorXd g;  // gap or J' gap

    /// The damping d vanishes at the end: quadratic convergence.
    Eigen::VectorXd solve(const Eigen::MatrixXd& J, double d) const {
      Eigen::MatrixXd B = A;
      B.diagonal().array() += d + 1e-14 * A.diagonal().maxCoeff() + 1e-300;
      const Eigen::VectorXd x = B.ldlt().solve(g);
      if (by_rows) return J.transpose() * x;
      return x;
    }
  };
  std::vector<Block> linearize() {
    std::vector<Block> out;
    for (ConstraintCluster& cluster : clusters_) {
      cluster.fill(set_);
      clear_columns(cluster, may_move_);
      const Eigen::MatrixXd& J = cluster.J;
      const Eigen::VectorXd gap = cluster.rows_of(set_, set_.gap());
      if (J.rows() < J.cols())
        out.push_back({true, J * J.transpose(), gap});
      else
        out.push_back({false, J.transpose() * J, J.transpose() * gap});
    }
    return out;
  }

  void keep_limits(std::vector<double>& q) const {
    for (int i = 1; i <= model_.bodies(); ++i) {
      const Link& link = model_.link(i);
      if (link.nq != link.nv) continue;
      for (int k = 0; k < link.nv; ++k) {
        double& x = q[static_cast<std::size_t>(link.q + k)];
        if (may_move_[static_cast<std::size_t>(link.v + k)])
          x = std::clamp(x, model_.dof(link.v + k).lower, model_.dof(link.v + k).upper);
      }
    }
  }

  const Model& model_;
  ConstraintSet& set_;
  double t_;
  std::vector<bool> may_move_;
  std::vector<double> rest_;
  std::vector<ConstraintCluster> clusters_;
};

/// Computes how far every joint is from where it was.
std::vector<double> motions(const Model& model, const std::vector<double>& before, const std::vector<double>& after) {
  std::vector<double> change(static_cast<std::size_t>(model.nv())), out(static_cast<std::size_t>(model.bodies()) + 1);
  difference(model, before.data(), after.data(), change.data());
  for (int v = 0; v < model.nv(); ++v) {
    double& most = out[static_cast<std::size_t>(model.body_of_dof(v))];
    most = std::max(most, std::abs(change[static_cast<std::size_t>(v)]));
  }
  return out;
}

void name_the_worst(const ConstraintSet& set, Assembly& out) {
  double most = -1.0;
  for (int i = 0; i < set.size(); ++i) {
    const double gap = set.rows_of(i).gap.norm();
    if (!(gap > most) && !std::isnan(gap)) continue;
    most = gap;
    out.worst = set.constraint(i).name();
    const LoopState* loop = set.loop(i);
    out.distance = loop ? loop->distance() : gap;
    out.angle = loop ? loop->angle() : 0.0;
  }
}

std::vector<bool> all_but(const Model& model, const std::vector<int>& bodies) {
  std::vector<bool> out(static_cast<std::size_t>(model.nv()), true);
  for (const int body : bodies)
    for (int k = 0; k < model.link(body).nv; ++k) out[static_cast<std::size_t>(model.link(body).v + k)] = false;
  return out;
}

/// Makes velocities obey as nearly as they can, by the change of least length; false if these are too few to do it.
bool solve_velocities(ConstraintSet& set, double t, const std::vector<bool>& may_change, State& state) {
  set.evaluate(t, state.q.data(), state.v.data());
  bool obey = true;
  for (ConstraintCluster& cluster : constraint_clusters(set)) {
    cluster.fill(set);
    clear_columns(cluster, may_change);
    const Eigen::VectorXd drift = cluster.rows_of(set, set.drift());
    Orthogonal factor;
    factor.set_threshold(kRankTolerance);
    factor.compute(cluster.J);
    const Eigen::VectorXd change = factor.solve(-drift);
    obey &= (cluster.J * change + drift).norm() <= 1e-9 * (1.0 + drift.norm());
    for (std::size_t i = 0; i < cluster.velocities.size(); ++i)
      state.v[static_cast<std::size_t>(cluster.velocities[i])] += change[static_cast<Eigen::Index>(i)];
  }
  return obey;
}

/// The same; velocities that cannot obey stay as they are.
bool correct_velocities(ConstraintSet& set, double t, const std::vector<bool>& may_change, State& state) {
  State corrected = state;
  const bool obey = solve_velocities(set, t, may_change, corrected);
  if (obey) state.v = corrected.v;
  return obey;
}

/// Finds the prescribed motion whose velocity is missed most by the nearest velocities that there are.
void name_what_contradicts(ConstraintSet& set, double t, Assembly& out) {
  State nearest = out.state;
  solve_velocities(set, t, std::vector<bool>(nearest.v.size(), true), nearest);
  set.evaluate(t, nearest.q.data(), nearest.v.data());
  for (int i = 0; i < set.size(); ++i) {
    const double drift = set.rows_of(i).drift.norm();
    if (set.constraint(i).is_workless() || drift <= out.contradiction) continue;
    out.contradiction = drift;
    out.contradicts = set.constraint(i).name();
    out.closed = false;
  }
}

/// From the start, and where that leads nowhere (links stretched out on a line pull in no direction) from places around
/// it, further and further away. q is the best that was found.
bool close_from(const Model& model, ConstraintSet& set, double t, const std::vector<bool>& may_move,
                const std::vector<double>& start, std::vector<double>& q) {
  double best = INFINITY;
  std::vector<double> push(static_cast<std::size_t>(model.nv())), tried(start.size());
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (std::size_t i = 0; i < push.size(); ++i)
      push[i] = may_move[i]
                    ? 0.15 * attempt *
                          std::sin(static_cast<double>((attempt + 1) * (attempt + 3)) * (static_cast<double>(i) + 0.7))
                    : 0.0;
    integrate(model, start.data(), push.data(), 1.0, tried.data());
    set.reset_warm_start();
    const bool closed = Closer(model, set, t, may_move).run(tried);
    const double left = set.gap().norm();
    if (closed || left < best - 1e-9) {
      best = left;
      q = tried;
    }
    if (closed) return true;
  }
  return false;
}

}  // namespace

std::string Assembly::complaint() const {
  if (!contradicts.empty())
    return fmt::format("{} cannot be followed: joints, loops or other motions forbid {:.3g} m/s or rad/s of it",
                       contradicts, contradiction);
  if (closed) return {};
  const auto tidy = [](double x) { return x < 1e-12 ? 0.0 : x; };
  if (worst.starts_with("loop"))
    return fmt::format("{} cannot be closed: its ends stay {:.3g} m and {:.3g} rad apart", worst, tidy(distance),
                       tidy(angle));
  return fmt::format("{} cannot be met: it stays off by {:.3g}", worst, distance);
}

Assembly assemble(const Model& model, ConstraintSet& set, double t, const State& start, const KeptJoints& kept) {
  Assembly out(start);
  const std::vector<bool> all(static_cast<std::size_t>(model.nv()), true);
  out.closed = close_from(model, set, t, all_but(model, kept.positions), start.q, out.state.q) ||
               (!kept.positions.empty() && close_from(model, set, t, all, start.q, out.state.q));
  set.evaluate(t, out.state.q.data(), start.v.data());
  name_the_worst(set, out);
  if (out.closed && !correct_velocities(set, t, all_but(model, kept.velocities), out.state) &&
      !correct_velocities(set, t, all, out.state))
    name_what_contradicts(set, t, out);

  const std::vector<double> moved = motions(model, start.q, out.state.q);
  for (int i = 1; i <= model.bodies(); ++i)
    if (moved[static_cast<std::size_t>(i)] > 1e-9) out.moved.push_back(i);
  std::stable_sort(out.moved.begin(), out.moved.end(), [&](int a, int b) {
    return moved[static_cast<std::size_t>(a)] > moved[static_cast<std::size_t>(b)];
  });
  return out;
}

}  // namespace cardan
