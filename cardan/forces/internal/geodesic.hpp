// Geodesics of a surface F(x) = 0, by their curvature: x'' = -(t' H t) g / (g . g) with t = x' the unit tangent, g and
// H gradient and second derivatives of F. Integrated by extrapolation of the midpoint rule (Gragg, Bulirsch and Stoer)
// of order twelve, so that a few steps give all digits; on dual numbers with the derivatives by the initial values.
#pragma once

#include "cardan/math/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>

namespace cardan {

/// (x1/a1)^2 + (x2/a2)^2 + (x3/a3)^2 = 1; F is half the difference of both sides.
struct EllipsoidSurface {
  Vec3<double> weights;  // 1/a^2

  explicit EllipsoidSurface(const Vec3<double>& a)
      : weights{1.0 / (a[0] * a[0]), 1.0 / (a[1] * a[1]), 1.0 / (a[2] * a[2])} {}

  template <class T>
  T value(const Vec3<T>& x) const {
    return T(0.5) * (curvature(x, x) - T(1.0));
  }
  template <class T>
  Vec3<T> gradient(const Vec3<T>& x) const {
    return {T(weights[0]) * x[0], T(weights[1]) * x[1], T(weights[2]) * x[2]};
  }
  /// t' H t.
  template <class T>
  T curvature(const Vec3<T>&, const Vec3<T>& t) const {
    return T(weights[0]) * t[0] * t[0] + T(weights[1]) * t[1] * t[1] + T(weights[2]) * t[2] * t[2];
  }
};

/// A tube of radius r round a circle of curvature k that passes the origin along y and bends towards -x; k = 0:
/// straight. rho, the distance from the circle's cylinder, is written so that nothing cancels for small k.
struct TubeSurface {
  double radius, k;

  template <class T>
  T value(const Vec3<T>& x) const {
    const T rho = outward(x);
    return T(0.5) * (rho * rho + x[2] * x[2] - T(radius * radius));
  }
  template <class T>
  Vec3<T> gradient(const Vec3<T>& x) const {
    const T rho = outward(x), w = width(x);
    return {rho * (T(1.0) + T(k) * x[0]) / w, rho * T(k) * x[1] / w, x[2]};
  }
  template <class T>
  T curvature(const Vec3<T>& x, const Vec3<T>& t) const {
    const T w = width(x), c = (T(1.0) + T(k) * x[0]) / w, s = T(k) * x[1] / w;
    const T along = c * t[0] + s * t[1], round = c * t[1] - s * t[0];
    return along * along + outward(x) * T(k) / w * round * round + t[2] * t[2];
  }

 private:
  template <class T>
  T width(const Vec3<T>& x) const {
    const T u = T(1.0) + T(k) * x[0], v = T(k) * x[1];
    return sqrt(u * u + v * v);
  }
  template <class T>
  T outward(const Vec3<T>& x) const {
    return (T(2.0) * x[0] + T(k) * (x[0] * x[0] + x[1] * x[1])) / (T(1.0) + width(x));
  }
};

/// Moves x along the geodesic with the unit tangent t; the length may be negative. A step is halved until the last two
/// columns of the extrapolation agree. With three columns instead of six it is right to some six digits, at a quarter
/// of the cost.
template <int kColumns = 6, class Surface, class T>
void follow_geodesic(const Surface& surface, Vec3<T>& x, Vec3<T>& t, const T& length) {
  const auto value = [](const T& number) {
    if constexpr (std::same_as<T, double>)
      return number;
    else
      return number.value;
  };
  const auto bend = [&](const Vec3<T>& at, const Vec3<T>& along) {
    const Vec3<T> g = surface.gradient(at);
    return (-(surface.curvature(at, along) / dot(g, g))) * g;
  };
  Vec3<T> row_x[kColumns], row_t[kColumns];
  double done = 0.0, part = 1.0;  // of the length
  bool is_first = true;
  while (done < 1.0) {
    const Vec3<T> start = bend(x, t);
    if (is_first) {  // turns by half a radian
      const double turn = std::abs(value(length)) * std::sqrt(value(dot(start, start)));
      part = 1.0 / (1.0 + std::floor(2.0 * turn));
      is_first = false;
    }
    part = std::min(part, 1.0 - done);
    const T H = T(part) * length;
    double unsure = 0.0;
    for (int j = 0; j < kColumns; ++j) {
      const int n = 2 * (j + 1);
      const T h = H / T(static_cast<double>(n)), two = T(2.0) * h;
      Vec3<T> x0 = x, t0 = t, x1 = x + h * t, t1 = t + h * start;
      for (int m = 1; m < n; ++m) {
        const Vec3<T> x2 = x0 + two * t1, t2 = t0 + two * bend(x1, t1);
        x0 = x1, t0 = t1, x1 = x2, t1 = t2;
      }
      Vec3<T> at = T(0.5) * (x0 + x1 + h * t1), along = T(0.5) * (t0 + t1 + h * bend(x1, t1));
      for (int i = 1; i <= j; ++i) {  // Neville's scheme in h^2; the row above is kept
        const double ratio = static_cast<double>(j + 1) / (j + 1 - i);
        const T weight(1.0 / (ratio * ratio - 1.0));
        const Vec3<T> next_x = at + weight * (at - row_x[i - 1]), next_t = along + weight * (along - row_t[i - 1]);
        if (i == kColumns - 1)
          for (int c = 0; c < 3; ++c) unsure = std::max(unsure, std::abs(value(next_t[c]) - value(along[c])));
        row_x[i - 1] = at;
        row_t[i - 1] = along;
        at = next_x;
        along = next_t;
      }
      row_x[j] = at;
      row_t[j] = along;
    }
    constexpr double kUnsure = 1e-11;  // of the column before the last: the last is better by a few digits
    if (kColumns == 6 && unsure > kUnsure && part > 1e-3) {
      part *= 0.5;
      continue;
    }
    x = row_x[kColumns - 1];
    t = row_t[kColumns - 1];
    done = part >= 1.0 - done ? 1.0 : done + part;
  }
}

}  // namespace cardan
