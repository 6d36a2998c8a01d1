// The equations in independent coordinates, linearized by the rows that these coordinates satisfy, against differences
// of their accelerations and rates; the tangent operator of turning joints against differences of itself.
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan::test::reduced_linearization_test {
namespace {

std::string body(const std::string& name, const std::string& parent, const std::string& joint) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = 1.3\ncom = [0.1, 0.05, -0.2]\ninertia = [0.08, 0.09, 0.05, "
      "0.01, 0, 0.005]\n[body.joint]\n{}\n",
      name, parent, joint);
}

constexpr const char* kHead = "cardan = 1\n[simulation]\nformulation = \"reduced\"\n";

/// Springs, feedback with states of its own, two nonlinear couplings that build on one another, and a ball.
const std::string kCoupled =
    kHead + body("a", "world", "type = \"revolute\"\naxis = [0, 1, 0]\nq = [0.4]\nv = [0.7]") +
    body("b", "a", "type = \"revolute\"\naxis = [1, 0, 0]\nat = { xyz = [0, 0, -0.6] }") +
    body("c", "b", "type = \"spherical\"\nat = { xyz = [0, 0.1, -0.5] }\nv = [0.3, -0.2, 0.4]") +
    body("d", "c", "type = \"prismatic\"\naxis = [0, 0, 1]\nat = { xyz = [0, 0.1, -0.2] }") +
    R"x([[coupling]]
joint = "b"
equals = "0.5*a + 0.3*sin(2*a)"
[[coupling]]
joint = "d"
equals = "0.2*cos(b) + 0.1*a*b"
[[force]]
type = "spring"
points = [{ body = "world", at = [0.5, 0, 0] }, { body = "d", at = [0.1, 0, -0.3] }]
stiffness = 90
damping = 4
rest = 0.7
[[controller]]
type = "pid"
joints = ["a"]
target = ["0.3*sin(t)"]
kp = 30
kd = 3
ki = 7
)x";

/// A four-bar whose crank is chosen, with the rows that a planar loop of hinges repeats.
const std::string kLoop = kHead + std::string("independent = [\"crank\"]\n") + R"([[body]]
name = "crank"
mass = 1
com = [0.1, 0, 0]
inertia = [0.01, 0.02, 0.02, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
q = [0.5]
v = [1.5]
[[body]]
name = "coupler"
parent = "crank"
mass = 2
com = [0.2, 0, 0.05]
inertia = [0.01, 0.03, 0.03, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0.25, 0, 0] }
[[body]]
name = "rocker"
mass = 1.5
com = [0.2, 0, 0]
inertia = [0.01, 0.02, 0.02, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 1, 0]
at = { xyz = [0.5, 0, 0] }
q = [-1.2]
damping = 0.3
stiffness = 5
[[loop]]
a = "coupler"
b = "rocker"
type = "revolute"
axis = [0, 1, 0]
at_a = { xyz = [0.5, 0, 0] }
at_b = { xyz = [0.4, 0, 0] }
)";

/// Accelerations and rates of a problem where its state is displaced.
Eigen::VectorXd motion_at(Problem& problem, double t, const State& state, const Eigen::VectorXd& x) {
  const Sizes n = problem.space().sizes();
  State moved = state;
  const Eigen::VectorXd dq = x.head(n.v);
  problem.space().move(state.q.data(), dq.data(), moved.q.data());
  for (int i = 0; i < n.v; ++i) moved.v[static_cast<std::size_t>(i)] += x[n.v + i];
  for (int i = 0; i < n.z; ++i) moved.z[static_cast<std::size_t>(i)] += x[2 * n.v + i];
  Eigen::VectorXd a(n.v), z_dot(n.z);
  problem.acceleration({t, moved}, a, z_dot);
  Eigen::VectorXd out(n.v + n.z);
  out << a, z_dot;
  return out;
}

void compare(const std::string& text, std::uint64_t seed, Worst& worst) {
  Scene scene = parse_scene(text, "reduced");
  assemble(scene);
  SystemWorkspace problem{System(scene)};
  Random random(seed);
  const double t = 0.1;
  State state = problem.begin(t, scene.initial);
  const Sizes n = problem.space().sizes();
  const Eigen::VectorXd away = random.values(n.v, 0.1);
  problem.space().move(state.q.data(), away.data(), state.q.data());
  for (double& v : state.v) v += random.uniform(-0.5, 0.5);
  for (double& z : state.z) z += random.uniform(-0.2, 0.2);

  const Eigen::VectorXd here = motion_at(problem, t, state, Eigen::VectorXd::Zero(2 * n.v + n.z));
  const Eigen::VectorXd a = here.head(n.v);
  Eigen::MatrixXd H, K, D;
  problem.linearize({t, state}, a, {nullptr, 0}, {.H = &H, .K = &K, .D = &D, .implicit = Problem::Implicit::exact});
  Problem::Want inertial{.K = &K, .D = &D, .implicit = Problem::Implicit::all};
  problem.linearize({t, state}, a, {nullptr, 0}, inertial);
  StateTangent states;
  problem.linearize_states({t, state}, a, {nullptr, 0}, states);
  for (int trial = 0; trial < 4; ++trial) {
    const Eigen::VectorXd x = random.values(2 * n.v + n.z);
    constexpr double h = 1e-5;
    const Eigen::VectorXd difference =
        (motion_at(problem, t, state, h * x) - motion_at(problem, t, state, -h * x)) / (2.0 * h);
    const Eigen::VectorXd dq = x.head(n.v), dv = x.segment(n.v, n.v), dz = x.tail(n.z);
    Eigen::VectorXd expected(n.v + n.z);
    expected << H.ldlt().solve(K * dq + D * dv + states.f_by_z * dz),
        states.rate_by_q * dq + states.rate_by_v * dv + states.rate_by_z * dz;
    worst.add(relative_error(difference, expected, 1.0 + a.norm()), fmt::format("seed {}", seed));
  }
}

TEST(ReducedLinearization, OfCouplingsIsThatOfTheMotion) {
  Worst worst("couplings, ball, spring, feedback: against differences", 2e-8);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(5, 100)); ++seed)
    compare(kCoupled, seed, worst);
}

TEST(ReducedLinearization, OfAChosenCrankIsThatOfTheMotion) {
  Worst worst("four-bar by its crank: against differences", 2e-8);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(5, 100)); ++seed)
    compare(kLoop, seed, worst);
}

TEST(TangentOperator, ItsDerivativeIsThatOfBallAndFreeJoints) {
  ModelBuilder builder;
  const MassProperties unit{1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
  builder.body("ball", unit).joint("world", "ball", Spherical{});
  builder.body("slide", unit).joint("ball", "slide", Prismatic{{1.0, 0.0, 0.0}});
  builder.body("free", unit).joint("world", "free", Free{});
  const ModelSpace space(builder.build());
  const int n = space.sizes().v;
  Random random(1);
  Worst worst("d(T(x) u)/dx against differences", 1e-9);
  for (int trial = 0; trial < repetitions(20, 1000); ++trial) {
    const Eigen::VectorXd x = random.values(n, trial % 2 == 0 ? 1.0 : 1e-4), u = random.values(n);
    Eigen::MatrixXd found(n, n), expected(n, n);
    space.increment_velocity_derivative(x.data(), u.data(), found.data());
    for (int j = 0; j < n; ++j) {
      constexpr double h = 1e-4;
      Eigen::VectorXd sum = Eigen::VectorXd::Zero(n), value(n);
      for (const auto& [place, weight] : {std::pair(1, 8.0), {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
        Eigen::VectorXd moved = x;
        moved[j] += place * h;
        space.increment_velocity(moved.data(), u.data(), value.data());
        sum += weight * value;
      }
      expected.col(j) = sum / (12.0 * h);
    }
    worst.add(relative_error(found, expected, 1.0), fmt::format("trial {}", trial));
  }
}

}  // namespace
}  // namespace cardan::test::reduced_linearization_test
