#include "cardan/model/dynamic_equivalence.hpp"

#include "cardan/spatial/newton_euler_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

using Moments = MassMoments<double>;

/// The coordinate axis about which a joint turns; -1 if it is no revolute joint.
int axis_of_turning(JointKernel kernel) {
  switch (kernel) {
    case JointKernel::revolute_x: return 0;
    case JointKernel::revolute_y: return 1;
    case JointKernel::revolute_z:
    case JointKernel::tilted_revolute: return 2;
    default: return -1;
  }
}

bool slides(JointKernel kernel) {
  return kernel == JointKernel::prismatic_x || kernel == JointKernel::prismatic_y ||
         kernel == JointKernel::prismatic_z || kernel == JointKernel::tilted_prismatic;
}

/// Takes away what the body's joint lets move to the parent.
Moments take_movable(JointKernel kernel, Moments& body) {
  Moments moved{};
  if (const int a = axis_of_turning(kernel); a >= 0) {
    std::swap(moved.m, body.m);
    std::swap(moved.h[a], body.h[a]);
    std::swap(moved.P(a, a), body.P(a, a));
  } else if (slides(kernel)) {
    std::swap(moved.P, body.P);
  } else if (kernel == JointKernel::ball) {
    std::swap(moved.m, body.m);
  } else if (kernel == JointKernel::general_0) {
    std::swap(moved, body);
  }
  return moved;
}

/// The largest entry relative to masses of its kind: m r, m r^2 at a distance r of one are like m.
double size(const Moments& b) {
  double out = std::abs(b.m);
  for (int i = 0; i < 3; ++i) out = std::max(out, std::abs(b.h[i]));
  for (const double p : b.P.e.e) out = std::max(out, std::abs(p));
  return out;
}

const char* what_may_pass(JointKernel kernel) {
  if (axis_of_turning(kernel) >= 0) return "mass on the joint's axis";
  if (slides(kernel)) return "a pure rotational inertia";
  if (kernel == JointKernel::ball) return "a point mass at the joint's center";
  return "nothing";
}

RigidBodyInertia<double> inertia(const Moments& b) {
  Sym3<double> I = -1.0 * b.P;
  for (int i = 0; i < 3; ++i) I(i, i) = b.P((i + 1) % 3, (i + 1) % 3) + b.P((i + 2) % 3, (i + 2) % 3);
  return {b.m, b.h, I};
}

/// The joint's axis or center is where it is whatever the coordinates, so they may be zero.
RigidBodyInertia<double> in_parent(const Link& link, const RigidBodyInertia<double>& I) {
  return transpose_apply(Transform<double>{link.F, link.r}, I);
}

}  // namespace

Model with_fewest_parameters(const Model& model, double most_mass) {
  const auto n = static_cast<std::size_t>(model.bodies()) + 1;
  std::vector<RigidBodyInertia<double>> gained(n);
  std::vector<double> lightest(n, std::numeric_limits<double>::infinity());
  ModelData out = model.data();
  out.identity = ModelData::next_identity();
  for (std::size_t i = n - 1; i >= 1; --i) {
    Link& link = out.links[static_cast<int>(i)];
    const auto parent = static_cast<std::size_t>(link.parent);
    if (link.I.m > 0.0) lightest[i] = std::min(lightest[i], link.I.m);
    lightest[parent] = std::min(lightest[parent], lightest[i]);
    link.I += gained[i];
    Moments body = moments(link.I);
    if (link.I.m <= most_mass * lightest[i]) {
      const Moments moved = take_movable(link.kernel, body);
      gained[parent] += in_parent(link, inertia(moved));
      link.I = inertia(body);
    }
    link.P = body.P;
  }
  return Model(std::move(out));
}

Model with_shifted_inertia(const Model& model, int body, const RigidBodyInertia<double>& I_delta) {
  if (body < 1 || body > model.bodies())
    throw ModelError("inertia can only be shifted from a moving body, 1 to " + std::to_string(model.bodies()) +
                     ", found " + std::to_string(body));
  ModelData out = model.data();
  out.identity = ModelData::next_identity();
  Link& link = out.links[body];
  const RigidBodyInertia<double> I = transpose_apply(model.frame(model.body_frame(body)).X, I_delta);
  Moments rest = moments(I);
  take_movable(link.kernel, rest);
  constexpr double kRounding = 1e-12;
  if (!(size(rest) <= kRounding * size(moments(I))))
    throw ModelError("joint \"" + model.joint_name(body) + "\" (" + model.joint(body).type_name() +
                     "): inertia that passes through it must be " + what_may_pass(link.kernel));
  const auto change = [](Link& of, const RigidBodyInertia<double>& to) {
    of.I = to;
    of.P = moments(to).P;
  };
  change(link, link.I + -1.0 * I);
  if (link.parent != 0) {
    Link& parent = out.links[link.parent];
    change(parent, parent.I + in_parent(link, I));
  }
  return Model(std::move(out));
}

}  // namespace cardan
