#include "cardan/solve/row_sweeps.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kLeastResponse = 1e-12;  // of d: rows that nothing moves
constexpr double kStill = 1e-14;          // m/s: sweeps that change less have converged

}  // namespace

void RowSweeps::scale(const RowSpace& rows) {
  blocks_.assign(rows.blocks(), {});
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto first = static_cast<int>(kLanes * i);
    const double* columns[3] = {rows.column(first) + first, rows.column(first + 1) + first,
                                rows.column(first + 2) + first};
    const Block3& R = rows.compliance_of(i);
    const double floor = kLeastResponse * rows.d(i);
    if (rows.law(i).law == Law::cone) {
      const double half = 0.5 * (columns[1][1] + columns[2][2]);
      blocks_[i].per_normal = 1.0 / std::max(columns[0][0] + R[0], floor);
      blocks_[i].per_tangent =
          1.0 / std::max(half + std::hypot(0.5 * (columns[1][1] - columns[2][2]), columns[2][1]), floor);
    } else {
      const double trace = columns[0][0] + columns[1][1] + columns[2][2] + R.head(rows.rows(i)).sum();
      blocks_[i].per_normal = 1.0 / std::max(trace, floor);
    }
  }
}

/// Moves the multipliers of a block to where its law holds; tells whether its mode has changed.
bool RowSweeps::relax(const RowSpace& rows, std::size_t i, std::vector<double>& lambda, std::vector<double>& u) {
  Block& own = blocks_[i];
  const LawBlock& law = rows.law(i);
  const auto first = static_cast<int>(kLanes * i);
  const Block3 before = get_place(lambda, i);
  const Block3 v = get_place(u, i) + rows.compliance_of(i).cwiseProduct(before);
  Block3 after = before;
  int mode = 0;
  if (law.law == Law::cone) {
    after[0] = std::max(0.0, before[0] - v[0] * own.per_normal);
    const double change = after[0] - before[0];
    for (int k = 1; k < 3; ++k) after[k] -= (v[k] + change * rows.column(first)[first + k]) * own.per_tangent;
    const double radius = law.bound * after[0], t = std::sqrt(after[1] * after[1] + after[2] * after[2]);
    mode = after[0] > 0.0 ? 1 : 0;
    if (t > radius) {
      after.tail<2>() *= radius / t;
      mode *= 2;
    }
  } else {
    after -= v * own.per_normal;
    const Block3 target = after;
    after = rows.project(i, target);
    mode = (after - target).isZero(0.0) ? 1 : 0;
  }
  const Block3 change = after - before;
  const bool changed = mode != own.mode;
  own.mode = mode;
  if (change.isZero(0.0)) return changed;
  largest_ = std::max(largest_, rows.d(i) * change.cwiseAbs().maxCoeff());
  add_rows(u.data(), change.data(), 1, rows.column(first), rows.rows(i), rows.size(), rows.size());
  set_place(i, after, lambda);
  return changed;
}

void RowSweeps::run(const RowSpace& rows, int most, int settling, std::vector<double>& lambda, std::vector<double>& u) {
  scale(rows);
  int settled = 0;
  for (int sweep = 0; sweep < most; ++sweep) {
    largest_ = 0.0;
    bool changed = false;
    for (std::size_t i = 0; i < blocks_.size(); ++i) changed |= relax(rows, i, lambda, u);
    settled = changed ? 0 : settled + 1;
    if (largest_ < kStill || settled == settling) break;
  }
}

}  // namespace cardan
