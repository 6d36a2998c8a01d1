// The rows of bearings: friction inside joints that grows with the reaction.
#include "cardan/simulate/step_rows.hpp"

#include <cmath>
#include <numbers>

namespace cardan {

namespace {

Eigen::Vector3d eigen(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }

/// A linear function of a wrench: part of the force and part of the moment.
struct WrenchPart {
  double factor;
  Eigen::Matrix3d by_force = Eigen::Matrix3d::Zero(), by_moment = Eigen::Matrix3d::Zero();

  Eigen::Vector3d operator()(const ForceVector<double>& f) const {
    return by_force * eigen(f.force) + by_moment * eigen(f.moment);
  }
};

/// The radial forces on the two bearings, f_perp/2 +- (z x m)/length.
void add_radial(double factor, const Eigen::Vector3d& z, double length, std::vector<WrenchPart>& out) {
  Eigen::Matrix3d cross_z;
  cross_z << 0, -z[2], z[1], z[2], 0, -z[0], -z[1], z[0], 0;
  for (const double side : {1.0, -1.0}) {
    WrenchPart& part = out.emplace_back();
    part.factor = factor;
    part.by_force = 0.5 * (Eigen::Matrix3d::Identity() - z * z.transpose());
    if (length > 0.0) part.by_moment = side / length * cross_z;
  }
}

}  // namespace

/// Sums over each subtree the wrenches at zero acceleration and the inertias, in body coordinates.
void StepRows::gather_reactions(std::span<const ForceVector<double>> wrenches) {
  const Kinematics<double>& k = instant_->bodies;
  for (int body = 1; body <= model_.bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const RigidBodyInertia<double>& I = model_.link(body).I;
    MotionVector<double> a = k.a[i];
    a.linear -= rotate(k.X_0[i].E, model_.gravity());
    reaction_[i] = I * a + cross(k.v[i], I * k.v[i]);
    if (!wrenches.empty()) reaction_[i] -= wrenches[i];
    composite_[i] = I;
  }
  for (int body = model_.bodies(); body >= 1; --body) {
    const int parent = model_.link(body).parent;
    if (parent == 0) continue;
    const auto i = static_cast<std::size_t>(body), p = static_cast<std::size_t>(parent);
    reaction_[p] += transpose_apply(k.X[i], reaction_[i]);
    composite_[p] += transpose_apply(k.X[i], composite_[i]);
  }
}

void StepRows::add_bearings(double h, std::span<const ForceVector<double>> wrenches, LawProblem& problem) {
  if (bearings_.empty()) return;
  gather_reactions(wrenches);
  for (const Bearing& bearing : bearings_) add_bearing(bearing, h, problem);
}

void StepRows::add_bearing(const Bearing& bearing, double h, LawProblem& problem) {
  const Kinematics<double>& k = instant_->bodies;
  const Link& link = model_.link(bearing.body);
  const auto body = static_cast<std::size_t>(bearing.body);
  const Transform<double>& to_joint = model_.frame(model_.body_frame(bearing.body)).X;

  // what the wrench about the joint's origin depends on
  const auto at_joint = [&](const ForceVector<double>& on_body) { return to_joint * on_body; };
  const ForceVector<double> constant = h * at_joint(reaction_[body]);
  std::vector<std::pair<int, ForceVector<double>>> by_velocity, by_multiplier;
  for (int j = bearing.body; j != 0; j = model_.link(j).parent) {
    // velocities above move the whole subtree
    Transform<double> X = Transform<double>::identity();
    for (int b = bearing.body; b != j; b = model_.link(b).parent) X = X * k.X[static_cast<std::size_t>(b)];
    for (int v = model_.link(j).v; v < model_.link(j).v + model_.link(j).nv; ++v)
      by_velocity.emplace_back(v, at_joint(composite_[body] * (X * k.S[static_cast<std::size_t>(v)])));
  }
  for (int j = bearing.body + 1; j < model_.subtree_end(bearing.body); ++j)
    for (int v = model_.link(j).v; v < model_.link(j).v + model_.link(j).nv; ++v) {
      ForceVector<double> f = composite_[static_cast<std::size_t>(j)] * k.S[static_cast<std::size_t>(v)];
      for (int b = j; b != bearing.body; b = model_.link(b).parent)
        f = transpose_apply(k.X[static_cast<std::size_t>(b)], f);
      by_velocity.emplace_back(v, at_joint(f));
    }
  for (const Wrench& wrench : wrenches_)
    if (wrench.body >= bearing.body && wrench.body < model_.subtree_end(bearing.body))
      by_multiplier.emplace_back(wrench.row, -at_joint(k.X_0[body] * wrench.f));

  const auto add = [&](std::span<const int> velocities, std::span<const double> scale, bool together,
                       const std::vector<WrenchPart>& parts) {
    const int rows = together ? static_cast<int>(velocities.size()) : 1;
    const int index = problem.add(Law::ball, rows, velocities);
    auto J = problem.J(problem.blocks()[static_cast<std::size_t>(index)]);
    for (int row = 0; row < rows; ++row) J(row, row) = scale[static_cast<std::size_t>(row)];
    for (const WrenchPart& part : parts) {
      Load& load = problem.add_load();
      load.factor = part.factor;
      load.constant = part(constant);
      for (const auto& [v, f] : by_velocity) {
        load.by_velocity.push_back({v, part(f)});
        load.constant -= load.by_velocity.back().column * v0_[static_cast<std::size_t>(v)];
      }
      for (const auto& [row, f] : by_multiplier)
        if (row < problem.blocks()[static_cast<std::size_t>(index)].first) load.by_multiplier.push_back({row, part(f)});
    }
  };
  const auto axis = [&](int v, bool linear) {
    const MotionVector<double>& S = k.S[static_cast<std::size_t>(v)];
    return Eigen::Vector3d(eigen(rotate(to_joint.E, linear ? S.linear : S.angular)).normalized());
  };
  const double mu = bearing.mu, r = bearing.radius, kappa = bearing.fitted ? 4.0 / std::numbers::pi : 1.0;
  const double collar = bearing.disc_collar ? 2.0 / 3.0 * r : r;
  const auto whole_force = [&](double factor) {
    WrenchPart part;
    part.factor = factor;
    part.by_force.setIdentity();
    return std::vector<WrenchPart>{part};
  };
  const auto revolute = [&](int v) {
    const Eigen::Vector3d z = axis(v, false);
    std::vector<WrenchPart> parts;
    add_radial(mu * kappa * r, z, bearing.length, parts);
    WrenchPart& axial = parts.emplace_back();
    axial.factor = mu * collar;
    axial.by_force = z * z.transpose();
    const double one = 1.0;
    add(std::span(&v, 1), std::span(&one, 1), false, parts);
  };
  const auto each_by_radius = [&] {
    for (int i = 0; i < link.nv; ++i) {
      const int v = link.v + i;
      const double one = 1.0, radius = bearing.radii.empty() ? r : bearing.radii[static_cast<std::size_t>(i)];
      add(std::span(&v, 1), std::span(&one, 1), false, whole_force(mu * radius));
    }
  };
  int all[6];
  for (int i = 0; i < link.nv; ++i) all[i] = link.v + i;
  bool done = false;
  int count = 0;
  for_each_part(model_.joint(bearing.body), 0, 0, [&]<class J>(const J&, int, int) { ++count; });
  for_each_part(model_.joint(bearing.body), 0, 0, [&]<class J>([[maybe_unused]] const J& joint, int, int) {
    if (count > 1) return;
    if constexpr (std::same_as<J, Revolute>) {
      revolute(link.v);
      done = true;
    } else if constexpr (std::same_as<J, Prismatic>) {
      const Eigen::Vector3d z = axis(link.v, true);
      std::vector<WrenchPart> parts;
      add_radial(mu, z, bearing.length, parts);
      WrenchPart& roll = parts.emplace_back();
      roll.factor = mu / bearing.half_width;
      roll.by_moment = z * z.transpose();
      const double one = 1.0;
      add(std::span(all, 1), std::span(&one, 1), false, parts);
      done = true;
    } else if constexpr (std::same_as<J, Cylindrical>) {
      // velocities: turn, then slide; slip is (r theta', z')
      const Eigen::Vector3d z = axis(link.v, false);
      std::vector<WrenchPart> parts;
      add_radial(mu * kappa, z, bearing.length, parts);
      const double scale[2] = {r, 1.0};
      add(std::span(all, 2), scale, true, parts);
      done = true;
    } else if constexpr (std::same_as<J, Helical>) {
      // slip along the thread; the normal of the thread carries f_z cos(lead) - m_z/r sin(lead)
      const Eigen::Vector3d z = axis(link.v, false);
      const double slope = std::hypot(r, joint.pitch), c = r / slope, s = joint.pitch / slope;
      std::vector<WrenchPart> parts;
      add_radial(mu * kappa, z, bearing.length, parts);
      WrenchPart& thread = parts.emplace_back();
      thread.factor = mu;
      thread.by_force = c * z * z.transpose();
      thread.by_moment = -s / r * z * z.transpose();
      add(std::span(all, 1), std::span(&slope, 1), false, parts);
      done = true;
    } else if constexpr (std::same_as<J, Spherical>) {
      const double scale[3] = {1.0, 1.0, 1.0};
      add(std::span(all, 3), scale, true, whole_force(mu * r));
      done = true;
    } else if constexpr (std::same_as<J, Universal>) {
      revolute(link.v);
      revolute(link.v + 1);
      done = true;
    }
  });
  if (!done) each_by_radius();
}

}  // namespace cardan
