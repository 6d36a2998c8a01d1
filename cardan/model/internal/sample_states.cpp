#include "cardan/model/internal/sample_states.hpp"

#include "cardan/model/state.hpp"

#include <random>

namespace cardan {

std::vector<SampleState> sample_states(const Model& model, int count, std::uint64_t seed, double reach) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto numbers = [&] {
    std::vector<double> x(static_cast<std::size_t>(model.nv()));
    for (double& e : x) e = uniform(random);
    return x;
  };
  std::vector<SampleState> states(static_cast<std::size_t>(count));
  for (SampleState& s : states) {
    s.q = model.neutral();
    integrate(model, s.q.data(), numbers().data(), reach, s.q.data());
    s.v = numbers();
    s.a = numbers();
    s.tau = numbers();
  }
  return states;
}

}  // namespace cardan
