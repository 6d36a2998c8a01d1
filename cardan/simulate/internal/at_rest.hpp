// The equations of a mechanism at rest, in the coordinates that integrators move: f + J' lambda = 0 and z' = 0, with
// joints that stop at their limits.
#pragma once

#include "cardan/simulate/equilibrium.hpp"
#include "cardan/simulate/internal/steady_problem.hpp"

namespace cardan {

class AtRest {
 public:
  AtRest(SystemWorkspace& workspace, State state);

  const State& state() const { return state_; }
  const Eigen::VectorXd& multipliers() const { return lambda_; }
  double residual() const { return r_.size() > 0 ? r_.lpNorm<Eigen::Infinity>() : 0.0; }
  double state_rate() const { return z_dot_.size() > 0 ? z_dot_.lpNorm<Eigen::Infinity>() : 0.0; }
  /// Coordinates that rest on their limits.
  std::vector<RestingLimit> limits() const;

  /// Evaluates H, K, J and what is left of the forces once constraints and limits take what they can; lets go of limits
  /// that would have to pull.
  void evaluate();
  /// Computes how fast the imbalance would accelerate the mechanism, or states of forces change.
  double haste() const;

  struct Change {
    Eigen::VectorXd x, z;
    double motion() const { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }
    double length() const { return std::max(motion(), z.size() > 0 ? z.lpNorm<Eigen::Infinity>() : 0.0); }
    void scale(double by) {
      x *= by;
      z *= by;
    }
  };
  /// Solves (mu H - K) dx - F dz = r, (sqrt(mu) - G_z) dz - G_q dx = z' among displacements that keep constraints and
  /// the limits that are reached.
  Change step(double mu) const;
  /// Shortens a change that would lead beyond a limit, which is reached then; true if it did.
  bool stop_at_limits(Change& change);
  /// Makes the change and closes the loops again; false, and nothing moved, where they do not close.
  bool move(const Change& change);
  /// Goes back to where the last move began.
  void take_back();

 private:
  /// A coordinate with limits, as plain numbers of the problem.
  struct Limited {
    int q, v;
    double lower, upper;
    int side = 0;  // on which limit it rests: -1, 1, or 0 for none
    double force = 0.0;
  };
  void find_limits();
  /// Rows of J, then one for each limit that is reached.
  Eigen::MatrixXd rows() const;

  SystemWorkspace& workspace_;
  SteadyProblem steady_;
  const double t_;
  State state_, before_;  // now, and before the last move
  const int n_, m_;
  std::vector<Limited> limited_;
  Eigen::MatrixXd H_, K_, J_;
  Eigen::VectorXd r_, lambda_, z_dot_;
  StateTangent states_;
  std::vector<double> zero_;
  /// Bodies have poses of their own: steps are solved body by body, since K would come from differences.
  bool steps_by_bodies_ = false;
};

}  // namespace cardan
