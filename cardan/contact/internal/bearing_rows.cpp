// The rows of bearings: friction inside joints that grows with the reaction.
#include "cardan/contact/internal/step_rows.hpp"

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

namespace {

constexpr double kAlongOthers = 1e-9;  // sine of the angle to the directions before

/// Friction rows of a bearing: along which velocities of its joint, and what bounds them.
struct BearingRows {
  std::vector<int> velocities;  // of the joint, from 0
  std::vector<double> scale;    // slip for a unit of each
  std::vector<WrenchPart> parts;
};

/// The rows of a joint; axis(k, linear) is the unit direction that its velocity k turns about or moves along.
template <class Axis>
std::vector<BearingRows> rows_of(const Bearing& bearing, const Joint& joint, const Axis& axis) {
  const double mu = bearing.mu, r = bearing.radius, kappa = bearing.fitted ? 4.0 / std::numbers::pi : 1.0;
  std::vector<BearingRows> out;
  const auto whole_force = [](double factor) {
    WrenchPart part;
    part.factor = factor;
    part.by_force.setIdentity();
    return std::vector<WrenchPart>{part};
  };
  const auto revolute = [&](int k) {
    const Eigen::Vector3d z = axis(k, false);
    BearingRows& rows = out.emplace_back(BearingRows{{k}, {1.0}, {}});
    add_radial(mu * kappa * r, z, bearing.length, rows.parts);
    WrenchPart& axial = rows.parts.emplace_back();
    axial.factor = mu * (bearing.disc_collar ? 2.0 / 3.0 * r : r);
    axial.by_force = z * z.transpose();
  };
  int count = 0;
  for_each_part(joint, 0, 0, [&]<class J>(const J&, int, int) { ++count; });
  for_each_part(joint, 0, 0, [&]<class J>([[maybe_unused]] const J& type, int, int) {
    if (count > 1) return;
    if constexpr (std::same_as<J, Revolute>) {
      revolute(0);
    } else if constexpr (std::same_as<J, Prismatic>) {
      const Eigen::Vector3d z = axis(0, true);
      BearingRows& rows = out.emplace_back(BearingRows{{0}, {1.0}, {}});
      add_radial(mu, z, bearing.length, rows.parts);
      WrenchPart& roll = rows.parts.emplace_back();
      roll.factor = mu / bearing.half_width;
      roll.by_moment = z * z.transpose();
    } else if constexpr (std::same_as<J, Cylindrical>) {
      // velocities: turn, then slide; slip is (r theta', z')
      BearingRows& rows = out.emplace_back(BearingRows{{0, 1}, {r, 1.0}, {}});
      add_radial(mu * kappa, axis(0, false), bearing.length, rows.parts);
    } else if constexpr (std::same_as<J, Helical>) {
      // slip along the thread; the normal of the thread carries f_z cos(lead) - m_z/r sin(lead)
      const Eigen::Vector3d z = axis(0, false);
      const double slope = std::hypot(r, type.pitch), c = r / slope, s = type.pitch / slope;
      BearingRows& rows = out.emplace_back(BearingRows{{0}, {slope}, {}});
      add_radial(mu * kappa, z, bearing.length, rows.parts);
      WrenchPart& thread = rows.parts.emplace_back();
      thread.factor = mu;
      thread.by_force = c * z * z.transpose();
      thread.by_moment = -s / r * z * z.transpose();
    } else if constexpr (std::same_as<J, Spherical>) {
      out.push_back({{0, 1, 2}, {1.0, 1.0, 1.0}, whole_force(mu * r)});
    } else if constexpr (std::same_as<J, Universal>) {
      revolute(0);
      revolute(1);
    }
  });
  if (!out.empty()) return out;
  // others: the force across the directions in which the joint shifts; along these it is driven, not carried
  Eigen::Matrix3d across = Eigen::Matrix3d::Identity();
  for (int k = 0; k < joint.nv(); ++k) {
    const Eigen::Vector3d along = across * axis(k, true);
    if (along.norm() > kAlongOthers) across -= along * along.transpose() / along.squaredNorm();
  }
  for (int k = 0; k < joint.nv(); ++k) {
    std::vector<WrenchPart> load =
        whole_force(mu * (bearing.radii.empty() ? r : bearing.radii[static_cast<std::size_t>(k)]));
    load.front().by_force = across;
    out.push_back({{k}, {1.0}, std::move(load)});
  }
  return out;
}

}  // namespace

void StepRows::add_bearings(double h, std::span<const ForceVector<double>> wrenches, LawProblem& problem) {
  if (bearings_.empty()) return;
  gather_reactions(wrenches);
  for (const Bearing& bearing : bearings_)
    if (bearing.loop < 0)
      add_bearing(bearing, h, problem);
    else
      add_loop_bearing(bearing, problem);
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

  const auto axis = [&](int i, bool linear) {
    const MotionVector<double>& S = k.S[static_cast<std::size_t>(link.v + i)];
    return Eigen::Vector3d(eigen(rotate(to_joint.E, linear ? S.linear : S.angular)).normalized());
  };
  for (const BearingRows& rows : rows_of(bearing, model_.joint(bearing.body), axis)) {
    std::vector<int> velocities;
    for (const int i : rows.velocities) velocities.push_back(link.v + i);
    const int index = problem.add(Law::ball, static_cast<int>(velocities.size()), velocities);
    auto J = problem.J(problem.blocks()[static_cast<std::size_t>(index)]);
    for (int row = 0; row < J.rows(); ++row) J(row, row) = rows.scale[static_cast<std::size_t>(row)];
    for (const WrenchPart& part : rows.parts) {
      Load& load = problem.add_load();
      load.factor = part.factor;
      load.constant = part(constant);
      for (const auto& [v, f] : by_velocity) {
        load.by_velocity.push_back({v, part(f)});
        load.constant -= load.by_velocity.back().column * v0_[static_cast<std::size_t>(v)];
      }
      for (const auto& [row, f] : by_multiplier) load.by_multiplier.push_back({row, part(f)});
    }
  }
}

/// The reaction of a loop joint is what its multipliers exert.
void StepRows::add_loop_bearing(const Bearing& bearing, LawProblem& problem) {
  const LoopState* const state = set_->loop(bearing.loop);
  const int first = equation_rows_[static_cast<std::size_t>(bearing.loop)];
  const int a = state->loop().predecessor.body, b = state->loop().successor.body;
  double unit[6] = {};
  const auto drive = [&](int k) {
    unit[k] = 1.0;
    const ForceVector<double> out = state->drive(unit);
    unit[k] = 0.0;
    return out;
  };
  const auto axis = [&](int k, bool linear) {
    const ForceVector<double> f = drive(k);
    return Eigen::Vector3d(eigen(linear ? f.force : f.moment).normalized());
  };
  std::vector<ForceVector<double>> reaction;  // for a unit of each multiplier
  for (int row = 0; row < state->rows(); ++row) {
    unit[row] = 1.0;
    reaction.push_back(state->force(unit));
    unit[row] = 0.0;
  }
  for (const BearingRows& rows : rows_of(bearing, state->loop().type, axis)) {
    std::vector<ForceVector<double>> f;
    for (std::size_t i = 0; i < rows.velocities.size(); ++i) {
      const auto [on_a, on_b] = state->on_both_bodies(rows.scale[i] * drive(rows.velocities[i]));
      f.push_back(b != 0 ? transpose_apply(instant_->X_0(b), on_b) : -transpose_apply(instant_->X_0(a), on_a));
    }
    add_relative(Law::ball, a, b, f, 0.0, 0.0, problem);
    for (const WrenchPart& part : rows.parts) {
      Load& load = problem.add_load();
      load.factor = part.factor;
      for (int row = 0; row < state->rows(); ++row)
        load.by_multiplier.push_back({first + row, part(reaction[static_cast<std::size_t>(row)])});
    }
  }
}

}  // namespace cardan
