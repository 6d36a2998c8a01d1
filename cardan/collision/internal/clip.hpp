// Points of contact between two facets, and the choice of a few among many.
#pragma once

#include "cardan/collision/contact.hpp"
#include "cardan/collision/fixed_list.hpp"

namespace cardan::collision {

/// A contact in the frame of a, cores without their radii.
struct PatchPoint {
  Vec3<double> a, b;
  double gap = 0.0;
  std::uint32_t name_a = 0, name_b = 0;
  bool fixed = false;  // does not roll along a rim
};

constexpr int kMostPatchPoints = 40;
using Patch = FixedList<PatchPoint, kMostPatchPoints>;

/// Clips the polygon `other` at the sides of the face `face`, seen along the face's normal, and measures gaps from its
/// plane. With `of_a` the face is a's. Corners that are outside by less than `slack` count as inside.
void clip_facet(const Facet& face, const Facet& other, bool of_a, double slack, Patch& out);

/// Takes both ends of the overlap of two nearly parallel edges, gaps along n.
void clip_edges(const Facet& a, const Facet& b, const Vec3<double>& n, Patch& out);

/// Leaves at most `most` points: those of the memory while they include the deepest, else the deepest, the farthest
/// from it, and those that span the largest area. Differences below `slack` do not decide.
void reduce(Patch& patch, int most, const Vec3<double>& n, double slack, const PairMemory& memory);

}  // namespace cardan::collision
