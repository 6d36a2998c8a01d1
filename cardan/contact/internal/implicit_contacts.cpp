#include "cardan/contact/internal/implicit_contacts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan {

namespace {

/// Axes of a bearing in the frame that carries it: the last is the joint's own.
struct BearingAxes {
  Vec3<double> x, y, z;
};

/// Turns the coordinate axes by the shortest way that brings z onto the axis; half a turn about x where it is -z.
BearingAxes axes_along(const Vec3<double>& z) {
  if (z[2] < -1.0 + 1e-12) return {{1.0, 0.0, 0.0}, {0.0, -1.0, 0.0}, z};
  const double k = 1.0 / (1.0 + z[2]);
  return {{1.0 - k * z[0] * z[0], -k * z[0] * z[1], -z[0]}, {-k * z[0] * z[1], 1.0 - k * z[1] * z[1], -z[1]}, z};
}

std::vector<ImplicitContact> on_cylinder(const BearingAxes& axes, double radius, double length) {
  std::vector<ImplicitContact> out;
  for (const double end : {-0.5, 0.5})
    for (const Vec3<double>& outward : {axes.x, axes.y, -axes.x, -axes.y})
      out.push_back({radius * outward + end * length * axes.z,
                     {-outward, (end < 0.0 ? 1.0 : -1.0) * axes.z},
                     {cross(axes.z, outward)}});
  return out;
}

std::vector<ImplicitContact> on_box(const BearingAxes& axes, double half_width, double length) {
  std::vector<ImplicitContact> out;
  for (const double end : {-0.5, 0.5})
    for (const double a : {-1.0, 1.0})
      for (const double b : {-1.0, 1.0})
        out.push_back(
            {half_width * (a * axes.x + b * axes.y) + end * length * axes.z, {-a * axes.x, -b * axes.y}, {axes.z}});
  return out;
}

std::vector<ImplicitContact> on_sphere(double radius) {
  std::vector<ImplicitContact> out;
  const Vec3<double> axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int k = 0; k < 3; ++k)
    for (const double side : {1.0, -1.0})
      out.push_back({side * radius * axes[k], {-side * axes[k]}, {axes[(k + 1) % 3], axes[(k + 2) % 3]}});
  return out;
}

/// The points in the frame that carries the joint; none where the joint has no such points. A loop that only holds a
/// point on a line, the line first, is a hinge about it.
std::vector<ImplicitContact> points_of(const Bearing& bearing, const Joint& joint) {
  std::vector<ImplicitContact> out;
  int parts = 0;
  for_each_part(joint, 0, 0, [&]<class J>([[maybe_unused]] const J& type, int, int) {
    const bool first = parts++ == 0;
    if constexpr (std::same_as<J, Revolute>) {
      if (first) out = on_cylinder(axes_along(type.axis), bearing.radius, bearing.length);
    } else if constexpr (std::same_as<J, Prismatic>) {
      if (first) out = on_box(axes_along(type.axis), bearing.half_width, bearing.length);
    } else if constexpr (std::same_as<J, Spherical> || std::same_as<J, SphericalExponential> ||
                         std::same_as<J, SphericalEuler>) {
      if (first) out = on_sphere(bearing.radius);
    }
  });
  return parts == 1 ? out : std::vector<ImplicitContact>();
}

std::vector<ImplicitContact> points_of_line(const Bearing& bearing, const Joint& joint) {
  std::vector<ImplicitContact> out;
  int parts = 0;
  for_each_part(joint, 0, 0, [&]<class J>([[maybe_unused]] const J& type, int, int) {
    if constexpr (std::same_as<J, Prismatic>)
      if (parts == 0) out = on_cylinder(axes_along(type.axis), bearing.radius, bearing.length);
    if constexpr (!std::same_as<J, Spherical>)
      if (parts == 1) out.clear();
    ++parts;
  });
  return parts == 2 ? out : std::vector<ImplicitContact>();
}

/// From the frame that X leads to back to the one that it comes from.
void place(const Transform<double>& X, std::vector<ImplicitContact>& points) {
  for (ImplicitContact& each : points) {
    each.point = X.r + rotate_back(X.E, each.point);
    for (auto* directions : {&each.normals, &each.tangents})
      for (Vec3<double>& direction : *directions) direction = rotate_back(X.E, direction);
  }
}

}  // namespace

ImplicitContacts implicit_contacts(const Model& model, const Bearing& bearing) {
  ImplicitContacts out;
  out.mu = bearing.mu;
  out.loop = bearing.loop;
  std::string name;
  if (bearing.loop >= 0) {
    const LoopJoint& loop = model.loops()[static_cast<std::size_t>(bearing.loop)];
    name = fmt::format("loop \"{}\"", loop.name);
    out.body = loop.predecessor.body;
    out.other = loop.successor.body;
    out.points = points_of(bearing, loop.type);
    if (out.points.empty()) out.points = points_of_line(bearing, loop.type);
    place(loop.predecessor.X, out.points);
  } else {
    name = fmt::format("joint \"{}\"", model.joint_name(bearing.body));
    out.body = bearing.body;
    out.other = model.link(bearing.body).parent;
    // the user's frame of the body is the joint's moving frame but for its origin
    const Mat3<double> E = model.frame(model.body_frame(bearing.body)).X.E;
    out.points = points_of(bearing, model.joint(bearing.body));
    place({E, {}}, out.points);
  }
  if (out.points.empty())
    throw ModelError(name +
                     ": expected a revolute, prismatic or spherical joint for a bearing with "
                     "contact_solver = \"bilateral_staggered_projections\", found another");
  return out;
}

}  // namespace cardan
