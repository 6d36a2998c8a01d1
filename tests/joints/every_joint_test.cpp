// Every type of the Joint variant through the common joint tester, forward and reversed, at random states, in models
// at the root, inside and at the tip.
#include "tests/support/joint_tester.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

constexpr std::size_t kTypes = std::variant_size_v<decltype(Joint::type)>;

class EveryJoint : public ::testing::TestWithParam<std::size_t> {
 protected:
  /// Calls check(joint, random) for several joints of this type, half of them reversed.
  template <class Check>
  void with_joints(int count, const Check& check) {
    Random random(17 + GetParam());
    for (int i = 0; i < count; ++i) {
      Joint joint = random_joint(random, GetParam());
      ASSERT_EQ(joint.type.index(), GetParam()) << "random_joint does not know this type";
      joint.reversed = i % 2 == 1;
      check(joint, random);
    }
  }
};

TEST_P(EveryJoint, StartsAtTheIdentity) {
  with_joints(6, [](const Joint& joint, Random&) { check_zero_pose(joint); });
}

TEST_P(EveryJoint, PoseSubspaceAndBiasAgree) {
  with_joints(20, [](const Joint& joint, Random& random) {
    const Eigen::VectorXd v = random.values(joint.nv());
    check_joint(joint, random_configuration(random, joint), {v.begin(), v.end()});
  });
}

TEST_P(EveryJoint, GivesTheRightDynamicsEverywhereInATree) {
  unsigned seed = 0;
  with_joints(6, [&](const Joint& joint, Random&) { check_joint_in_models(joint, ++seed); });
}

INSTANTIATE_TEST_SUITE_P(Types, EveryJoint, ::testing::Range<std::size_t>(0, kTypes), [](const auto& info) {
  Random random(1);
  return std::string(random_joint(random, info.param).type_name());
});

template <std::size_t... I>
constexpr bool all_simple_types_are_joint_types(std::index_sequence<I...>) {
  return ((SizedAtRunTime<std::variant_alternative_t<I, decltype(Joint::type)>> ||
           JointType<std::variant_alternative_t<I, decltype(Joint::type)>>)&&...);
}
static_assert(all_simple_types_are_joint_types(std::make_index_sequence<kTypes>{}));

}  // namespace
}  // namespace cardan::test
