#include "cardan/model/coordinate_spring.hpp"

namespace cardan {

std::vector<CoordinateSpring> coordinate_springs(const Model& model) {
  std::vector<CoordinateSpring> out;
  for (int body = 1; body <= model.bodies(); ++body) {
    if (!model.joint(body).is_flat()) continue;
    const Link& link = model.link(body);
    for (int k = 0; k < link.nv; ++k) {
      const DofProperties& dof = model.dof(link.v + k);
      if (dof.stiffness != 0.0 || dof.damping != 0.0)
        out.push_back({link.q + k, link.v + k, dof.stiffness, dof.rest, dof.damping});
    }
  }
  return out;
}

}  // namespace cardan
