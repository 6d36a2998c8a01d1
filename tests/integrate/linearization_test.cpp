// K and D of a model: dual numbers against differences of the acceleration.
#include "cardan/algorithms/mass_matrix.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(Linearization, DualNumbersAgreeWithDifferencesOnEveryJointType) {
  Worst mass("H", 1e-13), force("f", 1e-9), by_q("K", 1e-6), by_v("D", 1e-6);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const RandomCase c(seed);
    TreeProblem dynamics(c.model, [&](double t, In<double> q, In<double> v, Out<double> tau) {
      for (int i = 0; i < tau.size(); ++i) tau[i] = c.tau[i] - t * (0.3 * v[i] * v[i] + std::sin(q[c.model.link(1).q]));
    });
    // by differences of the acceleration, which is in units of H
    Eigen::MatrixXd H, K, D, one, K0, D0;
    Eigen::VectorXd f, a0, a(c.model.nv());
    const Point at(2.0, c.q, c.v);
    dynamics.acceleration(at, a, {nullptr, 0});
    dynamics.linearize(at, a, {nullptr, 0}, {.H = &H, .K = &K, .D = &D, .f = &f});
    dynamics.Problem::linearize(at, a, {nullptr, 0}, {.H = &one, .K = &K0, .D = &D0, .f = &a0});
    Eigen::MatrixXd expected(c.model.nv(), c.model.nv());
    Workspace<double> w(c.model);
    mass_matrix(c.model, w, c.q, expected);
    mass.add(relative_error(H, expected), c.name);
    force.add(relative_error(f, (H * a0).eval()), c.name);
    by_q.add(relative_error(K, (H * K0).eval()), c.name);
    by_v.add(relative_error(D, (H * D0).eval()), c.name);
  }
}

TEST(Linearization, NewtonConvergesToTheSameStepInEveryWay) {
  // full derivatives, differences, and none at all of what is not stiff
  const RandomCase c(4);
  class Differences : public TreeProblem {
   public:
    using TreeProblem::TreeProblem;
    void residual(const Point& at, In<double> a, In<double> lambda, Out<double> r, Out<double> rows) override {
      Problem::residual(at, a, lambda, r, rows);
    }
    void linearize(const Point& at, In<double> a, In<double> lambda, const Want& want) override {
      Problem::linearize(at, a, lambda, want);
    }
  };
  class Nothing : public TreeProblem {
   public:
    using TreeProblem::TreeProblem;
    void linearize(const Point& at, In<double> a, In<double> lambda, const Want& want) override {
      TreeProblem::linearize(at, a, lambda, want);
      if (want.K) want.K->setZero();
      if (want.D) want.D->setZero();
    }
  };
  State start(c.model);
  start.q.assign(c.q.data(), c.q.data() + c.q.size());
  for (std::size_t i = 0; i < start.v.size(); ++i) start.v[i] = 0.1 * c.v[static_cast<Eigen::Index>(i)];
  TreeProblem exact(c.model);
  Differences differences(c.model);
  Nothing nothing(c.model);
  Worst same("the same states after three steps", 1e-9);
  for (const char* method : {"bdf1", "bdf2", "generalized_alpha"}) {
    const State a = run(method, exact, start, 3e-3, with_step(1e-3));
    same.add(distance(c.model, a, run(method, differences, start, 3e-3, with_step(1e-3))), method);
    same.add(distance(c.model, a, run(method, nothing, start, 3e-3, with_step(1e-3))), method);
  }
}

}  // namespace
}  // namespace cardan::test
