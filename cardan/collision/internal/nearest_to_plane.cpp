#include "cardan/collision/internal/nearest_parts.hpp"

namespace cardan::collision {

LocalContact nearest_to_plane(const Solid& a, const Pose<double>& X, PairMemory& memory) {
  const Vec3<double> up{X.R(0, 2), X.R(1, 2), X.R(2, 2)};  // the plane's normal
  LocalContact out;
  out.n = -up;
  out.feature_b = {2, up};
  Vec3<double> lowest;
  switch (a.kind) {
    case Kind::torus: {
      const Vec3<double> radial = RimPhase(out.n).turned(0);
      lowest = a.half[0] * radial;
      out.feature_a = {1, {-radial[1], radial[0], 0.0}, dot(out.n, radial) / a.half[0]};
      break;
    }
    case Kind::mesh: {
      const auto& vertices = a.mesh->vertices;
      std::size_t best = 0;
      for (std::size_t i = 1; i < vertices.size(); ++i)
        if (dot(out.n, vertices[i]) > dot(out.n, vertices[best])) best = i;
      lowest = vertices[best];
      break;
    }
    default: lowest = support(a, out.n, memory.hint_a).x; break;
  }
  out.a = lowest + a.radius * out.n;
  out.gap = dot(up, out.a - X.p);
  out.b = out.a + out.gap * out.n;
  return out;
}

}  // namespace cardan::collision
