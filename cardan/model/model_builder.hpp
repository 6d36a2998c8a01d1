// Builds a Model from bodies and joints given in any order. The graph of joints may have loops: a spanning tree of
// least depth carries the bodies and the remaining joints close loops (section 4.1). Bodies held by fixed joints are
// merged into the body that carries them and stay addressable as frames.
#pragma once

#include "cardan/model/mass_properties.hpp"
#include "cardan/model/model.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cardan {

struct Mimic {
  std::string joint;
  double multiplier = 1.0, offset = 0.0;
};

struct BodySpec {
  std::string name;
  MassProperties mass;  // in the body's frame
  std::vector<ShapeInstance> shapes;
  std::string where;  // put before messages: "arm.urdf:31"
  /// Inertia that no body has is warned of, even where it is negative; the mass matrix will tell whether it matters.
  bool tolerates_bad_inertia = false;
};

struct JointSpec {
  std::string name;
  std::string predecessor = "world", successor;
  Joint type;
  Pose<double> at;                  // the joint's frame in the predecessor
  Pose<double> at_successor;        // the joint's moving frame in the successor; usually the body's own frame
  std::vector<DofProperties> dofs;  // one for each velocity, or empty
  std::optional<Mimic> mimic;
  std::string where;
  bool closes_loop = false;                // never part of the tree, whatever the depth
  std::vector<std::string> coordinates{};  // what users call them; those of its type where none are given
};

/// A coordinate that follows others. A joint with several is named with the coordinate's number, "wrist.1".
struct CouplingSpec {
  std::string joint;
  std::vector<std::string> sources;
  CouplingFunction::SymbolicFunction f;
  std::string text;  // what f is, for people
  std::string where;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "model") : name_(std::move(name)) {}

  ModelBuilder& gravity(const Vec3<double>& g);
  ModelBuilder& body(BodySpec spec);
  ModelBuilder& body(const std::string& name, const MassProperties& mass) { return body(BodySpec{name, mass, {}, {}}); }
  ModelBuilder& joint(JointSpec spec);
  /// A joint between two bodies ("world" is one); it is named after the body it moves unless a name is given.
  ModelBuilder& joint(const std::string& predecessor, const std::string& successor, Joint type,
                      const Pose<double>& at = {}, const std::string& name = {});
  ModelBuilder& frame(const std::string& name, const std::string& body, const Pose<double>& at,
                      const std::string& where = {});
  ModelBuilder& coupling(CouplingSpec spec);
  /// Give what was added so far, in this order, to be changed before build(): masses, shapes, damping, limits, ...
  std::span<BodySpec> bodies() { return bodies_; }
  std::span<JointSpec> joints() { return joints_; }
  /// Keep bodies behind fixed joints as bodies of their own (for the forces in such joints).
  ModelBuilder& keep_fixed_joints();
  /// Refuse inertias that no real body has (violated triangle inequality). Published robots do have such, so they
  /// are only warned of by default; negative ones are always refused.
  ModelBuilder& require_physical_inertia();

  /// Throws ModelError on the first thing that is wrong; the builder can be used again.
  Model build() const;

 private:
  struct FrameSpec {
    std::string name, body, where;
    Pose<double> at;
  };
  friend class ModelAssembly;
  std::string name_;
  Vec3<double> gravity_{0.0, 0.0, -9.81};
  std::vector<BodySpec> bodies_;
  std::vector<JointSpec> joints_;
  std::vector<FrameSpec> frames_;
  std::vector<CouplingSpec> couplings_;
  bool keep_fixed_ = false, require_physical_ = false;
};

/// The frame of link i in that of link i-1 by Denavit-Hartenberg parameters: a and alpha along and about x, then d
/// and theta along and about the new z (section 4.3). A revolute joint about z (theta is then its zero offset) or a
/// prismatic one along z goes on top.
Pose<double> denavit_hartenberg(double a, double alpha, double d, double theta);

/// Fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll), as in URDF.
Mat3<double> rotation_rpy(double roll, double pitch, double yaw);

}  // namespace cardan
