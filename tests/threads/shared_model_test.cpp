// Several threads share what is const: a model and its compiled functions; each has workspaces of its own. Run under
// the thread sanitizer by tools/ci.sh (preset tsan).
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/compile/compiled_model.hpp"
#include "cardan/model/internal/sample_states.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace cardan::test {

namespace {

constexpr int kThreads = 4, kStates = 8;

using Accelerations = std::vector<std::vector<double>>;

Accelerations generic(const Model& model, const std::vector<SampleState>& states) {
  Workspace<double> w(model);
  Accelerations out;
  for (const SampleState& s : states) {
    auto& a = out.emplace_back(s.v.size());
    forward_dynamics<double>(model, w, s.q, s.v, s.tau, a);
  }
  return out;
}

/// Compiles as well, so that the threads meet in the cache of compiled models.
Accelerations compiled(const Model& model, const std::vector<SampleState>& states) {
  const auto code = compile(model, {ModelFunction::forward_dynamics});
  CompiledWorkspace w(*code);
  Accelerations out;
  for (const SampleState& s : states) {
    auto& a = out.emplace_back(s.v.size());
    forward_dynamics(*code, w, s.q, s.v, s.tau, a);
  }
  return out;
}

template <class Compute>
void expect_same_in_all_threads(const Compute& compute) {
  const Model model = random_model(7);
  const std::vector<SampleState> states = sample_states(model, kStates, 3);
  std::vector<Accelerations> found(kThreads);
  std::vector<std::thread> threads;
  for (Accelerations& out : found) threads.emplace_back([&] { out = compute(model, states); });
  for (std::thread& thread : threads) thread.join();
  const Accelerations expected = compute(model, states);
  for (const Accelerations& out : found) EXPECT_EQ(out, expected);
}

TEST(Threads, ShareAModel) { expect_same_in_all_threads(generic); }

TEST(Threads, CompileAndRunAModel) { expect_same_in_all_threads(compiled); }

}  // namespace

}  // namespace cardan::test
