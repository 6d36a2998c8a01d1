#include "cardan/io/internal/robot_tree.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace cardan::io {

namespace {

using Factor = RobotJoint::Kind;
constexpr double kSame = 1e-12;  // lengths [m] and directions that differ by less are the same

/// Appends the turns and shifts of which a joint is the product; false where it is no such product.
bool append_factors(const Joint& joint, std::vector<Factor>& out) {
  const auto append = [&](std::initializer_list<Factor> kinds) {
    out.insert(out.end(), kinds);
    return true;
  };
  const bool known = std::visit(
      [&]<class J>(const J& type) {
        constexpr Factor hinge = Factor::hinge, slide = Factor::slide;
        if constexpr (std::same_as<J, Fixed>) return true;
        if constexpr (std::same_as<J, Revolute>) return append({hinge});
        if constexpr (std::same_as<J, Prismatic>) return append({slide});
        if constexpr (std::same_as<J, Cylindrical>) return append({hinge, slide});
        if constexpr (std::same_as<J, Universal>) return append({hinge, hinge});
        if constexpr (std::same_as<J, Planar>) return append({slide, slide});
        if constexpr (std::same_as<J, Translational>) return append({slide, slide, slide});
        if constexpr (std::same_as<J, SphericalEuler>) return append({hinge, hinge, hinge});
        if constexpr (std::same_as<J, FreePlanar>) return append({slide, slide, hinge});
        if constexpr (std::same_as<J, Spherical>) return append({Factor::ball});
        if constexpr (std::same_as<J, Free>) return append({Factor::free});
        if constexpr (std::same_as<J, Composite>)
          return std::all_of(type.joints.begin(), type.joints.end(),
                             [&](const Joint& part) { return append_factors(part, out); });
        return false;
      },
      joint.type);
  // the inverse of a product has its factors in the other order
  return known && !(joint.reversed && out.size() > 1);
}

int velocities(Factor kind) { return kind == Factor::free ? 6 : kind == Factor::ball ? 3 : 1; }

MassProperties mass_properties_of(const RigidBodyInertia<double>& I, const Transform<double>& to_frame) {
  MassProperties own;
  own.mass = I.m;
  if (I.m != 0.0) own.com = (1.0 / I.m) * I.h;
  own.inertia = I.I + detail::cross_products(I.h, own.com);
  const Transform<double> back = inverse(to_frame);
  return to_parent(own, transpose(back.E), back.r);
}

class TreeWriter {
 public:
  explicit TreeWriter(const Model& model) : model_(model), kinematics_(model) {
    Workspace<double> scratch(model);
    forward_kinematics<double>(model, scratch, model.neutral(), kinematics_);
    for (int i = 1; i <= model.bodies(); ++i) is_body_frame_[model.body_frame(i)] = true;
    for (const auto& [joint, frame] : model.data().joint_frame) joint_of_frame_[frame] = joint;
  }

  RobotTree tree() {
    name_world();
    for (int i = 1; i <= model_.bodies(); ++i) add_body(i);
    for (int f = 0; f < model_.frames(); ++f)
      if (!is_body_frame_[f] && model_.frame(f).name != out_.world && f != model_.body_frame(0)) add_frame(f);
    add_shapes();
    for (const Coupling& coupling : model_.couplings()) add_coupling(coupling);
    for (const LoopJoint& loop : model_.loops()) add_loop(loop);
    return std::move(out_);
  }

 private:
  /// A link that lies fixed where the world is stands for it, as the first link of robots that are bolted down does.
  void name_world() {
    for (int f = 0; f < model_.frames(); ++f) {
      const Frame& frame = model_.frame(f);
      if (frame.body != 0 || f == model_.body_frame(0)) continue;
      const Pose<double> pose = frame_pose(model_, kinematics_, f);
      double off = norm(pose.p);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) off = std::max(off, std::abs(pose.R(r, c) - (r == c ? 1.0 : 0.0)));
      if (off == 0.0) out_.world = frame.name;
      return;
    }
  }

  std::string link_name(int body) const { return body == 0 ? out_.world : model_.body_name(body); }

  RobotLink link_of(int frame, int parent, const std::string& joint) const {
    RobotLink out;
    out.name = model_.frame(frame).name;
    out.parent = link_name(parent);
    out.joint = joint;
    const Pose<double> pose = frame_pose(model_, kinematics_, frame);
    out.at = parent == 0 ? pose : inverse(frame_pose(model_, kinematics_, model_.body_frame(parent))) * pose;
    return out;
  }

  void add_body(int i) {
    const int frame = model_.body_frame(i);
    RobotLink out = link_of(frame, model_.link(i).parent, model_.joint_name(i));
    out.mass = mass_properties_of(model_.link(i).I, model_.frame(frame).X);
    std::vector<Factor> factors;
    if (!append_factors(model_.joint(i), factors))
      throw ModelError(fmt::format("joint {}: expected a product of turns, shifts, ball and free joints, found type {}",
                                   in_quotes(out.joint), model_.joint(i).type_name()));
    int v = model_.link(i).v;
    for (const Factor kind : factors) {
      RobotJoint joint = joint_at(i, v, kind);
      const std::size_t k = out.joints.size();
      joint.name = factors.size() == 1 ? out.joint : fmt::format("{}.{}", out.joint, k);
      out.joints.push_back(std::move(joint));
      v += velocities(kind);
    }
    out_.links.push_back(std::move(out));
  }

  RobotJoint joint_at(int body, int v, Factor kind) {
    const auto twist = [&](int k) {
      return model_.frame(model_.body_frame(body)).X * kinematics_.S[static_cast<std::size_t>(v + k)];
    };
    RobotJoint out;
    out.kind = kind;
    if (kind == Factor::slide) out.axis = twist(0).linear;
    if (kind == Factor::hinge) out.axis = twist(0).angular;
    // v = c x omega at the link's origin for turns about c, and omega x (c x omega) is c but for its part along omega
    if (kind == Factor::hinge) out.anchor = cross(twist(0).angular, twist(0).linear);
    if (out.is_plain()) {
      out.dof = model_.dof(v);
      out.dof.armature = model_.armature(v);
    } else {
      const int turns = 3;
      double off = 0.0;
      for (int k = 0; k < turns; ++k) {
        out.anchor += 0.5 * cross(twist(k).angular, twist(k).linear);
        for (int r = 0; r < turns; ++r) off = std::max(off, std::abs(twist(k).angular[r] - (r == k ? 1.0 : 0.0)));
      }
      if (off > kSame)
        throw ModelError(fmt::format(
            "joint {}: expected a body whose axes are those of its {} joint, found them turned against each other",
            in_quotes(model_.joint_name(body)), model_.joint(body).type_name()));
    }
    for (int k = 0; k < 3; ++k)
      if (std::abs(out.anchor[k]) < kSame) out.anchor[k] = 0.0;
    return out;
  }

  void add_frame(int f) {
    const auto joint = joint_of_frame_.find(f);
    out_.links.push_back(link_of(f, model_.frame(f).body,
                                 joint == joint_of_frame_.end() ? model_.frame(f).name + "_joint" : joint->second));
  }

  void add_shapes() {
    std::map<std::string, RobotLink*> links;
    for (RobotLink& link : out_.links) links[link.name] = &link;
    for (const FrameShape& shape : model_.shapes()) {
      const auto link = links.find(model_.frame(shape.frame).name);
      (link == links.end() ? out_.world_shapes : link->second->shapes).push_back(shape.shape);
    }
  }

  /// The joint of one coordinate, as it is called in the tree.
  std::string coordinate_name(const Coupling::CoordinateRef& of) const {
    return model_.link(of.body).nv > 1 ? fmt::format("{}.{}", model_.joint_name(of.body), of.k)
                                       : model_.joint_name(of.body);
  }

  void add_loop(const LoopJoint& loop) {
    const bool welds = std::holds_alternative<Fixed>(loop.type.type);
    if (!welds && !std::holds_alternative<Spherical>(loop.type.type)) {
      out_.left_out.push_back(fmt::format("loop {} by a {} joint", in_quotes(loop.name), loop.type.type_name()));
      return;
    }
    const auto place = [&](const Frame& frame) {
      const Transform<double> own =
          frame.body == 0 ? Transform<double>::identity() : model_.frame(model_.body_frame(frame.body)).X;
      const Transform<double> X = frame.X * inverse(own);
      return Pose<double>{transpose(X.E), X.r};
    };
    out_.loops.push_back({loop.name, link_name(loop.predecessor.body), link_name(loop.successor.body),
                          place(loop.predecessor), place(loop.successor), welds});
  }

  void add_coupling(const Coupling& coupling) {
    CouplingFunction::Memory memory(coupling.f);
    const auto look_at = [&](double x) {
      memory.x.assign(memory.x.size(), x);
      memory.v.assign(memory.v.size(), 1.0);
      coupling.f(memory);
    };
    std::optional<double> slope;
    bool is_straight = coupling.sources.size() == 1;
    for (const double x : {-1.7, 0.6, 2.9, 0.0}) {
      if (!is_straight) break;
      look_at(x);
      is_straight = memory.curvature() == 0.0 && (!slope || *slope == memory.gradient(0));
      slope = memory.gradient(0);
    }
    if (is_straight)
      out_.mimics.push_back(
          {coordinate_name(coupling.dependent), coordinate_name(coupling.sources[0]), *slope, memory.f()});
    else
      out_.left_out.push_back("coupling " + in_quotes(coupling.text));
  }

  const Model& model_;
  Kinematics<double> kinematics_;
  std::map<int, bool> is_body_frame_;
  std::map<int, std::string> joint_of_frame_;
  RobotTree out_;
};

}  // namespace

std::vector<RobotLink> with_single_joints(const std::vector<RobotLink>& links) {
  std::vector<RobotLink> out;
  const auto shifted = [](const Vec3<double>& by) { return Pose<double>{Mat3<double>::identity(), by}; };
  for (const RobotLink& link : links) {
    RobotLink own = link;
    Vec3<double> reached;  // the frame of the last carrier in the link, at the zero pose
    for (std::size_t k = 0; k < link.joints.size(); ++k) {
      RobotJoint joint = link.joints[k];
      const Vec3<double> anchor = std::exchange(joint.anchor, {});
      const Pose<double> at = k == 0 ? link.at * shifted(anchor) : shifted(anchor - reached);
      reached = anchor;
      if (k + 1 == link.joints.size() && norm(anchor) == 0.0) {
        own.at = at;
        own.joints = {std::move(joint)};
        break;
      }
      const std::string carrier = fmt::format("{}.{}", link.name, joint.name);
      out.push_back({carrier, own.parent, joint.name, at, {std::move(joint)}, {}, {}});
      own.parent = carrier;
      own.joint = link.joint + ".fixed";
      own.at = shifted(-anchor);
      own.joints.clear();
    }
    out.push_back(std::move(own));
  }
  return out;
}

RobotTree robot_tree(const Model& model) { return TreeWriter(model).tree(); }

}  // namespace cardan::io
