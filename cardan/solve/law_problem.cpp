#include "cardan/solve/law_problem.hpp"

namespace cardan {

void LawProblem::clear(int velocities) {
  blocks_.clear();
  columns_.clear();
  entries_.clear();
  loads_.clear();
  mass.clear();
  rows_ = 0;
  b.resize(0);
  v_free.setZero(velocities);
}

int LawProblem::add(Law law, int size, std::span<const int> velocities, double bound, double compliance) {
  LawBlock block;
  block.law = law;
  block.first = rows_;
  block.size = size;
  block.bound = bound;
  block.compliance = compliance;
  block.first_load = static_cast<int>(loads_.size());
  block.first_column = static_cast<int>(columns_.size());
  block.columns = static_cast<int>(velocities.size());
  block.first_entry = static_cast<int>(entries_.size());
  columns_.insert(columns_.end(), velocities.begin(), velocities.end());
  entries_.resize(entries_.size() + static_cast<std::size_t>(size) * velocities.size(), 0.0);
  rows_ += size;
  b.conservativeResize(rows_);
  b.tail(size).setZero();
  blocks_.push_back(block);
  return static_cast<int>(blocks_.size()) - 1;
}

Load& LawProblem::add_load() {
  ++blocks_.back().loads;
  return loads_.emplace_back();
}

}  // namespace cardan
