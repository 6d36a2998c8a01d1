// A force along a path written twice: as a template for dual numbers, and as a text.
#pragma once

#include "cardan/forces/spring.hpp"
#include "tests/support/random_models.hpp"

namespace cardan::test {

/// Pulls with T = k (l - rest) + m (l - rest)^2 + c dl/dt along straight lines, for dual numbers.
struct TemplatePath {
  std::vector<BodyPoint> points;
  double k, m, c, rest;

  std::string name() const { return "path"; }
  Touches touches() const {
    std::vector<PathPoint> all;
    for (const BodyPoint& p : points) all.push_back({p.body, p.at});
    return Path(all).touches();
  }
  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    T l(0.0), ldot(0.0);
    std::vector<Vec3<T>> g(points.size());
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const BodyPoint &a = points[i], &b = points[i + 1];
      const Vec3<T> d = at.position(b.body, Vec3<T>(b.at)) - at.position(a.body, Vec3<T>(a.at));
      const Vec3<T> u = at.point_velocity(b.body, Vec3<T>(b.at)) - at.point_velocity(a.body, Vec3<T>(a.at));
      const T s = norm(d);
      const Vec3<T> n = (T(1.0) / s) * d;
      l += s;
      ldot += dot(n, u);
      g[i] -= n;
      g[i + 1] += n;
    }
    const T x = l - T(rest), tension = T(k) * x + T(m) * x * x + T(c) * ldot;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const int body = points[i].body;
      if (body == 0) continue;
      const Vec3<T> f = rotate(at.X_0(body).E, (-tension) * g[i]);
      pushes.body(body) += ForceVector<T>{cross(Vec3<T>(points[i].at), f), f};
    }
  }
};

/// Makes the same force from a text, with K and D in closed form.
inline std::shared_ptr<const Force> text_path(const TemplatePath& p) {
  std::vector<PathPoint> points;
  for (const BodyPoint& point : p.points) points.push_back({point.body, point.at});
  return std::make_shared<const TensionText>("p", Path(points), p.rest, p.c == 0.0, std::vector<Signal>(),
                                             [&p](Expr l, Expr ldot, Expr, Expr rest, std::span<const Expr>) {
                                               const Expr x = l - rest;
                                               return Expr(p.k) * x + Expr(p.m) * x * x + Expr(p.c) * ldot;
                                             });
}

/// Makes a path between random points of random bodies, neighbors on different ones.
inline TemplatePath random_path(Random& random, const Model& model, int points, double damping) {
  TemplatePath out{{}, random.uniform(1.0, 5.0), random.uniform(0.1, 1.0), damping, random.uniform(0.1, 0.8)};
  while (static_cast<int>(out.points.size()) < points) {
    const int body = random.below(model.bodies() + 1);
    if (!out.points.empty() && out.points.back().body == body) continue;
    out.points.push_back({body, random.vector()});
  }
  return out;
}

}  // namespace cardan::test
