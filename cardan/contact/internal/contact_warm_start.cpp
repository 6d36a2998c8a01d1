// What contact stepping remembers from one step to the next: forces and slips, by the names of features that touch.
#include "cardan/contact/internal/contact_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cardan {

namespace {

constexpr double kSteady = 0.2;   // of a slip: by how much it may change in a piece to be foreseen
constexpr double kRubs = 1e-9;    // of the largest friction
constexpr double kNoTurn = 1e-9;  // rad in a piece

Vec3<double> in_world(const ContactPoint& point, double x, double y) { return x * point.axes[1] + y * point.axes[2]; }

}  // namespace

/// Starts from the forces of the last step: contacts are matched by the names of their features.
void ContactStepper::warm_start() {
  remembered_.assign(rows_.points().size(), -1);
  if (memory_.empty() && other_forces_.empty()) {
    guess_.resize(0);
    return;
  }
  guess_.setZero(laws_.rows());
  const double h = time_scale_;
  int behind = 0;
  std::size_t next = 0;
  for (std::size_t p = 0; p < rows_.points().size(); ++p) {
    const ContactPoint& point = rows_.points()[p];
    if (point.block < 0) continue;
    const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
    behind = std::max(behind, block.first + block.size);
    while (next < memory_.size() &&
           std::pair(memory_[next].shape_a, memory_[next].shape_b) < std::pair(point.shape_a, point.shape_b))
      ++next;
    for (std::size_t i = next;
         i < memory_.size() && memory_[i].shape_a == point.shape_a && memory_[i].shape_b == point.shape_b; ++i)
      if (memory_[i].name_a == point.name_a && memory_[i].name_b == point.name_b) {
        for (int k = 0; k < 3; ++k) guess_[block.first + k] = h * dot(point.axes[k], memory_[i].force);
        remembered_[p] = static_cast<int>(i);
        break;
      }
  }
  if (static_cast<int>(other_forces_.size()) == laws_.rows() - behind)
    for (std::size_t i = 0; i < other_forces_.size(); ++i) guess_[behind + static_cast<int>(i)] = h * other_forces_[i];
}

void ContactStepper::oppose_mean_slip() {
  mid_slip_.assign(rows_.points().size(), Vec3<double>{});
  for (std::size_t i = 0; i < mid_slip_.size(); ++i) {
    if (remembered_[i] < 0) continue;
    const ContactPoint& point = rows_.points()[i];
    const Memory& last = memory_[static_cast<std::size_t>(remembered_[i])];
    const double half_turn = 0.5 * time_scale_ * last.turning;
    if (!(std::abs(half_turn) > kNoTurn && std::abs(half_turn) < kSteady) || norm(last.slip) == 0.0) continue;
    // by half the turn back from where the slip is expected to point
    const Vec3<double> ahead = cross(point.axes[0], last.slip);
    const Vec3<double> end = std::cos(2.0 * half_turn) * last.slip + std::sin(2.0 * half_turn) * ahead;
    mid_slip_[i] = -std::tan(half_turn) * cross(point.axes[0], end);
    const int first = laws_.blocks()[static_cast<std::size_t>(point.block)].first;
    for (int k = 1; k < 3; ++k) laws_.b[first + k] += dot(point.axes[k], mid_slip_[i]);
  }
}

void ContactStepper::oppose_end_slip() {
  for (std::size_t i = 0; i < mid_slip_.size(); ++i) {
    const ContactPoint& point = rows_.points()[i];
    if (norm(mid_slip_[i]) == 0.0) continue;
    const int first = laws_.blocks()[static_cast<std::size_t>(point.block)].first;
    for (int k = 1; k < 3; ++k) laws_.b[first + k] -= dot(point.axes[k], mid_slip_[i]);
    mid_slip_[i] = {};
  }
}

bool ContactStepper::mean_slip_ends() const {
  for (std::size_t i = 0; i < mid_slip_.size(); ++i)
    if (norm(mid_slip_[i]) > 0.0 &&
        norm(slip_of(i)) < 0.5 * norm(memory_[static_cast<std::size_t>(remembered_[i])].slip))
      return true;
  return false;
}

/// The slip of a point at the end of the piece; zero where it holds or does not touch.
Vec3<double> ContactStepper::slip_of(std::size_t i) const {
  const ContactPoint& point = rows_.points()[i];
  if (point.block < 0 || point.in_patch) return {};
  const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
  if (block.law != Law::cone) return {};
  const auto lambda = solution_->lambda.segment<3>(block.first);
  if (!(lambda[0] > 0.0 && lambda.tail<2>().norm() > (1.0 - kRubs) * block.bound * lambda[0])) return {};
  Eigen::Vector2d u = laws_.b.segment<2>(block.first + 1);
  const auto J = laws_.J(block);
  const std::span<const int> columns = laws_.columns(block);
  for (std::size_t c = 0; c < columns.size(); ++c)
    u += J.block<2, 1>(1, static_cast<Eigen::Index>(c)) * solution_->v[columns[c]];
  return in_world(point, u[0], u[1]) - mid_slip_[i];
}

/// How a slip turned from the piece before to this one (rad/s about the normal); zero where it changes too much to say.
double ContactStepper::turning_of(std::size_t i, const Vec3<double>& slip) const {
  if (remembered_[i] < 0) return 0.0;
  const Vec3<double>& last = memory_[static_cast<std::size_t>(remembered_[i])].slip;
  if (!(norm(slip - last) < kSteady * norm(slip))) return 0.0;
  return std::atan2(dot(rows_.points()[i].axes[0], cross(last, slip)), dot(last, slip)) / time_scale_;
}

void ContactStepper::remember() {
  learned_.clear();
  int behind = 0;
  for (std::size_t i = 0; i < rows_.points().size(); ++i) {
    const ContactPoint& point = rows_.points()[i];
    if (point.block < 0) continue;
    const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
    behind = std::max(behind, block.first + block.size);
    Vec3<double> force{};
    for (int k = 0; k < 3; ++k) force += (impulses_[i][k] / time_scale_) * point.axes[k];
    const Vec3<double> slip = slip_of(i);
    learned_.push_back({point.shape_a, point.shape_b, point.name_a, point.name_b, force, slip, turning_of(i, slip)});
  }
  memory_.swap(learned_);
  other_forces_.clear();
  for (int row = behind; row < laws_.rows(); ++row) other_forces_.push_back(solution_->lambda[row] / time_scale_);
}

}  // namespace cardan
