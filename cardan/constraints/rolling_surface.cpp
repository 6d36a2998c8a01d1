#include "cardan/constraints/rolling_surface.hpp"

#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kFlat = 3.0;  // m: how far planes and cylinders are looked at

Interpreter compiled_chart(const RollingSurface::Point& point) {
  Graph graph;
  const Expr u = graph.input(0), v = graph.input(1);
  const Vec3<Expr> X = point(u, v), X_u = derivative(X, u), X_v = derivative(X, v);
  std::vector<Expr> outputs;
  for (const Vec3<Expr>* part : {&X, &X_u, &X_v})
    for (int i = 0; i < 3; ++i) outputs.push_back((*part)[i]);
  return Interpreter(make_program(graph, outputs, 2));
}

}  // namespace

RollingSurface::RollingSurface(const std::vector<Point>& charts, const std::array<double, 4>& range) {
  constexpr int kGrid = 14;
  for (const Point& point : charts) charts_.push_back(compiled_chart(point));
  Vec3<double> low{}, high{};
  for (int i = 0; i < kGrid; ++i)
    for (int j = 0; j < kGrid; ++j) {
      const SurfacePlace place{0, range[0] + (range[1] - range[0]) * (i + 0.5) / kGrid,
                               range[2] + (range[3] - range[2]) * (j + 0.5) / kGrid};
      const Vec3<double> x = at(0, place.u, place.v).X;
      for (int c = 0; c < 3; ++c) {
        low[c] = samples_.empty() ? x[c] : std::min(low[c], x[c]);
        high[c] = samples_.empty() ? x[c] : std::max(high[c], x[c]);
      }
      samples_.push_back(place);
    }
  size_ = 0.5 * norm(high - low);
}

std::shared_ptr<const RollingSurface> RollingSurface::ellipsoid(const Vec3<double>& a) {
  std::vector<Point> charts;
  for (int pole = 0; pole < 3; ++pole)  // the axis through the poles, then the others in cyclic order
    charts.push_back([a, pole](Expr u, Expr v) {
      const int z = (pole + 2) % 3, x = (z + 1) % 3, y = (z + 2) % 3;
      Vec3<Expr> out;
      out[x] = Expr(a[x]) * cos(v) * cos(u);
      out[y] = Expr(a[y]) * cos(v) * sin(u);
      out[z] = Expr(a[z]) * sin(v);
      return out;
    });
  RollingSurface out(charts, {-kPi, kPi, -0.5 * kPi, 0.5 * kPi});
  out.semi_axes_ = a;
  return std::make_shared<const RollingSurface>(std::move(out));
}

std::shared_ptr<const RollingSurface> RollingSurface::torus(double major, double minor) {
  const Point point = [=](Expr u, Expr v) {
    const Expr c = Expr(major) + Expr(minor) * cos(v);
    return Vec3<Expr>{c * cos(u), c * sin(u), Expr(minor) * sin(v)};
  };
  return of_point(point, {-kPi, kPi, -kPi, kPi});
}

std::shared_ptr<const RollingSurface> RollingSurface::plane() {
  return of_point([](Expr u, Expr v) { return Vec3<Expr>{u, v, Expr(0.0)}; }, {-kFlat, kFlat, -kFlat, kFlat});
}

std::shared_ptr<const RollingSurface> RollingSurface::cylinder(double radius) {
  return of_point(
      [radius](Expr u, Expr v) {
        return Vec3<Expr>{Expr(radius) * cos(u), Expr(radius) * sin(u), v};
      },
      {-kPi, kPi, -kFlat, kFlat});
}

std::shared_ptr<const RollingSurface> RollingSurface::of_point(const Point& point, const std::array<double, 4>& range) {
  return std::make_shared<const RollingSurface>(RollingSurface({point}, range));
}

SurfacePlace RollingSurface::best(const SurfacePlace& place) const {
  constexpr double kNearPole = 0.7;  // |sin v|
  if (charts_.size() == 1 || std::abs(std::sin(place.v)) < kNearPole) return place;
  const Vec3<double> X = at(place.chart, place.u, place.v).X;
  SurfacePlace out;
  double least = 2.0;
  for (int pole = 0; pole < 3; ++pole) {
    const int z = (pole + 2) % 3, x = (z + 1) % 3, y = (z + 2) % 3;
    const double sine = X[z] / semi_axes_[z];
    if (std::abs(sine) >= least) continue;
    least = std::abs(sine);
    out = {pole, std::atan2(X[y] / semi_axes_[y], X[x] / semi_axes_[x]), std::asin(std::clamp(sine, -1.0, 1.0))};
  }
  return out;
}

}  // namespace cardan
