// The kinds of pairs that nearest() chooses from. Everything in the frame of the first solid.
#pragma once

#include "cardan/collision/contact.hpp"
#include "cardan/collision/internal/core_contact.hpp"

namespace cardan::collision {

/// Contact in the frame of a, radii included; dimension and directions of features as in CoreContact.
struct LocalContact {
  Vec3<double> n;
  double gap = 0.0;
  Vec3<double> a, b;
  Feature feature_a, feature_b;
  int part_b = -1;
};

/// Exchanges the roles of the two, X being the pose of the second in the frame of the first.
LocalContact exchanged(const LocalContact& contact, const Pose<double>& X);

LocalContact nearest_convex(const Solid& a, const Solid& b, const Pose<double>& X, PairMemory& memory);
/// Both are spheres or capsules.
LocalContact nearest_of_segments(const Solid& a, const Solid& b, const Pose<double>& X);
/// b is a plane.
LocalContact nearest_to_plane(const Solid& a, const Pose<double>& X, PairMemory& memory);
/// a is a torus, b a torus or convex.
LocalContact nearest_of_torus(const Solid& a, const Solid& b, const Pose<double>& X);
/// b is a mesh, a convex or a torus.
LocalContact nearest_to_mesh(const Solid& a, const Solid& b, const Pose<double>& X);

/// Signed distance of the point x to a convex solid, in its frame: n points from x to the solid's nearest point where x
/// is outside. Feature b is the solid's.
LocalContact nearest_to_point(const Vec3<double>& x, const Solid& b, Vec3<double>& guess);

/// Size of a core that tolerances refer to.
double core_size(const Solid& s);

}  // namespace cardan::collision
