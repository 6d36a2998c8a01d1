// A model's tree as formats for robots describe it: links that hang on one another by joints of one freedom, by ball
// joints or freely. A joint of several freedoms that is a product of turns and shifts, G = G_0 exp(xi_1 q_1) exp(xi_2
// q_2) ..., is written as these, one after the other: coordinates, their order and the dynamics stay. The twists xi are
// the columns of S at the zero pose, in the axes of the link.
#pragma once

#include "cardan/model/model.hpp"
#include "cardan/spatial/se3.hpp"

#include <string>
#include <vector>

namespace cardan::io {

struct RobotJoint {
  enum class Kind { hinge, slide, ball, free };
  Kind kind = Kind::hinge;
  std::string name;
  Vec3<double> axis;    // of a hinge or slide, in the axes of its link at the zero pose
  Vec3<double> anchor;  // a point of a hinge's axis, or a ball's center, in its link
  DofProperties dof;    // of a hinge or slide

  bool is_plain() const { return kind == Kind::hinge || kind == Kind::slide; }
};

struct RobotLink {
  std::string name, parent;        // a parent that is no link is the world
  std::string joint;               // name of the joint as the model has it
  Pose<double> at;                 // in the parent, at the zero pose
  std::vector<RobotJoint> joints;  // from the parent outward; none: it is fixed
  MassProperties mass;             // those of what is fixed to it included
  std::vector<ShapeInstance> shapes;
};

/// One coordinate that follows another: joint = offset + multiplier * source.
struct RobotMimic {
  std::string joint, source;
  double multiplier = 1.0, offset = 0.0;
};

/// A point of two links that stays common, or two links that stay together.
struct RobotLoop {
  std::string name, a, b;   // b is the link that the loop's joint moves
  Pose<double> at_a, at_b;  // frames that meet, in their links
  bool welds = false;
};

struct RobotTree {
  std::string world = "world";   // what the world's link is called
  std::vector<RobotLink> links;  // parents first, moving ones in the model's order; the world is none of them
  std::vector<ShapeInstance> world_shapes;
  std::vector<RobotMimic> mimics;
  std::vector<RobotLoop> loops;
  std::vector<std::string> left_out;  // what such a tree cannot say, a line each
};

/// Splits links so that each has one joint at most and its frame on the axis of that joint: what carries several joints
/// one after the other, or has its frame elsewhere, hangs on links without mass, called LINK.JOINT.
std::vector<RobotLink> with_single_joints(const std::vector<RobotLink>& links);

/// Throws ModelError, one line, where a joint is no such product: "joint "cam": ...".
RobotTree robot_tree(const Model& model);

}  // namespace cardan::io
