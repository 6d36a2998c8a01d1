#include "cardan/joints/surface.hpp"

#include "cardan/joints/internal/polynomial.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
  return {[radius](Expr u, Expr v) { return tube_frame(0.0, radius, u, v); }, EllipsoidChart{{radius, radius, radius}}};
}

Surface ellipsoid_surface(double a, double b, double c) {
  return {[a, b, c](Expr u, Expr v) {
            const Expr cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v), o;
            const Vec3<Expr> x{Expr(-a) * su, Expr(b) * cu, o};  // point_u / cos v
            const Vec3<Expr> z{Expr(b * c) * (cv * cu), Expr(a * c) * (cv * su), Expr(a * b) * sv};
            return frame_along(x, z, {Expr(a) * (cv * cu), Expr(b) * (cv * su), Expr(c) * sv});
          },
          EllipsoidChart{{a, b, c}}};
}

Surface torus_surface(double major, double minor) {
  return {[major, minor](Expr u, Expr v) { return tube_frame(major, minor, u, v); }};
}

Surface point_surface(std::function<Vec3<Expr>(Expr u, Expr v)> point) {
  return {[point = std::move(point)](Expr u, Expr v) {
    const Vec3<Expr> p = point(u, v), along_u = derivative(p, u);
    return frame_along(along_u, cross(along_u, derivative(p, v)), p);
  }};
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

namespace {

/// Where cos v is less, the poles are too near. A chart with other poles has at least 0.8.
constexpr double kNearPole = 0.4;

/// Axis k of the chart's own frame as an axis of the body: the last carries the poles.
int axis_of(const EllipsoidChart& chart, int k) { return (chart.pole + 1 + k) % 3; }

/// A point of an ellipsoid at (u, v) of a chart, with its outward normal and the frame's x axis, in axes of the body.
struct ChartPoint {
  Vec3<double> p, n, x;

  ChartPoint(const EllipsoidChart& chart, double u, double v) {
    const double cu = std::cos(u), su = std::sin(u), cv = std::cos(v), sv = std::sin(v);
    const int i = axis_of(chart, 0), j = axis_of(chart, 1), k = axis_of(chart, 2);
    p[i] = chart.half[i] * cv * cu;
    p[j] = chart.half[j] * cv * su;
    p[k] = chart.half[k] * sv;
    for (int c = 0; c < 3; ++c) n[c] = p[c] / (chart.half[c] * chart.half[c]);
    n = (1.0 / norm(n)) * n;
    x[i] = -chart.half[i] * su;
    x[j] = chart.half[j] * cu;
    x = (1.0 / norm(x)) * x;
  }
};

/// Rewrites (u, v) in another chart of the same ellipsoid; returns the angle about the normal from the new frame to the
/// old one.
double move_poles(const EllipsoidChart& from, const EllipsoidChart& to, double* uv) {
  const ChartPoint old(from, uv[0], uv[1]);
  const int i = axis_of(to, 0), j = axis_of(to, 1), k = axis_of(to, 2);
  uv[0] = std::atan2(old.p[j] / to.half[j], old.p[i] / to.half[i]);
  uv[1] = std::asin(std::clamp(old.p[k] / to.half[k], -1.0, 1.0));
  const ChartPoint now(to, uv[0], uv[1]);
  return std::atan2(dot(old.x, cross(old.n, now.x)), dot(old.x, now.x));
}

/// The surface in a chart with other poles: that of an ellipsoid with its axes renamed, turned back.
Surface with_pole(const EllipsoidChart& chart, int pole) {
  const EllipsoidChart other{chart.half, pole};
  const int i = axis_of(other, 0), j = axis_of(other, 1), k = axis_of(other, 2);
  Mat3<double> axes;
  axes(i, 0) = axes(j, 1) = axes(k, 2) = 1.0;
  const Surface own = ellipsoid_surface(chart.half[i], chart.half[j], chart.half[k]);
  return {[own, axes](Expr u, Expr v) { return Pose<Expr>{Mat3<Expr>(axes), {}} * own(u, v); }, other};
}

/// Charts of a joint on one surface or of two, whose spin is free: F = F' rotz(delta) on either of them, and since
/// diag(1, -1, -1) turns the sense of rotation, both deltas add to the spin.
class SurfaceCharts final : public ExpressionCharts {
 public:
  explicit SurfaceCharts(std::vector<Surface> surfaces) : surfaces_(std::move(surfaces)) {}

  std::optional<ExpressionJoint> other(const double* q) const override {
    std::vector<Surface> out = surfaces_;
    bool any = false;
    for (std::size_t s = 0; s < out.size(); ++s) {
      if (!out[s].ellipsoid || std::abs(std::cos(q[2 * s + 1])) > kNearPole) continue;
      const EllipsoidChart& chart = *out[s].ellipsoid;
      const ChartPoint at(chart, q[2 * s], q[2 * s + 1]);
      int pole = 0;
      const auto height = [&](int k) { return std::abs(at.p[k] / chart.half[k]); };
      for (int k = 1; k < 3; ++k)
        if (height(k) < height(pole)) pole = k;
      out[s] = with_pole(EllipsoidChart(chart), pole);
      any = true;
    }
    if (!any) return std::nullopt;
    return out.size() == 1 ? on_surface(out[0], free_spin) : surface_on_surface(out[0], out[1], free_spin);
  }

  void rewrite(const ExpressionCharts& to, double* q) const override {
    const auto& others = static_cast<const SurfaceCharts&>(to).surfaces_;
    for (std::size_t s = 0; s < surfaces_.size(); ++s)
      if (surfaces_[s].ellipsoid && surfaces_[s].ellipsoid->pole != others[s].ellipsoid->pole)
        q[2 * surfaces_.size()] += move_poles(*surfaces_[s].ellipsoid, *others[s].ellipsoid, q + 2 * s);
  }

 private:
  std::vector<Surface> surfaces_;
};

/// A frozen spin ties the body to the chart's own directions, which no other chart has.
ExpressionJoint with_charts(ExpressionJoint joint, std::vector<Surface> surfaces, const Spin& spin) {
  if (spin.free &&
      std::any_of(surfaces.begin(), surfaces.end(), [](const Surface& s) { return s.ellipsoid.has_value(); }))
    joint.use_charts(std::make_shared<const SurfaceCharts>(std::move(surfaces)));
  return joint;
}

}  // namespace

ExpressionJoint on_surface(const Surface& surface, const Spin& spin) {
  ExpressionJoint out = with_charts(
      {2 + spin.coordinates(), [&](std::span<const Expr> q) { return surface(q[0], q[1]) * spin.motion(q.subspan(2)); },
       "on_surface"},
      {surface}, spin);
  out.name_coordinates(spin.names({"u", "v"}, "spin"));
  return out;
}

ExpressionJoint surface_on_surface(const Surface& a, const Surface& b, const Spin& spin) {
  const auto pose = [&](std::span<const Expr> q) {
    const Pose<Expr> face_to_face{Mat3<Expr>(mat3<double>(1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0)), {}};
    return a(q[0], q[1]) * spin.motion(q.subspan(4)) * face_to_face * inverse(b(q[2], q[3]));
  };
  ExpressionJoint out = with_charts({4 + spin.coordinates(), pose, "surface"}, {a, b}, spin);
  out.name_coordinates(spin.names({"u1", "v1", "u2", "v2"}, "psi"));
  return out;
}

}  // namespace cardan
