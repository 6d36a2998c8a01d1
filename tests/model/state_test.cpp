// Moving along the configuration manifold of a whole model.
#include "cardan/model/state.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan {
namespace {

Model three_joints() {
  const MassProperties mass{1.0, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}};
  const std::vector<Joint> parts{Joint(SphericalExponential{}), Joint(Prismatic{})};
  return ModelBuilder()
      .body("a", mass)
      .body("b", mass)
      .body("c", mass)
      .joint("world", "a", Free{})
      .joint("a", "b", Spherical{}, {Mat3<double>::identity(), {1.0, 0.0, 0.0}})
      .joint("b", "c", Composite(parts), {Mat3<double>::identity(), {0.0, 1.0, 0.0}})
      .build();
}

TEST(State, StartsAtTheZeroPoseAtRest) {
  const State state(three_joints());
  const std::vector<double> zero{1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(state.q, zero);
  EXPECT_EQ(state.v, std::vector<double>(13, 0.0));
}

TEST(State, DifferenceUndoesIntegrate) {
  const Model model = three_joints();
  State state(model);
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(i));
  std::vector<double> q1(state.q.size()), q2(state.q.size()), v(state.v.size());
  integrate(model, state.q.data(), state.v.data(), 1.0, q1.data());  // away from the zero pose first
  integrate(model, q1.data(), state.v.data(), 0.5, q2.data());
  difference(model, q1.data(), q2.data(), v.data());
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], 0.5 * state.v[i], 1e-14) << i;
}

TEST(State, NormalizeMovesNothing) {
  const Model model = three_joints();
  State state(model);
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = std::cos(static_cast<double>(i));
  for (std::size_t i = 0; i < 4; ++i) state.q[7 + i] = 0.5;
  state.q[11] = 3.0, state.q[12] = -2.0, state.q[13] = 1.5;  // longer than pi
  Workspace<double> w(model);
  Kinematics<double> before(model), after(model);
  forward_kinematics(model, w, state.q, state.v, before);
  for (std::size_t i = 0; i < 4; ++i) state.q[7 + i] *= 1.0 + 1e-9;
  normalize(model, state);
  forward_kinematics(model, w, state.q, state.v, after);
  EXPECT_NEAR(std::hypot(state.q[7], state.q[8], std::hypot(state.q[9], state.q[10])), 1.0, 1e-15);
  EXPECT_LT(std::hypot(state.q[11], state.q[12], state.q[13]), 3.2);
  for (std::size_t i = 1; i < 4; ++i)
    for (int c = 0; c < 6; ++c) EXPECT_NEAR(after.v[i][c], before.v[i][c], 1e-12);
}

}  // namespace
}  // namespace cardan
