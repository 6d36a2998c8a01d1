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

Contest::Contest(std::vector<Call> ways, int states, double block_ns) : ways_(std::move(ways)), states_(states) {
  for (const Call& call : ways_) {
    for (int i = 0; i < states_; ++i) call(i);
    const double start = now_ns();
    for (int i = 0; i < states_; ++i) call(i);
    const double each = (now_ns() - start) / states_;
    calls_.push_back(std::max(1, static_cast<int>(block_ns / each)));
  }
}

void Contest::run_round(int blocks) {
  for (const Call& call : ways_)  // warms caches and branch predictors
    for (int i = 0; i < states_; ++i) call(i);
  std::vector<std::vector<double>> times(ways_.size());
  for (int block = 0; block < blocks; ++block)
    for (std::size_t k = 0; k < ways_.size(); ++k) {
      const double start = now_ns();
      for (int i = 0, state = 0; i < calls_[k]; ++i, state = state + 1 == states_ ? 0 : state + 1) ways_[k](state);
      times[k].push_back((now_ns() - start) / calls_[k]);
    }
  medians_.emplace_back();
  for (const auto& t : times) medians_.back().push_back(median(t));
}

std::vector<double> Contest::medians() const {
  std::vector<double> best = medians_.front();
  for (const auto& round : medians_)
    for (std::size_t k = 0; k < best.size(); ++k) best[k] = std::min(best[k], round[k]);
  const auto disturbance = [&best](const std::vector<double>& round) {
    double sum = 0.0;
    for (std::size_t k = 0; k < best.size(); ++k) sum += round[k] / best[k];
    return sum;
  };
  return *std::min_element(medians_.begin(), medians_.end(),
                           [&](const auto& a, const auto& b) { return disturbance(a) < disturbance(b); });
}

std::vector<double> time_together(const std::vector<Call>& ways, int states, const Effort& effort) {
  Contest contest(ways, states, effort.block_ns);
  for (int round = 0; round < effort.rounds; ++round) contest.run_round(effort.blocks);
  return contest.medians();
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
