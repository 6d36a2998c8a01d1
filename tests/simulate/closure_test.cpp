// Bricard's ring in its one freedom, q = gamma(y), against the same ring closed by multipliers.
#include "cardan/dynamics/internal/closure_problem.hpp"
#include "cardan/io/load.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(Closure, MovesAsTheLoopDoes) {
  Scene scene = load(CARDAN_SOURCE_DIR "/examples/bricard.toml");
  ClosureProblem problem(ReducedCoordinates(scene.model, 1, [](std::span<const Expr> y) {
    const Expr b = acos(-cos(y[0]) / (Expr(1.0) + cos(y[0])));
    return std::vector<Expr>{y[0], b, y[0], b, y[0]};
  }));
  State start;
  start.q = {0.9};
  start.v = {1.7};
  const State begin = problem.model_state(start);
  scene.initial.q = begin.q;
  scene.initial.v = begin.v;
  scene.settings.duration = 0.3;
  scene.settings.steps.tolerance = 1e-11;
  scene.settings.choose_integrator("munthe_kaas_54");
  const Trajectory loop = simulate(scene);
  ASSERT_EQ(loop.summary.end, RunSummary::End::done) << loop.summary.failure;
  Worst worst("five angles of the ring after 0.3 s", 1e-8);
  for (const char* method : {"munthe_kaas_54", "rk4"}) {
    IntegratorOptions options = with_tolerance(1e-11);
    options.step = 1e-4;
    const State end = problem.model_state(run(method, problem, start, 0.3, options));
    for (std::size_t i = 0; i < end.q.size(); ++i) worst.add(std::abs(end.q[i] - loop.q(loop.size() - 1)[i]), method);
  }
  // implicit methods need no more than the acceleration
  const State implicit = problem.model_state(run("bdf2", problem, start, 0.3, with_step(1e-4)));
  EXPECT_NEAR(implicit.q[0], loop.q(loop.size() - 1)[0], 1e-5);
}

}  // namespace
}  // namespace cardan::test
