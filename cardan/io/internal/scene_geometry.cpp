#include "cardan/io/internal/scene_geometry.hpp"

#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_text.hpp"
#include "cardan/joints/internal/polynomial.hpp"
#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace cardan::io {

namespace {

std::vector<Vec3<double>> read_points(const TomlValue& list) {
  const std::vector<TomlValue> items = list.items();
  if (items.size() < 2 || items.size() > kMostBezierPoints)
    list.fail(fmt::format("expected 2 to {} control points, found {}", kMostBezierPoints, items.size()));
  std::vector<Vec3<double>> out;
  for (const TomlValue& item : items) out.push_back(item.vec3());
  return out;
}

Surface bezier_patch(const TomlValue& rows) {
  std::vector<std::vector<Vec3<double>>> points;
  const std::vector<TomlValue> items = rows.items();
  if (items.size() < 2 || items.size() > kMostBezierPoints)
    rows.fail(fmt::format("expected 2 to {} rows of control points, found {}", kMostBezierPoints, items.size()));
  for (const TomlValue& row : items) {
    points.push_back(read_points(row));
    if (points.back().size() != points[0].size())
      row.fail(fmt::format("expected {} control points as in the first row, found {}", points[0].size(),
                           points.back().size()));
  }
  return bezier_surface(points);
}

/// rotx(alpha) trans(a, 0, 0) rotz(theta) trans(0, 0, d): from one joint axis, z, to the next (Craig's convention).
Pose<double> read_denavit_hartenberg(const TomlValue& dh) {
  allow_keys(dh, "dh");
  const auto number = [&](const char* key) { return dh.find(key) ? dh.find(key).number() : 0.0; };
  const Pose<double> first{rotation_rpy(number("alpha"), 0.0, 0.0), {number("a"), 0.0, 0.0}};
  const Pose<double> second{rotation_rpy(0.0, 0.0, number("theta")), {0.0, 0.0, number("d")}};
  return first * second;
}

}  // namespace

Pose<double> read_pose(const TomlValue& value) {
  allow_keys(value, "pose");
  Pose<double> pose;
  if (const TomlValue dh = value.find("dh")) {
    for (const char* key : {"xyz", "rpy", "quat"})
      if (value.find(key)) value.find(key).fail("expected dh alone, found it beside " + std::string(key));
    return read_denavit_hartenberg(dh);
  }
  if (const TomlValue xyz = value.find("xyz")) pose.p = xyz.vec3();
  if (const TomlValue rpy = value.find("rpy")) {
    const Vec3<double> angles = rpy.vec3();
    pose.R = rotation_rpy(angles[0], angles[1], angles[2]);
  }
  if (const TomlValue quat = value.find("quat")) {
    if (value.find("rpy")) quat.fail("expected rpy or quat, found both");
    const std::vector<double> q = quat.numbers(4);
    const Quaternion<double> turn{q[0], q[1], q[2], q[3]};
    if (!(std::abs(dot(turn, turn) - 1.0) <= 1e-6))
      quat.fail(fmt::format("expected a quaternion (w, x, y, z) of length 1, found length {:.9g}",
                            std::sqrt(dot(turn, turn))));
    pose.R = quaternion_to_matrix(quaternion_normalize(turn));
  }
  return pose;
}

Pose<double> read_place(const TomlValue& table) {
  const TomlValue at = table.find("at");
  return at ? read_pose(at) : Pose<double>{};
}

Vec3<double> read_direction(const TomlValue& value) {
  const Vec3<double> v = value.vec3();
  const double length = norm(v);
  if (!std::isfinite(length) || length < 1e-12)
    value.fail(fmt::format("expected a direction, found a vector of {} length", length < 1.0 ? "zero" : "infinite"));
  return (1.0 / length) * v;
}

Spin read_spin(const TomlValue& value) {
  if (value.is_text() && value.text() == "free") return free_spin;
  if (value.is_text()) {
    try {
      return frozen_spin(value.number());
    } catch (const ModelError&) {  // neither: both are named below
    }
  }
  if (!value.is_number()) value.fail("expected \"free\" or an angle, found " + value.kind());
  return frozen_spin(value.number());
}

Curve read_curve(const TomlValue& value) {
  const std::string kind = value.only_key(variant_names("curve"), "curve");
  allow_keys(value, "curve", kind);
  if (kind == "bezier") return bezier_curve(read_points(value.find("bezier")));
  const TomlValue point = value.find("point");
  return [scope = TextScope(value, {value.required("coordinate")}), point](Expr s) {
    return read_point(point, scope.symbols(std::array{s}));
  };
}

Surface read_surface(const TomlValue& value) {
  const std::string kind = value.only_key(variant_names("surface"), "surface");
  const TomlValue data = value.find(kind);
  allow_keys(value, "surface", kind);
  if (kind == "point") {
    const TextScope scope(value, value.required("coordinates").items(2, "names"));
    return point_surface([scope, data](Expr u, Expr v) { return read_point(data, scope.symbols(std::array{u, v})); });
  }
  if (kind == "sphere") return sphere_surface(data.positive());
  if (kind == "bezier") return bezier_patch(data);
  if (kind == "ellipsoid") {
    const std::vector<TomlValue> axes = data.items(3, "numbers");
    return ellipsoid_surface(axes[0].positive(), axes[1].positive(), axes[2].positive());
  }
  allow_keys(data, "torus");
  const double major = data.required("major").positive(), minor = data.required("minor").positive();
  if (minor >= major) data.fail(fmt::format("expected minor below major {}, found {}", major, minor));
  return torus_surface(major, minor);
}

}  // namespace cardan::io
