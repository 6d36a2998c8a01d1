// The order of every method, measured on a tree with free, spherical, universal and rotation-vector joints.
#include "cardan/integrate/internal/cvode.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <map>

namespace cardan::test::order_test {
namespace {

Pose<double> at(double x, double y, double z) { return {Mat3<double>::identity(), {x, y, z}}; }

/// A free base that carries an arm on a ball joint and a universal joint, and a leg on a rotation vector.
Model tree() {
  Random random(7);
  ModelBuilder builder;
  for (const char* name : {"base", "arm", "hand", "leg", "foot"}) builder.body(name, random.mass());
  return builder.joint("world", "base", Free{})
      .joint("base", "arm", Spherical{}, at(0.5, 0.2, 0.0))
      .joint("arm", "hand", Universal{}, at(0.0, 0.4, 0.1))
      .joint("base", "leg", SphericalExponential{}, at(-0.4, 0.0, -0.3))
      .joint("leg", "foot", Composite({Prismatic{{0.0, 0.0, 1.0}}, Spherical{}}), at(0.0, 0.0, -0.5))
      .build();
}
State start_of(const Model& model) {
  Random random(19);
  State state(model);
  for (double& v : state.v) v = 3.0 * random.uniform();
  const Eigen::VectorXd q = random_configuration(random, model);
  state.q.assign(q.data(), q.data() + q.size());
  normalize(model, state);
  return state;
}
/// A damper at every velocity, and a force that depends on time.
void forces(double t, In<double>, In<double> v, Out<double> tau) {
  for (int i = 0; i < v.size(); ++i) tau[i] = 0.3 * std::cos(5.0 * t + i) - 0.1 * v[i];
}

/// Steps of equal length: nothing is rejected.
IntegratorOptions fixed(double h) {
  IntegratorOptions options = with_step(h);
  options.largest_step = h;
  options.tolerance = 1e10;
  return options;
}

class Order : public ::testing::Test {
 protected:
  static constexpr double kEnd = 0.5;
  const Model model_ = tree();
  TreeProblem dynamics_{model_, forces};
  const State start_ = start_of(model_);
  const State exact_ = run("munthe_kaas_54", dynamics_, start_, kEnd, with_tolerance(1e-13));
};

TEST_F(Order, OfEveryMethodOnATree) {
  const std::map<std::string, std::pair<double, int>> expected{
      // order, and the coarser number of steps
      {"euler", {1, 1600}},
      {"symplectic_euler", {1, 1600}},
      {"rk4", {4, 50}},
      {"dopri5", {5, 128}},
      {"bdf1", {1, 400}},
      {"bdf2", {2, 200}},
      {"munthe_kaas_1", {1, 1600}},
      {"munthe_kaas_2", {2, 400}},
      {"munthe_kaas_4", {4, 50}},
      {"munthe_kaas_54", {5, 128}},
      {"generalized_alpha", {2, 200}},
      {"variational", {2, 200}},
      {"linearly_implicit_euler", {1, 400}},
      {"rosenbrock_euler", {1, 400}},
  };
  for (const std::string& method : integrator_names()) {
    if (method == "cvode") continue;  // changes its order as it goes; the tolerance below is its measure
    const auto [order, steps] = expected.at(method);
    double error[2];
    for (int i = 0; i < 2; ++i)
      error[i] = distance(model_, exact_, run(method, dynamics_, start_, kEnd, fixed(kEnd / (steps << i))));
    const double measured = std::log2(error[0] / error[1]);
    std::printf("    %-24s h = %.2e: error %.2e, order %.2f\n", method.c_str(), kEnd / (2 * steps), error[1], measured);
    EXPECT_NEAR(measured, order, 0.1 * order) << method;
  }
}

TEST_F(Order, OfTheDenseOutput) {
  // the largest error anywhere in the interval, seen at places that are not ends of steps
  const std::map<std::string, std::pair<double, int>> expected{
      {"rk4", {4, 50}},   {"dopri5", {4.5, 16}},          {"munthe_kaas_4", {4, 50}}, {"munthe_kaas_54", {4.5, 16}},
      {"bdf2", {2, 200}}, {"generalized_alpha", {2, 200}}};
  std::vector<double> times;
  for (int i = 1; i <= 37; ++i) times.push_back(kEnd * i / 37.0);
  std::vector<State> exact;
  const auto reference = make_integrator("munthe_kaas_54", dynamics_, with_tolerance(1e-13));
  reference->start(0.0, start_);
  for (const double t : times) {
    while (reference->time() < t) reference->step(t);
    exact.push_back(reference->state());
  }
  for (const auto& [method, order_and_steps] : expected) {
    const auto [order, steps] = order_and_steps;
    double error[2] = {};
    for (int i = 0; i < 2; ++i) {
      const auto integrator = make_integrator(method, dynamics_, fixed(kEnd / (steps << i)));
      integrator->start(0.0, start_);
      std::size_t row = 0;
      sample(*integrator, times,
             [&](double, const State& s) { error[i] = std::max(error[i], distance(model_, exact[row++], s)); });
    }
    const double measured = std::log2(error[0] / error[1]);
    std::printf("    %-24s between steps: error %.2e, order %.2f\n", method.c_str(), error[1], measured);
    EXPECT_GE(measured, order - 0.4) << method;
  }
}

TEST_F(Order, ToleranceIsMetByAdaptiveMethods) {
  std::vector<std::string> methods{"dopri5", "munthe_kaas_54"};
  if (has_cvode()) methods.push_back("cvode");
  for (const std::string& method : methods)
    for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
      const double error = distance(model_, exact_, run(method, dynamics_, start_, kEnd, with_tolerance(tolerance)));
      std::printf("    %-16s tolerance %.0e: error %.1e\n", method.c_str(), tolerance, error);
      EXPECT_LT(error, 1e3 * tolerance) << method;
    }
}

}  // namespace
}  // namespace cardan::test::order_test
