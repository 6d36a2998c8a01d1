// A module of its own (fcl_module.cpp loads it).
#include "benchmarks/fcl_module.hpp"

#include <fcl/config.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

namespace cardan::bench {

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct MakeGeometry {
  Geometry operator()(const Box& s) const { return std::make_shared<fcl::Boxd>(s.x, s.y, s.z); }
  Geometry operator()(const Sphere& s) const { return std::make_shared<fcl::Sphered>(s.radius); }
  Geometry operator()(const Cylinder& s) const { return std::make_shared<fcl::Cylinderd>(s.radius, s.length); }
  Geometry operator()(const Capsule& s) const { return std::make_shared<fcl::Capsuled>(s.radius, s.length); }
  Geometry operator()(const Ellipsoid& s) const { return std::make_shared<fcl::Ellipsoidd>(s.x, s.y, s.z); }
  Geometry operator()(const Torus&) const { return nullptr; }
  Geometry operator()(const Mesh&) const { return nullptr; }
};

struct FclState {
  Geometry a, b;
  std::vector<fcl::Transform3d> at;
  fcl::Transform3d origin = fcl::Transform3d::Identity();
  fcl::DistanceRequestd distance{true};
  fcl::CollisionRequestd collision{4, true};
};

std::optional<CollisionPeer> make_pair(const Shape& a, const std::optional<Shape>& b,
                                       const std::vector<Pose<double>>& poses) {
  const auto state = std::make_shared<FclState>();
  state->a = std::visit(MakeGeometry{}, a);
  state->b = b ? std::visit(MakeGeometry{}, *b) : std::make_shared<fcl::Halfspaced>(fcl::Vector3d::UnitZ(), 0.0);
  if (!state->a || !state->b) return {};
  for (const Pose<double>& pose : poses) {
    fcl::Transform3d at = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) at.linear()(i, j) = pose.R(i, j);
      at.translation()[i] = pose.p[i];
    }
    state->at.push_back(at);
  }
  state->collision.enable_cached_gjk_guess = true;
  CollisionPeer out;
  out.name = "fcl";
  out.version = FCL_VERSION;
  if (b)  // its distances to half-spaces crash
    out.distance = [state](int i) {
      fcl::DistanceResultd result;
      fcl::distance(state->a.get(), state->at[static_cast<std::size_t>(i)], state->b.get(), state->origin,
                    state->distance, result);
    };
  out.manifold = [state](int i) {
    fcl::CollisionResultd result;
    fcl::collide(state->a.get(), state->at[static_cast<std::size_t>(i)], state->b.get(), state->origin,
                 state->collision, result);
    state->collision.cached_gjk_guess = result.cached_gjk_guess;
  };
  return out;
}

}  // namespace

}  // namespace cardan::bench

extern "C" void cardan_make_fcl_pair(const cardan::bench::CollisionPair& pair,
                                     std::optional<cardan::bench::CollisionPeer>& out) {
  out = cardan::bench::make_pair(pair.a, pair.b, pair.poses);
}
