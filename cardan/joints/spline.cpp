#include "cardan/joints/spline.hpp"

#include "cardan/joints/internal/polynomial.hpp"
#include "cardan/math/number_table.hpp"

#include <algorithm>
#include <numbers>

namespace cardan {

namespace {

using BasisMatrix = std::array<std::array<double, 4>, 4>;

/// Powers of the parameter for each basis function (Eq. 2.61), and how many controls lie between two segments.
struct Basis {
  BasisMatrix B;
  std::size_t stride;

  /// Segments along n controls.
  std::size_t segments(std::size_t n, bool closed) const { return closed ? n / stride : (n - 4) / stride + 1; }
  bool fits(std::size_t n, bool closed) const { return (closed ? n : n - 4) % stride == 0; }
};

const Basis& basis_of(SplineBasis which) {
  static const Basis all[]{
      {{{{1.0 / 6, -3.0 / 6, 3.0 / 6, -1.0 / 6},
         {4.0 / 6, 0.0, -6.0 / 6, 3.0 / 6},
         {1.0 / 6, 3.0 / 6, 3.0 / 6, -3.0 / 6},
         {0.0, 0.0, 0.0, 1.0 / 6}}},
       1},
      {{{{0.0, -0.5, 1.0, -0.5}, {1.0, 0.0, -2.5, 1.5}, {0.0, 0.5, 2.0, -1.5}, {0.0, 0.0, -0.5, 0.5}}}, 1},
      {{{{1.0, -3.0, 3.0, -1.0}, {0.0, 3.0, -6.0, 3.0}, {0.0, 0.0, 3.0, -3.0}, {0.0, 0.0, 0.0, 1.0}}}, 3}};
  return all[static_cast<std::size_t>(which)];
}

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

const std::vector<std::string>& spline_basis_names() {
  static const std::vector<std::string> names{"b_spline", "catmull_rom", "bezier"};
  return names;
}

ExpressionJoint spline_curve(const std::vector<Pose<double>>& frames, bool closed, SplineBasis basis) {
  const Basis& of = basis_of(basis);
  const std::size_t n = frames.size(), least = closed ? 3 : 4;
  if (n < least)
    throw std::invalid_argument(std::string(closed ? "a closed" : "an open") + " spline curve has at least " +
                                std::to_string(least) + " frames, found " + std::to_string(n));
  if (!of.fits(n, closed))
    throw std::invalid_argument(std::string("Bezier's segments share their ends: expected ") +
                                (closed ? "3 m" : "3 m + 1") + " frames, found " + std::to_string(n));
  const std::size_t segments = of.segments(n, closed);
  std::vector<Step> steps;  // from frame i to frame i + 1
  for (std::size_t i = 0; i < n; ++i) steps.push_back(step_between(frames[i], frames[(i + 1) % n]));

  const auto pose = [&](std::span<const Expr> coordinate) {
    const Expr q = closed ? around(coordinate[0], static_cast<double>(segments)) : coordinate[0];
    const Expr t = q - select(q, segments, [](std::size_t k) { return static_cast<double>(k); });
    Pose<Expr> start;
    for (int i = 0; i < 3; ++i)
      start.R.row[i] = select_vector(q, segments, [&](std::size_t k) { return frames[of.stride * k].R.row[i]; });
    start.p = select_vector(q, segments, [&](std::size_t k) { return frames[of.stride * k].p; });
    MotionProduct Q(start);
    for (std::size_t i = 1; i < 4; ++i) {
      std::vector<double> cumulative(4);  // Eq. 2.65
      for (std::size_t j = i; j < 4; ++j)
        for (std::size_t power = 0; power < 4; ++power) cumulative[power] += of.B[j][power];
      const auto step = [&](std::size_t k) -> const Step& { return steps[(of.stride * k + i - 1) % n]; };
      Q = std::move(Q) * partial_step(q, segments, polynomial(cumulative, t), step);
    }
    return Q;
  };
  ExpressionJoint out(1, pose, "spline_curve");
  out.name_coordinates({"s"});
  return out;
}

namespace {

/// The number of the patch that a coordinate is in, and how far it is into it.
struct Piece {
  Expr index, t;
  Piece(Expr q, std::size_t pieces) : index(Expr(0.0)), t(q) {
    if (pieces == 1) return;
    index = floor(max(Expr(0.0), min(q, Expr(static_cast<double>(pieces - 1)))));
    t = q - index;
  }
};

}  // namespace

ExpressionJoint spline_surface(const SplineControls& controls, SplineBasis basis) {
  const Basis& of = basis_of(basis);
  const std::size_t n = controls.size(), m = n == 0 ? 0 : controls[0].size();
  for (const auto& row : controls)
    if (n < 4 || m < 4 || row.size() != m)
      throw std::invalid_argument("a net of splines has at least 4 x 4 controls in rows of equal length, found " +
                                  std::to_string(n) + " rows, of " + std::to_string(row.size()));
  if (n == 0) throw std::invalid_argument("a net of splines has at least 4 x 4 controls, found none");
  if (!of.fits(n, false) || !of.fits(m, false))
    throw std::invalid_argument("Bezier's patches share their edges: expected 3 k + 1 controls each way, found " +
                                std::to_string(n) + " x " + std::to_string(m));
  const std::size_t rows = of.segments(n, false), columns = of.segments(m, false);
  const auto pose = [&](std::span<const Expr> q) {
    const Piece u(q[0], rows), v(q[1], columns);
    const Expr patch = Expr(static_cast<double>(columns)) * u.index + v.index;
    Expr f[6];
    for (std::size_t k = 0; k < 6; ++k) {
      // B' C B of every patch, by powers of its own coordinates
      std::vector<std::vector<Expr>> c(4, std::vector<Expr>(4));
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b) {
          std::vector<double> by_patch(rows * columns);
          for (std::size_t patch_index = 0; patch_index < by_patch.size(); ++patch_index) {
            const std::size_t first = of.stride * (patch_index / columns), second = of.stride * (patch_index % columns);
            for (std::size_t i = 0; i < 4; ++i)
              for (std::size_t j = 0; j < 4; ++j)
                by_patch[patch_index] += of.B[i][a] * controls[first + i][second + j][k] * of.B[j][b];
          }
          c[a][b] = select(patch, by_patch);
        }
      for (std::size_t a = 4; a-- > 0;) {  // Horner's rule in both directions
        Expr row = c[a][3];
        for (std::size_t b = 3; b-- > 0;) row = row * v.t + c[a][b];
        f[k] = a == 3 ? row : f[k] * u.t + row;
      }
    }
    return shift({f[0], f[1], f[2]}) * turn(0, f[3]) * turn(1, f[4]) * turn(2, f[5]);
  };
  ExpressionJoint out(2, pose, "spline_surface");
  out.name_coordinates({"u", "v"});
  return out;
}

}  // namespace cardan
