// BDF1 and BDF2 against the state histories of the public REDMAX scenes that have nothing but joints, torques and joint
// springs. (Linearly implicit Euler: tests/apps/redmax_test.cpp.)
#include "cardan/integrate/internal/bdf.hpp"
#include "tests/integrate/euler_charts.hpp"
#include "tests/integrate/redmax_dynamics.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

/// A scene stepped by BDF as the reference does it: Newton's method stops at |g| < 1e-9 in the scene's units, and ball
/// joints change their order of Euler angles.
class BdfRun {
 public:
  BdfRun(int order, const nlohmann::json& scene) : order_(order) {
    build(scene);
    rest_ = scene_->potential(scene_->start);
    bdf_->start(0.0, scene_->start);
  }
  const RedmaxScene& scene() const { return *scene_; }
  const Integrator& integrator() const { return *bdf_; }
  int changes() const { return changes_; }
  double energy_error(double expected) const { return test::energy_error(*scene_, bdf_->state(), expected, rest_); }

  void step() {
    State before = bdf_->state();
    bdf_->step(1e9);
    State now = bdf_->state();
    nlohmann::json data = scene_->data;
    bool any = false;
    for (const auto& [joint, first, order] : scene_->euler_angles) {
      const EulerChart chart(order);
      Eigen::Matrix3d R_now, R_before, S, S_before;
      chart.kinematics(now.q.data() + first, R_now, S);
      if (std::abs(S.determinant()) > 0.5) continue;
      chart.kinematics(before.q.data() + first, R_before, S_before);
      const std::string best = best_chart(R_now, R_before);
      for (State* state : {&now, &before})
        change_chart(chart, EulerChart(best), state->q.data() + first, state->v.data() + first);
      data.at("joints").at(joint).at("initial_chart") = best;
      any = true;
    }
    if (!any) return;
    const double t = bdf_->time(), previous_t = bdf_->previous_time();
    build(data);
    bdf_->start(t, now, previous_t, before);
    ++changes_;
  }

 private:
  void build(const nlohmann::json& data) {
    scene_ = std::make_unique<RedmaxScene>(data);
    dynamics_ = std::make_unique<SceneDynamics>(*scene_);
    IntegratorOptions options = with_step(data.at("h"));
    options.newton_residual = 1e-9;
    bdf_ = std::make_unique<Bdf>(order_, *dynamics_, options);
  }

  const int order_;
  int changes_ = 0;
  double rest_ = 0.0;  // potential energy at the beginning
  std::unique_ptr<RedmaxScene> scene_;
  std::unique_ptr<SceneDynamics> dynamics_;
  std::unique_ptr<Bdf> bdf_;
};

class RedmaxBdf : public ::testing::TestWithParam<int> {};

TEST_P(RedmaxBdf, OrdersOneAndTwo) {
  constexpr const char* kFile = "redmax/scenes_diff.json";
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const nlohmann::json& scene = *find_scene(*file, GetParam());
  const double h = scene.at("h");
  for (const int order : {1, 2}) {
    const std::string name = "bdf" + std::to_string(order) + ", scene " + std::to_string(GetParam());
    const auto& measured = scene.at("measured").at(order == 1 ? "BDF1" : "BDF2");
    Worst error(name + ": states and energy", 1e-9);
    BdfRun run(order, scene);
    for (std::size_t row = 0; row < measured.at("t").size(); ++row) {
      while (run.integrator().time() < measured.at("t")[row].get<double>() - 0.5 * h) run.step();
      const State& state = run.integrator().state();
      const std::string where = "row " + std::to_string(row);
      error.add(error_of(run.scene(), measured.at("q")[row], state.q), "q, " + where);
      error.add(error_of(run.scene(), measured.at("qdot")[row], state.v), "v, " + where);
    }
    error.add(run.energy_error(measured.at("H")), "energy");
    // by reading the reference: only its seventh scene changes charts, twice, and only with BDF2
    EXPECT_EQ(run.changes(), GetParam() == 7 && order == 2 ? 2 : 0) << name;
  }
}
INSTANTIATE_TEST_SUITE_P(Scenes, RedmaxBdf, ::testing::Values(-2, -1, 0, 1, 2, 3, 6, 7, 9), [](const auto& info) {
  return info.param < 0 ? "Minus" + std::to_string(-info.param) : "Scene" + std::to_string(info.param);
});

}  // namespace
}  // namespace cardan::test
