#include "cardan/solve/law_problem.hpp"

namespace cardan {

void LawProblem::clear(int velocities) {
  clear_rows();
  mass.clear();
  v_free.setZero(velocities);
}

void LawProblem::clear_rows() {
  blocks_.clear();
  columns_.clear();
  entries_.clear();
  load_count_ = 0;
  rows_ = 0;
  b.resize(0);
}

int LawProblem::add(Law law, int size, std::span<const int> velocities, double bound, double compliance) {
  LawBlock block;
  block.law = law;
  block.first = rows_;
  block.size = size;
  block.bound = bound;
  block.compliance = compliance;
  block.first_load = static_cast<int>(load_count_);
  block.first_column = static_cast<int>(columns_.size());
  block.columns = static_cast<int>(velocities.size());
  block.first_entry = static_cast<int>(entries_.size());
  columns_.insert(columns_.end(), velocities.begin(), velocities.end());
  entries_.resize(entries_.size() + static_cast<std::size_t>(size) * velocities.size(), 0.0);
  rows_ += size;
  b.resize(rows_);
  blocks_.push_back(block);
  return static_cast<int>(blocks_.size()) - 1;
}

Load& LawProblem::add_load() {
  ++blocks_.back().loads;
  if (load_count_ == loads_.size()) loads_.emplace_back();
  Load& load = loads_[load_count_++];
  load.factor = 0.0;
  load.by_multiplier.clear();
  load.by_velocity.clear();
  load.constant.setZero();
  return load;
}

}  // namespace cardan
