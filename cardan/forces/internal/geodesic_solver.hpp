// Wrapping by geodesics. Unknown are the point x0 where the curve reaches the surface and the length s that it stays:
//   F(x0) = 0,   g(x0) . (x0 - P) = 0,   (S - x1) . n1 = 0,   (S - x1) . b1 = 0,
// where (x1, t1) is the end of the geodesic that goes on from P to x0, n1 the normal there and b1 = n1 x t1. Newton's
// method with derivatives by dual numbers; s may be negative on the way: the curve has lifted off and is straight.
// The first solution comes from a curve on the wanted side (on an ellipsoid that in the plane of the side, on a torus
// that on a straight tube, bent by continuation), so that it does not depend on earlier poses. The last solution of
// each thread is only the first guess for a pose nearby.
#pragma once

#include "cardan/forces/internal/geodesic.hpp"
#include "cardan/forces/wrap_surface.hpp"
#include "cardan/math/dual.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace cardan::detail {

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

/// With fewer columns than six: to some digits only.
template <int kColumns = 6, class Surface, class T>
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
  follow_geodesic<kColumns>(surface, out.x1, out.t1, s);
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

/// Broyden's method from the solution of a pose nearby: residuals alone, the derivative is corrected on the way. While
/// the changes are large the residual need not be exact. False where that does not converge quickly.
template <class Surface>
bool solve_from_nearby(const Surface& surface, const Vec3<double>& P, const Vec3<double>& S, double size,
                       GeodesicUnknowns& y) {
  constexpr double kLarge = 1e-4;  // of the size: changes for which a rough residual is good enough
  bool is_exact = false;
  const auto residual = [&] {
    const auto at = is_exact ? geodesic_residual<6, Surface, double>(surface, P, S, y.x, y.s)
                             : geodesic_residual<3, Surface, double>(surface, P, S, y.x, y.s);
    return Eigen::Vector4d(at.r[0], at.r[1], at.r[2], at.r[3]);
  };
  Eigen::Vector4d r = residual();
  double before = 0.3 * size;
  for (int iteration = 0; iteration < 12; ++iteration) {
    const Eigen::Vector4d change = -y.inverse * r;
    const double length = change.cwiseAbs().maxCoeff();
    if (!(length < 0.5 * before)) return is_exact && length < 1e-12 * size;
    for (int i = 0; i < 3; ++i) y.x[i] += change[i];
    y.s += change[3];
    if (is_exact && length < 1e-10 * size) return true;  // the next change would be a hundredth of it or less
    before = length;
    is_exact = is_exact || length < kLarge * size;
    const Eigen::Vector4d next = residual(), by_inverse = y.inverse * (next - r);
    const double weight = change.dot(by_inverse);
    if (weight != 0.0) y.inverse += (change - by_inverse) * (change.transpose() * y.inverse) / weight;
    r = next;
  }
  return false;
}

/// The tangents from both ends to a circle: where a curve round it begins, and the arc (negative: it lifts off).
inline GeodesicUnknowns round_guess(const Vec3<double>& e_P, double r_P, double r_S, double R, const Vec3<double>& axis,
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

/// The point of a straight line that is deepest in a surface, or nearest to it, among some samples.
struct DeepestPoint {
  double value = 0.0;
  Vec3<double> x;
};
template <class Surface>
DeepestPoint deepest_point(const Surface& surface, const Vec3<double>& P, const Vec3<double>& S, int samples) {
  DeepestPoint out{surface.value(P), P};
  for (int i = 1; i <= samples; ++i) {
    const Vec3<double> x = P + (static_cast<double>(i) / samples) * (S - P);
    if (const double value = surface.value(x); value < out.value) out = {value, x};
  }
  return out;
}

constexpr int kStringNodes = 14;
using StringNodes = std::array<Vec3<double>, kStringNodes>;

/// Tightens a string: every node but the ends goes to the middle of its neighbors, and to the surface where that lies
/// inside. Slow and sure; gives a guess near the shortest curve, or none if it touches nothing. Where no shortest curve
/// stays on the wanted side, the string slips to where there is one.
template <class Surface>
std::optional<GeodesicUnknowns> tighten(const Surface& surface, double size, StringNodes& x, int sweeps) {
  constexpr int kNodes = kStringNodes;
  bool touches[kNodes] = {};
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int i = 1; i < kNodes - 1; ++i) {
      x[static_cast<std::size_t>(i)] = 0.5 * (x[static_cast<std::size_t>(i - 1)] + x[static_cast<std::size_t>(i + 1)]);
      touches[i] = surface.value(x[static_cast<std::size_t>(i)]) <= 0.0;
      for (int k = 0; touches[i] && k < 4; ++k) {
        const Vec3<double> g = surface.gradient(x[static_cast<std::size_t>(i)]);
        x[static_cast<std::size_t>(i)] -= (surface.value(x[static_cast<std::size_t>(i)]) / dot(g, g)) * g;
      }
    }
  const auto first = std::find(touches, touches + kNodes, true) - touches;
  if (first == kNodes) return std::nullopt;
  GeodesicUnknowns out;
  out.x = x[static_cast<std::size_t>(first)];
  for (auto i = first; i + 1 < kNodes && touches[i + 1]; ++i)
    out.s += norm(x[static_cast<std::size_t>(i + 1)] - x[static_cast<std::size_t>(i)]);
  out.s = std::max(out.s, 1e-3 * size);
  return out;
}

/// Tightens a string that is laid along the geodesic of a guess.
template <class Surface>
std::optional<GeodesicUnknowns> tighten(const Surface& surface, const Vec3<double>& P, const Vec3<double>& S,
                                        double size, const GeodesicUnknowns& guess) {
  constexpr int kSweeps = 4000;
  const double length = std::max(guess.s, 0.05 * size);
  StringNodes x;
  x.front() = P;
  x.back() = S;
  for (int i = 1; i < kStringNodes - 1; ++i)
    x[static_cast<std::size_t>(i)] =
        geodesic_residual<6, Surface, double>(surface, P, S, guess.x, length * (i - 1) / (kStringNodes - 3)).x1;
  return tighten(surface, size, x, kSweeps);
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
    const auto at = geodesic_residual<6, Surface, double>(surface, P, S, y.x, y.s);
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
inline long next_surface_number() {
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

}  // namespace cardan::detail
