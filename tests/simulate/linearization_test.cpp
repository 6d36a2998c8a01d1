// Linearizations of scenes against differences: every kind of constraint, force, controller, states of elements and
// inputs, along directions that keep the constraints.
#include "cardan/dynamics/linearization.hpp"
#include "cardan/dynamics/recursive_problem.hpp"
#include "cardan/io/load.hpp"
#include "cardan/io/scene.hpp"
#include "tests/support/element_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Accelerations and rates where the state is displaced by h along x.
Eigen::VectorXd motion_at(Place& place, RecursiveProblem& problem, const Eigen::VectorXd& x, double h) {
  const Eigen::Index n = place.model().nv();
  State moved = place.state;
  const Eigen::VectorXd dq = h * x.head(n);
  cardan::integrate(place.model(), place.state.q.data(), dq.data(), 1.0, moved.q.data());
  for (Eigen::Index i = 0; i < n; ++i) moved.v[static_cast<std::size_t>(i)] += h * x[n + i];
  for (std::size_t i = 0; i < moved.z.size(); ++i) moved.z[i] += h * x[2 * n + static_cast<Eigen::Index>(i)];
  Eigen::VectorXd a(n), z_dot(static_cast<Eigen::Index>(moved.z.size()));
  problem.acceleration({place.t, moved}, a, z_dot);
  Eigen::VectorXd out(n + z_dot.size());
  out << a, z_dot;
  return out;
}

void compare(const Scene& scene, std::uint64_t seed, Worst& worst, const std::string& name) {
  Place place(scene, seed);
  const System& system = place.workspace.system();
  const Linearization found = linearize(system, place.t, place.state);
  RecursiveProblem problem(system, system.model());
  const Eigen::Index n = place.model().nv(), nz = static_cast<Eigen::Index>(place.state.z.size());
  // directions that keep positions and velocities within the constraints
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(n, n);
  if (ConstrainedDynamics* constrained = place.workspace.constraints()) {
    Eigen::MatrixXd J(constrained->constraints().rows(), n);
    constrained->constraints().evaluate(place.t, place.state.q, place.state.v);
    constrained->constraints().matrix(J);
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(J);
    free = lu.dimensionOfKernel() > 0 ? Eigen::MatrixXd(lu.kernel()) : Eigen::MatrixXd::Zero(n, 1);
    if (lu.rank() == 0) free.setIdentity(n, n);
  }
  for (int trial = 0; trial < 4; ++trial) {
    Eigen::VectorXd x(2 * n + nz);
    x << free * place.random.values(static_cast<int>(free.cols())),
        free * place.random.values(static_cast<int>(free.cols())), place.random.values(static_cast<int>(nz));
    constexpr double h = 1e-5;
    const Eigen::VectorXd difference = (motion_at(place, problem, x, h) - motion_at(place, problem, x, -h)) / (2.0 * h);
    const Eigen::VectorXd expected = found.A().bottomRows(n + nz) * x;
    worst.add(relative_error(difference, expected, 1.0 + found.a.norm()), name);
  }
}

/// By the inputs, which are of the system that a workspace holds.
void compare_inputs(const Scene& scene, Worst& worst, const std::string& name) {
  Place place(scene, 3);
  const Linearization found = linearize(place.workspace.system(), place.t, place.state);
  RecursiveProblem problem(place.workspace.system(), place.model());
  const Eigen::VectorXd still =
      Eigen::VectorXd::Zero(2 * place.model().nv() + static_cast<Eigen::Index>(place.state.z.size()));
  ASSERT_GT(found.a_by_u.cols(), 0) << name;
  for (std::size_t k = 0; k < place.workspace.inputs().size(); ++k) {
    double& u = place.workspace.inputs()[k];
    const double here = u, h = 1e-4;
    u = here + h;
    const Eigen::VectorXd plus = motion_at(place, problem, still, 0.0);
    u = here - h;
    const Eigen::VectorXd minus = motion_at(place, problem, still, 0.0);
    u = here;
    worst.add(
        relative_error((plus - minus) / (2.0 * h), found.B().col(static_cast<Eigen::Index>(k)).tail(plus.size()), 1.0),
        name);
  }
}

TEST(Linearization, OfEveryKindOfElement) {
  Worst worst("A x against differences of accelerations and rates", 2e-7);
  for (const auto& [name, text] : element_scenes())
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(2, 20)); ++seed) {
      SCOPED_TRACE(name);
      compare(parse_scene(text, name), seed, worst, fmt::format("{}, seed {}", name, seed));
    }
}

TEST(Linearization, OfExamples) {
  Worst worst("A x against differences, examples", 5e-6);
  for (const char* example : {"four_bar", "delta_robot", "stewart_platform", "arm26", "knee_extensor", "planetary_gear",
                              "umbrella", "differential", "cart_pole", "spring_pendulum", "slider_crank",
                              "watt_linkage", "rolling_coin", "measured_knee", "torus_chain_10"}) {
    SCOPED_TRACE(example);
    compare(load(std::string(CARDAN_SOURCE_DIR) + "/examples/" + example + ".toml"), 1, worst, example);
  }
}

TEST(Linearization, ByInputs) {
  Worst worst("B against differences", 1e-7);
  compare_inputs(load(std::string(CARDAN_SOURCE_DIR) + "/examples/driven_arm.toml"), worst, "driven arm");
  compare_inputs(
      parse_scene(arm_scene() + "[[input]]\nname = \"m\"\njoint = \"a\"\n[[input]]\nname = \"e\"\n[[force]]\ntype "
                                "= \"joint\"\njoint = \"b\"\nforce = \"e*e*sin(b) - v.b*e\"\n",
                  "inputs"),
      worst, "inputs");
}

}  // namespace
}  // namespace cardan::test
