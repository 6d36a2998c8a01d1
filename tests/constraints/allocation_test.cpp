// After the first call, constrained forward dynamics by articulated inertias allocates nothing.
#include "tests/support/allocation_counter.hpp"

#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/model/internal/sample_states.hpp"
#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test::constraint_allocation_test {
namespace {

/// A chain from the world to the world and one from link to link; with `twice`, the second one is there two times, so
/// that its rows repeat one another.
Model closed_chain(int links, const Joint& joint, bool twice) {
  ModelBuilder builder("chain");
  // bent, so that no row repeats another by chance
  const auto place = [](int i) { return Vec3<double>{0.1 * i, 0.05 * std::sin(2.0 * i), 0.05 * std::cos(3.0 * i)}; };
  const auto between = [&](int from, int to) {
    return Pose<double>{Mat3<double>::identity(), from < 0 ? place(to) : place(to) - place(from)};
  };
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i);
    Vec3<double> axis;
    axis[i % 3] = 1.0;
    builder.body(name, {1.0, {0.05, 0.01, 0.0}, {0.002, 0.003, 0.0025, 0.0, 0.0, 0.0}});
    builder.joint(i == 0 ? "world" : "link" + std::to_string(i - 1), name, Revolute{axis}, between(i - 1, i));
  }
  const auto close = [&](const std::string& name, int from, int to) {
    JointSpec loop;
    loop.name = name;
    loop.predecessor = from < 0 ? "world" : "link" + std::to_string(from);
    loop.successor = "link" + std::to_string(to);
    loop.type = joint;
    loop.at = between(from, to);
    loop.closes_loop = true;
    builder.joint(loop);
  };
  close("whole", -1, links - 1);
  close("part", 5, links - 6);
  if (twice) close("part again", 5, links - 6);
  return builder.build();
}

class ConstrainedAllocation : public ::testing::TestWithParam<bool> {};

TEST_P(ConstrainedAllocation, NoneAfterTheFirstCall) {
  for (const Joint& joint :
       {Joint(Spherical{}), Joint(Revolute{{0.0, 0.0, 1.0}}), Joint(Fixed{}), Joint(Universal{})}) {
    const Model model = closed_chain(30, joint, GetParam());
    ConstrainedDynamics dynamics(ConstraintSet(model), ConstraintMethod::articulated);
    dynamics.stabilization = Baumgarte::with_time(0.1);
    const std::vector<double> q = model.neutral();
    SampleState state = sample_states(model, 1, 20260701)[0];
    std::vector<double> a(state.v.size());
    dynamics.forward_dynamics(0.0, q, state.v, state.tau, a);
    const AllocationCounter allocations;
    for (int i = 0; i < 3; ++i) {
      dynamics.project_velocities(0.0, q, state.v);
      dynamics.forward_dynamics(0.0, q, state.v, state.tau, a);
    }
    EXPECT_EQ(allocations.count(), 0) << joint.type_name();
    EXPECT_EQ(dynamics.rank() < dynamics.constraints().rows(), GetParam()) << joint.type_name();
  }
}

INSTANTIATE_TEST_SUITE_P(RowsThatRepeat, ConstrainedAllocation, ::testing::Bool());

}  // namespace
}  // namespace cardan::test::constraint_allocation_test
