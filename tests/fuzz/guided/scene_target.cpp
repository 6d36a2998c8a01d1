// Coverage-guided fuzzing of scenes: whatever the text, it is read and stepped a few times or refused by an exception;
// a run that says it is done has finite numbers.
#include "cardan/io/scene.hpp"
#include "cardan/simulate/simulate.hpp"
#include "tests/fuzz/guided/expect.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr double kSteps = 2.0;
constexpr int kMostSteps = 20;  // of adaptive methods
// Larger scenes are read, not stepped: a step under sanitizers takes long, above all of contacts that contradict.
constexpr int kMostBodies = 30, kMostInContact = 1;

void run(cardan::Scene scene) {
  const bool touches = cardan::System(scene).settings().laws_act;
  if (scene.model.bodies() > (touches ? kMostInContact : kMostBodies)) return;
  cardan::assemble(scene);
  scene.settings.duration = std::min(scene.settings.duration, kSteps * scene.settings.steps.step);
  scene.settings.output_every = scene.settings.duration;
  int steps = 0;
  cardan::SimulateOptions options;
  options.go_on = [&](double) { return ++steps < kMostSteps; };
  const cardan::Trajectory run = cardan::simulate(scene, options);
  if (run.summary.end != cardan::RunSummary::End::done) return;
  const auto finite = [](const auto& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  for (std::size_t row = 0; row < run.size(); ++row)
    cardan::fuzz::expect(finite(run.q(row)) && finite(run.v(row)), "a finished run has finite coordinates");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cardan::fuzz::refuses_in_one_line([&] {
    run(cardan::parse_scene({reinterpret_cast<const char*>(data), size}, "fuzzed.toml"));
  });
  return 0;
}
