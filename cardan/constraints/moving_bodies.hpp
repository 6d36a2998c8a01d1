// Positions, velocities and velocity-product accelerations of the few bodies that constraints touch, with the joints
// on the way to them. Where only relative motion matters, the way ends at the common ancestor, which is taken to be
// at rest: the cost is that of the loop, not of the mechanism.
#pragma once

#include "cardan/algorithms/views.hpp"
#include "cardan/joints/joint_motion.hpp"
#include "cardan/model/workspace.hpp"

#include <vector>

namespace cardan {

/// Of a moving body of the model, from its parent. The joints must have been turned.
JointMotion link_motion(const Model& model, const Workspace<double>& w, int body, In<double> q, In<double> v);

class MovingBodies {
 public:
  explicit MovingBodies(const Model& model);
  /// This body and all that carry it, up to `above`, are to be followed from now on.
  void follow(int body, int above = 0);

  void update(const double* q, const double* v);

  const Model& model() const { return model_; }
  /// The last body that carries both; 0 is the world.
  int common_ancestor(int a, int b) const;
  /// Of any body, followed or not, where the last update was.
  JointMotion joint(int body) const;
  /// From the frame that stands still (the world, or the ancestor) to the body; identity for that frame itself.
  const Transform<double>& X_0(int body) const { return motion(body).X_0; }
  const MotionVector<double>& v(int body) const { return motion(body).v; }
  const MotionVector<double>& a(int body) const { return motion(body).a; }

 private:
  struct Motion {
    Transform<double> X_0 = Transform<double>::identity();
    MotionVector<double> v, a;
  };
  const Motion& motion(int body) const { return motions_[static_cast<std::size_t>(body)]; }

  const Model& model_;
  std::vector<int> far_above_;  // an ancestor of each body, often so far that a search takes logarithmic time
  std::vector<int> bodies_;     // that are followed, from the base to the tips once update has seen them
  bool sorted_ = true;
  /// Leads from a body that is followed towards the nearest one above it that is not, and from that to itself: paths
  /// that many loops share are walked once.
  std::vector<int> towards_unfollowed_;
  Workspace<double> workspace_;
  std::vector<double> q_, v_;
  std::vector<Motion> motions_;  // of every body; of those not followed, that of what stands still
};

}  // namespace cardan
