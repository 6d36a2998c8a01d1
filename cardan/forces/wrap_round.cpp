// Wrapping in closed form. Seen along the axis of the turn, P is at the distance r_P from the center and its tangent
// touches the circle of radius R at the angle a from it, cos a = R / r_P; the same for S. With D the angle from P to S
// that the side asks for, the arc spans theta = D - a - b and
//   sphere:    l = sqrt(r_P^2 - R^2) + R theta + sqrt(r_S^2 - R^2), in the plane of the center, P and S
//   cylinder:  l = sqrt(u^2 + (z_S - z_P)^2) with the same sum u in projection (a helix, unrolled).
#include "cardan/forces/wrap_surface.hpp"
#include "cardan/math/dual.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace cardan {

namespace {

void require_radius(double radius) {
  if (!(radius > 0.0) || !std::isfinite(radius))
    throw std::invalid_argument("a radius must be positive, found " + std::to_string(radius));
}

/// The tangent to a circle from a point at the distance r along the unit vector e; `axis` is that of the turn, `sign`
/// tells whether the curve goes on from here (1) or comes in (-1).
template <class T>
struct CircleTangent {
  T free;           // length up to the circle
  T angle;          // from the point to where it touches
  Vec3<T> normal;   // there
  Vec3<T> forward;  // along the curve

  CircleTangent(const Vec3<T>& e, const T& r, double R, const Vec3<T>& axis, double sign) {
    free = sqrt(r * r - T(R * R));
    angle = atan2(free, T(R));
    normal = (T(R) / r) * e + (T(sign) * free / r) * cross(axis, e);
    forward = cross(axis, normal);
  }
};

template <class T>
struct RoundCurve {
  T length, arc;
  Vec3<T> by_P, by_S;
  Vec3<T> first, last;
};

double plain(double x) { return x; }
template <int N>
double plain(const Dual<N>& x) {
  return x.value;
}

/// Fills a curve from write(P, S) -> optional RoundCurve on doubles, and on dual numbers for second derivatives.
template <class Write>
WrappedCurve curve_of(const Write& write, const Vec3<double>& P, const Vec3<double>& S, WrapSurface::Want want) {
  WrappedCurve out;
  RoundCurve<double> c;
  if (!write(P, S, c)) return out;
  out.touches = true;
  out.length = c.length;
  out.arc = c.arc;
  out.by_P = c.by_P;
  out.by_S = c.by_S;
  out.first = c.first;
  out.last = c.last;
  if (want != WrapSurface::Want::second_derivatives) return out;
  using D = Dual<8>;
  Vec3<D> p(P), s(S);
  for (int i = 0; i < 3; ++i) p[i].d[i] = s[i].d[3 + i] = 1.0;
  RoundCurve<D> d;
  write(p, s, d);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      out.by_PP(i, j) = d.by_P[i].d[j];
      out.by_PS(i, j) = d.by_P[i].d[3 + j];
      out.by_SS(i, j) = d.by_S[i].d[3 + j];
    }
  return out;
}

class SphereWrap final : public WrapSurface {
 public:
  SphereWrap(double radius, const Vec3<double>& side) : R_(radius), side_(side) {}

  WrappedCurve wrap(const Vec3<double>& P, const Vec3<double>& S, Want want) const override {
    return curve_of([this](const auto& p, const auto& s, auto& out) { return write(p, s, out); }, P, S, want);
  }
  Vec3<double> follow(const Vec3<double>& from, const Vec3<double>& tangent, double length) const override {
    return std::cos(length / R_) * from + (R_ * std::sin(length / R_)) * tangent;
  }
  Shape shape() const override { return Sphere{R_}; }

 private:
  template <class T>
  bool write(const Vec3<T>& P, const Vec3<T>& S, RoundCurve<T>& out) const {
    const T r_P = norm(P), r_S = norm(S);
    if (!(plain(r_P) > R_ && plain(r_S) > R_)) return false;
    const Vec3<T> e_P = (T(1.0) / r_P) * P, e_S = (T(1.0) / r_S) * S, w = cross(e_P, e_S), side(side_);
    const T square = dot(w, w), cosine = dot(e_P, e_S);
    T turn;
    Vec3<T> axis;
    if (plain(square) > 1e-24) {
      const T sine = sqrt(square);
      // the short way round passes e_P + e_S
      const bool is_short = plain(dot(e_P + e_S, side)) >= 0.0;
      turn = is_short ? atan2(sine, cosine) : T(2.0 * std::numbers::pi) - atan2(sine, cosine);
      axis = (T(is_short ? 1.0 : -1.0) / sine) * w;
    } else {
      if (plain(cosine) > 0.0) return false;  // both ends on one ray
      const Vec3<T> over = cross(e_P, side);
      if (!(plain(dot(over, over)) > 0.0)) return false;
      turn = T(std::numbers::pi);
      axis = (T(1.0) / norm(over)) * over;
    }
    const CircleTangent<T> a(e_P, r_P, R_, axis, 1.0), b(e_S, r_S, R_, axis, -1.0);
    out.arc = T(R_) * (turn - a.angle - b.angle);
    if (!(plain(out.arc) > 0.0)) return false;
    out.length = a.free + out.arc + b.free;
    out.by_P = -a.forward;
    out.by_S = b.forward;
    out.first = T(R_) * a.normal;
    out.last = T(R_) * b.normal;
    return true;
  }

  double R_;
  Vec3<double> side_;
};

class CylinderWrap final : public WrapSurface {
 public:
  CylinderWrap(double radius, const Vec3<double>& side, double length) : R_(radius), half_length_(0.5 * length) {
    const double r = std::hypot(side[0], side[1]);
    x_ = side[0] / r;
    y_ = side[1] / r;
  }

  WrappedCurve wrap(const Vec3<double>& P, const Vec3<double>& S, Want want) const override {
    return curve_of([this](const auto& p, const auto& s, auto& out) { return write(p, s, out); }, P, S, want);
  }
  /// A helix.
  Vec3<double> follow(const Vec3<double>& from, const Vec3<double>& tangent, double length) const override {
    const double turn = length * (from[0] * tangent[1] - from[1] * tangent[0]) / (R_ * R_);
    const double c = std::cos(turn), s = std::sin(turn);
    return {c * from[0] - s * from[1], s * from[0] + c * from[1], from[2] + length * tangent[2]};
  }
  Shape shape() const override { return Cylinder{R_, std::isfinite(half_length_) ? 2.0 * half_length_ : 4.0 * R_}; }
  double nearest_part(const Vec3<double>& P, const Vec3<double>& S) const override {
    return WrapSurface::nearest_part({P[0], P[1], 0.0}, {S[0], S[1], 0.0});
  }

 private:
  /// From the side, between -pi and pi.
  template <class T>
  T angle(const Vec3<T>& e) const {
    return atan2(T(x_) * e[1] - T(y_) * e[0], T(x_) * e[0] + T(y_) * e[1]);
  }
  template <class T>
  bool write(const Vec3<T>& P, const Vec3<T>& S, RoundCurve<T>& out) const {
    const T zero(0.0), r_P = sqrt(P[0] * P[0] + P[1] * P[1]), r_S = sqrt(S[0] * S[0] + S[1] * S[1]);
    if (!(plain(r_P) > R_ && plain(r_S) > R_)) return false;
    const Vec3<T> e_P{P[0] / r_P, P[1] / r_P, zero}, e_S{S[0] / r_S, S[1] / r_S, zero};
    const T difference = angle(e_S) - angle(e_P);
    const T sense(plain(difference) >= 0.0 ? 1.0 : -1.0);
    const Vec3<T> axis{zero, zero, sense};
    const CircleTangent<T> a(e_P, r_P, R_, axis, 1.0), b(e_S, r_S, R_, axis, -1.0);
    const T round = T(R_) * (sense * difference - a.angle - b.angle);
    if (!(plain(round) > 0.0)) return false;
    const T u = a.free + round + b.free, dz = S[2] - P[2];
    out.length = sqrt(u * u + dz * dz);
    const T across = u / out.length, along = dz / out.length;
    out.arc = round / across;
    out.by_P = -(across * a.forward);
    out.by_S = across * b.forward;
    out.by_P[2] = -along;
    out.by_S[2] = along;
    out.first = T(R_) * a.normal;
    out.last = T(R_) * b.normal;
    out.first[2] = P[2] + dz * a.free / u;
    out.last[2] = S[2] - dz * b.free / u;
    return std::abs(plain(out.first[2])) <= half_length_ || std::abs(plain(out.last[2])) <= half_length_;
  }

  double R_, half_length_, x_, y_;
};

}  // namespace

std::shared_ptr<const WrapSurface> wrap_sphere(double radius, const Vec3<double>& side) {
  require_radius(radius);
  if (!(norm(side) > 0.0)) throw std::invalid_argument("the side of a sphere must not be its center");
  return std::make_shared<const SphereWrap>(radius, side);
}

std::shared_ptr<const WrapSurface> wrap_cylinder(double radius, const Vec3<double>& side, double length) {
  require_radius(radius);
  if (!(length > 0.0)) throw std::invalid_argument("the length of a cylinder must be positive");
  if (!(std::hypot(side[0], side[1]) > 0.0))
    throw std::invalid_argument("the side of a cylinder must not lie on its axis z");
  return std::make_shared<const CylinderWrap>(radius, side, length);
}

}  // namespace cardan
