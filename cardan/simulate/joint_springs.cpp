#include "cardan/simulate/joint_springs.hpp"

#include "cardan/integrate/manifold.hpp"

#include <algorithm>

namespace cardan {

namespace {
/// Whether velocities are other things than the rates of coordinates.
bool on_group(const Link& link) { return link.nq != link.nv; }
}  // namespace

JointSprings::JointSprings(const Model& model)
    : model_(model),
      neutral_(model.neutral()),
      x_(static_cast<std::size_t>(model.nv())),
      pull_(x_),
      unit_(x_),
      rate_(x_) {
  for (int i = 0; i < model.nv(); ++i) {
    any_damping_ |= model.dof(i).damping != 0.0;
    if (model.dof(i).stiffness == 0.0) continue;
    any_spring_ = true;
    any_on_group_ |= on_group(model.link(model.body_of_dof(i)));
  }
}

void JointSprings::stretch(In<double> q) {
  difference(model_, neutral_.data(), q.data(), x_.data());
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const DofProperties& dof = model_.dof(static_cast<int>(i));
    pull_[i] = dof.stiffness * (x_[i] - dof.rest);
  }
}

void JointSprings::force(In<double> q, In<double> v, Out<double> tau) {
  std::fill_n(tau.data(), tau.size(), 0.0);
  if (any_spring_) {
    stretch(q);
    for (int i = 0; i < model_.nv(); ++i)
      if (!on_group(model_.link(model_.body_of_dof(i)))) tau[i] = -pull_[static_cast<std::size_t>(i)];
  }
  // On a group dx/dt = T(x)^-1 v, so the same power takes tau = -T^-T pull. Column k of all joints at once.
  for (int k = 0; any_on_group_ && k < 6; ++k) {
    std::fill(unit_.begin(), unit_.end(), 0.0);
    for (int b = 1; b <= model_.bodies(); ++b)
      if (k < model_.link(b).nv) unit_[static_cast<std::size_t>(model_.link(b).v + k)] = 1.0;
    increment_rate(model_, x_.data(), unit_.data(), rate_.data());
    for (int b = 1; b <= model_.bodies(); ++b) {
      const Link& link = model_.link(b);
      if (!on_group(link) || k >= link.nv) continue;
      for (int i = link.v; i < link.v + link.nv; ++i)
        tau[link.v + k] -= pull_[static_cast<std::size_t>(i)] * rate_[static_cast<std::size_t>(i)];
    }
  }
  if (!any_damping_) return;
  for (int i = 0; i < model_.nv(); ++i) tau[i] -= model_.dof(i).damping * v[i];
}

double JointSprings::energy(In<double> q) {
  if (!any_spring_) return 0.0;
  stretch(q);
  double sum = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) sum += 0.5 * pull_[i] * (x_[i] - model_.dof(static_cast<int>(i)).rest);
  return sum;
}

}  // namespace cardan
