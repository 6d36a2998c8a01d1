// Pendulums and tops against solutions with 34 digits (Lagrange's equations, elliptic functions).
#include "cardan/integrate/event.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

namespace cardan::test::pendulums_test {
namespace {

constexpr const char* kFile = "golden/pendulums.json";

/// A slender rod that hangs along -z from its frame.
MassProperties rod(double mass, double length) {
  const double I = mass * length * length / 12.0;
  return {mass, {0.0, 0.0, -0.5 * length}, {I, I, 0.0, 0.0, 0.0, 0.0}};
}

TEST(Pendulums, DoublePendulumOverTenSeconds) {
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const auto& golden = file->at("double_pendulum");
  const Model model =
      ModelBuilder()
          .body("rod1", rod(1.2, 1.0))
          .body("rod2", rod(0.8, 0.7))
          .joint("world", "rod1", Revolute{{0.0, 1.0, 0.0}})
          .joint("rod1", "rod2", Revolute{{0.0, 1.0, 0.0}}, {Mat3<double>::identity(), {0.0, 0.0, -1.0}})
          .build();
  TreeProblem dynamics(model);
  State start(model);
  start.q = golden.at("q0").get<std::vector<double>>();
  start.v = golden.at("qdot0").get<std::vector<double>>();
  for (const char* method : {"dopri5", "munthe_kaas_54"}) {
    const auto integrator = make_integrator(method, dynamics, with_tolerance(1e-13));
    integrator->start(0.0, start);
    std::vector<double> times;
    for (const auto& entry : golden.at("trajectory")) times.push_back(entry.at("t"));
    Worst q("q by dense output", 1e-8), v("v by dense output", 1e-8);
    std::size_t row = 0;
    sample(*integrator, times, [&](double, const State& state) {
      const auto& entry = golden.at("trajectory")[row++];
      for (std::size_t i = 0; i < 2; ++i) {
        q.add(std::abs(state.q[i] - entry.at("q")[i].get<double>()), method);
        v.add(std::abs(state.v[i] - entry.at("qdot")[i].get<double>()), method);
      }
    });
    std::printf("    %s: %ld steps, %ld rejected, %ld evaluations\n", method, integrator->accepted(),
                integrator->rejected(), integrator->evaluations());
  }
}

TEST(Pendulums, TopWithPrecessionAndNutation) {
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const Model model = ModelBuilder()
                          .body("top", {0.5, {0.0, 0.0, 0.1}, {0.001, 0.001, 0.0018, 0.0, 0.0, 0.0}})
                          .joint("world", "top", Spherical{})
                          .build();
  TreeProblem dynamics(model);
  for (const auto& golden : file->at("lagrange_top").at("cases")) {
    State start(model);
    Mat3<double> R0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) R0(static_cast<int>(i), static_cast<int>(j)) = golden.at("R0")[i][j];
    const Quaternion<double> q0 = quaternion_from_matrix(R0);
    for (int i = 0; i < 4; ++i) start.q[static_cast<std::size_t>(i)] = q0[i];
    start.v = golden.at("omega0_body").get<std::vector<double>>();
    for (const char* method : {"munthe_kaas_54", "dopri5"}) {
      const auto integrator = make_integrator(method, dynamics, with_tolerance(1e-13));
      integrator->start(0.0, start);
      std::vector<double> times;
      for (const auto& entry : golden.at("trajectory")) times.push_back(entry.at("t"));
      Worst turn("R", 1e-8), omega("omega", 1e-8);
      std::size_t row = 0;
      sample(*integrator, times, [&](double, const State& state) {
        const auto& entry = golden.at("trajectory")[row++];
        const auto R = quaternion_to_matrix(Quaternion<double>{state.q[0], state.q[1], state.q[2], state.q[3]});
        for (std::size_t i = 0; i < 3; ++i) {
          omega.add(std::abs(state.v[i] - entry.at("omega_body")[i].get<double>()), method);
          for (std::size_t j = 0; j < 3; ++j)
            turn.add(std::abs(R(static_cast<int>(i), static_cast<int>(j)) - entry.at("R")[i][j].get<double>()), method);
        }
      });
    }
  }
}

TEST(Pendulums, PeriodByEventLocation) {
  const auto file = shared_json(kFile);
  if (!file) GTEST_SKIP() << missing_data(kFile);
  const Model model =
      ModelBuilder().body("rod", rod(1.5, 1.0)).joint("world", "rod", Revolute{{0.0, 1.0, 0.0}}).build();
  TreeProblem dynamics(model);
  EventOptions upwards;
  upwards.direction = EventOptions::Direction::rising;
  for (const char* method : {"dopri5", "munthe_kaas_54"}) {
    Worst period("period", 1e-10), end("q and v after a period", 1e-9);
    for (const auto& golden : file->at("compound_pendulum").at("cases")) {
      State start(model);
      start.q[0] = golden.at("theta0");
      const double expected = golden.at("period");
      const auto integrator = make_integrator(method, dynamics, with_tolerance(1e-13));
      integrator->start(0.0, start);
      // through the lowest point: forwards at 3/4 of a period after release on the positive side, then once more
      std::vector<double> passages;
      while (passages.size() < 2 && integrator->time() < 3.0 * expected) {
        integrator->step(3.0 * expected);
        if (const auto event = locate_event(
                *integrator, [](const State& s, double) { return s.q[0]; }, upwards))
          passages.push_back(event->time);
      }
      ASSERT_EQ(passages.size(), 2u);
      period.add(std::abs(passages[0] - 0.75 * expected), method);
      period.add(std::abs(passages[1] - passages[0] - expected), method);
      const State after = run(method, dynamics, start, expected, with_tolerance(1e-13));
      end.add(std::max(std::abs(after.q[0] - start.q[0]), std::abs(after.v[0])), method);
    }
  }
}

TEST(Pendulums, HeavyTopOfAnotherCode) {
  // world-frame omega_y after 0.01 s, as another multibody code computes it
  const Model model = ModelBuilder()
                          .body("top", {15.0, {0.0, 1.0, 0.0}, {0.234375, 0.46875, 0.234375, 0.0, 0.0, 0.0}})
                          .joint("world", "top", Spherical{})
                          .build();
  TreeProblem dynamics(model);
  State start(model);
  start.v = {0.0, 150.0, -4.61538};
  Worst rate("omega_y in the world", 1e-10);
  for (const char* method : {"munthe_kaas_54", "dopri5"}) {
    const State end = run(method, dynamics, start, 0.01, with_tolerance(1e-14));
    const auto R = quaternion_to_matrix(Quaternion<double>{end.q[0], end.q[1], end.q[2], end.q[3]});
    const double omega_y = (R * Vec3<double>{end.v[0], end.v[1], end.v[2]})[1];
    std::printf("    %s: %.13f\n", method, omega_y);
    rate.add(std::abs(omega_y - 149.8473939540758), method);
  }
}

}  // namespace
}  // namespace cardan::test::pendulums_test
