// A mechanism: bodies, joints and what hangs on them. A shared handle on data that never change: copies are cheap,
// refer to the same mechanism, and may be used by many threads. Made by ModelBuilder, which checks everything, so that
// algorithms need not. Body 0 is the world, every body has a higher number than its parent, and a subtree is a run of
// consecutive numbers. Each body has an internal frame (chosen for speed); what users name are frames.
#pragma once

#include "cardan/joints/joint.hpp"
#include "cardan/math/indexed.hpp"
#include "cardan/model/coupling.hpp"
#include "cardan/model/link.hpp"
#include "cardan/model/shape.hpp"
#include "cardan/spatial/transform.hpp"

#include <limits>
#include <map>
#include <memory>
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
/// matrix; the others are data for whoever applies forces: no generic dynamics function adds them by itself.
struct DofProperties {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  double velocity_limit = std::numeric_limits<double>::infinity();
  double effort_limit = std::numeric_limits<double>::infinity();
  double armature = 0.0, damping = 0.0, stiffness = 0.0, rest = 0.0, friction = 0.0;
  double restitution = 0.0;  // of the limits
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
  std::string where{};                // put before messages: "scene.toml:31"
  std::vector<DofProperties> dofs{};  // springs, dampers, friction and limits of its coordinates; empty: none
};

/// What a surface contributes to the contact laws of its pairs, where given.
struct SurfaceMaterial {
  std::optional<double> friction{}, restitution{};
  bool is_area = false;  // flat contacts rub over their area, not at its corners
};

struct ShapeInstance {
  Shape shape;
  Pose<double> at;  // in the frame that carries it
  bool visual = true, collide = true;
  std::string color, name;
  bool hull = false;    // a mesh collides as its convex hull
  std::string group{};  // by which rules of contact may call it
  SurfaceMaterial material{};
};

/// A shape on a frame of the model.
struct FrameShape {
  int frame;
  ShapeInstance shape;
  int place = 0;    // of the body that has it among all, as they were given
  int parent = -1;  // frame of the body that a joint of the tree carries it by; -1: the world
};

/// A constant angle that is added to coordinate q of a revolute joint whose body's internal frame is rotated about the
/// joint's axis: its cosine and sine.
struct AngleOffset {
  int q;
  double c, s;
};

/// What a Model shares: filled by ModelAssembly, then never changed.
struct ModelData {
  std::uint64_t identity = next_identity();
  std::string name;
  Vec3<double> gravity{0.0, 0.0, -9.81};
  int nq = 0, nv = 0, branches = 0;
  double mean_depth = 0.0, density = 1.0;
  // an entry for each body, the world first
  Indexed<Link> links{1};
  Indexed<Joint> joints{1};
  Indexed<std::string> joint_names{1};
  Indexed<std::vector<std::string>> coordinate_names{1};  // empty where they are those of the joint's type
  Indexed<int> subtree_end, dofs_end, depth, body_frame{0};
  Indexed<int> far_above;  // jump pointers for ancestor search in logarithmic time (Myers 1983)
  // an entry for each velocity
  Indexed<int> dof_parent, body_of_dof;
  Indexed<DofProperties> dofs;
  Indexed<double> armature;

  std::vector<AngleOffset> angle_offsets;
  Indexed<Frame> frames;
  std::map<std::string, int> frame_index, joint_frame, joint_index;
  std::vector<Coupling> couplings;
  std::vector<LoopJoint> loops;
  std::vector<FrameShape> shapes;
  std::vector<std::string> warnings;

  int bodies() const { return links.count() - 1; }
  /// Returns the body that a joint moves, or -1.
  int find_joint(const std::string& joint) const;
  static std::uint64_t next_identity();
};

class Model {
 public:
  /// A world without bodies.
  Model();
  explicit Model(ModelData data);

  const ModelData& data() const { return *data_; }
  const std::string& name() const { return data_->name; }
  /// A number that only this model and its copies have.
  std::uint64_t identity() const { return data_->identity; }
  const Vec3<double>& gravity() const { return data_->gravity; }
  /// Number of moving bodies; they are numbered 1 to bodies().
  int bodies() const { return data_->bodies(); }
  int nq() const { return data_->nq; }
  int nv() const { return data_->nv; }

  const Link& link(int body) const { return data_->links[body]; }
  const Joint& joint(int body) const { return data_->joints[body]; }
  const std::string& joint_name(int body) const { return data_->joint_names[body]; }
  /// Names the coordinates of the joint that moves a body (`of_velocities`: its velocities); empty texts where one has
  /// none.
  std::vector<std::string> coordinate_names(int body, bool of_velocities) const;
  const std::string& body_name(int body) const { return frame(body_frame(body)).name; }
  /// One past the last body of the subtree that starts at `body`.
  int subtree_end(int body) const { return data_->subtree_end[body]; }
  /// One past the last velocity of that subtree.
  int subtree_dofs_end(int body) const { return data_->dofs_end[body]; }
  int depth(int body) const { return data_->depth[body]; }
  /// The last body that carries both a and b; 0 is the world.
  int common_ancestor(int a, int b) const;

  /// Bodies on the way to the world, itself included, averaged over the bodies.
  double mean_depth() const { return data_->mean_depth; }
  /// How much of the lower triangle of the mass matrix is not zero.
  double density() const { return data_->density; }

  const DofProperties& dof(int v) const { return data_->dofs[v]; }
  double armature(int v) const { return data_->armature[v]; }
  /// The velocity index before v on the way to the world, or -1 (Table 6.4's expanded parent array, from zero).
  int dof_parent(int v) const { return data_->dof_parent[v]; }
  /// The body whose joint velocity v belongs to.
  int body_of_dof(int v) const { return data_->body_of_dof[v]; }

  int frames() const { return data_->frames.count(); }
  const Frame& frame(int index) const { return data_->frames[index]; }
  /// The user's frame of a moving body.
  int body_frame(int body) const { return data_->body_frame[body]; }
  /// Returns a frame by the name of a frame, a body, or a joint (meaning the frame it moves); -1 if there is none.
  [[nodiscard]] int find_frame(const std::string& frame_name) const;
  /// Returns the body that a joint moves, by the joint's name; -1 if there is none.
  [[nodiscard]] int find_joint(const std::string& joint) const { return data_->find_joint(joint); }
  /// find_frame for names that must exist; throws std::out_of_range with the nearest name.
  [[nodiscard]] int frame_named(const std::string& frame_name) const;
  /// find_joint for names that must exist; throws std::out_of_range with the nearest name.
  [[nodiscard]] int joint_named(const std::string& joint) const;

  /// What is doubtful about the model, a line each.
  const std::vector<std::string>& warnings() const { return data_->warnings; }

  const std::vector<Coupling>& couplings() const { return data_->couplings; }
  const std::vector<LoopJoint>& loops() const { return data_->loops; }
  const std::vector<FrameShape>& shapes() const { return data_->shapes; }

  /// How many values a fold over the tree must keep at branching bodies.
  int branches() const { return data_->branches; }
  const std::vector<AngleOffset>& angle_offsets() const { return data_->angle_offsets; }
  double total_mass() const;
  /// All joints at their zero pose.
  std::vector<double> neutral() const;

  /// A copy whose joints were changed by change(joint); no joint's number of coordinates may change.
  template <class F>
  Model with_joints(const F& change) const {
    ModelData out = *data_;
    out.identity = ModelData::next_identity();
    for (Joint& joint : out.joints) change(joint);
    return Model(std::move(out));
  }

 private:
  std::shared_ptr<const ModelData> data_;
};

}  // namespace cardan
