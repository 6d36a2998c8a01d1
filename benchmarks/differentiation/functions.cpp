#include "benchmarks/differentiation/functions.hpp"

#include "cardan/joints/curve.hpp"
#include "cardan/joints/surface.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <cmath>
#include <numbers>

namespace cardan::bench {

namespace {

using Point = Vec3<Expr>;

Point point(double x, double y, double z) { return {Expr(x), Expr(y), Expr(z)}; }
Point scaled(Expr s, const Point& p) { return {s * p[0], s * p[1], s * p[2]}; }

Pose<Expr> turned(int axis, Expr angle) { return turn(axis, angle).pose(); }

/// Axes as columns.
Pose<Expr> frame(const Point& x, const Point& y, const Point& z, const Point& p) {
  Pose<Expr> G;
  for (int i = 0; i < 3; ++i) {
    G.R(i, 0) = x[i];
    G.R(i, 1) = y[i];
    G.R(i, 2) = z[i];
  }
  G.p = p;
  return G;
}

/// z outward, x along the derivative by u; a sphere is a torus with R = 0.
Pose<Expr> torus(double R, double r, Expr u, Expr v) {
  const Expr radius = Expr(R) + Expr(r) * cos(v);
  Pose<Expr> at;
  at.p = {radius * cos(u), radius * sin(u), Expr(r) * sin(v)};
  return at * turned(2, u) * turned(1, -v) * frame(point(0, 1, 0), point(0, 0, 1), point(1, 0, 0), Point{});
}

Pose<Expr> ellipsoid(double a, double b, double c, Expr u, Expr v) {
  const Expr cu = cos(u), su = sin(u), cv = cos(v), sv = sin(v);
  const Point along{Expr(-a) * su, Expr(b) * cu, Expr()},
      outward{Expr(1.0 / a) * cv * cu, Expr(1.0 / b) * cv * su, Expr(1.0 / c) * sv};
  const Point x = scaled(Expr(1.0) / norm(along), along), z = scaled(Expr(1.0) / norm(outward), outward);
  return frame(x, cross(z, x), z, {Expr(a) * cv * cu, Expr(b) * cv * su, Expr(c) * sv});
}

/// Two surfaces touch: their frames have opposite normals; psi turns about the normal.
Pose<Expr> contact(const Pose<Expr>& a, const Pose<Expr>& b, Expr psi) {
  const Pose<Expr> flip = frame(point(1, 0, 0), point(0, -1, 0), point(0, 0, -1), Point{});
  return a * turned(2, psi) * flip * inverse(b);
}

/// Bernstein polynomials of one degree at t.
std::vector<Expr> bernstein(int degree, Expr t) {
  const Expr s = Expr(1.0) - t;
  std::vector<Expr> t_power{Expr(1.0)}, s_power{Expr(1.0)}, B;
  for (int i = 0; i < degree; ++i) {
    t_power.push_back(t_power.back() * t);
    s_power.push_back(s_power.back() * s);
  }
  double binomial = 1.0;
  for (int i = 0; i <= degree; ++i) {
    B.push_back(Expr(binomial) * t_power[static_cast<std::size_t>(i)] * s_power[static_cast<std::size_t>(degree - i)]);
    binomial *= static_cast<double>(degree - i) / (i + 1);
  }
  return B;
}

/// Control points without pattern.
Vec3<double> control_point(int i, int j) {
  return {i + 0.3 * std::sin(3.0 * i + j), j + 0.2 * std::cos(2.0 * j - i), 0.5 * std::sin(1.7 * i + 2.9 * j)};
}
std::vector<Vec3<double>> control_points(int i, int count) {
  std::vector<Vec3<double>> out;
  for (int j = 0; j < count; ++j) out.push_back(control_point(i, j));
  return out;
}

/// Along a Bezier curve with x along the tangent, turning by `roll` about it.
Pose<Expr> on_curve(int points, Expr t, Expr roll) {
  const std::vector<Expr> B = bernstein(points - 1, t);
  Point p;
  for (int i = 0; i < points; ++i) p = p + scaled(B[static_cast<std::size_t>(i)], Point(control_point(1, i)));
  const Point tangent = derivative(p, t), x = scaled(Expr(1.0) / norm(tangent), tangent),
              side = cross(point(0, 0, 1), x), y = scaled(Expr(1.0) / norm(side), side);
  return frame(x, y, cross(x, y), p) * turned(0, roll);
}

/// On a Bezier patch with z along the normal and x along the derivative by u, turning by `spin` about the normal.
Pose<Expr> on_patch(int points, Expr u, Expr v, Expr spin) {
  const std::vector<Expr> Bu = bernstein(points - 1, u), Bv = bernstein(points - 1, v);
  Point p;
  for (int i = 0; i < points; ++i) {
    Point row;
    for (int j = 0; j < points; ++j) row = row + scaled(Bv[static_cast<std::size_t>(j)], Point(control_point(i, j)));
    p = p + scaled(Bu[static_cast<std::size_t>(i)], row);
  }
  const Point by_u = derivative(p, u), by_v = derivative(p, v), normal = cross(by_u, by_v);
  const Point x = scaled(Expr(1.0) / norm(by_u), by_u), z = scaled(Expr(1.0) / norm(normal), normal);
  return frame(x, cross(z, x), z, p) * turned(2, spin);
}

double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }

}  // namespace

std::vector<Expr> inputs(Graph& graph, int first, int n) {
  std::vector<Expr> x;
  for (int i = 0; i < n; ++i) x.push_back(graph.input(first + i));
  return x;
}

std::vector<Expr> spherical_harmonics(int order, Expr x, Expr y, Expr z) {
  const auto at = [&](int l, int m) { return static_cast<std::size_t>(l * (order + 1) + m); };
  std::vector<Expr> P(at(order, order) + 1), C{Expr(1.0)}, S{Expr(0.0)}, Y;
  for (int m = 0; m <= order; ++m) {
    P[at(m, m)] = m == 0 ? Expr(1.0) : Expr(1.0 - 2.0 * m) * P[at(m - 1, m - 1)];
    if (m < order) P[at(m + 1, m)] = Expr(2.0 * m + 1.0) * z * P[at(m, m)];
    for (int l = m + 2; l <= order; ++l)
      P[at(l, m)] = (Expr(2.0 * l - 1.0) * z * P[at(l - 1, m)] - Expr(l + m - 1.0) * P[at(l - 2, m)]) / Expr(l - m);
    if (m == 0) continue;
    const Expr c = C.back(), s = S.back();
    C.push_back(x * c - y * s);
    S.push_back(x * s + y * c);
  }
  for (int l = 0; l <= order; ++l)
    for (int m = -l; m <= l; ++m) {
      const int k = std::abs(m);
      const double N = std::sqrt((2.0 * l + 1.0) / (4.0 * std::numbers::pi) * factorial(l - k) / factorial(l + k));
      const auto i = static_cast<std::size_t>(k);
      Y.push_back(Expr(m == 0 ? N : std::numbers::sqrt2 * N) * P[at(l, k)] * (m < 0 ? S[i] : C[i]));
    }
  return Y;
}

Expr long_chain(int steps, Expr x, Expr a) {
  for (int k = 0; k < steps; ++k) x = sin(x) * x + a;
  return x;
}

std::vector<PoseFunction> surface_and_curve_joints() {
  using Q = std::span<const Expr>;
  const Spin fixed = frozen_spin(0.4);
  const Surface small = sphere_surface(0.5), ball = sphere_surface(0.3), ring = torus_surface(1.0, 0.2),
                other_ring = torus_surface(0.8, 0.3), egg = ellipsoid_surface(0.8, 0.6, 0.4);
  std::vector<std::vector<Vec3<double>>> patch;
  for (int i = 0; i < 5; ++i) patch.push_back(control_points(i, 5));
  return {
      {"sphere-sphere", 5, [](Q q) { return contact(torus(0.0, 0.5, q[0], q[1]), torus(0.0, 0.3, q[2], q[3]), q[4]); },
       surface_on_surface(small, ball, free_spin)},
      {"sphere-torus", 5, [](Q q) { return contact(torus(0.0, 0.5, q[0], q[1]), torus(0.8, 0.3, q[2], q[3]), q[4]); },
       surface_on_surface(small, other_ring, free_spin)},
      {"torus-torus, spin fixed", 4,
       [=](Q q) { return contact(torus(1.0, 0.2, q[0], q[1]), torus(0.8, 0.3, q[2], q[3]), Expr(fixed.angle)); },
       surface_on_surface(ring, other_ring, fixed)},
      {"torus-torus", 5, [](Q q) { return contact(torus(1.0, 0.2, q[0], q[1]), torus(0.8, 0.3, q[2], q[3]), q[4]); },
       surface_on_surface(ring, other_ring, free_spin)},
      {"sphere-ellipsoid", 5,
       [](Q q) { return contact(torus(0.0, 0.5, q[0], q[1]), ellipsoid(0.8, 0.6, 0.4, q[2], q[3]), q[4]); },
       surface_on_surface(small, egg, free_spin)},
      {"torus-ellipsoid", 5,
       [](Q q) { return contact(torus(1.0, 0.2, q[0], q[1]), ellipsoid(0.8, 0.6, 0.4, q[2], q[3]), q[4]); },
       surface_on_surface(ring, egg, free_spin)},
      {"Bezier curve, 7 points", 2, [](Q q) { return on_curve(7, q[0], q[1]); },
       cardan::on_curve(bezier_curve(control_points(1, 7)), free_spin)},
      {"Bezier patch, 5 x 5 points", 3, [](Q q) { return on_patch(5, q[0], q[1], q[2]); },
       on_surface(bezier_surface(patch), free_spin)},
  };
}

}  // namespace cardan::bench
