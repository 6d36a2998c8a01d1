#include "benchmarks/collision_peer.hpp"

#ifdef CARDAN_WITH_COAL
#include <coal/collision.h>
#include <coal/contact_patch.h>
#include <coal/distance.h>
#include <coal/shape/geometric_shapes.h>
#endif

namespace cardan::bench {

#ifdef CARDAN_WITH_COAL
namespace {

using Geometry = std::shared_ptr<coal::CollisionGeometry>;

struct MakeGeometry {
  Geometry operator()(const Box& s) const { return std::make_shared<coal::Box>(s.x, s.y, s.z); }
  Geometry operator()(const Sphere& s) const { return std::make_shared<coal::Sphere>(s.radius); }
  Geometry operator()(const Cylinder& s) const { return std::make_shared<coal::Cylinder>(s.radius, s.length); }
  Geometry operator()(const Capsule& s) const { return std::make_shared<coal::Capsule>(s.radius, s.length); }
  Geometry operator()(const Ellipsoid& s) const { return std::make_shared<coal::Ellipsoid>(s.x, s.y, s.z); }
  Geometry operator()(const Torus&) const { return nullptr; }
  Geometry operator()(const Mesh&) const { return nullptr; }
};

struct CoalState {
  Geometry a, b;
  std::vector<coal::Transform3s> at;
  coal::Transform3s origin = coal::Transform3s::Identity();
  coal::DistanceRequest distance;
  coal::CollisionRequest collision{coal::CONTACT, 1};
  coal::ContactPatchRequest patch;
  coal::DistanceResult distance_result;
  coal::CollisionResult collision_result;
  coal::ContactPatchResult patch_result;
};

}  // namespace

std::optional<CollisionPeer> make_coal_pair(const Shape& a, const std::optional<Shape>& b,
                                            const std::vector<Pose<double>>& poses) {
  const auto state = std::make_shared<CoalState>();
  state->a = std::visit(MakeGeometry{}, a);
  state->b = b ? std::visit(MakeGeometry{}, *b) : std::make_shared<coal::Halfspace>(0.0, 0.0, 1.0, 0.0);
  if (!state->a || !state->b) return {};
  for (const Pose<double>& pose : poses) {
    coal::Matrix3s R;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) R(i, j) = pose.R(i, j);
    state->at.emplace_back(R, coal::Vec3s(pose.p[0], pose.p[1], pose.p[2]));
  }
  // its warm start: the last direction
  state->distance.gjk_initial_guess = coal::CachedGuess;
  state->collision.gjk_initial_guess = coal::CachedGuess;
  state->collision.security_margin = 1e-3;
  state->patch.max_num_patch = 1;
  state->patch_result.set(state->patch);
  CollisionPeer out;
  out.name = "coal";
  out.version = COAL_VERSION;
  out.distance = [state](int i) {
    state->distance_result.clear();
    coal::distance(state->a.get(), state->at[static_cast<std::size_t>(i)], state->b.get(), state->origin,
                   state->distance, state->distance_result);
    state->distance.updateGuess(state->distance_result);
  };
  out.manifold = [state](int i) {
    const auto& at = state->at[static_cast<std::size_t>(i)];
    state->collision_result.clear();
    coal::collide(state->a.get(), at, state->b.get(), state->origin, state->collision, state->collision_result);
    state->collision.updateGuess(state->collision_result);
    if (!state->collision_result.isCollision()) return;
    state->patch_result.clear();
    coal::computeContactPatch(state->a.get(), at, state->b.get(), state->origin, state->collision_result, state->patch,
                              state->patch_result);
  };
  return out;
}
#else
std::optional<CollisionPeer> make_coal_pair(const Shape&, const std::optional<Shape>&,
                                            const std::vector<Pose<double>>&) {
  return {};
}
#endif

}  // namespace cardan::bench
