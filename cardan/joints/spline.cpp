#include "cardan/joints/spline.hpp"

#include "cardan/joints/polynomial.hpp"
#include "cardan/math/number_table.hpp"

#include <algorithm>
#include <numbers>

namespace cardan {

namespace {

/// Powers of the parameter for each basis function of uniform cubic B-splines (Eq. 2.61).
constexpr std::array<std::array<double, 4>, 4> kBasis{{{1.0 / 6, -3.0 / 6, 3.0 / 6, -1.0 / 6},
                                                       {4.0 / 6, 0.0, -6.0 / 6, 3.0 / 6},
                                                       {1.0 / 6, 3.0 / 6, 3.0 / 6, -3.0 / 6},
                                                       {0.0, 0.0, 0.0, 1.0 / 6}}};

/// exp(b D) of a constant twist D with b in between: a turn about `axis` by b angle, and
/// p = b along + sin(b angle) across + (1 - cos(b angle)) lift. With these numbers selected, one formula serves every
/// segment, and without a division also those that do not turn.
struct Step {
  Vec3<double> axis, along, across, lift;
  double angle = 0.0;
};

Step step_between(const Pose<double>& from, const Pose<double>& to) {
  const MotionVector<double> D = log_se3(inverse(from) * to);
  Step step;
  step.angle = norm(D.angular);
  step.along = D.linear;
  if (step.angle == 0.0) return step;
  step.axis = (1.0 / step.angle) * D.angular;
  step.along = dot(step.axis, D.linear) * step.axis;
  step.across = (1.0 / step.angle) * (D.linear - step.along);
  step.lift = cross(step.axis, step.across);
  return step;
}

/// A number that depends on the segment, chosen by the coordinate.
Expr select(Expr q, const std::vector<double>& by_segment) {
  const bool constant =
      std::all_of(by_segment.begin(), by_segment.end(), [&](double value) { return value == by_segment[0]; });
  if (constant) return Expr(by_segment[0]);
  constexpr std::size_t kFew = 8;  // then choosing one by one is quicker than looking up
  if (by_segment.size() > kFew) return table_entry(floor(q), keep_table(by_segment));
  Expr chosen(by_segment.back());
  for (std::size_t k = by_segment.size() - 1; k-- > 0;)
    chosen = select_less(q, Expr(static_cast<double>(k + 1)), Expr(by_segment[k]), chosen);
  return chosen;
}

/// Picks every entry of something.
template <class Get>
Expr select(Expr q, std::size_t segments, const Get& get) {
  std::vector<double> values;
  for (std::size_t k = 0; k < segments; ++k) values.push_back(get(k));
  return select(q, values);
}
template <class Get>
Vec3<Expr> select_vector(Expr q, std::size_t segments, const Get& get) {
  Vec3<Expr> out;
  for (int i = 0; i < 3; ++i) out[i] = select(q, segments, [&](std::size_t k) { return get(k)[i]; });
  return out;
}

MotionFactor partial_step(Expr q, std::size_t segments, Expr b, const std::function<const Step&(std::size_t)>& step) {
  const Expr angle = select(q, segments, [&](std::size_t k) { return step(k).angle; }), half = Expr(0.5) * (b * angle);
  const Expr s = sin(half), sine = Expr(2.0) * (s * cos(half)), versine = Expr(2.0) * (s * s);
  const auto pick = [&](Vec3<double> Step::*part) {
    return select_vector(q, segments, [&](std::size_t k) { return step(k).*part; });
  };
  const Vec3<Expr> axis = pick(&Step::axis), along = pick(&Step::along), across = pick(&Step::across);
  MotionFactor factor;
  factor.kind = MotionFactor::Kind::screw;
  factor.base = {detail::rodrigues<Expr>(sine, versine, axis), b * along + sine * across + versine * pick(&Step::lift)};
  factor.twist = {angle * axis, along + angle * across};
  factor.amount = b;
  return factor;
}

/// q brought to between 0 and n, where it comes around again.
Expr around(Expr q, double n) {
  const Expr angle = Expr(2.0 * std::numbers::pi / n) * q;
  return Expr(0.5 * n) + Expr(0.5 * n / std::numbers::pi) * atan2(-sin(angle), -cos(angle));
}

}  // namespace

ExpressionJoint spline_curve(const std::vector<Pose<double>>& frames, bool closed) {
  const std::size_t n = frames.size(), least = closed ? 3 : 4;
  if (n < least)
    throw std::invalid_argument(std::string(closed ? "a closed" : "an open") + " spline curve has at least " +
                                std::to_string(least) + " frames, found " + std::to_string(n));
  const std::size_t segments = closed ? n : n - 3;
  std::vector<Step> steps;  // from frame i to frame i + 1
  for (std::size_t i = 0; i < n; ++i) steps.push_back(step_between(frames[i], frames[(i + 1) % n]));

  const auto pose = [&](std::span<const Expr> coordinate) {
    const Expr q = closed ? around(coordinate[0], static_cast<double>(n)) : coordinate[0];
    const Expr t = q - select(q, segments, [](std::size_t k) { return static_cast<double>(k); });
    Pose<Expr> start;
    for (int i = 0; i < 3; ++i)
      start.R.row[i] = select_vector(q, segments, [&](std::size_t k) { return frames[k].R.row[i]; });
    start.p = select_vector(q, segments, [&](std::size_t k) { return frames[k].p; });
    MotionProduct Q(start);
    for (std::size_t i = 1; i < 4; ++i) {
      std::vector<double> cumulative(4);  // Eq. 2.65
      for (std::size_t j = i; j < 4; ++j)
        for (std::size_t power = 0; power < 4; ++power) cumulative[power] += kBasis[j][power];
      const auto step = [&](std::size_t k) -> const Step& { return steps[(k + i - 1) % n]; };
      Q = std::move(Q) * partial_step(q, segments, polynomial(cumulative, t), step);
    }
    return Q;
  };
  return {1, pose, "spline_curve"};
}

ExpressionJoint spline_surface(const SplineControls& controls) {
  const auto pose = [&](std::span<const Expr> q) {
    Expr f[6];
    for (std::size_t k = 0; k < 6; ++k) {
      std::vector<std::vector<double>> c(4, std::vector<double>(4));  // B' C B by powers of q0 and q1
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
          for (std::size_t a = 0; a < 4; ++a)
            for (std::size_t b = 0; b < 4; ++b) c[a][b] += kBasis[i][a] * controls[i][j][k] * kBasis[j][b];
      f[k] = polynomial(c, q[0], q[1]);
    }
    return shift({f[0], f[1], f[2]}) * turn(0, f[3]) * turn(1, f[4]) * turn(2, f[5]);
  };
  return {2, pose, "spline_surface"};
}

}  // namespace cardan
