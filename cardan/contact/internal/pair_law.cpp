#include "cardan/contact/internal/pair_law.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

PairLaw pair_law(const CollisionWorld& world, const ContactRules& rules, int shape_a, int shape_b) {
  const ContactRule* const rule = world.rule(shape_a, shape_b);
  const bool names = rule != nullptr && (!rule->a.empty() || !rule->b.empty());
  const auto is_ground = [&](int shape) {
    return rules.ground && shape == static_cast<int>(world.shapes().size()) - 1;
  };
  const bool on_ground = is_ground(shape_b);
  const ContactCoefficients* sources[3] = {names ? &rule->coefficients : nullptr,
                                           on_ground ? &rules.ground->coefficients : nullptr,
                                           rule != nullptr && !names ? &rule->coefficients : nullptr};
  const auto take = [&](auto ContactCoefficients::*what, auto& out) {
    for (const ContactCoefficients* source : sources)
      if (source != nullptr && source->*what) {
        out = *(source->*what);
        return true;
      }
    return false;
  };
  const SurfaceMaterial &a = world.shapes()[static_cast<std::size_t>(shape_a)].material,
                        &b = world.shapes()[static_cast<std::size_t>(shape_b)].material;
  PairLaw out;
  if (!take(&ContactCoefficients::friction, out.friction)) {
    if (a.friction && b.friction)
      out.friction = std::sqrt(*a.friction * *b.friction);
    else if (a.friction || b.friction)
      out.friction = std::sqrt(a.friction.value_or(out.friction) * b.friction.value_or(out.friction));
  }
  if (!take(&ContactCoefficients::restitution, out.restitution))
    out.restitution = std::max(a.restitution.value_or(0.0), b.restitution.value_or(0.0));
  take(&ContactCoefficients::stiffness, out.stiffness);
  take(&ContactCoefficients::damping, out.damping);
  take(&ContactCoefficients::rolling, out.rolling);
  take(&ContactCoefficients::torsional, out.torsional);
  out.is_area = a.is_area || b.is_area;
  // the surface that moves is that of the rule's a, or the ground's
  if (Vec3<double> w; take(&ContactCoefficients::surface_velocity, w)) {
    const bool of_b =
        names ? world.owners()[static_cast<std::size_t>(world.shapes()[static_cast<std::size_t>(shape_b)].owner)] ==
                        rule->a ||
                    world.shapes()[static_cast<std::size_t>(shape_b)].group == rule->a
              : on_ground;
    out.surface_velocity = (of_b ? -1.0 : 1.0) * w;
  }
  for (const ContactCoefficients* source : sources)
    if (source != nullptr && !source->law.empty()) {
      out.law = source->law == "poisson"      ? Restitution::poisson
                : source->law == "sequential" ? Restitution::sequential
                                              : Restitution::newton;
      break;
    }
  return out;
}

}  // namespace cardan
