// Wrapping by geodesics. Unknown are the point x0 where the curve reaches the surface and the length s that it stays:
//   F(x0) = 0,   g(x0) . (x0 - P) = 0,   (S - x1) . n1 = 0,   (S - x1) . b1 = 0,
// where (x1, t1) is the end of the geodesic that goes on from P to x0, n1 the normal there and b1 = n1 x t1. Newton's
// method with derivatives by dual numbers; s may be negative on the way: the curve has lifted off and is straight.
// The first solution comes from a curve on the wanted side (on an ellipsoid that in the plane of the side, on a torus
// that on a straight tube, bent by continuation), so that it does not depend on earlier poses. The last solution of
// each thread is only the first guess for a pose nearby.
#include "cardan/forces/geodesic.hpp"
#include "cardan/forces/wrap_surface.hpp"
#include "cardan/math/dual.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <atomic>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <unordered_map>

namespace cardan {

namespace {

struct GeodesicUnknowns {
  Vec3<double> x;
  double s = 0.0;
  Eigen::Matrix4d inverse = Eigen::Matrix4d::Zero();  // of the derivative of the residual, where it has been solved
};

template <class T>
struct GeodesicEnds {
  Vec3<T> t0, x1, t1;
  T r[4];
};

template <class Surface, class T>
GeodesicEnds<T> geodesic_residual(const Surface& surface, const Vec3<T>& P, const Vec3<double>& S, const Vec3<T>& x0,
                                  const T& s) {
  GeodesicEnds<T> out;
  const Vec3<T> g = surface.gradient(x0), d = x0 - P;
  out.r[0] = surface.value(x0) / norm(g);
  const T off = dot(g, d) / dot(g, g);
  out.r[1] = off * norm(g);
  const Vec3<T> along = d - off * g;
  out.t0 = (T(1.0) / norm(along)) * along;
  out.x1 = x0;
  out.t1 = out.t0;
  follow_geodesic(surface, out.x1, out.t1, s);
  const Vec3<T> g1 = surface.gradient(out.x1), n1 = (T(1.0) / norm(g1)) * g1, rest = Vec3<T>(S) - out.x1;
  out.r[2] = dot(rest, n1);
  out.r[3] = dot(rest, cross(n1, out.t1));
  return out;
}

/// Newton's method from a first guess; `size` is the surface's. False where it does not converge.
template <class Surface>
bool solve_geodesic(const Surface& surface, const Vec3<double>& P, const Vec3<double>& S, double size,
                    GeodesicUnknowns& y) {
  using D = Dual<4>;
  for (int iteration = 0; iteration < 30; ++iteration) {
    Vec3<D> x;
    for (int i = 0; i < 3; ++i) x[i] = D::variable(y.x[i], i);
    const GeodesicEnds<D> at = geodesic_residual(surface, Vec3<D>(P), S, x, D::variable(y.s, 3));
    Eigen::Matrix4d J;
    Eigen::Vector4d r;
    for (int i = 0; i < 4; ++i) {
      r[i] = at.r[i].value;
      for (int j = 0; j < 4; ++j) J(i, j) = at.r[i].d[j];
    }
    y.inverse = J.inverse();
    const Eigen::Vector4d change = y.inverse * r;
    const double length = change.cwiseAbs().maxCoeff();
    if (!std::isfinite(length)) return false;
    const double damping = std::min(1.0, 0.3 * size / length);
    for (int i = 0; i < 3; ++i) y.x[i] -= damping * change[i];
    y.s -= damping * change[3];
    if (std::abs(y.s) > 20.0 * size) return false;
    if (length < 1e-9 * size) return true;  // quadratic: the next change would be rounding
  }
  return false;
}

/// Broyden's method from the solution of a pose nearby: residuals alone, the derivative is corrected on the way. False
/// where that does not converge quickly.
template <class Surface>
bool solve_from_nearby(const Surface& surface, const Vec3<double>& P, const Vec3<double>& S, double size,
                       GeodesicUnknowns& y) {
  const auto residual = [&] {
    const auto at = geodesic_residual<Surface, double>(surface, P, S, y.x, y.s);
    return Eigen::Vector4d(at.r[0], at.r[1], at.r[2], at.r[3]);
  };
  Eigen::Vector4d r = residual();
  double before = 0.3 * size;
  for (int iteration = 0; iteration < 12; ++iteration) {
    const Eigen::Vector4d change = -y.inverse * r;
    const double length = change.cwiseAbs().maxCoeff();
    if (!(length < 0.5 * before)) return length < 1e-12 * size;
    for (int i = 0; i < 3; ++i) y.x[i] += change[i];
    y.s += change[3];
    if (length < 1e-10 * size) return true;  // the next change would be a hundredth of it or less
    before = length;
    const Eigen::Vector4d next = residual(), by_inverse = y.inverse * (next - r);
    const double weight = change.dot(by_inverse);
    if (weight != 0.0) y.inverse += (change - by_inverse) * (change.transpose() * y.inverse) / weight;
    r = next;
  }
  return false;
}

/// The tangents from both ends to a circle: where a curve round it begins, and the arc (negative: it lifts off).
GeodesicUnknowns round_guess(const Vec3<double>& e_P, double r_P, double r_S, double R, const Vec3<double>& axis,
                             double turn) {
  const double a = std::acos(R / r_P), b = std::acos(R / r_S);
  GeodesicUnknowns out;
  out.x = R * (std::cos(a) * e_P + std::sin(a) * cross(axis, e_P));
  out.s = R * (turn - a - b);
  return out;
}

/// Goes from the round surface (share 0) to the wanted one (share 1) in steps that Newton's method follows.
template <class SurfaceAt>
bool continue_geodesic(const SurfaceAt& surface_at, const Vec3<double>& P, const Vec3<double>& S, double size,
                       GeodesicUnknowns& y) {
  double share = 0.0, step = 0.25;
  while (share < 1.0) {
    const double next = std::min(1.0, share + step);
    GeodesicUnknowns trial = y;
    if (solve_geodesic(surface_at(next), P, S, size, trial) && norm(trial.x - y.x) < size) {
      y = trial;
      share = next;
      step *= 1.5;
    } else if ((step *= 0.5) < 1e-3) {
      return false;
    }
  }
  return true;
}

/// Tightens a string that is laid along the geodesic of a guess: every node goes to the middle of its neighbors, and to
/// the surface where that lies inside. Slow and sure; gives a guess near the shortest curve, or none if it touches
/// nothing. Where no shortest curve stays on the wanted side, the string slips to where there is one.
template <class Surface>
std::optional<GeodesicUnknowns> tighten(const Surface& surface, const Vec3<double>& P, const Vec3<double>& S,
                                        double size, const GeodesicUnknowns& guess) {
  constexpr int kNodes = 14, kSweeps = 4000;
  const double length = std::max(guess.s, 0.05 * size);
  Vec3<double> x[kNodes];
  x[0] = P;
  x[kNodes - 1] = S;
  for (int i = 1; i < kNodes - 1; ++i) {
    const auto at = geodesic_residual<Surface, double>(surface, P, S, guess.x, length * (i - 1) / (kNodes - 3));
    x[i] = at.x1;
  }
  bool touches[kNodes] = {};
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int i = 1; i < kNodes - 1; ++i) {
      x[i] = 0.5 * (x[i - 1] + x[i + 1]);
      touches[i] = surface.value(x[i]) <= 0.0;
      for (int k = 0; touches[i] && k < 4; ++k) {
        const Vec3<double> g = surface.gradient(x[i]);
        x[i] -= (surface.value(x[i]) / dot(g, g)) * g;
      }
    }
  const auto first = std::find(touches, touches + kNodes, true) - touches;
  if (first == kNodes) return std::nullopt;
  GeodesicUnknowns out;
  out.x = x[first];
  for (auto i = first; i + 1 < kNodes && touches[i + 1]; ++i) out.s += norm(x[i + 1] - x[i]);
  out.s = std::max(out.s, 1e-3 * size);
  return out;
}

/// Fills a curve from a solution.
template <class Surface>
WrappedCurve geodesic_curve(const Surface& surface, const Vec3<double>& P, const Vec3<double>& S,
                            const GeodesicUnknowns& y, WrapSurface::Want want) {
  WrappedCurve out;
  if (!(y.s > 0.0)) return out;
  out.touches = true;
  out.arc = y.s;
  if (want == WrapSurface::Want::slopes) {
    const auto at = geodesic_residual<Surface, double>(surface, P, S, y.x, y.s);
    out.first = y.x;
    out.last = at.x1;
    out.by_P = -at.t0;
    out.by_S = at.t1;
  } else {
    using D = Dual<8>;
    Vec3<D> x(y.x), p(P);
    for (int i = 0; i < 3; ++i) x[i].d[i] = p[i].d[4 + i] = 1.0;
    const auto at = geodesic_residual(surface, p, S, x, D::variable(y.s, 3));
    const auto value = [](const Vec3<D>& v) { return Vec3<double>{v[0].value, v[1].value, v[2].value}; };
    out.first = y.x;
    out.last = value(at.x1);
    out.by_P = -value(at.t0);
    out.by_S = value(at.t1);
    const Vec3<double> g1 = surface.gradient(out.last), n1 = (1.0 / norm(g1)) * g1, b1 = cross(n1, out.by_S);
    Eigen::Matrix4d J;
    Eigen::Matrix<double, 4, 6> by_ends = Eigen::Matrix<double, 4, 6>::Zero();
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) J(i, j) = at.r[i].d[j];
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 4; ++i) by_ends(i, j) = at.r[i].d[4 + j];
      by_ends(2, 3 + j) = n1[j];
      by_ends(3, 3 + j) = b1[j];
    }
    const Eigen::Matrix<double, 4, 6> dy = -J.partialPivLu().solve(by_ends);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        double PP = -at.t0[i].d[4 + j], PS = 0.0, SS = 0.0;
        for (int k = 0; k < 4; ++k) {
          PP -= at.t0[i].d[k] * dy(k, j);
          PS -= at.t0[i].d[k] * dy(k, 3 + j);
          SS += at.t1[i].d[k] * dy(k, 3 + j);
        }
        out.by_PP(i, j) = PP;
        out.by_PS(i, j) = PS;
        out.by_SS(i, j) = SS;
      }
  }
  out.length = norm(y.x - P) + y.s + norm(S - out.last);
  return out;
}

/// Numbers the surfaces, so that none takes up the last solution of one that is gone.
long next_surface_number() {
  static std::atomic<long> number{0};
  return ++number;
}

/// The last solution that a thread found for each surface.
struct LastGeodesic {
  Vec3<double> P, S;
  GeodesicUnknowns y;
};

/// Wraps over a surface; `begin` gives the solution for the round one.
template <class Surface, class SurfaceAt, class Begin>
WrappedCurve wrap_geodesic(long identity, const Surface& surface, double size, const char* what,
                           const SurfaceAt& surface_at, const Begin& begin, const Vec3<double>& P,
                           const Vec3<double>& S, WrapSurface::Want want) {
  static thread_local std::unordered_map<long, LastGeodesic> last;
  if (surface.value(P) <= 0.0 || surface.value(S) <= 0.0) return {};
  LastGeodesic& known = last[identity];
  const double moved = norm(P - known.P) + norm(S - known.S);
  if (known.y.s != 0.0 && moved < 0.1 * size) {
    GeodesicUnknowns y = known.y;
    bool solved = solve_from_nearby(surface, P, S, size, y);
    if (!solved) {
      y = known.y;
      solved = solve_geodesic(surface, P, S, size, y);
    }
    if (solved && norm(y.x - known.y.x) < 0.5 * size) {
      known = {P, S, y};
      return geodesic_curve(surface, P, S, y, want);
    }
  }
  if (const std::optional<GeodesicUnknowns> guess = begin()) {
    std::optional<GeodesicUnknowns> y = guess;
    if (!continue_geodesic(surface_at, P, S, size, *y)) {
      y = tighten(surface, P, S, size, *guess);
      if (y && !solve_geodesic(surface, P, S, size, *y)) y.reset();
    }
    if (y) {
      known = {P, S, *y};
      return geodesic_curve(surface, P, S, *y, want);
    }
  }
  known.y.s = 0.0;
  // no curve on this side: straight, if the straight line is free
  for (int i = 1; i < 64; ++i)
    if (surface.value(P + (i / 64.0) * (S - P)) < 0.0)
      throw std::runtime_error(std::string("a path finds no way round its ") + what + " on its side");
  return {};
}

class EllipsoidWrap final : public WrapSurface {
 public:
  EllipsoidWrap(const Vec3<double>& a, const Vec3<double>& side) : a_(a), side_(side), surface_(a) {}

  WrappedCurve wrap(const Vec3<double>& P, const Vec3<double>& S, Want want) const override {
    if (passes_free(P, S)) return {};
    const auto surface_at = [this](double) { return surface_; };
    const double size = std::max({a_[0], a_[1], a_[2]});
    return wrap_geodesic(
        number_, surface_, size, "ellipsoid", surface_at, [&] { return plane_guess(P, S); }, P, S, want);
  }

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
  long number_ = next_surface_number();
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
      GeodesicUnknowns y = round_guess({P[0] / r_P, 0.0, P[2] / r_P}, r_P, r_S, minor_, axis, std::abs(turn));
      const double free_P = std::sqrt(r_P * r_P - minor_ * minor_), free_S = std::sqrt(r_S * r_S - minor_ * minor_);
      const double flat = free_P + y.s + free_S, rise = S[1] - P[1];
      if (!(flat > 0.0)) return std::nullopt;
      y.x[1] = P[1] + rise * free_P / flat;
      y.s *= std::hypot(flat, rise) / flat;
      return y;
    };
    WrappedCurve out = wrap_geodesic(number_, surface_, minor_, "torus", surface_at, begin, P, S, want);
    if (!out.touches) return out;
    for (Vec3<double>* x : {&out.first, &out.last}) *x = center_ + rotate_back_own(*x);
    for (Vec3<double>* x : {&out.by_P, &out.by_S}) *x = rotate_back_own(*x);
    for (Mat3<double>* H : {&out.by_PP, &out.by_PS, &out.by_SS}) *H = transpose(E_) * *H * E_;
    return out;
  }

 private:
  /// True if the straight line passes the tube well outside, on its side.
  bool passes_free(const Vec3<double>& P, const Vec3<double>& S) const {
    constexpr int kSamples = 32;
    double least = surface_.value(P);
    Vec3<double> nearest = P;
    for (int i = 1; i <= kSamples; ++i) {
      const Vec3<double> x = P + (static_cast<double>(i) / kSamples) * (S - P);
      if (const double value = surface_.value(x); value < least) {
        least = value;
        nearest = x;
      }
    }
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
  long number_ = next_surface_number();
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
