#include "cardan/collision/advancement.hpp"

#include "cardan/collision/nearest.hpp"

#include <algorithm>

namespace cardan::collision {

Pose<double> SteadyMotion::after(double t) const { return {exp_so3(t * angular_velocity) * at.R, at.p + t * velocity}; }

std::optional<Impact> first_impact(const Solid& a, const SteadyMotion& of_a, const Solid& b, const SteadyMotion& of_b,
                                   double duration) {
  // speed of the points of a solid by rotation; a plane or height field that rotates has no bound
  const auto turning = [](const Solid& s, const SteadyMotion& m) {
    const double w = norm(m.angular_velocity);
    return w > 0.0 ? w * bounding_radius(s) : 0.0;
  };
  const double turn = turning(a, of_a) + turning(b, of_b);
  const Vec3<double> relative = of_b.velocity - of_a.velocity;
  // for convex solids and planes the planes of support along a fixed normal stay between them, else any direction
  // counts
  const auto flat_or_convex = [](const Solid& s) { return s.is_convex() || s.kind == Kind::plane; };
  const bool along_normal = flat_or_convex(a) && flat_or_convex(b);
  const double size = std::max(1.0, norm(of_a.at.p - of_b.at.p)), tolerance = 1e-12 * size;
  PairMemory memory;
  double t = 0.0;
  constexpr int kMostIterations = 10000;
  for (int i = 0;; ++i) {
    const Contact c = nearest(a, of_a.after(t), b, of_b.after(t), memory);
    if (c.gap <= tolerance || i == kMostIterations) return Impact{t, c};  // no further: as good as touching
    const double approach = (along_normal ? -dot(c.normal, relative) : norm(relative)) + turn;
    if (!(approach > 0.0)) return {};  // planes of support that move apart without turning stay between them
    t += c.gap / approach;
    if (!(t <= duration)) return {};
  }
}

}  // namespace cardan::collision
