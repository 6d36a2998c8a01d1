#include "cardan/model/internal/model_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace cardan {

namespace {

using detail::fail;
using detail::reverse;

bool finite(const Vec3<double>& v) { return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]); }

void check_pose(const Pose<double>& pose, const std::string& where, const std::string& whose) {
  bool ok = finite(pose.p) && dot(cross(pose.R.row[0], pose.R.row[1]), pose.R.row[2]) > 0.0;  // no mirror
  const Mat3<double> unit = pose.R * transpose(pose.R);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) ok = ok && std::abs(unit(i, j) - (i == j ? 1.0 : 0.0)) < 1e-9;
  if (!ok) fail(where, whose + ": its placement is not a finite position with a proper rotation");
}

/// Tells whether moments are negative by no more than rounding of printed numbers explains.
bool is_nearly_semidefinite(const Sym3<double>& inertia) {
  const Vec3<double> moments = principal_moments(inertia);
  return finite(moments) && moments[0] >= -1e-6 * moments[2];
}

/// Whether dynamics makes sense with it, although no real body may have it.
bool is_usable(const MassProperties& body) {
  if (!finite(body.com) || !(body.mass >= 0.0) || !std::isfinite(body.mass)) return false;
  const Vec3<double> moments = principal_moments(body.inertia);
  return finite(moments) && moments[0] >= -1e-9 * moments[2];
}

/// Joint axes are given in any length.
void normalize_axes(Joint& joint, const std::string& where, const std::string& whose) {
  std::visit(
      [&]<class J>(J& j) {
        if constexpr (requires { Vec3<double>(j.axis); }) {
          const double length = norm(j.axis);
          if (!std::isfinite(length)) fail(where, whose + ": axis is not finite");
          if (length < 1e-12) fail(where, whose + ": axis has zero length");
          if (std::abs(length - 1.0) > 1e-15) j.axis = (1.0 / length) * j.axis;
        }
        if constexpr (std::same_as<J, Helical>)
          if (!std::isfinite(j.pitch)) fail(where, whose + ": pitch is not finite");
        if constexpr (std::same_as<J, SphericalEuler>)
          for (std::size_t i = 0; i < 3; ++i)
            if (j.axis[i] < 0 || j.axis[i] > 2 || (i > 0 && j.axis[i] == j.axis[i - 1]))
              fail(where, whose + ": an order of Euler angles is three axes, no two neighbors equal");
        if constexpr (std::same_as<J, Composite>) {
          if (j.nv() > 6)
            fail(where, fmt::format("{}: a composite joint has at most 6 degrees of freedom, found {}", whose, j.nv()));
          for (Joint& part : j.joints) normalize_axes(part, where, whose);
        }
      },
      joint.type);
}

}  // namespace

ModelAssembly::ModelAssembly(const ModelBuilder& builder) : in_(builder), joints_(builder.joints_) {
  out_.name = builder.name_;
  out_.gravity = builder.gravity_;
}

bool ModelAssembly::merges(const JointSpec& joint) const {
  return !in_.keep_fixed_ && std::holds_alternative<Fixed>(joint.type.type);
}

Model ModelAssembly::assemble() {
  if (!finite(out_.gravity)) fail("", "gravity is not finite");
  check_bodies();
  check_joints();
  choose_tree();
  place_.resize(in_.bodies_.size() + 1);
  out_.frames.push_back({"world", 0, Transform<double>::identity()});
  out_.frame_index["world"] = 0;
  visit(0, BodyPlacement{});
  add_frames();
  add_couplings();
  add_loops();
  finish_connectivity();
  warn_of_massless_bodies();
  return Model(std::move(out_));
}

void ModelAssembly::check_bodies() {
  body_index_["world"] = 0;
  for (std::size_t i = 0; i < in_.bodies_.size(); ++i) {
    const BodySpec& body = in_.bodies_[i];
    const std::string whose = fmt::format("body \"{}\"", body.name);
    if (body.name.empty()) fail(body.where, "a body has no name");
    if (body.name == "world")
      fail(body.where, "a body cannot be called \"world\": that is the fixed frame of reference");
    if (!body_index_.emplace(body.name, static_cast<int>(i) + 1).second)
      fail(body.where, whose + " is described twice: names must differ");
    if (const auto problem = non_physical_reason(body.mass)) {
      const std::string message = (body.where.empty() ? "" : body.where + ": ") + whose + ": " + *problem;
      const bool tolerated = body.tolerates_bad_inertia && std::isfinite(body.mass.mass) && body.mass.mass >= 0.0 &&
                             is_nearly_semidefinite(body.mass.inertia);
      if (in_.require_physical_ || (!is_usable(body.mass) && !tolerated)) throw ModelError(message);
      out_.warnings.push_back(message);
    }
  }
}

void ModelAssembly::check_joints() {
  std::map<std::string, int> seen;
  for (JointSpec& joint : joints_) {
    const std::string whose = fmt::format("joint \"{}\"", joint.name);
    if (joint.name.empty()) fail(joint.where, "a joint has no name");
    if (!seen.emplace(joint.name, 0).second) fail(joint.where, whose + " is described twice: names must differ");
    const auto end = [&](const std::string& name, const char* role) {
      const auto it = body_index_.find(name);
      if (it == body_index_.end()) fail(joint.where, fmt::format("{}: unknown {} \"{}\"", whose, role, name));
      return it->second;
    };
    ends_.emplace_back(end(joint.predecessor, "parent"), end(joint.successor, "child"));
    if (ends_.back().first == ends_.back().second)
      fail(joint.where, fmt::format("{}: parent and child are the same body \"{}\"", whose, joint.successor));
    check_pose(joint.at, joint.where, whose);
    check_pose(joint.at_successor, joint.where, whose);
    normalize_axes(joint.type, joint.where, whose);
    if (std::exchange(joint.type.reversed, false)) joint.type = reverse(joint.type);  // by turning the axis, if any
    const int nv = joint.type.nv();
    if (nv > 6) fail(joint.where, fmt::format("{}: at most 6 degrees of freedom, found {}", whose, nv));
    if (!joint.dofs.empty() && static_cast<int>(joint.dofs.size()) != nv)
      fail(joint.where,
           fmt::format("{}: properties of {} degrees of freedom expected, found {}", whose, nv, joint.dofs.size()));
    for (const DofProperties& d : joint.dofs) {
      if (std::isnan(d.lower) || std::isnan(d.upper) || d.lower > d.upper)
        fail(joint.where, fmt::format("{}: lower limit {} is above upper limit {}", whose, d.lower, d.upper));
      if (!(d.armature >= 0.0) || !(d.damping >= 0.0) || !(d.friction >= 0.0) || !(d.stiffness >= 0.0))
        fail(joint.where, whose + ": armature, damping, friction and stiffness must be zero or positive");
      if (!(d.restitution >= 0.0 && d.restitution <= 1.0))
        fail(joint.where, whose + ": restitution of its limits must lie between 0 and 1");
      if (!(d.velocity_limit >= 0.0) || !(d.effort_limit >= 0.0))
        fail(joint.where, whose + ": velocity and effort limits must be zero or positive");
    }
  }
  // "a.0" is the first coordinate of a joint "a" that has several
  for (const JointSpec& joint : joints_)
    for (int k = 0; joint.type.nq() > 1 && k < joint.type.nq(); ++k)
      if (const std::string name = fmt::format("{}.{}", joint.name, k); seen.count(name) > 0)
        fail(joint.where,
             fmt::format("joint \"{}\": its coordinate {} is called \"{}\", as is another joint: rename one",
                         joint.name, k, name));
}

/// Breadth first from the world, fixed joints free of charge: the shallowest tree keeps the mass matrix best
/// conditioned (section 10.2). Joints that reach a body already in the tree close a loop.
void ModelAssembly::choose_tree() {
  const std::size_t n = in_.bodies_.size() + 1;
  std::vector<std::vector<Edge>> around(n);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (joints_[j].closes_loop) continue;
    const auto [p, s] = ends_[j];
    around[static_cast<std::size_t>(p)].push_back({static_cast<int>(j), s, false});
    around[static_cast<std::size_t>(s)].push_back({static_cast<int>(j), p, true});
  }
  constexpr int far = 1 << 30;
  std::vector<int> distance(n, far), arrived_by(n, -1), from(n, -1);
  std::deque<int> open{0};
  distance[0] = 0;
  while (!open.empty()) {
    const int b = open.front();
    open.pop_front();
    for (const Edge& e : around[static_cast<std::size_t>(b)]) {
      const bool free_of_charge = merges(joints_[static_cast<std::size_t>(e.joint)]);
      const int d = distance[static_cast<std::size_t>(b)] + (free_of_charge ? 0 : 1);
      if (d >= distance[static_cast<std::size_t>(e.child)]) continue;
      distance[static_cast<std::size_t>(e.child)] = d;
      arrived_by[static_cast<std::size_t>(e.child)] = e.joint;
      from[static_cast<std::size_t>(e.child)] = b;
      if (free_of_charge)
        open.push_front(e.child);
      else
        open.push_back(e.child);
    }
  }
  for (std::size_t i = 1; i < n; ++i)
    if (distance[i] == far)
      fail(in_.bodies_[i - 1].where,
           fmt::format("body \"{}\" is not connected to the world: no chain of joints reaches it",
                       in_.bodies_[i - 1].name));
  tree_.resize(n);
  in_tree_.assign(joints_.size(), false);
  for (std::size_t b = 0; b < n; ++b)
    for (const Edge& e : around[b])
      if (arrived_by[static_cast<std::size_t>(e.child)] == e.joint &&
          from[static_cast<std::size_t>(e.child)] == static_cast<int>(b)) {
        tree_[b].push_back(e);
        in_tree_[static_cast<std::size_t>(e.joint)] = true;
      }
}

void ModelAssembly::add_frame(int spec, const BodyPlacement& place, int parent) {
  const BodySpec& body = in_.bodies_[static_cast<std::size_t>(spec) - 1];
  const int index = out_.frames.count();
  out_.frames.push_back({body.name, place.body, place.X});
  out_.frame_index[body.name] = index;
  for (const ShapeInstance& shape : body.shapes) out_.shapes.push_back({index, shape, spec - 1, parent});
  if (place.body == static_cast<int>(out_.body_frame.size())) out_.body_frame.push_back(index);
}

/// Depth first, so that chains are numbered in a row. An explicit stack: a chain may have many thousand links.
void ModelAssembly::visit(int root, const BodyPlacement& root_place) {
  struct Item {
    int spec;
    BodyPlacement place;
    std::size_t next;
  };
  std::vector<Item> stack{{root, root_place, 0}};
  while (!stack.empty()) {
    Item& top = stack.back();
    const auto spec = static_cast<std::size_t>(top.spec);
    if (top.next == 0) place_[spec] = top.place;
    if (top.next == tree_[spec].size()) {
      stack.pop_back();
      continue;
    }
    const Edge edge = tree_[spec][top.next++];
    const JointSpec& joint = joints_[static_cast<std::size_t>(edge.joint)];
    const Pose<double>& near = edge.reversed ? joint.at_successor : joint.at;
    const Transform<double>& X = top.place.X;
    const Pose<double> joint_frame = Pose<double>{transpose(X.E), X.r} * near;
    BodyPlacement child;
    if (merges(joint)) {
      const Pose<double> far = edge.reversed ? joint.at : joint.at_successor;
      const Pose<double> pose = joint_frame * inverse(far);
      child = {top.place.body, from_pose(pose.R, pose.p)};
    } else {
      child = add_link(edge, top.place, joint_frame);
    }
    const BodySpec& body = in_.bodies_[static_cast<std::size_t>(edge.child) - 1];
    if (child.body != 0)
      out_.links[child.body].I +=
          transpose_apply(child.X, rigid_body_inertia(body.mass.mass, body.mass.com, body.mass.inertia));
    const int parent = top.spec == 0 ? -1 : out_.frame_index.at(in_.bodies_[spec - 1].name);
    add_frame(edge.child, child, parent);
    out_.joint_frame[joint.name] = out_.frames.count() - 1;
    stack.push_back({edge.child, child, 0});
  }
}

void ModelAssembly::add_loops() {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (in_tree_[j]) continue;
    const JointSpec& spec = joints_[j];
    const auto end = [&](int body, const Pose<double>& at) {
      const BodyPlacement& place = place_[static_cast<std::size_t>(body)];
      return Frame{spec.name, place.body, from_pose(at.R, at.p) * place.X};
    };
    LoopJoint loop{spec.name,  spec.type, end(ends_[j].first, spec.at), end(ends_[j].second, spec.at_successor),
                   spec.where, spec.dofs};
    if (loop.predecessor.body == loop.successor.body)
      fail(spec.where, fmt::format("loop \"{}\": both ends are on the same rigid body, \"{}\" and \"{}\"", spec.name,
                                   spec.predecessor, spec.successor));
    out_.loops.push_back(std::move(loop));
  }
}

void ModelAssembly::add_frames() {
  for (const auto& spec : in_.frames_) {
    const auto it = body_index_.find(spec.body);
    if (it == body_index_.end())
      fail(spec.where, fmt::format("frame \"{}\": unknown body \"{}\"", spec.name, spec.body));
    check_pose(spec.at, spec.where, fmt::format("frame \"{}\"", spec.name));
    if (!out_.frame_index.emplace(spec.name, out_.frames.count()).second)
      fail(spec.where, fmt::format("frame \"{}\" is described twice: names must differ", spec.name));
    const BodyPlacement& place = place_[static_cast<std::size_t>(it->second)];
    out_.frames.push_back({spec.name, place.body, from_pose(spec.at.R, spec.at.p) * place.X});
  }
}

}  // namespace cardan
