#include "cardan/solve/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kSmallestResponse = 1e-12;  // of d: rows that nothing moves

}  // namespace

bool GaussSeidel::fits(const PreparedLaws& laws) {
  const auto& blocks = laws.problem().blocks();
  return std::none_of(blocks.begin(), blocks.end(),
                      [](const LawBlock& block) { return block.law == Law::equal || block.loads > 0; });
}

void GaussSeidel::gather_ranges(const PreparedLaws& laws, const LawBlock& block, Block& own) {
  const LawProblem& problem = laws.problem();
  own.first_part = ranges_.size();
  for (const int c : problem.columns(block)) {
    const auto part = static_cast<std::size_t>(laws.part_of(c));
    const Range range{problem.mass[part].first, laws.factor(part).size()};
    const auto same = [&](const Range& other) { return other.first == range.first; };
    if (std::none_of(ranges_.begin() + static_cast<std::ptrdiff_t>(own.first_part), ranges_.end(), same)) {
      ranges_.push_back(range);
      own.response_size += range.size;
    }
  }
  own.last_part = own.first_column = ranges_.size();
  for (const int c : problem.columns(block)) {
    if (ranges_.size() > own.first_column && ranges_.back().first + ranges_.back().size == c)
      ++ranges_.back().size;
    else
      ranges_.push_back({c, 1});
  }
  own.last_column = ranges_.size();
}

void GaussSeidel::respond(const PreparedLaws& laws) {
  const LawProblem& problem = laws.problem();
  const auto& blocks = problem.blocks();
  blocks_.assign(blocks.size(), {});
  ranges_.clear();
  responses_.clear();
  entries_.clear();
  x_.setZero(laws.velocities());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto columns = problem.columns(blocks[i]);
    const auto J = problem.J(blocks[i]);
    Block& own = blocks_[i];
    gather_ranges(laws, blocks[i], own);
    own.first_response = responses_.size();
    own.first_entry = entries_.size();
    for (int c = 0; c < blocks[i].columns; ++c)
      for (int row = 0; row < 4; ++row) entries_.push_back(row < blocks[i].size ? J(row, c) : 0.0);
    for (int row = 0; row < blocks[i].size; ++row) {
      for (std::size_t c = 0; c < columns.size(); ++c) x_[columns[c]] = J(row, static_cast<Eigen::Index>(c));
      for (std::size_t r = own.first_part; r < own.last_part; ++r) {
        const BranchFactor& factor = laws.factor(static_cast<std::size_t>(laws.part_of(ranges_[r].first)));
        factor.solve_upper(x_.data() + ranges_[r].first);
        factor.solve_lower(x_.data() + ranges_[r].first);
      }
      for (int other = 0; other < blocks[i].size; ++other)
        for (std::size_t c = 0; c < columns.size(); ++c)
          own.G(other, row) += J(other, static_cast<Eigen::Index>(c)) * x_[columns[c]];
      for (std::size_t r = own.first_part; r < own.last_part; ++r) {
        auto part = x_.segment(ranges_[r].first, ranges_[r].size);
        responses_.insert(responses_.end(), part.data(), part.data() + part.size());
        part.setZero();
      }
    }
    own.G.diagonal() += compliance(blocks[i]);
    const double floor = kSmallestResponse * laws.d(static_cast<int>(i));
    if (blocks[i].law == Law::cone) {
      const double half = 0.5 * (own.G(1, 1) + own.G(2, 2));
      own.per_normal = 1.0 / std::max(own.G(0, 0), floor);
      own.per_tangent = 1.0 / std::max(half + std::hypot(0.5 * (own.G(1, 1) - own.G(2, 2)), own.G(1, 2)), floor);
    } else {
      own.per_normal = 1.0 / std::max(own.G.diagonal().sum(), floor);
    }
  }
}

Block3 GaussSeidel::row_velocity(const PreparedLaws& laws, const LawBlock& block, const Block& own) const {
  double even[4] = {}, odd[4] = {};  // two sums, so that one need not wait for the other
  for (int row = 0; row < block.size; ++row) even[row] = laws.problem().b[block.first + row];
  const double* J = entries_.data() + own.first_entry;
  for (std::size_t r = own.first_column; r < own.last_column; ++r) {
    const double* v = v_.data() + ranges_[r].first;
    int k = 0;
    for (; k + 1 < ranges_[r].size; k += 2, J += 8)
      for (int row = 0; row < 4; ++row) {
        even[row] += J[row] * v[k];
        odd[row] += J[4 + row] * v[k + 1];
      }
    if (k == ranges_[r].size) continue;
    for (int row = 0; row < 4; ++row) even[row] += J[row] * v[k];
    J += 4;
  }
  return {even[0] + odd[0], even[1] + odd[1], even[2] + odd[2]};
}

/// v += M^-1 J' change.
void GaussSeidel::push(const Block& own, int rows, const Block3& change) {
  const double* y = responses_.data() + own.first_response;
  const int stride = own.response_size;
  for (std::size_t r = own.first_part; r < own.last_part; y += ranges_[r].size, ++r) {
    double* __restrict v = v_.data() + ranges_[r].first;
    if (rows == 1)
      for (int k = 0; k < ranges_[r].size; ++k) v[k] += change[0] * y[k];
    else if (rows == 2)
      for (int k = 0; k < ranges_[r].size; ++k) v[k] += change[0] * y[k] + change[1] * y[stride + k];
    else
      for (int k = 0; k < ranges_[r].size; ++k)
        v[k] += change[0] * y[k] + change[1] * y[stride + k] + change[2] * y[2 * stride + k];
  }
}

/// Moves the multipliers of a block to where its law holds.
void GaussSeidel::relax(const PreparedLaws& laws, std::size_t i, Multipliers& lambda) {
  const LawBlock& block = laws.problem().blocks()[i];
  const Block& own = blocks_[i];
  const Block3 before = get_block(lambda.rows, block);
  const Block3 u = row_velocity(laws, block, own) + compliance(block).cwiseProduct(before);
  Block3 after = before;
  if (block.law == Law::cone) {
    after[0] = std::max(0.0, before[0] - u[0] * own.per_normal);
    const double change = after[0] - before[0];
    for (int k = 1; k < 3; ++k) after[k] -= (u[k] + change * own.G(k, 0)) * own.per_tangent;
    after = project_cone(block.bound, after);
  } else {
    after -= u * own.per_normal;
    after = project(block, after);
  }
  const Block3 change = after - before;
  if (change.isZero(0.0)) return;
  push(own, block.size, change);
  set_block(block, after, lambda.rows);
}

void GaussSeidel::run(const PreparedLaws& laws, int sweeps, Multipliers& lambda) {
  respond(laws);
  laws.velocity(lambda, v_);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = 0; i < blocks_.size(); ++i) relax(laws, i, lambda);
}

}  // namespace cardan
