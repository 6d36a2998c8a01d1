// Selects modes: the complementarity problem of all laws at the level of accelerations.
#include "cardan/contact/internal/contact_modes.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kFar = 1e5;        // of the accelerations: what stands for the velocity of a contact that slides
constexpr double kNoForce = 1e-9;   // of the largest force
constexpr double kNoMotion = 1e-8;  // of the accelerations
constexpr double kOnRim = 1e-7;     // of the largest friction
constexpr double kHolds = 1e-6;     // of forces and accelerations: by how much laws may be missed
constexpr double kTooLarge = 1e9;   // of the accelerations: what a force may contribute
constexpr double kAlong = 1e-2;     // of friction: how far from the slip's line it may be

}  // namespace

double ContactModes::scale() const {
  double out = std::max(1.0, norm(model_.gravity()));
  return std::max(out, a_free_.size() > 0 ? a_free_.cwiseAbs().maxCoeff() : 0.0);
}

void ContactModes::add_to_problem(LawUnit& unit, std::size_t index, const Limits& limits, double far) {
  const bool contact = unit.kind == LawUnit::Kind::contact;
  columns_.clear();
  for (int k = 0; k < model_.nv(); ++k)
    if (!rows_[index].col(k).isZero(0.0)) columns_.push_back(k);
  if (columns_.empty()) return;
  const Law law = contact ? Law::cone : unit.kind == LawUnit::Kind::limit ? Law::at_least : Law::ball;
  const double bound = contact ? unit.point.law.friction : unit.kind == LawUnit::Kind::limit ? 0.0 : unit.bound;
  block_of_[index] = problem_.add(law, unit.size(), columns_, bound);
  const LawBlock& block = problem_.blocks()[static_cast<std::size_t>(block_of_[index])];
  auto J = problem_.J(block);
  for (int row = 0; row < unit.size(); ++row)
    for (std::size_t c = 0; c < columns_.size(); ++c)
      J(row, static_cast<Eigen::Index>(c)) = rows_[index](row, columns_[c]);
  problem_.b.segment(block.first, unit.size()) = unit.point.bias.head(unit.size());
  if (!contact) return;
  const double slip = unit.u().tail<2>().norm();
  if (slip > limits.stick) problem_.b.segment<2>(block.first + 1) = (far / slip) * unit.u().tail<2>();
}

void ContactModes::choose(std::vector<LawUnit>& units, const Limits& limits, const IslandSolver::Result& result) {
  double most = 0.0;
  for (std::size_t i = 0; i < units.size(); ++i)
    if (block_of_[i] >= 0)
      most = std::max(most, std::abs(result.lambda[problem_.blocks()[static_cast<std::size_t>(block_of_[i])].first]));
  const double still = kNoMotion * scale();
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (block_of_[i] < 0) continue;
    LawUnit& unit = units[i];
    const int first = problem_.blocks()[static_cast<std::size_t>(block_of_[i])].first;
    unit.reference.setZero();
    unit.reference.head(unit.size()) = result.lambda.segment(first, unit.size());
    const Eigen::Vector3d a = unit.point.bias + rows_[i] * result.v;
    if (unit.kind == LawUnit::Kind::dry_friction) {
      const bool starts = std::abs(unit.reference[0]) > (1.0 - kOnRim) * unit.bound && std::abs(a[0]) > still;
      unit.mode = starts ? LawUnit::Mode::slip : LawUnit::Mode::stick;
      unit.direction = {a[0] < 0.0 ? -1.0 : 1.0, 0.0, 0.0};
      continue;
    }
    if (!(unit.reference[0] > kNoForce * most)) {
      unit.mode = a[0] > still ? LawUnit::Mode::open : LawUnit::Mode::idle;
      unit.reference.setZero();
      continue;
    }
    unit.mode = LawUnit::Mode::stick;
    if (unit.kind == LawUnit::Kind::limit) continue;
    const auto along = [&](const Eigen::Vector3d& t) {
      const Vec3<double> d = t[1] * unit.point.axes[1] + t[2] * unit.point.axes[2];
      return (1.0 / std::hypot(t[1], t[2])) * d;
    };
    const double held = unit.reference.tail<2>().norm(), most_held = unit.point.law.friction * unit.reference[0];
    if (unit.u().tail<2>().norm() > limits.stick) {
      unit.mode = LawUnit::Mode::slip;
      unit.direction = along(unit.u());
    } else if (!unit.has_friction()) {
      unit.mode = LawUnit::Mode::slip;
      unit.direction = {};
    } else if (held > (1.0 - kOnRim) * most_held && a.tail<2>().norm() > still) {
      unit.mode = LawUnit::Mode::slip;
      unit.direction = along(a);
    }
  }
}

bool ContactModes::laws_hold(const std::vector<LawUnit>& units, std::string& worst) const {
  double most = 0.0;
  for (const LawUnit& unit : units) most = std::max(most, std::abs(unit.lambda[0]));
  const double force = kHolds * most, motion = kHolds * scale();
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (block_of_[i] < 0) continue;
    const LawUnit& unit = units[i];
    const bool dry = unit.kind == LawUnit::Kind::dry_friction;
    const bool missed = unit.is_closed() ? (!dry && unit.lambda[0] < -force) ||
                                               (unit.mode == LawUnit::Mode::stick &&
                                                unit.kind != LawUnit::Kind::limit && unit.margin() < -force)
                                         : unit.acceleration[0] < -motion;
    if (!missed) continue;
    worst = name(unit);
    return false;
  }
  return true;
}

ContactModes::Selection ContactModes::select(std::vector<LawUnit>& units, const Limits& limits) {
  set_rows(units);
  problem_.clear(model_.nv());
  problem_.v_free = a_free_;
  for (const auto& [first, end] : trees_)
    problem_.mass.push_back({first, H_.block(first, first, end - first, end - first)});
  block_of_.assign(units.size(), -1);
  extra_.setZero();
  double fastest = scale();
  for (std::size_t i = 0; i < units.size(); ++i)
    fastest = std::max(fastest, (units[i].point.bias + rows_[i] * a_free_).cwiseAbs().maxCoeff());
  const double far = kFar * fastest;
  for (std::size_t i = 0; i < units.size(); ++i) {
    LawUnit& unit = units[i];
    unit.mode = LawUnit::Mode::open;
    if (unit.kind == LawUnit::Kind::dry_friction) {
      if (std::abs(unit.u()[0]) > limits.stick) {
        unit.mode = LawUnit::Mode::slip;
        unit.direction = {unit.u()[0] < 0.0 ? -1.0 : 1.0, 0.0, 0.0};
        extra_[unit.v] -= unit.bound * unit.direction[0];
        continue;
      }
    } else if (std::abs(unit.u()[0]) > limits.rest) {
      continue;
    }
    add_to_problem(unit, i, limits, far);
  }
  if (!extra_.isZero(0.0)) problem_.v_free += factor_.solve(extra_);
  add_equations_to_problem();

  const IslandSolver::Result& result = solver_.solve(problem_);
  Selection out{result.unsolved == 0, result.residual, {}};
  choose(units, limits, result);
  // friction of a contact that slides must be along the slip: else only an impulse could stop it
  for (std::size_t i = 0; i < units.size() && out.solved; ++i) {
    const LawUnit& unit = units[i];
    if (block_of_[i] < 0 || unit.kind != LawUnit::Kind::contact || !unit.is_closed()) continue;
    const double slip = unit.u().tail<2>().norm(), friction = unit.point.law.friction * unit.reference[0];
    if (!(slip > limits.stick) || !(friction > 0.0)) continue;
    if ((unit.reference.tail<2>() + friction / slip * unit.u().tail<2>()).norm() > kAlong * friction) {
      out.solved = false;
      out.worst = name(unit);
    }
  }
  // forces that only rounding of the normals makes possible are none
  for (std::size_t i = 0; i < units.size() && out.solved; ++i)
    if (block_of_[i] >= 0 &&
        (rows_[i] * factor_.solve(rows_[i].transpose() * units[i].reference)).norm() > kTooLarge * fastest) {
      out.solved = false;
      out.worst = name(units[i]);
    }
  if (out.solved) {
    // redundant contacts share by the least forces, or, where these would pull, as the solver has it
    found_ = units;
    for (LawUnit& unit : found_) unit.reference.setZero();
    solve(found_);
    if (laws_hold(found_, out.worst)) {
      units = found_;
      return out;
    }
    solve(units);
    out.solved = laws_hold(units, out.worst);
  } else if (out.worst.empty()) {
    for (std::size_t i = 0; i < units.size() && out.worst.empty(); ++i)
      if (block_of_[i] >= 0) out.worst = name(units[i]);
  }
  return out;
}

/// Appends loops, couplings and motions: J a = k.
void ContactModes::add_equations_to_problem() {
  if (set_ == nullptr) return;
  for (int i = 0; i < set_->size(); ++i) {
    const int count = set_->rows_of(i).size(), first = set_->first_row(i);
    columns_.clear();
    for (int k = 0; k < model_.nv(); ++k)
      if (!J_.block(first, k, count, 1).isZero(0.0)) columns_.push_back(k);
    if (columns_.empty()) continue;
    const LawBlock& block = problem_.blocks()[static_cast<std::size_t>(problem_.add(Law::equal, count, columns_))];
    auto J = problem_.J(block);
    for (int row = 0; row < count; ++row)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        J(row, static_cast<Eigen::Index>(c)) = J_(first + row, columns_[c]);
    problem_.b.segment(block.first, count) = -set_->k().segment(first, count);
  }
}

}  // namespace cardan
