// The work behind ModelBuilder::build: check, choose a spanning tree, number it, place the internal frames.
#pragma once

#include "cardan/model/model_builder.hpp"

#include <map>
#include <string>
#include <vector>

namespace cardan {

namespace detail {
/// Throws ModelError.
[[noreturn]] inline void fail(const std::string& where, const std::string& what) {
  throw ModelError(where.empty() ? what : where + ": " + what);
}
/// A reversed joint about an axis is the same joint about the opposite axis.
Joint reverse(Joint joint);
}  // namespace detail

class ModelAssembly {
 public:
  explicit ModelAssembly(const ModelBuilder& builder);
  Model assemble();

 private:
  struct Edge {  // a tree joint as met from its parent's side
    int joint = -1;
    int child = -1;
    bool reversed = false;
  };
  struct BodyPlacement {  // a described body on the moving body that carries it
    int body = 0;
    Transform<double> X = Transform<double>::identity();
  };

  void check_bodies();
  void check_joints();
  void choose_tree();
  void add_frame(int spec, const BodyPlacement& place, int parent);
  void visit(int spec, const BodyPlacement& place);
  BodyPlacement add_link(const Edge& edge, const BodyPlacement& parent, const Pose<double>& joint_frame);
  /// An angle about coordinate axis k of a body's internal frame by which to turn that frame.
  double turn_for_children(int spec, const Mat3<double>& R, int k) const;
  void add_dofs(const JointSpec& spec, const Joint& joint, int body);
  void add_loops();
  void add_frames();
  void add_couplings();
  void add_coupling(const CouplingSpec& spec);
  void finish_connectivity();
  void warn_of_massless_bodies();
  bool merges(const JointSpec& joint) const;

  const ModelBuilder& in_;
  ModelData out_;
  std::vector<JointSpec> joints_;          // with unit axes
  std::map<std::string, int> body_index_;  // 0 is the world
  std::vector<std::pair<int, int>> ends_;  // predecessor and successor of each joint
  std::vector<std::vector<Edge>> tree_;    // children of each described body
  std::vector<bool> in_tree_;              // of each joint
  std::vector<BodyPlacement> place_;       // of each described body
};

}  // namespace cardan
