#include "cardan/contact/internal/contact_modes.hpp"

#include "cardan/collision/nearest.hpp"
#include "cardan/dynamics/internal/plain_rates.hpp"
#include "cardan/math/orthogonal.hpp"
#include "cardan/solve/rank_tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kAlike = 1e4;   // how much inertias may differ that contacts feel, for a common unit of their forces
constexpr double kNearby = 0.1;  // of the largest body: contacts up to this gap are followed

collision::Kind kind_of(const CollisionWorld& world, int shape) {
  return world.shapes()[static_cast<std::size_t>(shape)].solid.kind;
}

/// True for shapes with corners that stay with the body.
bool is_polyhedral(collision::Kind kind) {
  using collision::Kind;
  return kind == Kind::box || kind == Kind::hull || kind == Kind::triangle || kind == Kind::mesh || kind == Kind::plane;
}

}  // namespace

double LawUnit::progress() const {
  if (kind == Kind::dry_friction) return direction[0] * point.u[0];
  return dot(direction, point.slip());
}

double LawUnit::margin() const {
  if (kind == Kind::dry_friction) return bound - std::abs(lambda[0]);
  return point.law.friction * lambda[0] - std::hypot(lambda[1], lambda[2]);
}

void LawUnit::keep_direction() {
  if (kind != Kind::contact || mode != Mode::slip) return;
  const Vec3<double> slips = point.slip();
  if (const double speed = norm(slips); speed > kSlowSlip) direction = (1.0 / speed) * slips;
}

bool LawUnit::is_same(const LawUnit& other) const {
  if (kind != other.kind) return false;
  if (kind != Kind::contact) return v == other.v && side == other.side;
  const TouchingPoint &p = point, &o = other.point;
  return p.shape_a == o.shape_a && p.shape_b == o.shape_b && p.name_a == o.name_a && p.name_b == o.name_b &&
         p.fixed == o.fixed;
}

ContactModes::ContactModes(const Model& model, std::shared_ptr<const ContactScene> scene, ConstraintSet* set,
                           Joints joints)
    : model_(model),
      set_(set),
      joints_(joints),
      kinematics_(model),
      speeds_(model),
      equations_(model),
      H_(model.nv(), model.nv()),
      f_(model.nv()),
      a_free_(model.nv()),
      a_(model.nv()),
      extra_(model.nv()) {
  if (scene != nullptr) points_.emplace(std::move(scene));
  if (points_) follow_margin_ = std::max(1e-3, kNearby * points_->largest_reach());
  for (int body = 1; body <= model.bodies(); ++body)
    if (model.link(body).parent == 0 && model.subtree_dofs_end(body) > model.link(body).v)
      trees_.emplace_back(model.link(body).v, model.subtree_dofs_end(body));
}

bool ContactModes::move_to(double t, In<double> q, In<double> v) {
  instant_.emplace(kinematics_.with_accelerations(t, q, v));
  is_looked_ = false;
  equations_.mass_matrix(q, H_);
  factor_.compute(H_);
  if (set_ != nullptr && set_->size() > 0) {
    set_->evaluate(t, q, v);
    J_.resize(set_->rows(), model_.nv());
    set_->matrix(J_);
  } else {
    J_.resize(0, model_.nv());
  }
  return factor_.info() == Eigen::Success;
}

void ContactModes::set_forces(In<double> tau) {
  equations_.bias_force(instant_->q, instant_->v, f_);
  for (int i = 0; i < tau.size(); ++i) f_[i] += tau[i];
  a_free_ = factor_.solve(f_);
}

const std::vector<TouchingPoint>& ContactModes::look() {
  static const std::vector<TouchingPoint> none;
  if (!points_) return none;
  if (is_looked_) return points_->last();
  is_looked_ = true;
  return points_->find(*instant_, follow_margin_);
}

void ContactModes::evaluate_joint(LawUnit& unit) const {
  unit.point.u = {unit.side * instant_->v[unit.v], 0.0, 0.0};
  unit.point.bias.setZero();
  if (unit.kind == LawUnit::Kind::limit) unit.point.gap = unit.side * (instant_->q[unit.q] - unit.bound);
}

template <class Visit>
void ContactModes::each_limit(const Visit& visit) const {
  for (int body = 1; body <= model_.bodies(); ++body) {
    const Link& link = model_.link(body);
    if (link.nq != link.nv || !has_plain_rates(model_.joint(body))) continue;
    for (int k = 0; k < link.nv; ++k)
      for (const int side : {1, -1}) {
        const DofProperties& dof = model_.dof(link.v + k);
        const double limit = side > 0 ? dof.lower : dof.upper;
        if (!std::isfinite(limit)) continue;
        LawUnit unit;
        unit.kind = LawUnit::Kind::limit;
        unit.q = link.q + k;
        unit.v = link.v + k;
        unit.side = side;
        unit.bound = limit;
        evaluate_joint(unit);
        visit(unit);
      }
  }
}

void ContactModes::gather(double touch, std::vector<LawUnit>& out) {
  out.clear();
  for (const TouchingPoint& point : look())
    if (point.gap <= touch) {
      LawUnit& unit = out.emplace_back();
      unit.point = point;
    }
  if (joints_ == Joints::alone) return;
  each_limit([&](const LawUnit& unit) {
    if (unit.gap() <= touch) out.push_back(unit);
  });
  for (int v = 0; v < model_.nv(); ++v)
    if (const double friction = model_.dof(v).friction; friction > 0.0) {
      LawUnit& unit = out.emplace_back();
      unit.kind = LawUnit::Kind::dry_friction;
      unit.v = v;
      unit.bound = friction;
      evaluate_joint(unit);
    }
}

/// Finds the contact among those of the present state: by the names of its features, or, where a curved surface rolls,
/// as the one of its kind.
bool ContactModes::match(LawUnit& unit) const {
  const TouchingPoint* best = nullptr;
  int alike = 0;
  const bool sharp = is_polyhedral(kind_of(points_->world(), unit.point.shape_a)) &&
                     is_polyhedral(kind_of(points_->world(), unit.point.shape_b));
  for (const TouchingPoint& point : points_->last()) {
    if (point.shape_a != unit.point.shape_a || point.shape_b != unit.point.shape_b || point.fixed != unit.point.fixed)
      continue;
    const bool named = point.name_a == unit.point.name_a && point.name_b == unit.point.name_b;
    if (named) {
      unit.point = point;
      return true;
    }
    ++alike;
    best = &point;
  }
  if (sharp || alike != 1) return false;
  unit.point = *best;
  return true;
}

bool ContactModes::follow(std::vector<LawUnit>& units) {
  bool all = true;
  for (LawUnit& unit : units) {
    if (unit.kind != LawUnit::Kind::contact) {
      evaluate_joint(unit);
      continue;
    }
    look();
    unit.lost = !match(unit);
    all &= !unit.lost;
  }
  return all;
}

const std::vector<LawUnit>& ContactModes::others(const std::vector<LawUnit>& units, double margin) {
  others_.clear();
  const auto consider = [&](const LawUnit& unit) {
    if (unit.gap() <= margin &&
        std::none_of(units.begin(), units.end(), [&](const LawUnit& known) { return known.is_same(unit); }))
      others_.push_back(unit);
  };
  for (const TouchingPoint& point : look()) {
    LawUnit unit;
    unit.point = point;
    consider(unit);
  }
  if (joints_ == Joints::with_limits_and_friction) each_limit(consider);
  return others_;
}

bool ContactModes::anything_rubs() {
  bool any = false;
  if (joints_ == Joints::with_limits_and_friction)
    for (int v = 0; v < model_.nv(); ++v) any |= model_.dof(v).friction > 0.0;
  if (!points_) return any;
  const int shapes = static_cast<int>(points_->world().shapes().size());
  for (int a = 0; a < shapes; ++a)
    for (int b = a + 1; b < shapes; ++b)
      any |= points_->world().may_touch(a, b) && points_->law_of(a, b).friction > 0.0;
  return any;
}

double ContactModes::clearance(const std::vector<LawUnit>& units, double far) const {
  if (!points_) return far;
  const CollisionWorld& world = points_->world();
  const int shapes = static_cast<int>(world.shapes().size());
  double out = far;
  for (int a = 0; a < shapes; ++a)
    for (int b = a + 1; b < shapes; ++b) {
      const auto is_this = [&](const LawUnit& unit) {
        return unit.kind == LawUnit::Kind::contact && unit.point.shape_a == a && unit.point.shape_b == b;
      };
      if (world.shapes()[static_cast<std::size_t>(b)].solid.kind == collision::Kind::plane) continue;
      if (!world.may_touch(a, b) || std::any_of(units.begin(), units.end(), is_this)) continue;
      collision::PairMemory memory;
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      out = std::min(out, collision::nearest(world.shapes()[i].solid, world.pose(a), world.shapes()[j].solid,
                                             world.pose(b), memory)
                              .gap);
    }
  return std::max(out, 0.0);
}

void ContactModes::set_rows(const std::vector<LawUnit>& units) {
  rows_.resize(std::max(rows_.size(), units.size()));
  for (std::size_t i = 0; i < units.size(); ++i) {
    rows_[i].resize(3, model_.nv());
    if (units[i].kind == LawUnit::Kind::contact)
      TouchingPoints::set_rows(*instant_, units[i].point, rows_[i]);
    else {
      rows_[i].setZero();
      rows_[i](0, units[i].v) = units[i].side;
    }
  }
}

/// Returns the direction of slip in the tangents of the contact. Below a very low speed it is the last one known, since
/// there the direction would follow the forces so quickly that explicit methods need tiny steps. Beyond the instant
/// where the contact stops it keeps its sense, so that the equations stay smooth until the event is found.
Eigen::Vector3d ContactModes::slip_direction(const LawUnit& unit) const {
  const TouchingPoint& p = unit.point;
  Eigen::Vector3d s(0.0, p.u[1], p.u[2]);
  const double speed = s.norm();
  const Eigen::Vector3d last(0.0, dot(p.axes[1], unit.direction), dot(p.axes[2], unit.direction));
  if (!(speed > LawUnit::kSlowSlip)) return last;
  return (s.dot(last) < 0.0 ? -1.0 : 1.0) / speed * s;
}

void ContactModes::stack(const std::vector<LawUnit>& units, Level level) {
  const int n = model_.nv();
  const bool forces = level == Level::acceleration;
  int m = static_cast<int>(J_.rows());
  first_row_.assign(units.size(), -1);
  const auto rows_of = [&](const LawUnit& unit) {
    if (!unit.is_closed() || unit.lost) return 0;
    if (unit.kind == LawUnit::Kind::dry_friction)
      return unit.mode == LawUnit::Mode::stick && level != Level::position ? 1 : 0;
    if (level == Level::position || unit.mode == LawUnit::Mode::slip) return 1;
    return unit.size();
  };
  for (const LawUnit& unit : units) m += rows_of(unit);
  R_.resize(m, n);
  F_.resize(n, m);
  rhs_.resize(m);
  reference_.setZero(m);
  extra_.setZero();
  contact_rows_ = 0;
  int row = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const LawUnit& unit = units[i];
    const int count = rows_of(unit);
    if (forces && unit.kind == LawUnit::Kind::dry_friction && unit.mode == LawUnit::Mode::slip)
      extra_[unit.v] -= unit.bound * unit.direction[0];
    if (count == 0) continue;
    first_row_[i] = row;
    R_.middleRows(row, count) = rows_[i].topRows(count);
    F_.middleCols(row, count) = rows_[i].topRows(count).transpose();
    switch (level) {
      case Level::position: rhs_[row] = -unit.gap(); break;
      case Level::velocity: rhs_.segment(row, count) = -unit.u().head(count); break;
      case Level::acceleration: rhs_.segment(row, count) = -unit.point.bias.head(count); break;
    }
    if (forces) {
      reference_.segment(row, count) = unit.reference.head(count);
      if (unit.mode == LawUnit::Mode::slip && unit.has_friction()) {
        const Eigen::Vector3d s = slip_direction(unit);
        F_.col(row) -= unit.point.law.friction * (s[1] * rows_[i].row(1) + s[2] * rows_[i].row(2)).transpose();
      }
    }
    row += count;
    if (unit.kind == LawUnit::Kind::contact) contact_rows_ = row;  // contacts come first
  }
  const auto equations = J_.rows();
  if (equations == 0) return;
  R_.bottomRows(equations) = J_;
  F_.rightCols(equations) = J_.transpose();
  if (level == Level::position)
    rhs_.tail(equations) = -set_->gap();
  else if (level == Level::velocity)
    rhs_.tail(equations) = -set_->drift();
  else
    rhs_.tail(equations) = set_->k();
}

void ContactModes::solve_stacked(const Eigen::VectorXd& x0, Eigen::VectorXd& x) {
  x = x0;
  const auto m = R_.rows();
  lambda_ = reference_;
  if (m == 0) return;
  HF_ = factor_.solve(F_);
  A_.noalias() = R_ * HF_;
  // rows in units of their own, those of contacts in common ones: their least forces are least as they are
  weight_ = A_.diagonal().cwiseAbs();
  auto of_contacts = weight_.head(contact_rows_);
  if (contact_rows_ > 0 && of_contacts.maxCoeff() < kAlike * of_contacts.minCoeff())
    of_contacts.setConstant(of_contacts.mean());
  const double floor = 1e-12 * weight_.maxCoeff();
  for (Eigen::Index i = 0; i < m; ++i) weight_[i] = 1.0 / std::sqrt(std::max({weight_[i], floor, 1e-300}));
  x.noalias() += HF_ * reference_;
  rhs_ -= R_ * x;
  rhs_ = weight_.asDiagonal() * rhs_;
  A_ = weight_.asDiagonal() * A_ * weight_.asDiagonal();
  Orthogonal decomposition;
  decomposition.set_threshold(kRankTolerance);
  decomposition.compute(A_);
  const Eigen::VectorXd change = weight_.asDiagonal() * decomposition.solve(rhs_);
  lambda_ += change;
  x.noalias() += HF_ * change;
}

void ContactModes::solve(std::vector<LawUnit>& units) {
  set_rows(units);
  stack(units, Level::acceleration);
  Eigen::VectorXd start = a_free_;
  if (!extra_.isZero(0.0)) start += factor_.solve(extra_);
  solve_stacked(start, a_);
  lambda_equations_ = lambda_.tail(J_.rows());
  for (std::size_t i = 0; i < units.size(); ++i) {
    LawUnit& unit = units[i];
    unit.acceleration = unit.point.bias + rows_[i] * a_;
    unit.lambda.setZero();
    if (unit.kind == LawUnit::Kind::dry_friction && unit.mode == LawUnit::Mode::slip)
      unit.lambda[0] = -unit.bound * unit.direction[0];
    if (first_row_[i] < 0) continue;
    const int count = unit.mode == LawUnit::Mode::slip ? 1 : unit.size();
    unit.lambda.head(count) = lambda_.segment(first_row_[i], count);
    if (unit.mode == LawUnit::Mode::slip && unit.has_friction())
      unit.lambda.tail<2>() = -unit.point.law.friction * unit.lambda[0] * slip_direction(unit).tail<2>();
  }
}

double ContactModes::position_change(const std::vector<LawUnit>& units, Eigen::VectorXd& x) {
  set_rows(units);
  stack(units, Level::position);
  const double worst = rhs_.size() == 0 ? 0.0 : rhs_.cwiseAbs().maxCoeff();
  solve_stacked(Eigen::VectorXd::Zero(model_.nv()), x);
  return worst;
}

double ContactModes::velocity_change(const std::vector<LawUnit>& units, Eigen::VectorXd& x) {
  set_rows(units);
  stack(units, Level::velocity);
  const double worst = rhs_.size() == 0 ? 0.0 : rhs_.cwiseAbs().maxCoeff();
  solve_stacked(Eigen::VectorXd::Zero(model_.nv()), x);
  return worst;
}

bool ContactModes::impulses_hold(const std::vector<LawUnit>& units) const {
  constexpr double kRounding = 1e-9;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (first_row_[i] < 0 || units[i].kind != LawUnit::Kind::contact) continue;
    const Eigen::Vector3d impulse = lambda_.segment<3>(first_row_[i]);
    if (impulse[0] < 0.0 || impulse.tail<2>().norm() > (1.0 + kRounding) * units[i].point.law.friction * impulse[0])
      return false;
  }
  return true;
}

void ContactModes::add_wrenches(const std::vector<LawUnit>& units, std::span<ForceVector<double>> wrenches) const {
  for (const LawUnit& unit : units) {
    if (unit.kind != LawUnit::Kind::contact || !unit.is_closed()) continue;
    const ForceVector<double> f = force_at_point(unit.force(), unit.point.point);
    if (unit.point.body_a != 0) wrenches[static_cast<std::size_t>(unit.point.body_a)] -= f;
    if (unit.point.body_b != 0) wrenches[static_cast<std::size_t>(unit.point.body_b)] += f;
  }
}

void ContactModes::add_joint_forces(const std::vector<LawUnit>& units, Out<double> tau) const {
  for (const LawUnit& unit : units)
    if (unit.kind != LawUnit::Kind::contact && unit.is_closed()) tau[unit.v] += unit.side * unit.lambda[0];
}

std::string ContactModes::name(const LawUnit& unit) const {
  if (unit.kind == LawUnit::Kind::contact) return "contact of " + points_->names(unit.point);
  for (int body = 1; body <= model_.bodies(); ++body)
    if (const Link& link = model_.link(body); unit.v >= link.v && unit.v < link.v + link.nv)
      return fmt::format("{} of joint \"{}\"", unit.kind == LawUnit::Kind::limit ? "limit" : "dry friction",
                         model_.joint_name(body));
  return "law";
}

}  // namespace cardan
