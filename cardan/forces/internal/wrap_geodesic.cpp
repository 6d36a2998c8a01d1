// Wrapping over ellipsoids and tori by geodesics (geodesic_solver.hpp).
#include "cardan/forces/internal/geodesic_solver.hpp"

#include <numbers>

namespace cardan {

namespace {

using detail::GeodesicUnknowns;

class EllipsoidWrap final : public WrapSurface {
 public:
  EllipsoidWrap(const Vec3<double>& a, const Vec3<double>& side) : a_(a), side_(side), surface_(a) {}

  WrappedCurve wrap(const Vec3<double>& P, const Vec3<double>& S, Want want) const override {
    if (passes_free(P, S)) return {};
    const auto surface_at = [this](double) { return surface_; };
    const double size = std::max({a_[0], a_[1], a_[2]});
    return detail::wrap_geodesic(
        number_, surface_, size, "ellipsoid", surface_at, [&] { return plane_guess(P, S); }, P, S, want);
  }
  Vec3<double> follow(const Vec3<double>& from, const Vec3<double>& tangent, double length) const override {
    Vec3<double> x = from, t = tangent;
    follow_geodesic(surface_, x, t, length);
    return x;
  }
  Shape shape() const override { return Ellipsoid{a_[0], a_[1], a_[2]}; }

 private:
  /// True if the straight line passes the ellipsoid on its side: scaled by the semi-axes, outside the unit sphere.
  bool passes_free(const Vec3<double>& P, const Vec3<double>& S) const {
    const Vec3<double> p{P[0] / a_[0], P[1] / a_[1], P[2] / a_[2]}, s{S[0] / a_[0], S[1] / a_[1], S[2] / a_[2]};
    const Vec3<double> d = s - p;
    const double square = dot(d, d), part = square > 0.0 ? std::clamp(-dot(p, d) / square, 0.0, 1.0) : 0.0;
    const Vec3<double> nearest = p + part * d;
    return dot(nearest, nearest) >= 1.0 &&
           nearest[0] * side_[0] / a_[0] + nearest[1] * side_[1] / a_[1] + nearest[2] * side_[2] / a_[2] >= 0.0;
  }
  /// The curve in the plane of both ends and the side. Scaled by the semi-axes the ellipsoid is the unit sphere, the
  /// section a circle, and tangents stay tangents.
  std::optional<GeodesicUnknowns> plane_guess(const Vec3<double>& P, const Vec3<double>& S) const {
    const auto scaled = [this](const Vec3<double>& x) {
      return Vec3<double>{x[0] / a_[0], x[1] / a_[1], x[2] / a_[2]};
    };
    const auto back = [this](const Vec3<double>& x) { return Vec3<double>{x[0] * a_[0], x[1] * a_[1], x[2] * a_[2]}; };
    const Vec3<double> p = scaled(P), s = scaled(S), h = (1.0 / norm(scaled(side_))) * scaled(side_);
    Vec3<double> normal = cross(p - h, s - h);
    if (!(norm(normal) > 1e-9)) normal = cross(p, s);
    if (!(norm(normal) > 1e-9)) return std::nullopt;
    normal = (1.0 / norm(normal)) * normal;
    const Vec3<double> center = dot(h, normal) * normal, towards = h - center;
    const double radius = norm(towards);
    if (!(radius > 1e-6)) return std::nullopt;
    const Vec3<double> x = (1.0 / radius) * towards, y = cross(normal, x);
    const auto polar = [&](const Vec3<double>& at) {
      const double u = dot(at - center, x), v = dot(at - center, y);
      return std::pair(std::hypot(u, v), std::atan2(v, u));
    };
    const auto [r_P, from] = polar(p);
    const auto [r_S, to] = polar(s);
    if (!(r_P > radius && r_S > radius)) return std::nullopt;
    const double sense = to >= from ? 1.0 : -1.0;
    const double first = from + sense * std::acos(radius / r_P), last = to - sense * std::acos(radius / r_S);
    const auto on_section = [&](double angle) {
      return back(center + radius * (std::cos(angle) * x + std::sin(angle) * y));
    };
    constexpr int kChords = 16;
    double length = 0.0;
    for (int i = 0; i < kChords; ++i)
      length += norm(on_section(first + (last - first) * (i + 1) / kChords) -
                     on_section(first + (last - first) * i / kChords));
    GeodesicUnknowns out;
    out.x = on_section(first);
    out.s = sense * (last - first) >= 0.0 ? length : -length;
    return out;
  }

  Vec3<double> a_, side_;
  EllipsoidSurface surface_;
  long number_ = detail::next_surface_number();
};

class TorusWrap final : public WrapSurface {
 public:
  TorusWrap(double major, double minor, const Vec3<double>& side)
      : minor_(minor), bend_(1.0 / major), surface_{minor, bend_} {
    const double r = std::hypot(side[0], side[1]);
    const Vec3<double> x{side[0] / r, side[1] / r, 0.0}, z{0.0, 0.0, 1.0};
    E_.row[0] = x;
    E_.row[1] = cross(z, x);
    E_.row[2] = z;
    center_ = major * x;
    const Vec3<double> own = E_ * (side - center_);
    side_angle_ = own[0] == 0.0 && own[2] == 0.0 ? std::numbers::pi : std::atan2(own[2], own[0]);
  }

  WrappedCurve wrap(const Vec3<double>& P_torus, const Vec3<double>& S_torus, Want want) const override {
    const Vec3<double> P = E_ * (P_torus - center_), S = E_ * (S_torus - center_);
    if (passes_free(P, S)) return {};
    const auto surface_at = [this](double share) { return TubeSurface{minor_, share * bend_}; };
    // a straight tube along y: angles about it from x to z, measured from the side
    const auto begin = [&]() -> std::optional<GeodesicUnknowns> {
      const double r_P = std::hypot(P[0], P[2]), r_S = std::hypot(S[0], S[2]);
      if (!(r_P > minor_ && r_S > minor_)) return std::nullopt;
      const auto angle = [this](const Vec3<double>& x) {
        return std::remainder(std::atan2(x[2], x[0]) - side_angle_, 2.0 * std::numbers::pi);
      };
      const double turn = angle(S) - angle(P);
      const Vec3<double> axis{0.0, turn >= 0.0 ? -1.0 : 1.0, 0.0};  // from x to z is about -y
      GeodesicUnknowns y = detail::round_guess({P[0] / r_P, 0.0, P[2] / r_P}, r_P, r_S, minor_, axis, std::abs(turn));
      const double free_P = std::sqrt(r_P * r_P - minor_ * minor_), free_S = std::sqrt(r_S * r_S - minor_ * minor_);
      const double flat = free_P + y.s + free_S, rise = S[1] - P[1];
      if (!(flat > 0.0)) return std::nullopt;
      y.x[1] = P[1] + rise * free_P / flat;
      y.s *= std::hypot(flat, rise) / flat;
      return y;
    };
    WrappedCurve out = detail::wrap_geodesic(number_, surface_, minor_, "torus", surface_at, begin, P, S, want);
    if (!out.touches) return out;
    for (Vec3<double>* x : {&out.first, &out.last}) *x = center_ + rotate_back_own(*x);
    for (Vec3<double>* x : {&out.by_P, &out.by_S}) *x = rotate_back_own(*x);
    for (Mat3<double>* H : {&out.by_PP, &out.by_PS, &out.by_SS}) *H = transpose(E_) * *H * E_;
    return out;
  }
  Vec3<double> follow(const Vec3<double>& from, const Vec3<double>& tangent, double length) const override {
    Vec3<double> x = E_ * (from - center_), t = E_ * tangent;
    follow_geodesic(surface_, x, t, length);
    return center_ + rotate_back_own(x);
  }
  Shape shape() const override { return Torus{1.0 / bend_, minor_}; }

 private:
  /// True if the straight line passes the tube well outside, on its side.
  bool passes_free(const Vec3<double>& P, const Vec3<double>& S) const {
    constexpr int kSamples = 32;
    const auto [least, nearest] = detail::deepest_point(surface_, P, S, kSamples);
    const Vec3<double> g = surface_.gradient(nearest);
    const Vec3<double> towards{std::cos(side_angle_), 0.0, std::sin(side_angle_)};
    return least > 0.1 * minor_ * minor_ && dot(g, towards) >= 0.0;
  }
  Vec3<double> rotate_back_own(const Vec3<double>& x) const { return transpose_apply(E_, x); }

  double minor_, bend_;
  TubeSurface surface_;
  Mat3<double> E_;       // from the torus's axes to those at the side: x outward, y along the tube
  Vec3<double> center_;  // of the tube at the side
  double side_angle_ = 0.0;
  long number_ = detail::next_surface_number();
};

}  // namespace

std::shared_ptr<const WrapSurface> wrap_ellipsoid(const Vec3<double>& semi_axes, const Vec3<double>& side) {
  for (int i = 0; i < 3; ++i)
    if (!(semi_axes[i] > 0.0)) throw std::invalid_argument("the semi-axes of an ellipsoid must be positive");
  if (!(norm(side) > 0.0)) throw std::invalid_argument("the side of an ellipsoid must not be its center");
  return std::make_shared<const EllipsoidWrap>(semi_axes, side);
}

std::shared_ptr<const WrapSurface> wrap_torus(double major, double minor, const Vec3<double>& side) {
  if (!(minor > 0.0 && major > minor))
    throw std::invalid_argument("the tube of a torus must be thinner than its circle");
  if (!(std::hypot(side[0], side[1]) > 0.0))
    throw std::invalid_argument("the side of a torus must not lie on its axis z");
  return std::make_shared<const TorusWrap>(major, minor, side);
}

}  // namespace cardan
