#include "cardan/collision/gap_motion.hpp"

#include "cardan/collision/internal/core_pair.hpp"

#include <utility>

namespace cardan::collision {
namespace {

/// Radii of curvature of one surface in world axes, H t: those of the core and of the rounding around it. n points out.
struct SurfaceRadii {
  const Solid& solid;
  const Mat3<double>& R;
  const Feature& feature;
  Vec3<double> n;

  Vec3<double> operator()(const Vec3<double>& t) const {
    const Vec3<double> tangent = t - dot(n, t) * n;
    Vec3<double> out = solid.radius * tangent;
    if (feature.dimension < 2 && !feature.fixed)
      out += R * curvature_radii(solid, transpose_apply(R, n), transpose_apply(R, tangent));
    return out;
  }
};

/// Solves the symmetric system by elimination with full pivoting; what is singular stays zero.
template <int N>
void solve_small(double (&A)[N][N], double (&b)[N], int size) {
  int order[N];
  for (int i = 0; i < size; ++i) order[i] = i;
  int rank = 0;
  for (; rank < size; ++rank) {
    int row = rank, column = rank;
    for (int i = rank; i < size; ++i)
      for (int j = rank; j < size; ++j)
        if (std::abs(A[i][j]) > std::abs(A[row][column])) {
          row = i;
          column = j;
        }
    if (!(std::abs(A[row][column]) > 1e-300)) break;
    for (int j = 0; j < size; ++j) std::swap(A[rank][j], A[row][j]);
    std::swap(b[rank], b[row]);
    for (int i = 0; i < size; ++i) std::swap(A[i][rank], A[i][column]);
    std::swap(order[rank], order[column]);
    for (int i = rank + 1; i < size; ++i) {
      const double f = A[i][rank] / A[rank][rank];
      for (int j = rank; j < size; ++j) A[i][j] -= f * A[rank][j];
      b[i] -= f * b[rank];
    }
  }
  double x[N] = {};
  for (int i = rank - 1; i >= 0; --i) {
    double sum = b[i];
    for (int j = i + 1; j < rank; ++j) sum -= A[i][j] * x[order[j]];
    x[order[i]] = sum / A[i][i];
  }
  for (int i = 0; i < size; ++i) b[i] = x[i];
}

}  // namespace

GapMotion gap_motion(const Contact& contact, const Solid& a, const Mat3<double>& R_a, const BodyMotion& of_a,
                     const Solid& b, const Mat3<double>& R_b, const BodyMotion& of_b) {
  const Vec3<double>& n = contact.normal;
  const SurfaceRadii H_a{a, R_a, contact.feature_a, n}, H_b{b, R_b, contact.feature_b, -n};
  const Vec3<double> turn_a = cross(n, of_a.angular_velocity), turn_b = cross(n, of_b.angular_velocity);
  const Vec3<double> bend_a = H_a(turn_a), bend_b = H_b(turn_b);
  const Vec3<double> relative = of_b.velocity_at(contact.point_b) - of_a.velocity_at(contact.point_a);
  GapMotion out;
  out.rate = dot(n, relative);

  const Vec3<double> t[2] = {perpendicular(n), cross(n, perpendicular(n))};
  const Vec3<double> c = relative - bend_a - bend_b;
  // unknowns: two components of n_dot, then one for each edge direction that n stays perpendicular to
  constexpr int kMost = 6;
  double A[kMost][kMost] = {}, x[kMost] = {}, rhs[kMost] = {};
  for (int i = 0; i < 2; ++i) {
    const Vec3<double> column = H_a(t[i]) + H_b(t[i]) + contact.gap * t[i];
    for (int j = 0; j < 2; ++j) A[j][i] = dot(t[j], column);
    rhs[i] = dot(t[i], c);
  }
  int size = 2;
  Vec3<double> edge_of_a[kMost] = {};  // along which an unknown moves the contact point over a
  const auto add_edge = [&](const Vec3<double>& e, double bend, const BodyMotion& of) {
    for (int i = 0; i < 2; ++i) A[size][i] = A[i][size] = dot(t[i], e);
    A[size][size] = -bend;
    if (&of == &of_a) edge_of_a[size] = e;
    rhs[size++] = -dot(n, cross(of.angular_velocity, e));
  };
  const auto add_feature = [&](const Feature& feature, const BodyMotion& of) {
    if (feature.dimension == 1) add_edge(feature.e, feature.bend, of);
    if (feature.dimension == 2)
      for (const Vec3<double>& e : t) add_edge(e, 0.0, of);
  };
  // a face fixes n; an edge of the other adds nothing
  const bool face_a = contact.feature_a.dimension == 2, face_b = contact.feature_b.dimension == 2;
  if (!face_b || face_a) add_feature(contact.feature_a, of_a);
  if (!face_a) add_feature(contact.feature_b, of_b);
  // ... but for a curved one, along which the contact moves
  if (face_b && contact.feature_a.bend != 0.0) add_edge(contact.feature_a.e, contact.feature_a.bend, of_a);
  if (face_a && contact.feature_b.bend != 0.0) add_edge(contact.feature_b.e, contact.feature_b.bend, of_b);
  for (int i = 0; i < size; ++i) x[i] = rhs[i];
  solve_small(A, x, size);

  out.normal_rate = x[0] * t[0] + x[1] * t[1];
  out.point_rate = of_a.velocity_at(contact.point_a) + H_a(out.normal_rate + turn_a);
  for (int i = 2; i < size; ++i) out.point_rate += x[i] * edge_of_a[i];
  out.acceleration = dot(n, of_b.acceleration_at(contact.point_b) - of_a.acceleration_at(contact.point_a)) -
                     dot(turn_a, bend_a) - dot(turn_b, bend_b);
  for (int i = 0; i < size; ++i) out.acceleration += rhs[i] * x[i];
  return out;
}

}  // namespace cardan::collision
