// Positions, velocities and velocity-product accelerations of the few bodies that constraints touch, with the joints
// on the way to them. Where only relative motion matters, the way ends at the common ancestor, which is taken to be
// at rest: the cost is that of the loop, not of the mechanism.
#pragma once

#include "cardan/model/model.hpp"

#include <vector>

namespace cardan {

/// A joint at one state: the transform from its parent (or predecessor), S and c_J in the coordinates of what it moves.
struct JointMotion {
  Transform<double> X = Transform<double>::identity();
  int nv = 0;
  MotionVector<double> S[6];
  MotionVector<double> c_J;
};

/// Of the joint alone, between its own frames.
JointMotion joint_motion(const Joint& joint, const double* q, const double* v);
/// Of a moving body of the model, from its parent.
JointMotion link_motion(const Model& model, int body, const double* q, const double* v);

/// The bodies from below `above` down to `body`, in this order.
std::vector<int> path_between(const Model& model, int above, int body);
/// The last body that carries both; 0 is the world.
int common_ancestor(const Model& model, int a, int b);

class MovingBodies {
 public:
  explicit MovingBodies(const Model& model);
  /// These bodies, each after those that carry it, are to be followed from now on.
  void follow(const std::vector<int>& path);

  void update(const double* q, const double* v);

  const Model& model() const { return model_; }
  const std::vector<int>& bodies() const { return bodies_; }
  const JointMotion& joint(int body) const { return motion(body).joint; }
  /// From the frame that stands still (the world, or the ancestor) to the body; identity for that frame itself.
  const Transform<double>& X_0(int body) const { return motion(body).X_0; }
  const MotionVector<double>& v(int body) const { return motion(body).v; }
  const MotionVector<double>& a(int body) const { return motion(body).a; }

 private:
  struct Motion {
    JointMotion joint;
    Transform<double> X_0 = Transform<double>::identity();
    MotionVector<double> v, a;
  };
  const Motion& motion(int body) const {
    return motions_[static_cast<std::size_t>(slot_[static_cast<std::size_t>(body)])];
  }

  const Model& model_;
  std::vector<int> bodies_, slot_;  // slot 0: what stands still
  std::vector<Motion> motions_;
};

}  // namespace cardan
