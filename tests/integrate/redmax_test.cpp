// Linearly implicit Euler, BDF1 and BDF2 against the state histories of the public REDMAX scenes that have nothing but
// joints, torques and joint springs.
#include "tests/integrate/flat_bdf.hpp"
#include "tests/integrate/redmax_dynamics.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

/// The reference shortens rotation vectors at the start of a step when they are longer than 1.5 pi, and stores that.
void shorten(const RedmaxScene& scene, Integrator& integrator) {
  State state = integrator.state();
  bool any = false;
  for (const int first : scene.rotation_vectors) {
    double *q = state.q.data() + first, *v = state.v.data() + first;
    if (norm(Vec3<double>{q[0], q[1], q[2]}) <= 1.5 * std::numbers::pi) continue;
    SphericalExponential::reparameterise(q, v);
    any = true;
  }
  if (any) integrator.start(integrator.time(), state);
}

/// The reference changes charts of Euler angles there; the library does not know charts.
bool near_a_singularity(const RedmaxScene& scene, const State& state) {
  return std::any_of(scene.euler_angles.begin(), scene.euler_angles.end(), [&](int first) {
    return std::abs(std::cos(state.q[static_cast<std::size_t>(first + 1)])) <= 0.5;
  });
}

class RedmaxEuler : public ::testing::TestWithParam<int> {};

TEST_P(RedmaxEuler, LinearlyImplicit) {
  constexpr const char* kFile = "redmax/scenes.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const RedmaxScene scene(*find_scene(*file, GetParam()));
  SpringsImplicit dynamics(scene);
  const double h = scene.data.at("h_euler");
  const auto& measured = scene.data.at("measured").at("redmax_euler");
  const auto& times = measured.at("t");
  Worst error("states and energy, scene " + std::to_string(GetParam()), 1e-9);
  const auto integrator = make_integrator("linearly_implicit_euler", dynamics, with_step(h));
  integrator->start(0.0, scene.start);
  for (std::size_t row = 0; row < times.size(); ++row) {
    while (integrator->time() < times[row].get<double>() - 0.5 * h) {
      integrator->step(1e9);
      shorten(scene, *integrator);
    }
    error.add(error_of(scene, measured.at("q")[row], integrator->state().q), "q, row " + std::to_string(row));
    error.add(error_of(scene, measured.at("qdot")[row], integrator->state().v), "v, row " + std::to_string(row));
  }
  error.add(energy_error(scene, integrator->state(), measured.at("H")), "energy");
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxEuler, ::testing::Values(0, 1, 2, 3, 5, 11, 14, 16, 18, 19, 21, 22, 35),
                         [](const auto& info) { return "Scene" + std::to_string(info.param); });

class RedmaxBdf : public ::testing::TestWithParam<int> {};

TEST_P(RedmaxBdf, OrdersOneAndTwo) {
  constexpr const char* kFile = "redmax/scenes_diff.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const RedmaxScene scene(*find_scene(*file, GetParam()));
  SceneDynamics dynamics(scene);
  const double h = scene.data.at("h");
  const std::string id = std::to_string(GetParam());
  for (const int order : {1, 2}) {
    const std::string method = "bdf" + std::to_string(order);
    const auto& measured = scene.data.at("measured").at(order == 1 ? "BDF1" : "BDF2");
    // the reference stops Newton's method early, and by up to 2e-6 (scene 9) that is what differs
    Worst scheme(method + " against the scheme, scene " + id, 1e-9);
    Worst reference("the scheme, or " + method + ", against the reference, scene " + id, 1e-9);
    Worst direct(method + " against the reference, its stop included, scene " + id, 2e-6);
    const auto integrator = make_integrator(method, dynamics, with_step(h));
    integrator->start(0.0, scene.start);
    FlatBdf exact(order, dynamics, scene.start, h, 1e-13), stopped(order, dynamics, scene.start, h, 1e-9);
    const auto values = [](const Eigen::VectorXd& x) { return std::vector<double>(x.data(), x.data() + x.size()); };
    bool same_chart = true;
    for (std::size_t row = 0; row < measured.at("t").size() && same_chart; ++row) {
      for (; integrator->time() < measured.at("t")[row].get<double>() - 0.5 * h && same_chart;) {
        integrator->step(1e9);
        exact.step();
        stopped.step();
        same_chart = !near_a_singularity(scene, integrator->state());
      }
      if (!same_chart) break;
      const State& state = integrator->state();
      const auto error = [](const Eigen::VectorXd& a, const std::vector<double>& b) {
        return relative_error(a, Eigen::Map<const Eigen::VectorXd>(b.data(), a.size()), 1.0);
      };
      scheme.add(std::max(error(exact.q, state.q), error(exact.v, state.v)), "row " + std::to_string(row));
      const auto &q = measured.at("q")[row], &v = measured.at("qdot")[row];
      const double with_stop = std::max(error_of(scene, q, values(stopped.q)), error_of(scene, v, values(stopped.v)));
      const double without = std::max(error_of(scene, q, state.q), error_of(scene, v, state.v));
      reference.add(std::min(with_stop, without), "row " + std::to_string(row));
      direct.add(without, "row " + std::to_string(row));
    }
    if (same_chart)
      direct.add(energy_error(scene, integrator->state(), measured.at("H")), "energy");
    else
      std::printf("    %s, scene %s: compared up to t = %g, where the reference changes the chart of Euler angles\n",
                  method.c_str(), id.c_str(), integrator->time());
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxBdf, ::testing::Values(-2, -1, 0, 1, 2, 3, 6, 7, 9), [](const auto& info) {
  return info.param < 0 ? "Minus" + std::to_string(-info.param) : "Scene" + std::to_string(info.param);
});

}  // namespace
}  // namespace cardan::test
