#include "cardan/dynamics/joint_limits.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// Calls `visit(body, k, dof)` for every coordinate that can have limits: those whose rates are velocities.
template <class Visit>
void for_each_limited(const Model& model, const Visit& visit) {
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    for (int k = 0; link.nq == link.nv && k < link.nv; ++k) visit(body, k, model.dof(link.v + k));
  }
}

}  // namespace

std::vector<BeyondLimit> beyond_limits(const Model& model, std::span<const double> q) {
  constexpr double kRounding = 1e-9;
  std::vector<BeyondLimit> out;
  for_each_limited(model, [&](int body, int k, const DofProperties& dof) {
    const double x = q[static_cast<std::size_t>(model.link(body).q + k)];
    const double nearest = std::clamp(x, dof.lower, dof.upper);
    if (std::abs(x - nearest) > kRounding * std::max(1.0, std::abs(x))) out.push_back({body, k, x, nearest});
  });
  return out;
}

State within_limits(const Model& model, State state) {
  for_each_limited(model, [&](int body, int k, const DofProperties& dof) {
    double& x = state.q[static_cast<std::size_t>(model.link(body).q + k)];
    x = std::clamp(x, dof.lower, dof.upper);
  });
  return state;
}

}  // namespace cardan
