#include "cardan/constraints/rolling_constraint.hpp"

#include "cardan/constraints/internal/facing_surfaces.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace cardan {

namespace {

using RollKind = RollingShape::Kind;

using detail::FacingPlaces;
using detail::FacingSurfaces;
using detail::Placed;
using detail::Touch;

template <class T>
T length(const Vec3<T>& x) {
  return sqrt(dot(x, x));
}

/// Closed forms of pairs; a is a plane, a sphere or a cylinder.
template <class T>
Touch<T> touch(const RollingShape& a, const RollingShape& b, const Placed<T>& on_a, const Placed<T>& on_b) {
  const Vec3<T> d = on_b.p - on_a.p;
  const T r_a(a.radius), r_b(b.radius);
  if (a.kind == RollKind::plane) {
    const Vec3<T> n = on_a.z(), z = on_b.z();
    const T along = dot(n, z);
    if (b.kind == RollKind::sphere) return {dot(n, d) - r_b, n, on_b.p - r_b * n, T(0.0)};
    const Vec3<T> up = n - along * z;  // the steepest radius of the circle
    const T s = length(up);
    return {dot(n, d) - r_b * s, n, on_b.p - (r_b / s) * up, along};
  }
  const Vec3<T> z = on_a.z();
  const Vec3<T> apart = a.kind == RollKind::cylinder ? d - dot(d, z) * z : d;
  const T distance = length(apart);
  const Vec3<T> n = (T(1.0) / distance) * apart;
  return {distance - r_a - r_b, n, on_b.p - r_b * n, T(0.0)};
}

/// A frame on a body, moving with it, in world axes.
template <class T>
struct Moving {
  Placed<Rate<T>> placed;
  Vec3<T> p, v, omega, a, alpha;  // of the frame's origin; a and alpha while no joint accelerates

  Vec3<T> velocity_at(const Vec3<T>& c) const { return v + cross(omega, c - p); }
  /// Velocity-product acceleration of the material at c, and what the motion of c adds.
  Vec3<T> rate_at(const Vec3<T>& c, const Vec3<T>& c_dot) const {
    return a + cross(alpha, c - p) + cross(omega, c_dot - v);
  }
};

template <class T>
Moving<T> moving(const InstantOf<T>& at, const Frame& frame) {
  Moving<T> out;
  const Transform<T> X = as<T>(frame.X) * at.X_0(frame.body);
  const Mat3<T> R = transpose(X.E);
  out.p = X.r;
  const Vec3<T> x(frame.X.r);
  if (frame.body != 0) {
    const MotionVector<T>&v = at.velocity(frame.body), &a = at.bias_acceleration(frame.body);
    const auto in_world = [&](const Vec3<T>& u) { return rotate_back(at.X_0(frame.body).E, u); };
    const Vec3<T> velocity = v.linear + cross(v.angular, x);
    out.v = in_world(velocity);
    out.omega = in_world(v.angular);
    out.a = in_world(a.linear + cross(a.angular, x) + cross(v.angular, velocity));
    out.alpha = in_world(a.angular);
  }
  for (int i = 0; i < 3; ++i) {
    out.placed.p[i] = {out.p[i], out.v[i]};
    const Vec3<T> column = cross(out.omega, Vec3<T>{R(0, i), R(1, i), R(2, i)});
    for (int k = 0; k < 3; ++k) out.placed.R(k, i) = {R(k, i), column[k]};
  }
  return out;
}

template <class T>
Vec3<T> values(const Vec3<Rate<T>>& x) {
  return {x[0].value, x[1].value, x[2].value};
}
template <class T>
Vec3<T> rates(const Vec3<Rate<T>>& x) {
  return {x[0].rate, x[1].rate, x[2].rate};
}

/// Where a frame stands, on double.
Placed<double> placed(const Instant& at, const Frame& frame) {
  const Transform<double> X = frame.X * at.X_0(frame.body);
  return {transpose(X.E), X.r};
}

/// Two unit vectors across n.
template <class T>
std::array<Vec3<T>, 2> tangents(const Vec3<T>& n) {
  const Vec3<double> axis = std::abs(value_of(n[0])) < 0.6 ? Vec3<double>{1.0, 0.0, 0.0} : Vec3<double>{0.0, 1.0, 0.0};
  const Vec3<T> first = cross(n, Vec3<T>(axis)), t = (T(1.0) / length(first)) * first;
  return {t, cross(n, t)};
}

bool is_general(const RollingPair& pair) { return pair.shape_a.kind == RollKind::surface; }
bool has_line(const RollingPair& pair) { return !is_general(pair) && pair.shape_b.kind == RollKind::cylinder; }

/// A shape as a surface, to roll on any other; a disc has only an edge.
RollingShape as_surface(const RollingShape& shape) {
  RollingShape out = shape;
  out.kind = RollKind::surface;
  switch (shape.kind) {
    case RollKind::plane: out.surface = RollingSurface::plane(); break;
    case RollKind::sphere: out.surface = RollingSurface::ellipsoid({shape.radius, shape.radius, shape.radius}); break;
    case RollKind::cylinder: out.surface = RollingSurface::cylinder(shape.radius); break;
    case RollKind::disc:
    case RollKind::surface: break;
  }
  return out;
}

}  // namespace

bool can_roll(const RollingShape& a, const RollingShape& b) {
  if (a.kind == RollKind::surface || b.kind == RollKind::surface)
    return a.kind != RollKind::disc && b.kind != RollKind::disc;
  const auto [first, second] = std::minmax(a.kind, b.kind);
  if (first == RollKind::plane) return second != RollKind::plane;
  return first == RollKind::sphere && (second == RollKind::sphere || second == RollKind::cylinder);
}

RollingConstraint::RollingConstraint(RollingPair pair) : pair_(std::move(pair)) {
  if (!can_roll(pair_.shape_a, pair_.shape_b))
    throw std::invalid_argument("rolling \"" + pair_.name + "\": these shapes cannot roll on each other");
  if (pair_.shape_a.kind == RollKind::surface || pair_.shape_b.kind == RollKind::surface) {
    pair_.shape_a = as_surface(pair_.shape_a);
    pair_.shape_b = as_surface(pair_.shape_b);
    return;
  }
  const bool swapped = pair_.shape_b.kind == RollKind::plane ||
                       (pair_.shape_b.kind == RollKind::cylinder && pair_.shape_a.kind == RollKind::sphere);
  if (!swapped) return;
  std::swap(pair_.a, pair_.b);
  std::swap(pair_.shape_a, pair_.shape_b);
}

Touches RollingConstraint::touches() const {
  Touches out;
  for (const int body : {pair_.a.body, pair_.b.body})
    if (body != 0 && (out.bodies.empty() || out.bodies[0] != body)) out.bodies.push_back(body);
  out.relative = out.bodies.size() == 2;
  return out;
}

int RollingConstraint::rows() const { return 3 + (has_line(pair_) ? 1 : 0) + (pair_.spins ? 0 : 1); }

std::unique_ptr<ConstraintMemory> RollingConstraint::make_memory() const {
  if (!is_general(pair_)) return nullptr;
  return std::make_unique<FacingPlaces>();
}

void RollingConstraint::evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const {
  if (!is_general(pair_)) return set_rows(at, nullptr, rows);
  FacingPlaces fresh;
  FacingPlaces& places = memory != nullptr ? static_cast<FacingPlaces&>(*memory) : fresh;
  const FacingSurfaces surfaces(*pair_.shape_a.surface, *pair_.shape_b.surface);
  if (!surfaces.find(placed(at, pair_.a), placed(at, pair_.b), places))
    throw std::runtime_error(name() + ": finds no place where the surfaces face each other");
  set_rows(at, &places, rows);
}

void RollingConstraint::differentiate(const InstantOf<Dual8>& at, const ConstraintMemory* memory,
                                      ConstraintRowsOf<Dual8>& rows) const {
  set_rows(at, memory, rows);
}

template <class T>
void RollingConstraint::set_rows(const InstantOf<T>& at, const ConstraintMemory* memory,
                                 ConstraintRowsOf<T>& rows) const {
  const Moving<T> a = moving(at, pair_.a), b = moving(at, pair_.b);
  const Touch<Rate<T>> now = is_general(pair_)
                                 ? FacingSurfaces(*pair_.shape_a.surface, *pair_.shape_b.surface)
                                       .touch(a.placed, b.placed, static_cast<const FacingPlaces&>(*memory))
                                 : touch(pair_.shape_a, pair_.shape_b, a.placed, b.placed);
  const Vec3<T> n = values(now.normal), n_dot = rates(now.normal), c = values(now.point), c_dot = rates(now.point);
  const Vec3<T> slip = b.velocity_at(c) - a.velocity_at(c);
  const Vec3<T> slip_rate = b.rate_at(c, c_dot) - a.rate_at(c, c_dot);
  int row = 0;
  /// A force along `axis` at c, or with `turns` a moment along it, on b; the opposite on a.
  const auto act = [&](const Vec3<T>& axis, bool turns) {
    for (auto& on : rows.on_bodies) {
      const T sign(on.body == pair_.b.body ? 1.0 : -1.0);
      const Transform<T>& X = at.X_0(on.body);
      const Vec3<T> along = sign * rotate(X.E, axis);
      on.row[static_cast<std::size_t>(row)] =
          turns ? ForceVector<T>{along, {}} : ForceVector<T>{cross(rotate(X.E, c - X.r), along), along};
    }
  };
  // along the normal the material's velocity is that of the gap, whose second derivative is wanted to be zero
  act(n, false);
  rows.gap[row] = now.gap.value;
  rows.drift[row] = dot(n, slip);
  rows.k[row] = -dot(n, slip_rate) - dot(n_dot, slip);
  ++row;
  for (const Vec3<T>& t : tangents(n)) {
    act(t, false);
    rows.gap[row] = T(0.0);
    rows.drift[row] = dot(t, slip);
    rows.k[row] = -dot(t, slip_rate);  // where nothing slips, the axes may turn as they like
    ++row;
  }
  const Vec3<T> turning = b.omega - a.omega, turning_rate = b.alpha - a.alpha;
  if (has_line(pair_)) {
    // n . z = 0: its rate is (omega_b - omega_a) . (z x n)
    const Vec3<T> z = values(b.placed.z()), across = cross(z, n), z_dot = cross(b.omega, z);
    act(across, true);
    rows.gap[row] = now.tilt.value;
    rows.drift[row] = dot(across, turning);
    rows.k[row] = -dot(across, turning_rate) - dot(cross(z_dot, n) + cross(z, n_dot), turning);
    ++row;
  }
  if (!pair_.spins) {
    act(n, true);
    rows.gap[row] = T(0.0);
    rows.drift[row] = dot(n, turning);
    rows.k[row] = -dot(n, turning_rate) - dot(n_dot, turning);
  }
}

}  // namespace cardan
