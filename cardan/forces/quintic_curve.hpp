// A curve y(x) of quintic Bezier sections, as Millard et al. (2013) shape their muscle curves. Each section is a
// corner: it leaves (x0, y0) with the slope s0 and reaches (x1, y1) with the slope s1, bent towards C, where the two
// tangents meet, by its curviness c from 0 to 1:
//   P0, P0 + c (C - P0) twice, P1 + c (C - P1) twice, P1.
// Slope and curvature are continuous, the latter zero at both ends. Beyond the sections the curve goes on in straight
// lines. y(x) = y(u(x)): u is found by Newton's method on x(u) = x, and two more steps on the scalar of x carry its
// first and second derivatives.
#pragma once

#include "cardan/math/dual.hpp"
#include "cardan/math/scalar.hpp"

#include <array>
#include <vector>

namespace cardan::muscle {

class QuinticCurve {
 public:
  struct End {
    double x = 0.0, y = 0.0, slope = 0.0;
  };
  /// Joins corners from one end to the next, each with the curviness that is given for it. Throws
  /// std::invalid_argument where x does not rise or a curviness is not from 0 to 1.
  QuinticCurve(const std::vector<End>& ends, const std::vector<double>& curviness);

  /// The curve with x and y exchanged; y must rise.
  QuinticCurve inverse() const;

  const End& first() const { return first_; }
  const End& last() const { return last_; }

  template <class T>
  T operator()(const T& x) const {
    const double at = plain(x);
    if (!(at > first_.x)) return T(first_.y) + T(first_.slope) * (x - T(first_.x));
    if (!(at < last_.x)) return T(last_.y) + T(last_.slope) * (x - T(last_.x));
    const Section& section = section_at(at);
    const double u = parameter(section, at);
    // a step on the scalar itself carries derivatives; the slope of x(u) is that of this step, or of the one before
    T t(u);
    for (int i = 0; i < 2; ++i) t = t - (value(section.x, t) - x) / slope(section.x, t);
    return value(section.y, t);
  }

 private:
  struct Section {
    std::array<double, 6> x{}, y{};
  };
  QuinticCurve() = default;
  static double plain(double x) { return x; }
  template <int N>
  static double plain(const Dual<N>& x) {
    return x.value;
  }
  const Section& section_at(double x) const;
  static double parameter(const Section& section, double x);

  /// Evaluates a Bezier polynomial by de Casteljau's scheme.
  template <std::size_t N, class T>
  static T casteljau(const std::array<double, N>& points, const T& u) {
    std::array<T, N> p;
    for (std::size_t i = 0; i < N; ++i) p[i] = T(points[i]);
    for (std::size_t n = N - 1; n > 0; --n)
      for (std::size_t i = 0; i < n; ++i) p[i] = p[i] + u * (p[i + 1] - p[i]);
    return p[0];
  }
  template <class T>
  static T value(const std::array<double, 6>& points, const T& u) {
    return casteljau(points, u);
  }
  template <class T>
  static T slope(const std::array<double, 6>& points, const T& u) {
    std::array<double, 5> differences{};
    for (std::size_t i = 0; i < 5; ++i) differences[i] = 5.0 * (points[i + 1] - points[i]);
    return casteljau(differences, u);
  }

  std::vector<Section> sections_;
  End first_, last_;
};

}  // namespace cardan::muscle
