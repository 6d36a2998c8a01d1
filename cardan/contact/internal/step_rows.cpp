#include "cardan/contact/internal/step_rows.hpp"

#include "cardan/constraints/internal/loop_force.hpp"
#include "cardan/dynamics/internal/plain_rates.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kRoundedGap = 1e-12;  // m: gaps that are none; closing them would shake what rests

}  // namespace

StepRows::StepRows(const Model& model, const StateSpace& space, std::shared_ptr<const ContactScene> scene,
                   std::vector<Bearing> bearings, ConstraintSet* set)
    : model_(model),
      bearings_(std::move(bearings)),
      set_(set),
      kinematics_(model),
      space_(space),
      free_(free_joints(model)),
      x_(static_cast<std::size_t>(model.nv())),
      start_(model),
      reaction_(static_cast<std::size_t>(model.bodies()) + 1),
      composite_(reaction_.size()),
      mark_(static_cast<std::size_t>(model.nv()), -1) {
  if (scene != nullptr) world_.emplace(std::move(scene));
  for (const LoopJoint& loop : model.loops())
    if (has_laws(loop)) loops_.push_back(loop_at_rest(loop));
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    if (link.nq != link.nv || !has_plain_rates(model.joint(body))) continue;
    for (int k = 0; k < link.nv; ++k) {
      const DofProperties& dof = model.dof(link.v + k);
      if (std::isfinite(dof.lower) || std::isfinite(dof.upper))
        limits_.push_back({link.q + k, link.v + k, dof.lower, dof.upper, dof.restitution});
    }
  }
}

bool StepRows::touches(const ContactPoint& point, double tolerance, double h) const {
  return reaches(point.gap, point.approach, tolerance, h);
}

bool StepRows::anything_is_compliant() const {
  return world_ && world_->scene().rules().any([](const ContactCoefficients& c) { return c.stiffness.has_value(); });
}

bool StepRows::anything_bounces() const {
  bool any = world_ && world_->scene().rules().any(
                           [](const ContactCoefficients& c) { return c.restitution.value_or(0.0) > 0.0; });
  for (const LimitedVelocity& limit : limits_) any |= limit.restitution > 0.0;
  if (world_)
    for (const WorldShape& shape : world_->shapes()) any |= shape.material.restitution.value_or(0.0) > 0.0;
  return any;
}

std::vector<std::pair<int, int>> StepRows::trees() const {
  std::vector<std::pair<int, int>> out;
  for (int body = 1; body <= model_.bodies(); ++body)
    if (model_.link(body).parent == 0 && model_.subtree_dofs_end(body) > model_.link(body).v)
      out.emplace_back(model_.link(body).v, model_.subtree_dofs_end(body));
  return out;
}

int StepRows::add_relative(Law law, int body_a, int body_b, std::span<const ForceVector<double>> f, double bound,
                           double compliance, LawProblem& problem) {
  const int above = body_a == 0 || body_b == 0 ? 0 : model_.common_ancestor(body_a, body_b);
  const int size = static_cast<int>(f.size());
  columns_.clear();
  for (const int end : {body_a, body_b})
    for (int body = end; body != above; body = model_.link(body).parent)
      for (int k = 0; k < model_.link(body).nv; ++k) columns_.push_back(model_.link(body).v + k);
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
  for (std::size_t c = 0; c < columns_.size(); ++c) mark_[static_cast<std::size_t>(columns_[c])] = static_cast<int>(c);
  const int index = problem.add(law, size, columns_, bound, compliance);
  const LawBlock& block = problem.blocks()[static_cast<std::size_t>(index)];
  auto J = problem.J(block);
  for (int row = 0; row < size; ++row)
    for (const int end : {body_a, body_b}) {
      if (end == 0) continue;
      const ForceVector<double> world = (end == body_b ? 1.0 : -1.0) * f[static_cast<std::size_t>(row)];
      if (!bearings_.empty()) wrenches_.push_back({block.first + row, end, world});
      ForceVector<double> on_body = instant_->X_0(end) * world;
      for (int body = end; body != above; body = model_.link(body).parent) {
        const Link& link = model_.link(body);
        for (int k = link.v; k < link.v + link.nv; ++k)
          J(row, mark_[static_cast<std::size_t>(k)]) += dot(instant_->bodies.S[static_cast<std::size_t>(k)], on_body);
        on_body = transpose_apply(instant_->bodies.X[static_cast<std::size_t>(body)], on_body);
      }
    }
  return index;
}

int StepRows::add_contact(ContactPoint& point, double b_n, double R, LawProblem& problem) {
  ForceVector<double> f[3];
  for (int k = 0; k < 3; ++k) f[k] = force_at_point(point.axes[k], point.point);
  point.block =
      add_relative(Law::cone, point.body_a, point.body_b, f, point.in_patch ? 0.0 : point.law.friction, R, problem);
  const int first = problem.blocks()[static_cast<std::size_t>(point.block)].first;
  problem.b[first] = b_n;
  for (int k = 1; k < 3; ++k) problem.b[first + k] = -dot(point.axes[k], point.law.surface_velocity);
  return point.block;
}

/// Rolling friction opposes turning about the tangents, torsional friction turning about the normal; both bounds are a
/// length times the normal force.
void StepRows::add_rolling(const ContactPoint& point, LawProblem& problem) {
  const int normal = problem.blocks()[static_cast<std::size_t>(point.block)].first;
  const auto add = [&](std::span<const ForceVector<double>> f, double length) {
    if (!(length > 0.0)) return;
    add_relative(Law::ball, point.body_a, point.body_b, f, 0.0, 0.0, problem);
    Load& load = problem.add_load();
    load.factor = length;
    load.by_multiplier.push_back({normal, Eigen::Vector3d::UnitX()});
  };
  const ForceVector<double> rolling[2] = {{point.axes[1], {}}, {point.axes[2], {}}}, spin[1] = {{point.axes[0], {}}};
  add(rolling, point.law.rolling);
  add(spin, point.law.torsional);
}

void StepRows::add_step(double t1, double h, std::span<const ForceVector<double>> wrenches, double bouncing,
                        double tolerance, LawProblem& problem) {
  wrenches_.clear();
  find_patches(tolerance);
  for (ContactPoint& point : points_) {
    point.block = -1;
    const PairLaw& law = point.law;
    if (law.restitution > 0.0 && law.stiffness == 0.0 && point.gap > tolerance && point.approach < -bouncing) continue;
    if (law.stiffness > 0.0) {
      if (point.gap > 0.0 && point.gap + 0.5 * h * point.approach > 0.0) continue;
      add_spring(point, h, problem);
    } else {
      add_contact(point, point.gap > kRoundedGap ? point.gap / h : 0.0, 0.0, problem);
    }
    add_rolling(point, problem);
  }
  add_patch_friction(problem);
  add_limits(h, bouncing, tolerance, problem);
  add_loop_limits(h, problem);
  add_dry_friction(h, problem);
  add_loop_friction(h, problem);
  add_equations(t1, problem);
  add_bearings(h, wrenches, problem);
}

void StepRows::add_impact(double t, double restitution, double threshold, double tolerance, LawProblem& problem) {
  wrenches_.clear();
  find_patches(tolerance);
  for (ContactPoint& point : points_) {
    point.block = -1;
    if (point.law.stiffness > 0.0 || !touches(point, tolerance, h_)) continue;
    const bool bounces = point.approach < -threshold;
    add_contact(point, bounces ? restitution * point.law.restitution * point.approach : 0.0, 0.0, problem);
    add_rolling(point, problem);
  }
  add_patch_friction(problem);
  add_limit_impacts(restitution, threshold, tolerance, problem);
  add_loop_limit_impacts(tolerance, problem);
  add_equations(t, problem);
  add_bearings(0.0, {}, problem);
}

void StepRows::add_single_impact(double t, int index, double approach, LawProblem& problem) {
  wrenches_.clear();
  patches_.clear();
  ContactPoint& point = points_[static_cast<std::size_t>(index)];
  point.in_patch = false;
  add_contact(point, point.law.restitution * approach, 0.0, problem);
  add_equations(t, problem);
}

void StepRows::add_positions(double keep, LawProblem& problem) {
  wrenches_.clear();
  for (ContactPoint& point : points_) {
    point.block = -1;
    if (point.law.stiffness > 0.0) continue;
    const ForceVector<double> f[1] = {force_at_point(point.axes[0], point.point)};
    point.block = add_relative(Law::at_least, point.body_a, point.body_b, f, 0.0, 0.0, problem);
    problem.b[problem.blocks()[static_cast<std::size_t>(point.block)].first] = point.gap + keep;
  }
  add_limit_positions(keep, problem);
  add_loop_limit_positions(keep, problem);
}

void StepRows::add_dry_friction(double h, LawProblem& problem) {
  for (int v = 0; v < model_.nv(); ++v)
    if (const double friction = model_.dof(v).friction; friction > 0.0) {
      const int index = problem.add(Law::ball, 1, std::span(&v, 1), h * friction);
      problem.J(problem.blocks()[static_cast<std::size_t>(index)])(0, 0) = 1.0;
    }
}

void StepRows::add_equations(double t1, LawProblem& problem) {
  if (set_ == nullptr || set_->size() == 0) return;
  set_->evaluate(t1, instant_->q, instant_->v);
  equation_rows_.assign(static_cast<std::size_t>(set_->size()), -1);
  Eigen::MatrixXd J;
  for (int i = 0; i < set_->size(); ++i) {
    const std::vector<int> columns = set_->velocities(i);
    if (columns.empty()) continue;
    const ConstraintRows& rows = set_->rows_of(i);
    J.resize(rows.size(), static_cast<Eigen::Index>(columns.size()));
    set_->block(i, J);
    const int index = problem.add(Law::equal, rows.size(), columns);
    const LawBlock& block = problem.blocks()[static_cast<std::size_t>(index)];
    problem.J(block) = J;
    equation_rows_[static_cast<std::size_t>(i)] = block.first;
    for (int row = 0; row < rows.size(); ++row) {
      double v = 0.0;
      for (std::size_t c = 0; c < columns.size(); ++c)
        v += J(row, static_cast<Eigen::Index>(c)) * instant_->v[columns[c]];
      problem.b[block.first + row] = rows.drift[row] - v;  // J v1 = J v0 - drift
      if (!bearings_.empty())
        for (const auto& on : rows.on_bodies)
          wrenches_.push_back({block.first + row, on.body,
                               transpose_apply(instant_->X_0(on.body), on.row[static_cast<std::size_t>(row)])});
    }
  }
}

}  // namespace cardan
