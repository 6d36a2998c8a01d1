// What contact stepping remembers from one step to the next: forces, by the names of features that touch.
#include "cardan/simulate/internal/contact_stepper.hpp"

#include <algorithm>
#include <utility>

namespace cardan {

/// Starts from the forces of the last step: contacts are matched by the names of their features.
void ContactStepper::warm_start() {
  if (memory_.empty() && other_forces_.empty()) {
    guess_.resize(0);
    return;
  }
  guess_.setZero(laws_.rows());
  const double h = time_scale_;
  int behind = 0;
  std::size_t next = 0;
  for (const ContactPoint& point : rows_.points()) {
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
        break;
      }
  }
  if (static_cast<int>(other_forces_.size()) == laws_.rows() - behind)
    for (std::size_t i = 0; i < other_forces_.size(); ++i) guess_[behind + static_cast<int>(i)] = h * other_forces_[i];
}

void ContactStepper::remember() {
  memory_.clear();
  int behind = 0;
  for (std::size_t i = 0; i < rows_.points().size(); ++i) {
    const ContactPoint& point = rows_.points()[i];
    if (point.block < 0) continue;
    const LawBlock& block = laws_.blocks()[static_cast<std::size_t>(point.block)];
    behind = std::max(behind, block.first + block.size);
    Vec3<double> force{};
    for (int k = 0; k < 3; ++k) force += (impulses_[i][k] / time_scale_) * point.axes[k];
    memory_.push_back({point.shape_a, point.shape_b, point.name_a, point.name_b, force});
  }
  other_forces_.clear();
  for (int row = behind; row < laws_.rows(); ++row) other_forces_.push_back(solution_->lambda[row] / time_scale_);
}

}  // namespace cardan
