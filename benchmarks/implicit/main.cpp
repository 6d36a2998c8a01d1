// cardan_bench_implicit SCENE...: what one linearly implicit step of each scene costs, eliminated on the graph of
// bodies and by conjugate gradients, with the iterations that these take (`make bench-implicit`).
#include "benchmarks/timing.hpp"
#include "cardan/dynamics/internal/redmax_problem.hpp"
#include "cardan/io/load.hpp"
#include "cardan/simulate/simulate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace {

using namespace cardan;
using namespace cardan::bench;

struct Row {
  double n = 0.0, eliminated = 0.0, iterated = 0.0;
};

/// Prints one scene, with the exponents of growth since the row before.
Row time_scene(const std::string& path, const Row& before) {
  Scene scene = load(path);
  assemble(scene);
  scene.settings.formulation = Formulation::redmax;
  const System system(scene);
  RedmaxProblem iterated(system, scene.model);
  MaximalProblem eliminated(system, std::vector<bool>(static_cast<std::size_t>(scene.model.bodies()) + 1, false));
  const double h = scene.settings.steps.step;
  std::vector<double> direct(static_cast<std::size_t>(scene.model.nv())), products(direct.size());
  const Point at{0.0, scene.initial.q, scene.initial.v, scene.initial.z};
  const auto ns = time_together({[&](int) { eliminated.step_implicitly(at, h, direct); },
                                 [&](int) { iterated.step_implicitly(at, h, products); }},
                                1, {5, 3, 100000});
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < direct.size(); ++i) {
    difference = std::max(difference, std::abs(direct[i] - products[i]));
    size = std::max(size, std::abs(direct[i]));
  }
  const Row row{static_cast<double>(scene.model.bodies()), ns[0], ns[1]};
  const auto growth = [&](double now, double then) {
    return before.n > 0.0 ? fmt::format("n^{:.2f}", std::log(now / then) / std::log(row.n / before.n)) : std::string();
  };
  fmt::print("  {:<20} {:>7} {:>11.2f} {:>7} {:>11.2f} {:>7} {:>11} {:>12.1e}\n", scene.model.name(), row.n,
             1e-6 * row.eliminated, growth(row.eliminated, before.eliminated), 1e-6 * row.iterated,
             growth(row.iterated, before.iterated), iterated.iterations(), difference / size);
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("  {:<20} {:>7} {:>11} {:>7} {:>11} {:>7} {:>11} {:>12}\n", "one implicit step", "bodies", "direct ms",
             "growth", "CG ms", "growth", "iterations", "differ by");
  Row before;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--") {
      before = {};
      continue;
    }
    before = time_scene(argv[i], before);
  }
}
