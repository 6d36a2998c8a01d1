// Contact points inside joints and loops that have a bearing, as bilateral staggered projections ask for them (Sueda's
// notes, 2.11): fixed on one of the two bodies, which never come apart there.
//   hinge:  a cylinder about the axis; 4 angles at each of its 2 ends, radial and axial normal, circumferential tangent
//   slider: a box along the axis; 8 corners, normals along the 2 other axes, tangent along the axis
//   ball:   6 points on the axes of the body, normal inward, 2 tangents
#pragma once

#include "cardan/dynamics/bearing.hpp"
#include "cardan/model/model.hpp"

#include <string>
#include <vector>

namespace cardan {

/// A point in the internal frame of the body that it is fixed on. All tangents share the bound mu (sum of |normal|).
struct ImplicitContact {
  Vec3<double> point{};
  std::vector<Vec3<double>> normals{}, tangents{};
};

/// The contacts of one joint or loop.
struct ImplicitContacts {
  int body = 0;   // on which the points are fixed: that of the joint, or the predecessor of the loop
  int other = 0;  // the parent, or the successor of the loop; 0: the world
  int loop = -1;  // index among the loops, or -1
  double mu = 0.0;
  std::vector<ImplicitContact> points{};
};

/// Throws ModelError, one line, for bearings in joints that have no such points.
ImplicitContacts implicit_contacts(const Model& model, const Bearing& bearing);

}  // namespace cardan
