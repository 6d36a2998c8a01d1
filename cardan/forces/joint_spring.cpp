#include "cardan/forces/joint_spring.hpp"

namespace cardan {

JointSpring::JointSpring(const Model& model, int body)
    : joint_name_(model.joint_name(body)),
      body_(body),
      first_(model.link(body).v),
      n_(model.link(body).nv),
      flat_(model.joint(body).is_flat()) {
  for (int i = first_; i < first_ + n_; ++i) {
    damped_ = damped_ || model.dof(i).damping != 0.0;
    elastic_ = elastic_ || model.dof(i).stiffness != 0.0;
  }
}

bool JointSpring::has_any(const Model& model, int body) {
  const Link& link = model.link(body);
  for (int i = link.v; i < link.v + link.nv; ++i)
    if (model.dof(i).damping != 0.0 || model.dof(i).stiffness != 0.0) return true;
  return false;
}

Touches JointSpring::touches() const {
  Touches out;
  for (int i = 0; i < n_; ++i) out.velocities.push_back(first_ + i);
  return out;
}

void JointSpring::stretch(const Instant& at, double* x, double* pull) const {
  const Joint& joint = at.model.joint(body_);
  const double* const q = at.q.data() + at.model.link(body_).q;
  if (flat_) {
    for (int i = 0; i < n_; ++i) x[i] = q[i];
  } else {
    double zero[12];
    joint.neutral(zero);
    joint.difference(zero, q, x);
  }
  for (int i = 0; i < n_; ++i) {
    const DofProperties& dof = at.model.dof(first_ + i);
    pull[i] = dof.stiffness * (x[i] - dof.rest);
  }
}

void JointSpring::add(const Instant& at, Pushes& pushes) const {
  double x[kMost], pull[kMost], unit[kMost], column[kMost];
  if (elastic_) stretch(at, x, pull);
  for (int k = 0; k < n_; ++k) {
    double& tau = pushes.velocity(first_ + k);
    tau -= at.model.dof(first_ + k).damping * at.v[first_ + k];
    if (!elastic_) continue;
    if (flat_) {
      tau -= pull[k];
      continue;
    }
    for (int i = 0; i < n_; ++i) unit[i] = i == k ? 1.0 : 0.0;
    at.model.joint(body_).increment_rate(x, unit, column);  // column k of T(x)^-1
    for (int i = 0; i < n_; ++i) tau -= column[i] * pull[i];
  }
}

void JointSpring::add_tangent(const Instant& at, Tangent& tangent) const {
  if (!flat_) return Force::add_tangent(at, tangent);
  for (int i = 0; i < n_; ++i) {
    tangent.K(i, i) -= at.model.dof(first_ + i).stiffness;
    tangent.D(i, i) -= at.model.dof(first_ + i).damping;
  }
}

double JointSpring::energy(const Instant& at) const {
  if (!elastic_) return 0.0;
  double x[kMost], pull[kMost], sum = 0.0;
  stretch(at, x, pull);
  for (int i = 0; i < n_; ++i) sum += 0.5 * pull[i] * (x[i] - at.model.dof(first_ + i).rest);
  return sum;
}

Forces joint_springs(const Model& model) {
  Forces out;
  for (int body = 1; body <= model.bodies(); ++body)
    if (JointSpring::has_any(model, body)) out.push_back(std::make_shared<const JointSpring>(model, body));
  return out;
}

}  // namespace cardan
