// Joints askew to the frame of a hinged body, but square to its hinge: the internal frame is turned about the hinge.
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test::turned_frames_test {
namespace {

const MassProperties kBody{1.0, {0.1, 0.2, 0.3}, {0.2, 0.3, 0.4, 0.01, 0.02, 0.03}};

/// A hinge about `sign` z and on it two sliders along (cos angle, sin angle) and another direction.
Model hand(double sign, double angle, const Vec3<double>& second) {
  ModelBuilder builder("hand");
  builder.body("palm", kBody).body("left", kBody).body("right", kBody);
  builder.joint("world", "palm", Revolute{{0.0, 0.0, sign}});
  builder.joint("palm", "left", Prismatic{{std::cos(angle), std::sin(angle), 0.0}});
  builder.joint("palm", "right", Prismatic{second});
  return builder.build();
}

TEST(TurnedFrames, MakeCoordinateAxesAndLeavePosesAlone) {
  for (const double sign : {1.0, -1.0})
    for (const double angle : {0.3, 0.25 * 3.14159265358979323846, 1.9}) {
      const Model model = hand(sign, angle, {std::sin(angle), -std::cos(angle), 0.0});
      ASSERT_EQ(model.angle_offsets().size(), 1u);
      for (const int body : {2, 3}) {
        EXPECT_GE(model.link(body).kernel, JointKernel::prismatic_x);
        EXPECT_LE(model.link(body).kernel, JointKernel::prismatic_z);
      }
      const double q0 = 0.7, slide = 0.4;
      const std::vector<double> q{q0, slide, -slide};
      Workspace<double> w(model);
      Kinematics<double> k(model);
      forward_kinematics<double>(model, w, q, k);
      const Pose<double> left = frame_pose(model, k, model.find_frame("left")),
                         right = frame_pose(model, k, model.find_frame("right"));
      const double turned = sign * q0 + angle;
      EXPECT_NEAR(left.p[0], slide * std::cos(turned), 1e-15);
      EXPECT_NEAR(left.p[1], slide * std::sin(turned), 1e-15);
      EXPECT_NEAR(right.p[0], -slide * std::sin(turned), 1e-15);
      EXPECT_NEAR(right.p[1], slide * std::cos(turned), 1e-15);
      EXPECT_NEAR(left.R(0, 0), std::cos(q0), 1e-15);
      EXPECT_NEAR(left.R(1, 0), sign * std::sin(q0), 1e-15);
    }
}

TEST(TurnedFrames, NotWhereItWouldSpoilAnAxisOrCannotHelp) {
  EXPECT_TRUE(hand(1.0, 0.3, {1.0, 0.0, 0.0}).angle_offsets().empty());  // one is a coordinate axis
  EXPECT_TRUE(
      hand(1.0, 0.3, {std::cos(0.4), std::sin(0.4), 0.0}).angle_offsets().empty());  // not square to one another
  EXPECT_TRUE(hand(1.0, 0.3, {std::cos(0.3), 0.0, std::sin(0.3)}).angle_offsets().empty());  // not square to the hinge
  EXPECT_TRUE(hand(1.0, 0.0, {0.0, 1.0, 0.0}).angle_offsets().empty());                      // nothing to gain
}

}  // namespace
}  // namespace cardan::test::turned_frames_test
