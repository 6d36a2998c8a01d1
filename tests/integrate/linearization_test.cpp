// K and D of a model: dual numbers against differences of the acceleration.
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(Linearization, DualNumbersAgreeWithDifferencesOnEveryJointType) {
  Worst mass("M", 1e-13), force("f", 1e-9), by_q("K", 1e-6), by_v("D", 1e-6);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const RandomCase c(seed);
    ModelDynamics dynamics(c.model, [&](double t, In<double> q, In<double> v, Out<double> tau) {
      for (int i = 0; i < tau.size(); ++i) tau[i] = c.tau[i] - t * (0.3 * v[i] * v[i] + std::sin(q[c.model.link(1).q]));
    });
    const int n = c.model.nv();
    Eigen::MatrixXd M[2], K[2], D[2];
    Eigen::VectorXd f[2];
    for (int way = 0; way < 2; ++way) {
      for (auto* matrix : {&M[way], &K[way], &D[way]}) matrix->setConstant(n, n, std::nan(""));
      f[way].setConstant(n, std::nan(""));
      if (way == 0)
        dynamics.linearize(2.0, c.q, c.v, M[0], f[0], K[0], D[0]);
      else
        dynamics.Dynamics::linearize(2.0, c.q, c.v, M[1], f[1], K[1], D[1]);
    }
    mass.add(relative_error(M[0], M[1]), c.name);
    force.add(relative_error(f[0], f[1]), c.name);
    by_q.add(relative_error(K[0], K[1]), c.name);
    by_v.add(relative_error(D[0], D[1]), c.name);
  }
}

TEST(Linearization, NewtonConvergesToTheSameStepInEveryWay) {
  // full derivatives, differences, and none at all of what is not stiff
  const RandomCase c(4);
  class Differences : public ModelDynamics {
   public:
    using ModelDynamics::ModelDynamics;
    void linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                   OutMatrix<double> D) override {
      Dynamics::linearize(t, q, v, M, f, K, D);
    }
  };
  class Nothing : public ModelDynamics {
   public:
    using ModelDynamics::ModelDynamics;
    void linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                   OutMatrix<double> D) override {
      ModelDynamics::linearize(t, q, v, M, f, K, D);
      detail::set_zero(K);
      detail::set_zero(D);
    }
  };
  State start(c.model);
  start.q.assign(c.q.data(), c.q.data() + c.q.size());
  for (std::size_t i = 0; i < start.v.size(); ++i) start.v[i] = 0.1 * c.v[static_cast<Eigen::Index>(i)];
  ModelDynamics exact(c.model);
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
