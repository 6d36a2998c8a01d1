// The cache of compiled models: its bound, and threads that compile at once.
#include "cardan/compile/internal/compile_cache.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/joints/surface.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace cardan::test {
namespace {

constexpr CompileCache::Bound kRoomy{};

TEST(CompileCache, KeepsSoManyModelsTheLatestOnes) {
  CompileCache cache({2, kRoomy.code_bytes});
  const Model a = random_model(1), b = random_model(2), c = random_model(3);
  const auto of_a = cache.compile(a, {ModelFunction::gravity}), of_b = cache.compile(b, {ModelFunction::gravity});
  EXPECT_EQ(cache.compile(a, {ModelFunction::gravity}), of_a);  // b is now the oldest
  cache.compile(c, {ModelFunction::gravity});
  EXPECT_EQ(cache.models(), 2u);
  EXPECT_EQ(cache.compile(a, {ModelFunction::gravity}), of_a);
  EXPECT_NE(cache.compile(b, {ModelFunction::gravity}), of_b);
}

TEST(CompileCache, KeepsSoManyBytesOfCode) {
  const Model a = random_model(1), b = random_model(2);
  CompileOptions options;
  options.executable.backend = Backend::interpreter;
  const std::size_t bytes_of_a = CompiledModel(a, {ModelFunction::bias}, options).code_bytes(),
                    bytes_of_b = CompiledModel(b, {ModelFunction::bias}, options).code_bytes();
  ASSERT_GT(bytes_of_a, 0u);
  CompileCache both({10, bytes_of_a + bytes_of_b}), one({10, bytes_of_a + bytes_of_b - 1}), none({10, 0});
  for (CompileCache* cache : {&both, &one, &none})
    for (const Model* model : {&a, &b}) EXPECT_NE(cache->compile(*model, {ModelFunction::bias}, options), nullptr);
  EXPECT_EQ(both.models(), 2u);
  EXPECT_EQ(both.code_bytes(), bytes_of_a + bytes_of_b);
  EXPECT_EQ(one.models(), 1u);
  EXPECT_EQ(one.code_bytes(), bytes_of_b);
  EXPECT_EQ(none.models(), 0u);
  EXPECT_EQ(none.code_bytes(), 0u);
}

TEST(CompileCache, KeepsCodeWithSpringsApart) {
  CompileCache cache(kRoomy);
  const auto hinge = [](double damping) {
    DofProperties dof;
    dof.damping = damping;
    return ModelBuilder()
        .body("arm", {1.0, {0.1, 0.2, 0.3}, {0.2, 0.3, 0.25, 0.01, 0.02, 0.03}})
        .joint(JointSpec{"hinge", "world", "arm", Revolute({0.0, 1.0, 0.0}), {}, {}, {dof}, {}, {}})
        .build();
  };
  const CompileOptions with_springs{.joint_springs = true};
  const auto both = [&](const Model& model, ModelFunction function) {
    return std::pair{cache.compile(model, {function}), cache.compile(model, {function}, with_springs)};
  };
  const Model damped = hinge(0.5);
  const auto [plain, sprung] = both(damped, ModelFunction::forward_dynamics);
  EXPECT_NE(plain, sprung);
  EXPECT_EQ(cache.compile(damped, {ModelFunction::forward_dynamics}), plain);
  EXPECT_EQ(cache.compile(damped, {ModelFunction::forward_dynamics}, with_springs), sprung);
  // nothing to tell apart
  const auto [bias, same_bias] = both(damped, ModelFunction::bias);
  EXPECT_EQ(bias, same_bias);
  const auto [undamped, same_undamped] = both(hinge(0.0), ModelFunction::forward_dynamics);
  EXPECT_EQ(undamped, same_undamped);
}

/// A body on an invented joint, so that compiling differentiates, traces and translates.
Model rolling(double radius) {
  const Surface ring = torus_surface(1.0, radius);
  return ModelBuilder()
      .body("wheel", {1.0, {0.1, 0.2, 0.3}, {0.2, 0.3, 0.25, 0.01, 0.02, 0.03}})
      .body("arm", {1.0, {0.1, 0.2, 0.3}, {0.2, 0.3, 0.25, 0.01, 0.02, 0.03}})
      .joint("world", "wheel", surface_on_surface(ring, ring, free_spin))
      .joint("wheel", "arm", Revolute({0.0, 1.0, 0.0}), {Mat3<double>::identity(), {0.1, 0.2, 0.3}})
      .build();
}

void expect_generic_dynamics(const Model& model, const CompiledModel& compiled) {
  const std::vector<double> q(static_cast<std::size_t>(model.nq()), 0.3), v(static_cast<std::size_t>(model.nv()), 0.2),
      tau(v.size(), 0.1);
  std::vector<double> expected(v.size()), found(v.size());
  Workspace<double> w(model);
  forward_dynamics(model, w, q, v, tau, expected);
  CompiledWorkspace own(compiled);
  forward_dynamics(compiled, own, q, v, tau, found);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10 * (1.0 + std::abs(expected[i])));
}

TEST(CompileCache, ThreadsCompileDifferentModelsAtOnce) {
  CompileCache cache(kRoomy);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&cache, k] {
      for (int i = 0; i < 3; ++i) {
        const Model model = rolling(0.2 + 0.05 * k + 0.01 * i);
        CompileOptions options;
        options.method = i == 1 ? Method::joints : Method::symbolic;
        expect_generic_dynamics(model, *cache.compile(model, {ModelFunction::forward_dynamics}, options));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache.models(), 12u);
}

TEST(CompileCache, ThreadsThatCompileTheSameModelShareIt) {
  CompileCache cache(kRoomy);
  const Model model = rolling(0.3);
  std::vector<std::shared_ptr<const CompiledModel>> found(4);
  std::vector<std::thread> threads;
  for (auto& mine : found)
    threads.emplace_back([&] {
      mine = cache.compile(model, {ModelFunction::forward_dynamics});
      expect_generic_dynamics(model, *mine);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set(found.begin(), found.end()).size(), 1u);
  EXPECT_EQ(cache.models(), 1u);
}

}  // namespace
}  // namespace cardan::test
