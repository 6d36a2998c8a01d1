#include "apps/scene_acceleration.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace cardan::command {

namespace {

System without_code(Scene scene) {
  scene.settings.code = Settings::Code::generic;
  scene.settings.formulation = Formulation::recursive;
  return System(scene);
}

}  // namespace

SceneAcceleration::SceneAcceleration(const Scene& scene) : system_(without_code(scene)), workspace_(system_) {
  const double t = system_.settings().start;
  start_ = system_.initial(workspace_.assemble(t, scene.initial).state);
  beyond_ = beyond_code(system_);
  if (!beyond_.empty()) return;
  if (auto rows = independent_rows(system_, t, start_.q))
    rows_ = std::move(*rows);
  else
    beyond_.emplace_back("the mechanism starts where its constraints repeat one another, or has too many");
}

bool SceneAcceleration::has_more() const {
  return system_.forces().size() > system_.plain_springs() || !system_.constraints().empty();
}

double SceneAcceleration::check(const CompiledC& code, int states) {
  using Function = void (*)(const double*, const double*, const double*, const double*, const double*, const double*,
                            double*, double*, double*);
  const auto function = reinterpret_cast<Function>(code.find("acceleration"));
  RecursiveProblem expected(workspace_.system(), system_.model());
  std::mt19937_64 random(1);
  const auto any = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  double worst = 0.0;
  for (int i = 0; i < states; ++i) {
    const double t = system_.settings().start + any(0.0, 0.01);
    State state = start_;
    std::vector<double> step(state.v.size());
    for (double& x : step) x = any(-0.05, 0.05);
    integrate(system_.model(), start_.q.data(), step.data(), 1.0, state.q.data());
    for (double& v : state.v) v += any(-0.5, 0.5);
    const Assembly assembly = workspace_.assemble(t, state);
    if (!assembly.closed) continue;
    state.q = assembly.state.q;
    state.v = assembly.state.v;
    if (ConstrainedDynamics* constraints = workspace_.constraints())
      constraints->project_velocities(t, state.q, state.v);
    for (double& z : state.z) z += any(0.0, 0.05);
    for (double& u : workspace_.inputs()) u = any(-1.0, 1.0);
    const std::vector<double> tau(state.v.size()), u(workspace_.inputs().begin(), workspace_.inputs().end());
    const auto n = state.v.size();
    std::vector<double> ours(n + state.z.size()), theirs(ours.size(), std::nan(""));
    double clearance = 0.0;
    expected.acceleration({t, state}, Out<double>(ours.data(), static_cast<int>(n)),
                          Out<double>(ours.data() + n, static_cast<int>(state.z.size())));
    function(&t, state.q.data(), state.v.data(), state.z.data(), u.data(), tau.data(), theirs.data(), theirs.data() + n,
             &clearance);
    worst = std::max(worst, relative_difference(ours, theirs));
  }
  return worst;
}

}  // namespace cardan::command
