#include "cardan/symbolic/internal/piecewise_cubic.hpp"

#include "cardan/math/number_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

namespace {

/// Solves a tridiagonal system with the diagonal d, the entries above and below it, and the right-hand side r.
std::vector<double> solve_tridiagonal(const std::vector<double>& below, std::vector<double> d,
                                      const std::vector<double>& above, std::vector<double> r) {
  const std::size_t n = d.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double w = below[i] / d[i - 1];
    d[i] -= w * above[i - 1];
    r[i] -= w * r[i - 1];
  }
  r[n - 1] /= d[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) r[i] = (r[i] - above[i] * r[i + 1]) / d[i];
  return r;
}

/// Distances and slopes between neighboring points.
struct Chords {
  std::vector<double> h, slope;
  Chords(std::span<const double> x, std::span<const double> y) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      h.push_back(x[i + 1] - x[i]);
      slope.push_back((y[i + 1] - y[i]) / h.back());
    }
  }
  std::size_t size() const { return h.size(); }
};

/// Computes the slopes at the points from the curvatures M there.
std::vector<double> slopes_of(const Chords& c, const std::vector<double>& M) {
  const std::size_t n = c.size();
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(c.slope[i] - c.h[i] * (2.0 * M[i] + M[i + 1]) / 6.0);
  out.push_back(c.slope[n - 1] + c.h[n - 1] * (M[n - 1] + 2.0 * M[n]) / 6.0);
  return out;
}

/// Computes the slopes of the spline of Forsythe, Malcolm and Moler (Computer Methods for Mathematical Computations,
/// 1977): the equations of spline_slopes() inside, and at each end M_1 - M_0 = 6 h_0 y[0,1,2,3] with the third divided
/// difference of the four points there; zero where there are only three.
std::vector<double> fmm_slopes(const Chords& c) {
  const std::size_t n = c.size();
  if (n == 1) return {c.slope[0], c.slope[0]};
  std::vector<double> below(n + 1), d(n + 1), above(n + 1), r(n + 1);
  for (std::size_t i = 1; i < n; ++i) {
    below[i] = c.h[i - 1];
    d[i] = 2.0 * (c.h[i - 1] + c.h[i]);
    above[i] = c.h[i];
    r[i] = 6.0 * (c.slope[i] - c.slope[i - 1]);
  }
  const auto third = [&](std::size_t i) {  // of the points i to i + 3
    const double h = c.h[i] + c.h[i + 1], k = c.h[i + 1] + c.h[i + 2];
    return ((c.slope[i + 2] - c.slope[i + 1]) / k - (c.slope[i + 1] - c.slope[i]) / h) / (h + c.h[i + 2]);
  };
  const double first = c.h[0], last = c.h[n - 1];
  d[0] = -first;
  above[0] = first;
  below[n] = last;
  d[n] = -last;
  if (n > 2) {
    r[0] = 6.0 * first * first * third(0);
    r[n] = -6.0 * last * last * third(n - 3);
  }
  return slopes_of(c, solve_tridiagonal(below, d, above, r));
}

/// Slopes at the points that give a curve of continuous curvature. With the curvatures M at the points,
///   h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (slope_i - slope_i-1).
std::vector<double> spline_slopes(const Chords& c, bool periodic) {
  const std::size_t n = c.size();
  std::vector<double> M(n + 1, 0.0);
  if (periodic) {
    // the matrix is tridiagonal but for two corners, h_n-1 each: a correction of rank one
    std::vector<double> below(n), d(n), above(n), r(n), u(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t before = (i + n - 1) % n;
      below[i] = c.h[before];
      d[i] = 2.0 * (c.h[before] + c.h[i]);
      above[i] = c.h[i];
      r[i] = 6.0 * (c.slope[i] - c.slope[before]);
    }
    const double corner = c.h[n - 1], gamma = -d[0];
    d[0] -= gamma;
    d[n - 1] -= corner * corner / gamma;
    u[0] = gamma;
    u[n - 1] = corner;
    const std::vector<double> a = solve_tridiagonal(below, d, above, r), b = solve_tridiagonal(below, d, above, u);
    const double v = corner / gamma, factor = (a[0] + v * a[n - 1]) / (1.0 + b[0] + v * b[n - 1]);
    for (std::size_t i = 0; i < n; ++i) M[i] = a[i] - factor * b[i];
    M[n] = M[0];
  } else if (n > 1) {
    std::vector<double> below(n - 1), d(n - 1), above(n - 1), r(n - 1);
    for (std::size_t i = 1; i < n; ++i) {
      below[i - 1] = c.h[i - 1];
      d[i - 1] = 2.0 * (c.h[i - 1] + c.h[i]);
      above[i - 1] = c.h[i];
      r[i - 1] = 6.0 * (c.slope[i] - c.slope[i - 1]);
    }
    const std::vector<double> inner = solve_tridiagonal(below, d, above, r);
    std::copy(inner.begin(), inner.end(), M.begin() + 1);
  }
  return slopes_of(c, M);
}

/// Mean slopes, zero where the points turn, then shortened where a piece would overshoot.
std::vector<double> monotone_slopes(const Chords& c, bool periodic) {
  const std::size_t n = c.size();
  const auto mean = [&](double a, double b) { return a * b <= 0.0 ? 0.0 : 0.5 * (a + b); };
  std::vector<double> m(n + 1);
  m[0] = periodic ? mean(c.slope[n - 1], c.slope[0]) : c.slope[0];
  m[n] = periodic ? m[0] : c.slope[n - 1];
  for (std::size_t i = 1; i < n; ++i) m[i] = mean(c.slope[i - 1], c.slope[i]);
  for (std::size_t i = 0; i < n; ++i) {
    if (c.slope[i] == 0.0) {
      m[i] = m[i + 1] = 0.0;
      continue;
    }
    const double a = m[i] / c.slope[i], b = m[i + 1] / c.slope[i], size = a * a + b * b;
    if (size <= 9.0) continue;
    const double shorter = 3.0 / std::sqrt(size);
    m[i] = shorter * a * c.slope[i];
    m[i + 1] = shorter * b * c.slope[i];
  }
  // the ends of a periodic curve are one point: both are as flat as the flatter
  if (periodic) m[0] = m[n] = std::abs(m[0]) < std::abs(m[n]) ? m[0] : m[n];
  return m;
}

}  // namespace

const std::vector<std::string>& interpolation_names() {
  static const std::vector<std::string> names{"linear", "monotone", "fmm_spline", "spline"};
  return names;
}

PiecewiseCubic::PiecewiseCubic(std::span<const double> x, std::span<const double> y, Interpolation method,
                               bool periodic) {
  const std::size_t least = periodic ? 3 : 2;
  if (x.size() != y.size()) throw std::invalid_argument("expected as many y as x");
  if (x.size() < least) throw std::invalid_argument("expected at least " + std::to_string(least) + " points");
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if (!(x[i] < x[i + 1])) throw std::invalid_argument("expected x that rises");
  if (periodic && method == Interpolation::fmm_spline)
    throw std::invalid_argument("expected another method than \"fmm_spline\" for a periodic table");
  if (periodic && y.front() != y.back()) throw std::invalid_argument("expected equal end values of a periodic table");

  const Chords chords(x, y);
  std::vector<double> begin, c[4];
  const auto add = [&](double from, double c0, double c1, double c2, double c3) {
    begin.push_back(from);
    const double values[] = {c0, c1, c2, c3};
    for (std::size_t k = 0; k < 4; ++k) c[k].push_back(values[k]);
  };
  std::vector<double> slope;
  if (method == Interpolation::fmm_spline) slope = fmm_slopes(chords);
  if (method == Interpolation::spline) slope = spline_slopes(chords, periodic);
  if (method == Interpolation::monotone) slope = monotone_slopes(chords, periodic);
  const auto slope_from = [&](std::size_t i) { return slope.empty() ? chords.slope[i] : slope[i]; };
  const auto slope_to = [&](std::size_t i) { return slope.empty() ? chords.slope[i] : slope[i + 1]; };
  // the first piece holds for everything before its end, so a tangent comes before it
  if (!periodic) add(x[0], y[0], slope_from(0), 0.0, 0.0);
  for (std::size_t i = 0; i < chords.size(); ++i) {
    const double h = chords.h[i], s = chords.slope[i], m0 = slope_from(i), m1 = slope_to(i);
    add(x[i], y[i], m0, (3.0 * s - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * s) / (h * h));
  }
  if (!periodic) add(x.back(), y.back(), slope_to(chords.size() - 1), 0.0, 0.0);
  start_ = x[0];
  period_ = periodic ? x.back() - x[0] : 0.0;
  begin_ = keep_table(begin);
  for (std::size_t k = 0; k < 4; ++k) coefficients_[k] = keep_table(c[k]);
}

Expr PiecewiseCubic::operator()(Expr x) const {
  if (period_ > 0.0) x = x - Expr(period_) * floor((x - Expr(start_)) / Expr(period_));
  const Expr piece = table_piece(x, begin_), s = x - table_entry(piece, begin_);
  const auto entry = [&](double table) {
    const std::span<const double> list = kept_table(table);
    const bool constant = std::all_of(list.begin(), list.end(), [&](double c) { return c == list[0]; });
    return constant ? Expr(list[0]) : table_entry(piece, table);
  };
  Expr sum;
  for (std::size_t k = 4; k-- > 0;) sum = sum * s + entry(coefficients_[k]);
  return sum;
}

}  // namespace cardan
