#include "cardan/model/dynamic_equivalence.hpp"

#include "cardan/spatial/body_motion.hpp"

#include <algorithm>
#include <limits>

namespace cardan {

namespace {

using Moments = MassMoments<double>;

/// The coordinate axis about which a joint turns; -1 if it is no revolute joint.
int axis_of_turning(JointPath path) {
  switch (path) {
    case JointPath::revolute_x: return 0;
    case JointPath::revolute_y: return 1;
    case JointPath::revolute_z:
    case JointPath::tilted_revolute: return 2;
    default: return -1;
  }
}

bool slides(JointPath path) {
  return path == JointPath::prismatic_x || path == JointPath::prismatic_y || path == JointPath::prismatic_z ||
         path == JointPath::tilted_prismatic;
}

/// Takes away what the body's joint lets move to the parent.
Moments take_movable(JointPath path, Moments& body) {
  Moments moved{};
  if (const int a = axis_of_turning(path); a >= 0) {
    std::swap(moved.m, body.m);
    std::swap(moved.h[a], body.h[a]);
    std::swap(moved.P(a, a), body.P(a, a));
  } else if (slides(path)) {
    std::swap(moved.P, body.P);
  } else if (path == JointPath::ball) {
    std::swap(moved.m, body.m);
  }
  return moved;
}

RigidBodyInertia<double> inertia(const Moments& b) {
  Sym3<double> I = -1.0 * b.P;
  for (int i = 0; i < 3; ++i) I(i, i) = b.P((i + 1) % 3, (i + 1) % 3) + b.P((i + 2) % 3, (i + 2) % 3);
  return {b.m, b.h, I};
}

}  // namespace

Model with_fewest_parameters(const Model& model, double most_mass) {
  const auto n = static_cast<std::size_t>(model.bodies()) + 1;
  std::vector<RigidBodyInertia<double>> gained(n);
  std::vector<double> lightest(n, std::numeric_limits<double>::infinity());
  Model out = model;
  out.identity_ = Model::next_identity();
  for (std::size_t i = n - 1; i >= 1; --i) {
    Link& link = out.links_[i];
    const auto parent = static_cast<std::size_t>(link.parent);
    if (link.I.m > 0.0) lightest[i] = std::min(lightest[i], link.I.m);
    lightest[parent] = std::min(lightest[parent], lightest[i]);
    link.I += gained[i];
    Moments body = moments(link.I);
    if (link.I.m <= most_mass * lightest[i]) {
      const Moments moved = take_movable(link.path, body);
      // the joint's axis is where it is whatever the coordinates, so they may be zero
      gained[parent] += transpose_apply(Transform<double>{link.F, link.r}, inertia(moved));
      link.I = inertia(body);
    }
    link.P = body.P;
  }
  return out;
}

}  // namespace cardan
