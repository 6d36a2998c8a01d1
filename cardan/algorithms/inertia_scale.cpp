#include "cardan/algorithms/inertia_scale.hpp"

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/model/state.hpp"

#include <array>

namespace cardan {

std::vector<double> inertia_scales(const Model& model) {
  const State zero(model);
  Workspace<double> workspace(model);
  Kinematics<double> at(model);
  forward_kinematics<double>(model, workspace, zero.q, at);
  constexpr std::size_t kGenerations = 4;
  using Generations = std::array<RigidBodyInertia<double>, kGenerations>;  // the body, its children, theirs, ...
  std::vector<Generations> carried(static_cast<std::size_t>(model.bodies()) + 1);
  std::vector<double> out(static_cast<std::size_t>(model.nv()));
  for (int b = model.bodies(); b >= 1; --b) {
    const Link& link = model.link(b);
    Generations& own = carried[static_cast<std::size_t>(b)];
    own[0] += link.I;
    RigidBodyInertia<double> I;
    for (const RigidBodyInertia<double>& generation : own) I += generation;
    for (int v = link.v; v < link.v + link.nv; ++v) {
      const MotionVector<double>& S = at.S[static_cast<std::size_t>(v)];
      out[static_cast<std::size_t>(v)] = dot(S.angular, S.angular) * (I.I(0, 0) + I.I(1, 1) + I.I(2, 2)) +
                                         dot(S.linear, S.linear) * I.m + model.armature(v);
    }
    Generations& parent = carried[static_cast<std::size_t>(link.parent)];
    for (std::size_t g = 1; g < kGenerations && link.parent != 0; ++g)
      parent[g] += transpose_apply(at.X[static_cast<std::size_t>(b)], own[g - 1]);
  }
  return out;
}

}  // namespace cardan
