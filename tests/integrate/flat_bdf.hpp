// BDF1 and BDF2 in flat coordinates written down once more, as the public REDMAX code does them: Newton's method on
//   g = M(q) (q - known) - (b h)^2 f,  started from q moved by its velocity and stopped where |g| < limit in the
//   scene's own units.
// With its limit of 1e-9 the reference stops too early where masses are small; a smaller one gives the scheme itself.
#pragma once

#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/integrate/dynamics.hpp"
#include "cardan/model/state.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace cardan::test {

class FlatBdf {
 public:
  using Vector = Eigen::VectorXd;
  FlatBdf(int order, Dynamics& dynamics, const State& start, double h, double limit)
      : q(Eigen::Map<const Vector>(start.q.data(), static_cast<Eigen::Index>(start.q.size()))),
        v(Eigen::Map<const Vector>(start.v.data(), static_cast<Eigen::Index>(start.v.size()))),
        order_(order),
        dynamics_(dynamics),
        w_(dynamics.model()),
        h_(h),
        limit_(limit) {}

  Vector q, v;

  void step() {
    const Vector q1 = q, v1 = v;
    if (order_ == 1) {
      solve(h_, q1, v1, q1 + h_ * v1);
    } else if (before_q_.size() == 0) {
      const double a = 1.0 - 1.0 / std::sqrt(2.0);
      solve(a * h_, q1, v1, q1 + a * h_ * v1);
      const Vector qa = q, va = v;
      solve(a * h_, q1 + (1.0 - a) * h_ * va, v1 + (1.0 - a) / a * (va - v1), qa + (1.0 - a) * h_ * va);
    } else {
      solve(2.0 / 3.0 * h_, (4.0 * q1 - before_q_) / 3.0, (4.0 * v1 - before_v_) / 3.0, q1 + h_ * v1);
    }
    before_q_ = q1;
    before_v_ = v1;
  }

 private:
  /// q = known_q + b v, v = known_v + b a(q, v).
  void solve(double b, const Vector& known_q, const Vector& known_v, Vector x) {
    Vector g = residual(b, known_q, known_v, x);
    for (int i = 0; i < 10 * x.size(); ++i) {
      Eigen::MatrixXd J(x.size(), x.size());
      for (Eigen::Index j = 0; j < x.size(); ++j) {
        const double d = 1e-6 * (1.0 + std::abs(x[j]));
        Vector plus = x, minus = x;
        plus[j] += d;
        minus[j] -= d;
        J.col(j) = (residual(b, known_q, known_v, plus) - residual(b, known_q, known_v, minus)) / (2.0 * d);
      }
      const Vector dx = -J.partialPivLu().solve(g);
      double part = 1.0;
      Vector trial = x + dx, trial_g = residual(b, known_q, known_v, trial);
      for (int k = 0; k < 20 && !(trial_g.norm() < g.norm()); ++k) {
        part *= 0.5;
        trial = x + part * dx;
        trial_g = residual(b, known_q, known_v, trial);
      }
      x = trial;
      g = trial_g;
      if (g.norm() < limit_) break;
    }
    q = x;
    v = (x - known_q) / b;
  }

  Vector residual(double b, const Vector& known_q, const Vector& known_v, const Vector& x) {
    const Vector rate = (x - known_q) / b;
    Vector a(x.size());
    Eigen::MatrixXd M(x.size(), x.size());
    dynamics_.acceleration(0.0, x, rate, a);
    mass_matrix(dynamics_.model(), w_, x, M);
    return M * (b * (rate - known_v - b * a));
  }

  const int order_;
  Dynamics& dynamics_;
  Workspace<double> w_;
  const double h_, limit_;
  Vector before_q_, before_v_;
};

}  // namespace cardan::test
