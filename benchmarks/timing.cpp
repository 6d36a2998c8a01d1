#include "benchmarks/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cardan::bench {

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}
}  // namespace

std::vector<double> time_together(const std::vector<Call>& ways, int states, const Effort& effort) {
  std::vector<int> calls;
  for (const Call& call : ways) {  // also warms caches and branch predictors
    for (int i = 0; i < states; ++i) call(i);
    const double start = now_ns();
    for (int i = 0; i < states; ++i) call(i);
    const double each = (now_ns() - start) / states;
    calls.push_back(std::max(1, static_cast<int>(effort.block_ns / each)));
  }
  std::vector<std::vector<double>> times(ways.size());
  for (int block = 0; block < effort.blocks; ++block)
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const double start = now_ns();
      for (int i = 0, state = 0; i < calls[k]; ++i, state = state + 1 == states ? 0 : state + 1) ways[k](state);
      times[k].push_back((now_ns() - start) / calls[k]);
    }
  std::vector<double> result;
  for (const auto& t : times) result.push_back(median(t));
  return result;
}

double fma_per_ns() {
  constexpr int chains = 12;  // enough independent ones to hide the latency
  double x[chains];
  for (int i = 0; i < chains; ++i) x[i] = 1.0 + 1e-3 * i;
  const double a = 0.999999, b = 1e-7;
  constexpr int rounds = 2000000;
  double best = 0.0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = now_ns();
    for (int r = 0; r < rounds; ++r)
      for (int i = 0; i < chains; ++i) x[i] = std::fma(x[i], a, b);
    best = std::max(best, chains * static_cast<double>(rounds) / (now_ns() - start));
    double sum = 0.0;
    for (const double value : x) sum += value;
    volatile double keep = sum;
    (void)keep;
  }
  return best;
}

}  // namespace cardan::bench
