#include "cardan/constraints/branch.hpp"

#include "cardan/constraints/internal/constraint_cluster.hpp"
#include "cardan/math/internal/spectra.hpp"
#include "cardan/solve/rank_tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kFirstStep = 0.05;  // of the way
// steps with which a way ends; shorter ones where it has just begun, since it may begin at a dead point and lead away
double shortest_step(double share) { return std::clamp(1e-3 * share, 1e-14, 1e-8); }
constexpr double kLongestMove = 0.2;  // rad or m of any velocity in a step
constexpr double kCorrected = 1e-11;  // rad or m
constexpr double kClosedAtEnd = 1e-9;
constexpr int kCorrections = 8;

class BranchFollower {
 public:
  BranchFollower(ConstraintSet& set, double t, const std::vector<bool>& held, const std::vector<double>& closed)
      : set_(set), t_(t), held_(held), rest_(held.size()) {
    set_.reset_warm_start();
    evaluate(closed);
    clusters_ = constraint_clusters(set_);
    linearize(closed);
    for (const ConstraintCluster& cluster : clusters_) {
      const Eigen::VectorXd values = factor_of(cluster).values;
      ranks_.push_back((values.array() > kRankTolerance * values[0]).count());
    }
  }

  BranchEnd run(std::vector<double> q, const std::vector<double>& change) {
    evaluate(q);
    const Eigen::VectorXd open = set_.gap();
    is_open_ = open.norm() > kClosedAtEnd;
    BranchEnd out{0.0, std::move(q)};
    keep_bases(out.q);
    for (double step = kFirstStep; out.share < 1.0 && step >= shortest_step(out.share);) {
      const double next = out.share + step >= 1.0 - 1e-12 ? 1.0 : out.share + step;
      std::vector<double> tried = out.q;
      if (!make_step(tried, change, next - out.share, (1.0 - next) * open)) {
        step *= 0.5;
        continue;
      }
      out.at_limit = beyond_limits(out.q, tried);
      if (out.at_limit > 0) {
        step *= 0.5;
        continue;
      }
      out.q = std::move(tried);
      out.share = next;
      out.change_points += has_turned_over(out.q) ? 1 : 0;
      step *= 1.5;
    }
    evaluate(out.q);
    if (out.share == 1.0 && !(set_.gap().norm() <= kClosedAtEnd)) out.share = 1.0 - kClosedAtEnd;
    return out;
  }

 private:
  void evaluate(const std::vector<double>& q) { set_.evaluate(t_, q.data(), rest_.data()); }

  /// Evaluates the constraints and the derivatives of their gaps, which are J where the gaps are closed and else are
  /// taken by central differences: a gap is measured in axes that move with it.
  void linearize(const std::vector<double>& q) {
    if (is_open_) {
      constexpr double h = 1e-6;
      Eigen::VectorXd push = Eigen::VectorXd::Zero(set_.model().nv());
      std::vector<double> moved(q.size());
      const auto gap_at = [&](int v, double by) {
        push[v] = by;
        integrate(set_.model(), q.data(), push.data(), 1.0, moved.data());
        push[v] = 0.0;
        evaluate(moved);
        return set_.gap();
      };
      for (ConstraintCluster& cluster : clusters_)
        for (std::size_t i = 0; i < cluster.velocities.size(); ++i) {
          const Eigen::VectorXd ahead = gap_at(cluster.velocities[i], h), behind = gap_at(cluster.velocities[i], -h);
          cluster.J.col(static_cast<Eigen::Index>(i)) = cluster.rows_of(set_, ahead - behind) / (2.0 * h);
        }
    }
    evaluate(q);
    if (is_open_) return;
    for (ConstraintCluster& cluster : clusters_) cluster.fill(set_);
  }

  SingularValues factor_of(const ConstraintCluster& cluster) const { return singular_values(free_columns(cluster)); }

  /// Remembers bases of what the constraints of each cluster hold, and of the motions by which they do.
  void keep_bases(const std::vector<double>& q) {
    linearize(q);
    bases_.clear();
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const SingularValues factor = factor_of(clusters_[c]);
      bases_.push_back({factor.U.leftCols(ranks_[c]), factor.V.leftCols(ranks_[c])});
    }
  }
  /// True if the determinant of J in the bases of the last configuration, where it was positive, has changed its sign:
  /// J was singular in between.
  bool has_turned_over(const std::vector<double>& q) {
    linearize(q);
    bool out = false;
    for (std::size_t c = 0; c < clusters_.size(); ++c)
      out |=
          ranks_[c] > 0 &&
          (bases_[c].rows.transpose() * free_columns(clusters_[c]) * bases_[c].columns).partialPivLu().determinant() <
              0.0;
    keep_bases(q);
    return out;
  }

  /// Returns a cluster's J with zeros for velocities that are held.
  Eigen::MatrixXd free_columns(const ConstraintCluster& cluster) const {
    Eigen::MatrixXd J = cluster.J;
    for (std::size_t i = 0; i < cluster.velocities.size(); ++i)
      if (held_[static_cast<std::size_t>(cluster.velocities[i])]) J.col(static_cast<Eigen::Index>(i)).setZero();
    return J;
  }

  /// Solves J x = wanted - gap - J moved for the least motion x of what is free.
  Eigen::VectorXd solve(const std::vector<double>& q, const Eigen::VectorXd& wanted, const Eigen::VectorXd& moved) {
    linearize(q);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(moved.size());
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const ConstraintCluster& cluster = clusters_[c];
      const SingularValues factor = factor_of(cluster);
      const Eigen::VectorXd right =
          cluster.rows_of(set_, wanted - set_.gap()) - cluster.J * moved(cluster.velocities).eval();
      const Eigen::Index rank = ranks_[c];
      const Eigen::VectorXd along = factor.U.leftCols(rank).transpose() * right;
      x(cluster.velocities) += factor.V.leftCols(rank) * along.cwiseQuotient(factor.values.head(rank).cwiseMax(1e-300));
    }
    return x;
  }

  /// Goes on by a part of the change, to where `wanted` is left open; false if Newton's corrections do not shrink.
  bool make_step(std::vector<double>& q, const std::vector<double>& change, double part,
                 const Eigen::VectorXd& wanted) {
    Eigen::VectorXd moved(static_cast<Eigen::Index>(change.size()));
    for (std::size_t i = 0; i < change.size(); ++i)
      moved[static_cast<Eigen::Index>(i)] = held_[i] ? part * change[i] : 0.0;
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(moved.size()), move = moved + solve(q, wanted, moved);
    double size = move.lpNorm<Eigen::Infinity>();
    if (!(size <= kLongestMove)) return false;
    std::vector<double> next(q.size());
    integrate(set_.model(), q.data(), move.data(), 1.0, next.data());
    q.swap(next);
    for (int i = 0; i < kCorrections; ++i) {
      const Eigen::VectorXd correction = solve(q, wanted, none);
      const double now = correction.lpNorm<Eigen::Infinity>();
      if (!(now <= std::max(0.2 * size, kCorrected))) return false;
      integrate(set_.model(), q.data(), correction.data(), 1.0, next.data());
      q.swap(next);
      if (now <= kCorrected) return true;
      size = now;
    }
    return false;
  }

  /// Finds a body whose joint is beyond a limit, and farther than it was.
  int beyond_limits(const std::vector<double>& before, const std::vector<double>& now) const {
    const Model& model = set_.model();
    for (int body = 1; body <= model.bodies(); ++body) {
      const Link& link = model.link(body);
      for (int k = 0; link.nq == link.nv && k < link.nv; ++k) {
        const DofProperties& dof = model.dof(link.v + k);
        const auto i = static_cast<std::size_t>(link.q + k);
        const auto excess = [&](double x) { return std::max({x - dof.upper, dof.lower - x, 0.0}); };
        if (excess(now[i]) > excess(before[i]) + 1e-9) return body;
      }
    }
    return 0;
  }

  ConstraintSet& set_;
  double t_;
  const std::vector<bool>& held_;
  std::vector<double> rest_;
  std::vector<ConstraintCluster> clusters_;
  std::vector<Eigen::Index> ranks_;
  struct Bases {
    Eigen::MatrixXd rows, columns;
  };
  std::vector<Bases> bases_;
  bool is_open_ = false;  // where the way begins
};

/// Chooses independent velocities: columns of J that others, kept joints last, can do without (elimination with
/// column pivots).
std::vector<bool> independent_velocities(ConstraintSet& set, double t, const std::vector<double>& closed,
                                         const KeptJoints& kept) {
  const Model& model = set.model();
  const auto nv = static_cast<std::size_t>(model.nv());
  std::vector<bool> out(nv, true), is_kept(nv, false);
  for (const int body : kept.positions)
    for (int k = 0; k < model.link(body).nv; ++k) is_kept[static_cast<std::size_t>(model.link(body).v + k)] = true;
  const std::vector<double> rest(nv);
  set.reset_warm_start();
  set.evaluate(t, closed.data(), rest.data());
  for (ConstraintCluster& cluster : constraint_clusters(set)) {
    cluster.fill(set);
    const double largest = cluster.J.colwise().norm().maxCoeff();
    // first among those that are not kept, and only where that determines them well
    for (const auto& [any, enough] : {std::pair(false, 1e-2), std::pair(true, kRankTolerance)})
      for (;;) {
        Eigen::Index pivot = -1;
        double most = enough * largest;
        for (std::size_t i = 0; i < cluster.velocities.size(); ++i) {
          const double size = cluster.J.col(static_cast<Eigen::Index>(i)).norm();
          if (!(any || !is_kept[static_cast<std::size_t>(cluster.velocities[i])]) || size <= most) continue;
          most = size;
          pivot = static_cast<Eigen::Index>(i);
        }
        if (pivot < 0) break;
        out[static_cast<std::size_t>(cluster.velocities[static_cast<std::size_t>(pivot)])] = false;
        const Eigen::VectorXd along = cluster.J.col(pivot).normalized();
        cluster.J -= along * (along.transpose() * cluster.J).eval();
        cluster.J.col(pivot).setZero();
      }
  }
  return out;
}

/// Computes by how much the poses of any body differ: m and rad.
double distance_between(ConstraintSet& set, double t, const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> rest(static_cast<std::size_t>(set.model().nv()));
  set.evaluate(t, a.data(), rest.data());
  const std::vector<Transform<double>> before = set.bodies().X_0;
  set.evaluate(t, b.data(), rest.data());
  double out = 0.0;
  for (std::size_t i = 1; i < before.size(); ++i) {
    const Transform<double>& now = set.bodies().X_0[i];
    for (int k = 0; k < 3; ++k) out = std::max(out, std::abs(now.r[k] - before[i].r[k]));
    for (int row = 0; row < 3; ++row)
      for (int k = 0; k < 3; ++k) out = std::max(out, std::abs(now.E(row, k) - before[i].E(row, k)));
  }
  return out;
}

}  // namespace

BranchEnd follow_branch(ConstraintSet& set, double t, std::vector<double> q, const std::vector<double>& change,
                        const std::vector<bool>& held, const std::vector<double>& closed) {
  return BranchFollower(set, t, held, closed).run(std::move(q), change);
}

BranchComparison compare_branches(ConstraintSet& set, double t, const std::vector<double>& from,
                                  const std::vector<double>& closed, const KeptJoints& kept) {
  using Verdict = BranchComparison::Verdict;
  constexpr int kMostRounds = 4;  // velocities of ball joints are no coordinates: what is held arrives nearly
  constexpr double kSame = 1e-6;
  const std::vector<bool> held = independent_velocities(set, t, closed, kept);
  std::vector<double> change(held.size());
  BranchEnd end{0.0, from};
  int change_points = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    difference(set.model(), end.q.data(), closed.data(), change.data());
    end = follow_branch(set, t, end.q, change, held, closed);
    end.change_points = change_points += end.change_points;
    if (end.share < 1.0) return {Verdict::unclear, end};
    if (distance_between(set, t, end.q, closed) < kSame)
      return {change_points > 0 ? Verdict::unclear : Verdict::same, end};
  }
  return {Verdict::another, end};
}

}  // namespace cardan
