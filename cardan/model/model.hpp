// A mechanism: bodies, joints and what hangs on them. Immutable; made by ModelBuilder, which checks everything, so
// that algorithms need not. Body 0 is the world, every body has a higher number than its parent, and a subtree is a
// run of consecutive numbers. Each body has an internal frame (chosen for speed); what users name are frames.
#pragma once

#include "cardan/joints/joint.hpp"
#include "cardan/model/coupling.hpp"
#include "cardan/model/link.hpp"
#include "cardan/model/shape.hpp"
#include "cardan/spatial/transform.hpp"

#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cardan {

/// A model that cannot be built; what() is one line that says what, where, what was expected and what was found.
struct ModelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a joint carries for each of its velocities. Armature (rotor inertia seen at the joint) is part of the mass
/// matrix; the others are data for whoever applies forces: no dynamics function adds them by itself.
struct DofProperties {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double velocity_limit = std::numeric_limits<double>::infinity();
  double effort_limit = std::numeric_limits<double>::infinity();
  double armature = 0.0, damping = 0.0, stiffness = 0.0, rest = 0.0, friction = 0.0;
};

/// A place on a body that has a name; every body as the user described it is one.
struct Frame {
  std::string name;
  int body = 0;
  Transform<double> X = Transform<double>::identity();  // from the body's internal frame to this one
};

/// A joint that closes a loop of the tree.
struct LoopJoint {
  std::string name;
  Joint type;
  Frame predecessor, successor;
};

struct ShapeInstance {
  Shape shape;
  Pose<double> at;  // in the frame that carries it
  bool visual = true, collide = true;
  std::string color, name;
};

class Model {
 public:
  const std::string& name() const { return name_; }
  /// A number that only this model and its copies have.
  std::uint64_t identity() const { return identity_; }
  const Vec3<double>& gravity() const { return gravity_; }
  /// Number of moving bodies; they are numbered 1 to bodies().
  int bodies() const { return static_cast<int>(links_.size()) - 1; }
  int nq() const { return nq_; }
  int nv() const { return nv_; }

  const Link& link(int body) const { return links_[static_cast<std::size_t>(body)]; }
  const Joint& joint(int body) const { return joints_[static_cast<std::size_t>(body)]; }
  const std::string& joint_name(int body) const { return joint_names_[static_cast<std::size_t>(body)]; }
  const std::string& body_name(int body) const { return frame(body_frame(body)).name; }
  /// One past the last body of the subtree that starts at `body`.
  int subtree_end(int body) const { return subtree_end_[static_cast<std::size_t>(body)]; }
  /// One past the last velocity of that subtree.
  int subtree_dofs_end(int body) const { return dofs_end_[static_cast<std::size_t>(body)]; }
  int depth(int body) const { return depth_[static_cast<std::size_t>(body)]; }

  /// Bodies on the way to the world, itself included, averaged over the bodies.
  double mean_depth() const { return mean_depth_; }
  /// How much of the lower triangle of the mass matrix is not zero.
  double density() const { return density_; }

  const DofProperties& dof(int v) const { return dofs_[static_cast<std::size_t>(v)]; }
  double armature(int v) const { return armature_[static_cast<std::size_t>(v)]; }
  /// The velocity index before v on the way to the world, or -1 (Table 6.4's expanded parent array, from zero).
  int dof_parent(int v) const { return dof_parent_[static_cast<std::size_t>(v)]; }

  /// The body whose joint velocity v belongs to.
  int body_of_dof(int v) const { return body_of_dof_[static_cast<std::size_t>(v)]; }

  int frames() const { return static_cast<int>(frames_.size()); }
  const Frame& frame(int index) const { return frames_[static_cast<std::size_t>(index)]; }
  /// The user's frame of a moving body.
  int body_frame(int body) const { return body_frame_[static_cast<std::size_t>(body)]; }
  /// By the name of a frame, a body, or a joint (meaning the frame it moves); -1 if there is none.
  int find_frame(const std::string& frame_name) const;
  /// The body that a joint moves, by the joint's name; -1 if there is none.
  int find_joint(const std::string& joint) const;

  /// What is doubtful about the model, a line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

  const std::vector<Coupling>& couplings() const { return couplings_; }
  const std::vector<LoopJoint>& loops() const { return loops_; }
  struct FrameShape {
    int frame;
    ShapeInstance shape;
  };
  const std::vector<FrameShape>& shapes() const { return shapes_; }

  /// How many values a fold over the tree must keep at branching bodies.
  int branches() const { return branches_; }
  /// Revolute joints whose body's internal frame is turned about their axis: cosine and sine of the angle that is added
  /// to the coordinate.
  struct AngleOffset {
    int q;
    double c, s;
  };
  const std::vector<AngleOffset>& angle_offsets() const { return angle_offsets_; }
  double total_mass() const;
  /// All joints at their zero pose.
  std::vector<double> neutral() const;

  /// A copy whose joints run in another way: change(joint) must not alter what a joint computes.
  template <class F>
  Model with_joints(const F& change) const {
    Model out = *this;
    out.identity_ = next_identity();
    for (Joint& joint : out.joints_) change(joint);
    return out;
  }

 private:
  friend class ModelBuilder;
  friend class ModelAssembly;
  friend Model with_fewest_parameters(const Model& model, double most_mass);
  friend Model with_shifted_inertia(const Model& model, int body, const RigidBodyInertia<double>& I_delta);
  static std::uint64_t next_identity();
  std::uint64_t identity_ = next_identity();
  std::string name_;
  Vec3<double> gravity_{0.0, 0.0, -9.81};
  int nq_ = 0, nv_ = 0, branches_ = 0;
  double mean_depth_ = 0.0, density_ = 1.0;
  std::vector<Link> links_{1};
  std::vector<AngleOffset> angle_offsets_;
  std::vector<Joint> joints_{1};
  std::vector<std::string> joint_names_{1};
  std::vector<int> subtree_end_, dofs_end_, depth_, dof_parent_, body_of_dof_, body_frame_{0};
  std::vector<DofProperties> dofs_;
  std::vector<double> armature_;
  std::vector<Frame> frames_;
  std::map<std::string, int> frame_index_, joint_frame_, joint_index_;
  std::vector<Coupling> couplings_;
  std::vector<LoopJoint> loops_;
  std::vector<FrameShape> shapes_;
  std::vector<std::string> warnings_;
};

}  // namespace cardan
