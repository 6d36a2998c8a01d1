// The planar four-bar linkage of the reference data: motion over 2 s and the forces in its pins.
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/dynamics/model_space.hpp"
#include "cardan/integrate/integrator.hpp"
#include "tests/constraints/linkages.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

constexpr double kPi = std::numbers::pi;

/// Constrained, stepped and put back onto the constraint, as the simulator does.
class Constrained : public Problem {
 public:
  explicit Constrained(const Model& model, ConstraintMethod method = ConstraintMethod::automatic)
      : solver(ConstraintSet(model), method), space_(model), tau_(static_cast<std::size_t>(model.nv())) {}
  const StateSpace& space() const override { return space_; }
  void acceleration(const Point& at, Out<double> a, Out<double>) override {
    solver.forward_dynamics(at.t, at.q, at.v, tau_, a);
  }
  ConstrainedDynamics solver;

 private:
  ModelSpace space_;
  std::vector<double> tau_;
};

double wrapped(double angle) { return std::remainder(angle, 2.0 * kPi); }

class FourBar : public ::testing::TestWithParam<ConstraintMethod> {};

TEST_P(FourBar, MovesAsTheReferenceSays) {
  constexpr const char* kFile = "golden/closed_loop.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const auto& rows = file->at("four_bar").at("trajectory");
  const Model model = four_bar(about_z());
  const int crank = model.link(model.find_joint("crank")).q, coupler = model.link(model.find_joint("coupler")).q,
            rocker = model.link(model.find_joint("rocker")).q;
  State start(model);
  const auto set = [&](std::vector<double>& x, double theta, double middle, double last) {
    x[static_cast<std::size_t>(crank)] = theta;
    x[static_cast<std::size_t>(coupler)] = middle - theta;
    x[static_cast<std::size_t>(rocker)] = last;
  };
  set(start.q, rows[0].at("theta"), rows[0].at("coupler_angle"), rows[0].at("rocker_angle"));
  set(start.v, rows[0].at("theta_dot"), rows[0].at("coupler_angular_velocity"), rows[0].at("rocker_angular_velocity"));

  Constrained dynamics(model, GetParam());
  IntegratorOptions options;
  options.tolerance = 1e-12;
  options.step = 1e-3;
  const auto integrator = make_integrator("dopri5", dynamics, options);
  integrator->start(0.0, start);
  Worst angles("angles", 1e-9), forces("pin forces", 1e-8);
  for (const auto& row : rows) {
    const double t = row.at("t");
    while (integrator->time() < t) integrator->step(t);
    State state = integrator->state();
    ASSERT_TRUE(dynamics.solver.project_positions(t, state.q, 1e-13));
    dynamics.solver.project_velocities(t, state.q, state.v);
    integrator->start(t, state);

    const auto q = [&](int i) { return state.q[static_cast<std::size_t>(i)]; };
    const std::string when = "t = " + std::to_string(t);
    angles.add(std::abs(wrapped(q(crank) - row.at("theta").get<double>())), when);
    angles.add(std::abs(wrapped(q(crank) + q(coupler) - row.at("coupler_angle").get<double>())), when);
    angles.add(std::abs(wrapped(q(rocker) - row.at("rocker_angle").get<double>())), when);

    std::vector<double> a(3), tau(3);
    dynamics.solver.forward_dynamics(t, state.q, state.v, tau, a);
    const LoopState& loop = *dynamics.solver.constraints().loop(0);
    const ForceVector<double> f = loop.force(dynamics.solver.multipliers().data());
    const double angle = q(rocker);  // the pin's frame on the rocker turns with it
    const double fx = std::cos(angle) * f.force[0] - std::sin(angle) * f.force[1];
    const double fy = std::sin(angle) * f.force[0] + std::cos(angle) * f.force[1];
    const auto& expected = row.at("force_B_on_rocker_from_coupler");
    const double scale = std::max(1.0, std::hypot(expected[0].get<double>(), expected[1].get<double>()));
    forces.add(std::hypot(fx - expected[0].get<double>(), fy - expected[1].get<double>()) / scale, when);
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, FourBar,
                         ::testing::Values(ConstraintMethod::direct, ConstraintMethod::dual,
                                           ConstraintMethod::elimination, ConstraintMethod::articulated,
                                           ConstraintMethod::sparse),
                         [](const auto& info) {
                           return constraint_method_names()[static_cast<std::size_t>(info.param)];
                         });

}  // namespace
}  // namespace cardan::test
