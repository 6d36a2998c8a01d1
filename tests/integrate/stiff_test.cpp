// Springs whose period is far shorter than the step.
#include "tests/integrate/run.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// A mass of 1 kg on a spring with this angular frequency, released at 1 m.
struct Oscillator {
  explicit Oscillator(double frequency)
      : model(ModelBuilder()
                  .gravity({0.0, 0.0, 0.0})
                  .body("mass", {1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
                  .joint("world", "mass", Prismatic{{1.0, 0.0, 0.0}})
                  .build()),
        dynamics(model, [k = frequency * frequency](double, In<double> q, In<double>,
                                                    Out<double> tau) { tau[0] = -k * q[0]; }),
        start(model),
        w(frequency) {
    start.q[0] = 1.0;
  }
  /// sqrt(2 E / k), 1 at the start.
  double amplitude(const State& s) const { return std::hypot(s.q[0], s.v[0] / w); }

  Model model;
  TreeProblem dynamics;
  State start;
  double w;
};

TEST(Stiff, ImplicitMethodsAreStableWhereExplicitOnesAreNot) {
  Oscillator stiff(1e5);
  for (const char* method : {"linearly_implicit_euler", "bdf1", "bdf2", "generalized_alpha"})
    EXPECT_LT(stiff.amplitude(run(method, stiff.dynamics, stiff.start, 1.0, with_step(0.01))), 1e-2) << method;
  for (const char* method : {"rk4", "symplectic_euler"})
    EXPECT_GT(stiff.amplitude(run(method, stiff.dynamics, stiff.start, 0.1, with_step(0.01))), 1e3) << method;
}

TEST(Stiff, SpectralRadiusSaysHowMuchGeneralizedAlphaDamps) {
  const auto after = [](double frequency, double radius, int steps) {
    Oscillator oscillator(frequency);
    IntegratorOptions options = with_step(0.01);
    options.spectral_radius = radius;
    return std::abs(run("generalized_alpha", oscillator.dynamics, oscillator.start, 0.01 * steps, options).q[0]);
  };
  // at infinite frequency a step multiplies by the radius (a triple root, hence a polynomial factor too)
  for (const double radius : {0.3, 0.6, 0.9}) {
    const double forty = after(1e7, radius, 40), eighty = after(1e7, radius, 80);
    const double per_step = std::pow(eighty / forty, 1.0 / 40.0);
    EXPECT_NEAR(per_step, radius, 0.05 * radius + 0.02) << radius;
  }
  // and with 1 nothing is lost
  Oscillator slow(50.0);
  IntegratorOptions options = with_step(0.01);
  options.spectral_radius = 1.0;
  EXPECT_NEAR(slow.amplitude(run("generalized_alpha", slow.dynamics, slow.start, 10.0, options)), 1.0, 0.05);
}

}  // namespace
}  // namespace cardan::test
