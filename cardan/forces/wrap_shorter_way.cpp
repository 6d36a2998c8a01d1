// Wrapping the shorter way round. With m the point of the straight line from P to S that is nearest to the center of
// the surface (scaled by the semi-axes of an ellipsoid, projected along the axis of a cylinder), a convex surface is
// touched where m lies inside, and m is the side. A torus is wrapped on the inside of its tube, where the line comes
// nearest to the circle in it. Surfaces that are wrapped by geodesics keep their last solution for each side, so these
// have a fixed set of sides, of which the nearest to m is taken: which way round is all that a side says.
#include "cardan/forces/wrap_surface.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

double WrapSurface::nearest_part(const Vec3<double>& P, const Vec3<double>& S) const {
  const Vec3<double> d = S - P;
  const double square = dot(d, d);
  return square > 0.0 ? std::clamp(-dot(P, d) / square, 0.0, 1.0) : 0.0;
}

namespace {

/// A direction across the line, for one that passes the center itself.
Vec3<double> across(const Vec3<double>& d, bool in_plane) {
  if (in_plane) return {-d[1], d[0], 0.0};
  const Vec3<double> any = std::abs(d[0]) < 0.6 * norm(d) ? Vec3<double>{1.0, 0.0, 0.0} : Vec3<double>{0.0, 1.0, 0.0};
  return cross(d, any);
}

class ShorterWay final : public WrapSurface {
 public:
  using Make = std::function<std::shared_ptr<const WrapSurface>(const Vec3<double>& side)>;
  ShorterWay(Make make, const Shape& shape) : make_(std::move(make)), shape_(shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape_)) scale_ = {sphere->radius, sphere->radius, sphere->radius};
    if (const auto* e = std::get_if<Ellipsoid>(&shape_)) scale_ = {e->x, e->y, e->z};
    if (const auto* c = std::get_if<Cylinder>(&shape_)) {
      scale_ = {c->radius, c->radius, 1.0};
      is_flat_ = true;
    }
    any_ = make_({scale_[0], 0.0, 0.0});
    add_sides();
  }

  WrappedCurve wrap(const Vec3<double>& P, const Vec3<double>& S, Want want) const override {
    if (const auto* torus = std::get_if<Torus>(&shape_))
      return nearest_side(nearest_on_circle(torus->major, P, S)).wrap(P, S, want);
    const Vec3<double> p = scaled(P), s = scaled(S), nearest = p + WrapSurface::nearest_part(p, s) * (s - p);
    const double square = dot(nearest, nearest);
    if (square >= 1.0) return {};
    Vec3<double> side = square > 1e-20 ? nearest : across(s - p, is_flat_);
    if (!(norm(side) > 0.0)) return {};
    if (!sides_.empty()) return nearest_side(side).wrap(P, S, want);
    side = {side[0] * scale_[0], side[1] * scale_[1], side[2] * scale_[2]};
    return make_(side)->wrap(P, S, want);
  }
  Vec3<double> follow(const Vec3<double>& from, const Vec3<double>& tangent, double length) const override {
    if (std::holds_alternative<Torus>(shape_)) return nearest_side(from).follow(from, tangent, length);
    return any_->follow(from, tangent, length);
  }
  Shape shape() const override { return any_->shape(); }
  double nearest_part(const Vec3<double>& P, const Vec3<double>& S) const override { return any_->nearest_part(P, S); }

 private:
  struct Side {
    Vec3<double> direction;  // a unit vector, scaled
    std::shared_ptr<const WrapSurface> surface;
  };
  /// Makes the sides of an ellipsoid (towards the faces and corners of a cube) or of a torus (round its circle).
  void add_sides() {
    if (const auto* torus = std::get_if<Torus>(&shape_)) {
      constexpr int count = 16;
      for (int i = 0; i < count; ++i) {
        const double angle = 2.0 * std::acos(-1.0) * i / count;
        const Vec3<double> direction{std::cos(angle), std::sin(angle), 0.0};
        sides_.push_back({direction, make_(torus->major * direction)});
      }
    }
    if (!std::holds_alternative<Ellipsoid>(shape_)) return;
    for (int i = 0; i < 27; ++i) {
      const Vec3<double> corner{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
      const double square = dot(corner, corner);
      if (square != 1.0 && square != 3.0) continue;
      const Vec3<double> direction = (1.0 / std::sqrt(square)) * corner;
      sides_.push_back(
          {direction, make_({direction[0] * scale_[0], direction[1] * scale_[1], direction[2] * scale_[2]})});
    }
  }
  const WrapSurface& nearest_side(const Vec3<double>& towards) const {
    const auto near = std::max_element(sides_.begin(), sides_.end(), [&](const Side& a, const Side& b) {
      return dot(a.direction, towards) < dot(b.direction, towards);
    });
    return *near->surface;
  }
  Vec3<double> scaled(const Vec3<double>& x) const {
    return {x[0] / scale_[0], x[1] / scale_[1], is_flat_ ? 0.0 : x[2] / scale_[2]};
  }
  /// Searches the line in samples, then by golden section, for the point of the circle that is nearest to it.
  static Vec3<double> nearest_on_circle(double radius, const Vec3<double>& P, const Vec3<double>& S) {
    const auto point = [&](double t) { return P + t * (S - P); };
    const auto distance = [&](double t) {
      const Vec3<double> x = point(t);
      return std::hypot(std::hypot(x[0], x[1]) - radius, x[2]);
    };
    constexpr int samples = 32;
    int best = 0;
    for (int i = 1; i <= samples; ++i)
      if (distance(i / double{samples}) < distance(best / double{samples})) best = i;
    double low = std::max(best - 1, 0) / double{samples}, high = std::min(best + 1, samples) / double{samples};
    const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
    for (int i = 0; i < 60; ++i) {
      const double a = high - golden * (high - low), b = low + golden * (high - low);
      (distance(a) < distance(b) ? high : low) = distance(a) < distance(b) ? b : a;
    }
    const Vec3<double> x = point(0.5 * (low + high));
    const double r = std::hypot(x[0], x[1]);
    return r > 0.0 ? Vec3<double>{radius * x[0] / r, radius * x[1] / r, 0.0} : Vec3<double>{radius, 0.0, 0.0};
  }

  Make make_;
  Shape shape_;
  Vec3<double> scale_{1.0, 1.0, 1.0};
  bool is_flat_ = false;  // only what is across the axis counts
  std::shared_ptr<const WrapSurface> any_;
  std::vector<Side> sides_;
};

}  // namespace

std::shared_ptr<const WrapSurface> wrap_shorter_way(
    std::function<std::shared_ptr<const WrapSurface>(const Vec3<double>& side)> make, const Shape& shape) {
  return std::make_shared<const ShorterWay>(std::move(make), shape);
}

}  // namespace cardan
