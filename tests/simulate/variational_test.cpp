// What the variational integrator promises: energy in a band without a trend, momentum, order 2, loops closed, time
// that can be turned back; on examples and on trees of all joints, against an accurate run.
#include "cardan/algorithms/energy.hpp"
#include "cardan/dynamics/internal/discrete_tree.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace cardan::test::variational_test {
namespace {

Pose<double> at(double x, double y, double z) { return {Mat3<double>::identity(), {x, y, z}}; }

Model double_pendulum() {
  const MassProperties rod{1.0, {0.0, 0.0, -0.5}, {0.083, 0.083, 0.001, 0.0, 0.0, 0.0}};
  const Revolute y{{0.0, 1.0, 0.0}};
  return ModelBuilder()
      .body("a", rod)
      .body("b", rod)
      .joint("world", "a", y)
      .joint("a", "b", y, at(0.0, 0.0, -1.0))
      .build();
}

/// The energy of a long run: its band, and its least-squares slope times the duration, of the largest kinetic energy.
struct Drift {
  double band = 0.0, trend = 0.0;
};

Drift drift_of(SystemWorkspace& system, const State& start, double h, int steps) {
  const auto integrator = make_integrator("variational", system, with_step(h));
  integrator->start(0.0, system.begin(0.0, start));
  double least = 1e300, most = -1e300, kinetic = 0.0, sum_te = 0.0, sum_tt = 0.0, first = 0.0;
  for (int i = 0; i < steps; ++i) {
    integrator->step(1e9);
    const Energy e = system.energy(integrator->state(), integrator->time());
    const double total = e.kinetic + e.potential, t = (i + 0.5) / steps - 0.5;
    if (i == 0) first = total;
    least = std::min(least, total);
    most = std::max(most, total);
    kinetic = std::max(kinetic, e.kinetic);
    sum_te += t * (total - first);
    sum_tt += t * t;
  }
  return {(most - least) / kinetic, sum_te / sum_tt / kinetic};
}

void expect_no_drift(const char* what, const Drift& drift) {
  std::printf("    %s: band %.2e, trend %.2e of the largest kinetic energy\n", what, drift.band, drift.trend);
  EXPECT_LT(drift.band, 0.01) << what;
  if (kPartOfTime == 1.0) {  // the trend of a short run is that of the swing that it ends in
    EXPECT_LT(std::abs(drift.trend), 1e-4) << what;
  }
}

/// How long: 1e6 steps in `make long`.
int steps(int sample = 100000, int thorough = 1000000) {
  return static_cast<int>(kPartOfTime * repetitions(sample, thorough));
}

TEST(Variational, EnergyOfADoublePendulumStaysInABand) {
  const Model model = double_pendulum();
  SystemWorkspace system{System(model)};
  State start(model);
  start.q = {2.0, 0.7};
  expect_no_drift("double pendulum, 5 ms", drift_of(system, start, 5e-3, steps()));
}

TEST(Variational, EnergyOfTheHeavyTopStaysInABand) {
  const Scene scene = load(CARDAN_SOURCE_DIR "/examples/heavy_top.toml");
  SystemWorkspace system{System(scene)};
  expect_no_drift("heavy top, 1 ms", drift_of(system, scene.initial, 1e-3, steps()));
}

TEST(Variational, EnergyOfATorusChainStaysInABand) {
  const Scene scene = load(CARDAN_SOURCE_DIR "/examples/torus_chain_10.toml");
  SystemWorkspace system{System(scene)};
  expect_no_drift("torus chain, 2 ms", drift_of(system, scene.initial, 2e-3, steps(5000)));
}

TEST(Variational, EnergyOfALoopStaysInABandAndItStaysClosed) {
  const Scene scene = load(CARDAN_SOURCE_DIR "/examples/four_bar.toml");
  SystemWorkspace system{System(scene)};
  expect_no_drift("four-bar linkage, 1 ms", drift_of(system, scene.initial, 1e-3, steps(5000, 100000)));
  const auto integrator = make_integrator("variational", system, with_step(1e-3));
  integrator->start(0.0, system.begin(0.0, scene.initial));
  for (int i = 0; i < trials(1000); ++i) {
    integrator->step(1e9);
    ASSERT_LT(system.constraint_error(integrator->time(), integrator->state()), 1e-12);
  }
}

/// A free tree without gravity: both momenta, about its center of mass.
TEST(Variational, MomentumOfAFreeTreeIsKept) {
  Random random(5);
  ModelBuilder builder;
  builder.gravity({0.0, 0.0, 0.0});
  for (const char* name : {"base", "arm", "hand", "leg"}) builder.body(name, random.mass());
  const Model model = builder.joint("world", "base", Free{})
                          .joint("base", "arm", Spherical{}, at(0.5, 0.2, 0.0))
                          .joint("arm", "hand", Universal{}, at(0.0, 0.4, 0.1))
                          .joint("base", "leg", Revolute{{0.0, 1.0, 0.0}}, at(-0.4, 0.0, -0.3))
                          .build();
  SystemWorkspace system{System(model)};
  State state(model);
  for (double& v : state.v) v = random.uniform();
  Workspace<double> w(model);
  Kinematics<double> k(model);
  const auto momentum_of = [&](const State& s) {
    forward_kinematics<double>(model, w, s.q, s.v, k);
    return centroidal_momentum(model, k);
  };
  const ForceVector<double> before = momentum_of(state);
  const auto integrator = make_integrator("variational", system, with_step(1e-3));
  integrator->start(0.0, state);
  for (int i = 0; i < static_cast<int>(kPartOfTime * 10000); ++i) integrator->step(1e9);
  const ForceVector<double> after = momentum_of(integrator->state());
  double worst = 0.0;
  for (int i = 0; i < 6; ++i) worst = std::max(worst, std::abs(after[i] - before[i]));
  std::printf("    momentum after %d steps: off by %.1e\n", static_cast<int>(kPartOfTime * 10000), worst);
  EXPECT_LT(worst, 1e-9);
}

TEST(Variational, TimeCanBeTurnedBack) {
  const Model model = double_pendulum();
  SystemWorkspace system{System(model)};
  State start(model);
  start.q = {1.2, 0.7};
  start.v = {0.5, -1.0};
  State there = run("variational", system, start, 1.0, with_step(1e-3));
  for (double& v : there.v) v = -v;
  State back = run("variational", system, there, 1.0, with_step(1e-3));
  for (double& v : back.v) v = -v;
  EXPECT_LT(distance(model, start, back), 1e-9);
}

/// Springs, dampers, a driven joint, a loop: order 2 against an accurate run.
TEST(Variational, HasOrderTwoUnderForcesMotionsAndLoops) {
  for (const char* example : {"spring_pendulum", "slider_crank", "forced_pendulum", "watt_linkage"}) {
    const Scene scene = load(std::string(CARDAN_SOURCE_DIR "/examples/") + example + ".toml");
    SystemWorkspace system{System(scene)};
    const State start = system.begin(0.0, scene.initial);
    const double end = 0.4;
    const State exact = run("munthe_kaas_54", system, start, end, with_tolerance(1e-12));
    double error[2];
    for (int i = 0; i < 2; ++i)
      error[i] = distance(scene.model, exact, run("variational", system, start, end, with_step(2e-3 / (1 << i))));
    const double order = std::log2(error[0] / error[1]);
    std::printf("    %s: errors %.1e, %.1e, order %.2f\n", example, error[0], error[1], order);
    if (error[0] < 1e-11) continue;  // a mechanism whose motion is all prescribed
    EXPECT_GT(order, 1.8) << example;
    EXPECT_LT(order, 2.3) << example;
  }
}

/// Drags act on a linkage whose velocities the loop corrects after every step.
TEST(Variational, HasOrderTwoUnderDragInALoop) {
  std::ifstream file(CARDAN_SOURCE_DIR "/examples/four_bar.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const char* joint : {"crank", "coupler", "rocker"})
    text += std::string("\n[[force]]\ntype = \"joint\"\njoint = \"") + joint + "\"\nforce = \"-2*v." + joint + "\"\n";
  const Scene scene = parse_scene(text, "drag.toml");
  SystemWorkspace system{System(scene)};
  const State start = system.begin(0.0, scene.initial);
  const State exact = run("munthe_kaas_54", system, start, 0.4, with_tolerance(1e-12));
  double error[2];
  for (int i = 0; i < 2; ++i)
    error[i] = distance(scene.model, exact, run("variational", system, start, 0.4, with_step(2e-3 / (1 << i))));
  std::printf("    errors %.1e, %.1e, order %.2f\n", error[0], error[1], std::log2(error[0] / error[1]));
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.15);
}

/// A damper thousand times stiffer than an explicit method of this step could bear.
TEST(Variational, StiffDampersAreHarmless) {
  JointSpec joint;
  joint.successor = "a";
  joint.type = Revolute{{0.0, 1.0, 0.0}};
  joint.dofs = {DofProperties{}};
  joint.dofs[0].damping = 1e4;
  const Model model =
      ModelBuilder().body("a", {1.0, {0.0, 0.0, -0.5}, {0.083, 0.083, 0.001, 0.0, 0.0, 0.0}}).joint(joint).build();
  SystemWorkspace system{System(model)};
  State start(model);
  start.q[0] = 1.0;
  start.v[0] = 1.0;
  const State end = run("variational", system, start, 1.0, with_step(1e-2));
  // it creeps at m g l sin(q) / D
  EXPECT_NEAR(end.q[0], 1.0 - 9.81 * 0.5 * std::sin(1.0) / 1e4, 2e-4);
}

/// The factor's product with a displacement is how the residual changes.
TEST(DiscreteTree, JacobianIsTheDerivativeOfTheResidual) {
  for (int seed = 0; seed < trials(20); ++seed) {
    const RandomCase random(static_cast<std::uint64_t>(seed));
    const Model& model = random.model;
    const int n = model.nv();
    const Eigen::VectorXd &q = random.q, x = 0.1 * random.a / random.a.lpNorm<Eigen::Infinity>(),
                          d = random.tau / random.tau.lpNorm<Eigen::Infinity>();
    Eigen::VectorXd q1(model.nq()), r(n), r_plus(n), r_minus(n), dx(n), x_moved(n), q_moved(model.nq());
    const double h = 0.1, step = 1e-6;
    DiscreteTree<double, FullTurn> tree(model);
    tree.start(q);
    const auto residual_at = [&](double s, Eigen::VectorXd& out) {
      integrate(model, q.data(), x.data(), 1.0, q1.data());
      const Eigen::VectorXd move = s * d;
      integrate(model, q1.data(), move.data(), 1.0, q_moved.data());
      difference(model, q.data(), q_moved.data(), x_moved.data());
      ASSERT_GT(tree.move(q_moved, x_moved, h), FullTurn::kLeastCosine);
      tree.left_momentum(x_moved, h, out);
    };
    residual_at(step, r_plus);
    residual_at(-step, r_minus);
    residual_at(0.0, r);
    Eigen::VectorXd armature(n);
    for (int i = 0; i < n; ++i) armature[i] = model.armature(i) / h;
    // rotors count along the increment, whose change is that of the tangent only where moving is adding
    const auto rotors = [&](Eigen::VectorXd& out, double s) {
      const Eigen::VectorXd move = s * d;
      integrate(model, q1.data(), move.data(), 1.0, q_moved.data());
      difference(model, q.data(), q_moved.data(), x_moved.data());
      out -= armature.cwiseProduct(x_moved);
    };
    rotors(r_plus, step);
    rotors(r_minus, -step);
    tree.factorize(h, Eigen::VectorXd::Zero(n).eval());
    const Eigen::VectorXd change = (r_plus - r_minus) / (2.0 * step);
    tree.solve(change, dx);
    EXPECT_LT((dx - d).lpNorm<Eigen::Infinity>(), 1e-5) << "seed " << seed;
  }
}

}  // namespace
}  // namespace cardan::test::variational_test
