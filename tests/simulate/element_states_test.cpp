// Implicit methods on forces with states of their own (activation, elastic tendons, integrals of controllers): against
// an explicit method with a small tolerance, by their order, and where an explicit method would need tiny steps.
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

/// An arm that an elastic muscle with activation holds up, and a controller with an integral.
std::string arm(const std::string& simulation, double tendon_strain = 0.049) {
  return fmt::format(R"toml(
cardan = 1
name = "arm"
[[body]]
name = "upper"
mass = 1.2
com = [0.1, 0, 0]
inertia = [0.01, 0.02, 0.02, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, -1, 0]
q = [0.3]
damping = 0.2
[[body]]
name = "lower"
parent = "upper"
mass = 0.8
com = [0.1, 0, 0]
inertia = [0.01, 0.01, 0.01, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, -1, 0]
at = {{ xyz = [0.25, 0, 0] }}
q = [0.4]
damping = 0.1
[[force]]
type = "muscle"
name = "flexor"
points = [{{ body = "world", at = [0.02, 0, 0.15] }}, {{ body = "upper", at = [0.2, 0, 0.03] }}, {{ body = "lower", at = [0.06, 0, 0.02] }}]
max_force = 400
optimal_length = 0.12
slack_length = 0.14
tendon = "elastic"
tendon_strain = {}
excitation = "0.3 + 0.2*sin(5*t)"
[[controller]]
name = "hold"
type = "pid"
joints = ["lower"]
target = ["0.5"]
kp = 8
kd = 0.5
ki = 20
[simulation]
{})toml",
                     tendon_strain, simulation);
}

State last_state(const std::string& text) {
  Scene scene = parse_scene(text, "arm.toml");
  assemble(scene);
  const Trajectory run = simulate(scene);
  EXPECT_EQ(run.summary.end, RunSummary::End::done) << run.summary.failure;
  State out(run.model());
  out.q.assign(run.q(run.size() - 1).begin(), run.q(run.size() - 1).end());
  out.v.assign(run.v(run.size() - 1).begin(), run.v(run.size() - 1).end());
  out.z.assign(run.z(run.size() - 1).begin(), run.z(run.size() - 1).end());
  return out;
}

double farthest(const State& a, const State& b) {
  double out = 0.0;
  for (std::size_t i = 0; i < a.q.size(); ++i) out = std::max(out, std::abs(a.q[i] - b.q[i]));
  for (std::size_t i = 0; i < a.z.size(); ++i) out = std::max(out, std::abs(a.z[i] - b.z[i]));
  return out;
}

class ImplicitStates : public ::testing::TestWithParam<std::pair<const char*, double>> {};
TEST_P(ImplicitStates, ConvergeWithTheirOrder) {
  const auto& [integrator, order] = GetParam();
  const State exact = last_state(arm("duration = 0.4\noutput_every = 0.4\ntolerance = 1e-12\n"));
  ASSERT_EQ(exact.z.size(), 3u);
  const auto error = [&, name = integrator](double h) {
    return farthest(
        last_state(arm(fmt::format("duration = 0.4\noutput_every = 0.4\nintegrator = \"{}\"\nstep = {}\n", name, h))),
        exact);
  };
  const double coarse = error(0.002), fine = error(0.001);
  EXPECT_LT(fine, order > 1.5 ? 2e-3 : 5e-2);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.35);
}
INSTANTIATE_TEST_SUITE_P(Methods, ImplicitStates,
                         ::testing::Values(std::pair("bdf1", 1.0), std::pair("bdf2", 2.0),
                                           std::pair("generalized_alpha", 2.0),
                                           std::pair("linearly_implicit_euler", 1.0),
                                           std::pair("rosenbrock_euler", 1.0)),
                         [](const auto& info) { return std::string(info.param.first); });

/// A tendon of a tenth of the strain is a hundred times as stiff: at 5 ms an explicit step blows up, an implicit one
/// follows the solution.
TEST(ImplicitStates, TakeStiffTendonsInLongSteps) {
  const std::string setting = "duration = 0.4\noutput_every = 0.4\n";
  const State exact = last_state(arm(setting + "tolerance = 1e-10\n", 0.005));
  EXPECT_LT(farthest(last_state(arm(setting + "integrator = \"bdf2\"\nstep = 0.002\n", 0.005)), exact), 2e-2);
}

/// With a loop the multipliers are unknowns beside the states.
TEST(ImplicitStates, WorkInLoops) {
  const auto text = [](const std::string& simulation) {
    return "cardan = 1\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\ncom = [0.5, 0, "
           "0]\n[body.joint]\n"
           "type = \"revolute\"\naxis = [0, 1, 0]\nq = [-0.9]\n[[body]]\nname = \"b\"\nparent = \"a\"\nmass = 1\n"
           "inertia = [0.1, 0.1, 0.1, 0, 0, 0]\ncom = [0.5, 0, 0]\n[body.joint]\ntype = \"revolute\"\naxis = [0, 1, "
           "0]\n"
           "at = { xyz = [1, 0, 0] }\nq = [1.8]\n[[loop]]\nname = \"pin\"\na = \"world\"\nb = \"b\"\n"
           "at_a = { xyz = [1.3, 0, 0] }\nat_b = { xyz = [1, 0, 0] }\ntype = \"composite\"\n"
           "joints = [{ type = \"prismatic\", axis = [1, 0, 0] }, { type = \"revolute\", axis = [0, 1, 0] }]\n"
           "[[force]]\ntype = \"muscle\"\nname = \"m\"\npoints = [{ body = \"world\", at = [0, 0, 0.4] }, "
           "{ body = \"b\", at = [0.3, 0, 0] }]\nmax_force = 100\noptimal_length = 0.5\nslack_length = 0.3\n"
           "tendon = \"elastic\"\nexcitation = 0.4\n[simulation]\nduration = 0.3\noutput_every = 0.3\n" +
           simulation;
  };
  const State exact = last_state(text("tolerance = 1e-11\n"));
  const double coarse = farthest(last_state(text("integrator = \"bdf2\"\nstep = 0.002\n")), exact),
               fine = farthest(last_state(text("integrator = \"bdf2\"\nstep = 0.001\n")), exact);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.4);
}

TEST(ImplicitStates, VariationalRefusesThemByName) {
  try {
    last_state(arm("duration = 0.1\nintegrator = \"variational\"\nstep = 0.001\n"));
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(),
                 "integrator variational: forces with states of their own need another method, such as munthe_kaas_54 "
                 "or bdf2");
  }
}

/// Feedback: an excitation that follows a driven joint is that of the same function of time.
TEST(Muscles, ExcitationFollowsCoordinatesVelocitiesAndRecords) {
  const auto text = [](const std::string& excitation) {
    return "cardan = 1\n[[body]]\nname = \"a\"\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\n[body.joint]\n"
           "type = \"revolute\"\naxis = [0, 1, 0]\n[[motion]]\njoint = \"a\"\nposition = \"0.3*sin(4*t)\"\n[[record]]\n"
           "name = \"hand\"\nframe = \"a\"\nat = [1, 0, 0]\nquantity = \"position\"\n[[force]]\n"
           "type = \"muscle\"\nname = \"m\"\npoints = [{ body = \"world\", at = [0, 0, 0.5] }, { body = \"a\", at = "
           "[0.4, 0, 0] "
           "}]\nmax_force = 100\noptimal_length = 0.4\nslack_length = 0.2\nexcitation = \"" +
           excitation + "\"\n[simulation]\nduration = 0.5\noutput_every = 0.5\ntolerance = 1e-12\n";
  };
  const State followed = last_state(text("0.3 + 0.4*a + 0.02*v.a + 0.1*hand.z")),
              timed = last_state(text("0.3 + 0.4*(0.3*sin(4*t)) + 0.02*(1.2*cos(4*t)) - 0.1*sin(0.3*sin(4*t))"));
  ASSERT_EQ(followed.z.size(), 1u);
  EXPECT_NEAR(followed.z[0], timed.z[0], 1e-9);
  EXPECT_GT(std::abs(followed.z[0] - 0.3), 0.01);
}

}  // namespace
}  // namespace cardan::test
