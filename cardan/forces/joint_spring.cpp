#include "cardan/forces/joint_spring.hpp"

#include "cardan/math/dual.hpp"

#include <algorithm>
#include <concepts>

namespace cardan {

JointSpring::JointSpring(const Model& model, int body)
    : joint_name_(model.joint_name(body)), body_(body), first_(model.link(body).v), n_(model.link(body).nv) {
  const auto& type = model.joint(body).type;
  is_ball_or_free_ = std::holds_alternative<Spherical>(type) || std::holds_alternative<Free>(type);
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
  double zero[12];
  joint.neutral(zero);
  joint.difference(zero, q, x);
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
    for (int i = 0; i < n_; ++i) unit[i] = i == k ? 1.0 : 0.0;
    at.model.joint(body_).increment_rate(x, unit, column);  // column k of T(x)^-1
    for (int i = 0; i < n_; ++i) tau -= column[i] * pull[i];
  }
}

std::string JointSpring::beyond_code() const {
  return is_ball_or_free_ || !elastic_ ? "" : "its joint is made of several";
}

void JointSpring::add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const {
  for (int k = first_; k < first_ + n_; ++k) pushes.velocity(k) -= Expr(at.model.dof(k).damping) * at.v[k];
  if (!elastic_) return;
  if (!is_ball_or_free_) return Force::add_symbolic(at, pushes);
  std::visit(
      [&]<class J>(const J& joint) {
        if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) {
          double neutral[7];
          joint.neutral(neutral);
          Expr zero[7], x[kMost];
          for (int i = 0; i < 7; ++i) zero[i] = Expr(i < J::nq ? neutral[i] : 0.0);
          joint.difference(zero, at.q.data() + at.model.link(body_).q, x);
          for (int k = 0; k < n_; ++k) {
            Expr unit[kMost], column[kMost];
            unit[k] = Expr(1.0);
            J::increment_rate(x, unit, column);
            for (int i = 0; i < n_; ++i) {
              const DofProperties& dof = at.model.dof(first_ + i);
              pushes.velocity(first_ + k) -= column[i] * (Expr(dof.stiffness) * (x[i] - Expr(dof.rest)));
            }
          }
        }
      },
      at.model.joint(body_).type);
}

void JointSpring::add_tangent(const Instant& at, Tangent& tangent) const {
  const bool is_exact = std::visit(
      [&]<class J>(const J&) {
        if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) {
          using D = Dual<8>;
          double x[kMost], pull[kMost];
          stretch(at, x, pull);
          D moved[kMost], moved_pull[kMost];
          for (int i = 0; i < n_; ++i) moved[i] = D(x[i]);
          for (int k = 0; k < n_; ++k) {  // displacing by velocity k moves x by column k of T(x)^-1
            double unit[kMost] = {}, column[kMost];
            unit[k] = 1.0;
            J::increment_rate(x, unit, column);
            for (int i = 0; i < n_; ++i) moved[i].d[k] = column[i];
          }
          for (int i = 0; i < n_; ++i) {
            const DofProperties& dof = at.model.dof(first_ + i);
            moved_pull[i] = D(dof.stiffness) * (moved[i] - D(dof.rest));
          }
          for (int r = 0; r < n_; ++r) {
            D unit[kMost], column[kMost], tau(0.0);
            unit[r] = D(1.0);
            J::increment_rate(moved, unit, column);
            for (int i = 0; i < n_; ++i) tau -= column[i] * moved_pull[i];
            for (int k = 0; k < n_; ++k) tangent.K(r, k) += tau.d[k];
            tangent.D(r, r) -= at.model.dof(first_ + r).damping;
          }
          return true;
        }
        return false;
      },
      at.model.joint(body_).type);
  if (!is_exact) Force::add_tangent(at, tangent);
}

double JointSpring::energy(const Instant& at) const {
  if (!elastic_) return 0.0;
  double x[kMost], pull[kMost], sum = 0.0;
  stretch(at, x, pull);
  for (int i = 0; i < n_; ++i) sum += 0.5 * pull[i] * (x[i] - at.model.dof(first_ + i).rest);
  return sum;
}

Touches CoordinateSprings::touches() const {
  Touches out{.separate = true};
  for (const CoordinateSpring& s : springs_) out.velocities.push_back(s.v);
  return out;
}

void CoordinateSprings::add(const Instant& at, Pushes& pushes) const {
  const double *const q = at.q.data(), *const v = at.v.data();
  double* const tau = &pushes.velocity(0);
  for (const CoordinateSpring& s : springs_) tau[s.v] -= s.resistance(q, v);
}

void CoordinateSprings::add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const {
  for (const CoordinateSpring& s : springs_) pushes.velocity(s.v) -= s.resistance(at.q.data(), at.v.data());
}

void CoordinateSprings::add_tangent(const Instant&, Tangent& tangent) const {
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    tangent.K(k, k) -= springs_[i].stiffness;
    tangent.D(k, k) -= springs_[i].damping;
  }
}

void CoordinateSprings::add_definite_tangent(const Instant&, Tangent& tangent) const {
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    tangent.K(k, k) -= std::max(springs_[i].stiffness, 0.0);
    tangent.D(k, k) -= std::max(springs_[i].damping, 0.0);
  }
}

bool CoordinateSprings::is_conservative() const {
  return std::all_of(springs_.begin(), springs_.end(), [](const CoordinateSpring& s) { return s.damping == 0.0; });
}

double CoordinateSprings::energy(const Instant& at) const {
  double sum = 0.0;
  for (const CoordinateSpring& s : springs_) sum += 0.5 * s.stiffness * (at.q[s.q] - s.rest) * (at.q[s.q] - s.rest);
  return sum;
}

Forces joint_springs(const Model& model) {
  constexpr std::ptrdiff_t kMost = 8;  // of one element: K and D of a long chain stay small blocks
  const std::vector<CoordinateSpring> all = coordinate_springs(model);
  Forces out;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = first + std::min(kMost, all.end() - first);
    out.push_back(std::make_shared<const CoordinateSprings>(std::vector<CoordinateSpring>(first, last)));
    first = last;
  }
  for (int body = 1; body <= model.bodies(); ++body)
    if (!model.joint(body).is_flat() && JointSpring::has_any(model, body))
      out.push_back(std::make_shared<const JointSpring>(model, body));
  return out;
}

}  // namespace cardan
