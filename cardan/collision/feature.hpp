// Flat features of convex cores: the vertex, edges and face around the support point of a direction.
#pragma once

#include "cardan/collision/fixed_list.hpp"
#include "cardan/collision/support.hpp"
#include "cardan/spatial/se3.hpp"

namespace cardan::collision {

/// What supports a direction: a vertex or a point of a curved part (dimension 0), an edge or a straight line of a
/// cylinder's side (1), a face (2).
struct Feature {
  int dimension = 0;
  Vec3<double> e;      // direction of the edge, or outward normal of the face; of unit length
  double bend = 0.0;   // of a curved edge (the center circle of a torus): -n . its curvature vector [1/m]
  bool fixed = false;  // a point that stays with the body although the surface is curved there
};

constexpr int kMostFeatures = 16;

/// Lists the features at the support point of the unit vector n whose normals may include directions within the angle
/// `tolerance` of n; the point itself first. Returns how many.
int features_near(const Solid& solid, const Vec3<double>& n, double tolerance, int& hint,
                  Feature (&out)[kMostFeatures]);

/// A face, edge or vertex as a polygon, for clipping: up to 16 corners in order, with numbers that stay with the body.
struct Facet {
  static constexpr int kMostCorners = 16;
  struct Corner {
    Vec3<double> x;
    int name = 0;
  };
  int dimension = 0;
  int number = 0;       // of the face; of the vertex or edge: its first corner
  Vec3<double> normal;  // outward, of a face; else the direction asked for
  FixedList<Corner, kMostCorners> corners;

  int count() const { return corners.count(); }
  const Vec3<double>& corner(int i) const { return corners[i].x; }
  int name(int i) const { return corners[i].name; }
  void add(const Vec3<double>& x, int corner_name) { corners.add({x, corner_name}); }
  /// Takes it to another frame.
  void move(const Pose<double>& X) {
    for (int i = 0; i < count(); ++i) corners[i].x = X * corners[i].x;
    normal = X.R * normal;
  }
};

/// Directions around the z axis that begin where a disc or ring is lowest along n: at n's part across the axis, or at x
/// where the tilt is below 1e-9.
struct RimPhase {
  explicit RimPhase(const Vec3<double>& n) {
    const double rho = std::sqrt(n[0] * n[0] + n[1] * n[1]);
    if (!(rho > 1e-9)) return;
    tilted = true;
    c = n[0] / rho;
    s = n[1] / rho;
    quadrant = std::abs(c) >= std::abs(s) ? (c > 0.0 ? 0 : 2) : s > 0.0 ? 1 : 3;
  }
  /// The direction after so many quarters of a turn.
  Vec3<double> turned(int quarters) const {
    switch (quarters % 4) {
      case 0: return {c, s, 0.0};
      case 1: return {-s, c, 0.0};
      case 2: return {-c, -s, 0.0};
      default: return {s, -c, 0.0};
    }
  }

  double c = 1.0, s = 0.0;
  int quadrant = 0;  // number of the body axis (x, y, -x, -y) that the first is nearest to
  bool tilted = false;
};

/// The facet that supports the unit vector n within the angle `tolerance`: a face if its normal is that near, else an
/// edge that is perpendicular to n within it, else the support point. Discs become octagons with one corner at the
/// support point where the disc is tilted by more than 1e-9, and else at the body's x axis.
Facet facet_near(const Solid& solid, const Vec3<double>& n, double tolerance, int& hint);

}  // namespace cardan::collision
