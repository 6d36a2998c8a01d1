#include "cardan/model/internal/model_assembly.hpp"

#include <cmath>
#include <numbers>
#include <optional>

namespace cardan {

Joint detail::reverse(Joint joint) {
  const bool flipped = std::visit(
      []<class J>(J& j) {
        if constexpr (requires { Vec3<double>(j.axis); }) {
          j.axis = -j.axis;
          return true;
        } else {
          return std::same_as<J, Fixed>;
        }
      },
      joint.type);
  if (!flipped) joint.reversed = !joint.reversed;
  return joint;
}

namespace {

/// The coordinate axis that a is parallel to within rounding, or -1.
int coordinate_axis(const Vec3<double>& a) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(a[(k + 1) % 3]) < 1e-14 && std::abs(a[(k + 2) % 3]) < 1e-14) return k;
  return -1;
}

/// A rotation whose third row is the unit vector a: it takes a to e_z.
Mat3<double> turn_to_z(const Vec3<double>& a) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(a[k]) < std::abs(a[least])) least = k;
  Vec3<double> e;
  e[least] = 1.0;
  Vec3<double> x = cross(e, a);
  x = (1.0 / norm(x)) * x;
  Mat3<double> W;
  W.row[0] = x;
  W.row[1] = cross(a, x);
  W.row[2] = a;
  return W;
}

/// To axes that are turned by an angle about coordinate axis k.
Mat3<double> turn_about(int k, double angle) {
  const int b = (k + 1) % 3, c = (k + 2) % 3;
  Mat3<double> E = Mat3<double>::identity();
  E(b, b) = E(c, c) = std::cos(angle);
  E(b, c) = std::sin(angle);
  E(c, b) = -E(b, c);
  return E;
}

JointKernel offset(JointKernel first, int k) { return static_cast<JointKernel>(static_cast<int>(first) + k); }

}  // namespace

/// Turned so, the axes of all joints on the described body, which has orientation R, become coordinate axes. Zero where
/// there is no such angle, and where some are coordinate axes already.
double ModelAssembly::turn_for_children(int spec, const Mat3<double>& R, int k) const {
  constexpr double quarter = 0.5 * std::numbers::pi;
  std::optional<double> turn;
  std::vector<std::pair<int, Mat3<double>>> open{{spec, R}};
  while (!open.empty()) {
    const auto [body, orientation] = open.back();
    open.pop_back();
    for (const Edge& edge : tree_[static_cast<std::size_t>(body)]) {
      const JointSpec& joint = joints_[static_cast<std::size_t>(edge.joint)];
      const Mat3<double>&near = (edge.reversed ? joint.at_successor : joint.at).R,
            &far = (edge.reversed ? joint.at : joint.at_successor).R;
      const auto* revolute = std::get_if<Revolute>(&joint.type.type);
      const auto* prismatic = std::get_if<Prismatic>(&joint.type.type);
      if (merges(joint)) open.push_back({edge.child, orientation * near * transpose(far)});
      if (!revolute && !prismatic) continue;
      const Vec3<double> a = orientation * (near * (revolute ? revolute->axis : prismatic->axis));
      if (coordinate_axis(a) >= 0 || std::abs(a[k]) > 1e-14) return 0.0;
      const double angle = std::remainder(std::atan2(a[(k + 2) % 3], a[(k + 1) % 3]), quarter);
      if (turn && std::abs(std::remainder(angle - *turn, quarter)) > 1e-14) return 0.0;
      turn = angle;
    }
  }
  return turn.value_or(0.0);
}

ModelAssembly::BodyPlacement ModelAssembly::add_link(const Edge& edge, const BodyPlacement& parent,
                                                     const Pose<double>& joint_frame) {
  const JointSpec& spec = joints_[static_cast<std::size_t>(edge.joint)];
  const Joint joint = edge.reversed ? detail::reverse(spec.type) : spec.type;
  const int body = static_cast<int>(out_.links.size());
  Link link;
  link.parent = parent.body;
  link.r = joint_frame.p;
  link.q = out_.nq;
  link.nq = joint.nq();
  link.v = out_.nv;
  link.nv = joint.nv();
  const Mat3<double>& R = joint_frame.R;

  Mat3<double> W = Mat3<double>::identity();  // from the joint's moving frame to the body's internal frame
  const auto parallel_to_parent = [&](const Vec3<double>& a, int k, JointKernel aligned) {
    link.kernel = offset(aligned, k);
    link.sign = a[k] > 0.0 ? 1.0 : -1.0;
    W = R;
  };
  if (const auto* revolute = std::get_if<Revolute>(&joint.type)) {
    const Vec3<double> a = R * revolute->axis;
    if (const int k = coordinate_axis(a); k >= 0) {
      parallel_to_parent(a, k, JointKernel::revolute_x);
      const Mat3<double>& far = (edge.reversed ? spec.at : spec.at_successor).R;
      if (const double angle = turn_for_children(edge.child, W * transpose(far), k); angle != 0.0) {
        W = turn_about(k, angle) * W;
        out_.angle_offsets.push_back({link.q, std::cos(angle), link.sign * std::sin(angle)});
      }
    } else {
      link.kernel = JointKernel::tilted_revolute;
      W = turn_to_z(revolute->axis);
      link.F = W * transpose(R);
    }
  } else if (const auto* prismatic = std::get_if<Prismatic>(&joint.type)) {
    const Vec3<double> a = R * prismatic->axis;
    if (const int k = coordinate_axis(a); k >= 0) {
      parallel_to_parent(a, k, JointKernel::prismatic_x);
    } else {
      link.kernel = JointKernel::tilted_prismatic;
      link.direction = a;
      W = R;
    }
  } else {
    link.F = transpose(R);
    if (std::holds_alternative<Spherical>(joint.type) && !joint.reversed)
      link.kernel = JointKernel::ball;
    else if (std::holds_alternative<Free>(joint.type) && !joint.reversed)
      link.kernel = JointKernel::free;
    else
      link.kernel = offset(JointKernel::general_0, link.nv);
  }

  out_.links.push_back(link);
  out_.joints.push_back(joint);
  out_.joint_names.push_back(spec.name);
  out_.coordinate_names.push_back(spec.coordinates);
  out_.joint_index[spec.name] = body;
  add_dofs(spec, joint, body);
  out_.nq += link.nq;
  out_.nv += link.nv;
  const Pose<double> user = Pose<double>{W, Vec3<double>{}} * inverse(edge.reversed ? spec.at : spec.at_successor);
  return {body, from_pose(user.R, user.p)};
}

void ModelAssembly::add_dofs(const JointSpec& spec, const Joint& joint, int body) {
  int before = -1;
  for (int up = out_.links[body].parent; up > 0 && before < 0; up = out_.links[up].parent)
    if (out_.links[up].nv > 0) before = out_.links[up].v + out_.links[up].nv - 1;
  for (int k = 0; k < joint.nv(); ++k) {
    const DofProperties d = spec.dofs.empty() ? DofProperties{} : spec.dofs[static_cast<std::size_t>(k)];
    out_.dofs.push_back(d);
    out_.armature.push_back(d.armature);
    if (d.armature > 0.0) out_.links[body].has_armature = true;
    out_.dof_parent.push_back(before);
    out_.body_of_dof.push_back(body);
    before = out_.nv + k;
  }
}

}  // namespace cardan
