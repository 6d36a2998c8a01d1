#include "cardan/joints/surface.hpp"

#include "cardan/joints/polynomial.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <array>

namespace cardan {

namespace {

/// The frame on the tube of radius `minor` around the circle of radius `major`; a sphere has no such circle.
MotionProduct tube_frame(double major, double minor, Expr u, Expr v) {
  const Expr o;
  const Mat3<double> axes = mat3<double>(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);  // z outward, x along u
  return turn(2, u) * shift({Expr(major), o, o}) * turn(1, -v) * shift({Expr(minor), o, o}) *
         Pose<Expr>{Mat3<Expr>(axes), {}};
}

}  // namespace

Surface sphere_surface(double radius) {
  return [radius](Expr u, Expr v) { return tube_frame(0.0, radius, u, v); };
}

Surface ellipsoid_surface(double a, double b, double c) {
  return [a, b, c](Expr u, Expr v) {
    const Expr cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v), o;
    const Vec3<Expr> x{Expr(-a) * su, Expr(b) * cu, o};  // point_u / cos v
    const Vec3<Expr> z{Expr(b * c) * (cv * cu), Expr(a * c) * (cv * su), Expr(a * b) * sv};
    return frame_along(x, z, {Expr(a) * (cv * cu), Expr(b) * (cv * su), Expr(c) * sv});
  };
}

Surface torus_surface(double major, double minor) {
  return [major, minor](Expr u, Expr v) { return tube_frame(major, minor, u, v); };
}

Surface point_surface(std::function<Vec3<Expr>(Expr u, Expr v)> point) {
  return [point = std::move(point)](Expr u, Expr v) {
    const Vec3<Expr> p = point(u, v), along_u = derivative(p, u);
    return frame_along(along_u, cross(along_u, derivative(p, v)), p);
  };
}

Surface bezier_surface(const std::vector<std::vector<Vec3<double>>>& points) {
  std::array<std::vector<std::vector<double>>, 3> c;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<std::vector<double>> controls;
    for (const std::vector<Vec3<double>>& row : points) {
      if (row.size() != points[0].size())
        throw std::invalid_argument("a Bezier patch has rows of equal length, found " +
                                    std::to_string(points[0].size()) + " and " + std::to_string(row.size()));
      controls.emplace_back();
      for (const Vec3<double>& p : row) controls.back().push_back(p[static_cast<int>(k)]);
    }
    c[k] = bezier_coefficients(controls);
  }
  return point_surface([c](Expr u, Expr v) {
    const Expr x = u - Expr(0.5), y = v - Expr(0.5);
    return Vec3<Expr>{polynomial(c[0], x, y), polynomial(c[1], x, y), polynomial(c[2], x, y)};
  });
}

ExpressionJoint on_surface(const Surface& surface, const Spin& spin) {
  ExpressionJoint out(
      2 + spin.coordinates(), [&](std::span<const Expr> q) { return surface(q[0], q[1]) * spin.motion(q.subspan(2)); },
      "on_surface");
  out.name_coordinates(spin.names({"u", "v"}, "spin"));
  return out;
}

ExpressionJoint surface_on_surface(const Surface& a, const Surface& b, const Spin& spin) {
  const auto pose = [&](std::span<const Expr> q) {
    const Pose<Expr> face_to_face{Mat3<Expr>(mat3<double>(1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0)), {}};
    return a(q[0], q[1]) * spin.motion(q.subspan(4)) * face_to_face * inverse(b(q[2], q[3]));
  };
  ExpressionJoint out(4 + spin.coordinates(), pose, "surface");
  out.name_coordinates(spin.names({"u1", "v1", "u2", "v2"}, "psi"));
  return out;
}

}  // namespace cardan
