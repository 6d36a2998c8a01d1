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
    Block& own = blocks_[i];
    own.is_cone = rows.law(i).law == Law::cone;
    own.columns = rows.column(first);
    own.d = rows.d(i);
    if (own.is_cone) {
      const double half = 0.5 * (columns[1][1] + columns[2][2]);
      own.per_normal = 1.0 / std::max(columns[0][0] + R[0], floor);
      own.per_tangent = 1.0 / std::max(half + std::hypot(0.5 * (columns[1][1] - columns[2][2]), columns[2][1]), floor);
      own.mu = rows.law(i).bound;
      own.compliance = R[0];
      own.coupling[0] = columns[0][1];
      own.coupling[1] = columns[0][2];
    } else {
      const double trace = columns[0][0] + columns[1][1] + columns[2][2] + R.head(rows.rows(i)).sum();
      own.per_normal = 1.0 / std::max(trace, floor);
    }
  }
}

/// Adds the response to a change of three multipliers; tells whether there was any.
bool RowSweeps::apply(const Block& own, const double (&change)[3], int n, double* __restrict u) {
  const double largest = std::max({std::abs(change[0]), std::abs(change[1]), std::abs(change[2])});
  if (largest == 0.0) return false;
  largest_ = std::max(largest_, own.d * largest);
  add_rows(u, change, 1, own.columns, 3, n, n);
  return true;
}

/// Moves the multipliers of a contact to where its law holds: first the normal one, then the tangents with what that
/// changes.
void RowSweeps::relax_cone(const Block& own, int n, double* lambda, const double* place, double* u) {
  const double normal = std::max(0.0, lambda[0] - (place[0] + own.compliance * lambda[0]) * own.per_normal);
  double change[3] = {normal - lambda[0], 0.0, 0.0};
  double x = lambda[1] - (place[1] + change[0] * own.coupling[0]) * own.per_tangent;
  double y = lambda[2] - (place[2] + change[0] * own.coupling[1]) * own.per_tangent;
  const double radius = own.mu * normal, square = x * x + y * y;
  if (square > radius * radius) {
    const double scale = radius / std::sqrt(square);
    x *= scale;
    y *= scale;
  }
  change[1] = x - lambda[1];
  change[2] = y - lambda[2];
  if (!apply(own, change, n, u)) return;
  lambda[0] = normal;
  lambda[1] = x;
  lambda[2] = y;
}

/// Moves the multipliers of a block of any other law to where it holds.
void RowSweeps::relax_other(const RowSpace& rows, std::size_t i, std::vector<double>& lambda, std::vector<double>& u) {
  const Block& own = blocks_[i];
  const Block3 before = get_place(lambda, i);
  const Block3 target = before - (get_place(u, i) + rows.compliance_of(i).cwiseProduct(before)) * own.per_normal;
  const Block3 after = rows.project(i, target);
  double change[3];
  for (int k = 0; k < 3; ++k) change[k] = k < rows.rows(i) ? after[k] - before[k] : 0.0;
  if (apply(own, change, rows.size(), u.data())) set_place(i, after, lambda);
}

void RowSweeps::run(const RowSpace& rows, int most, std::vector<double>& lambda, std::vector<double>& u) {
  scale(rows);
  for (int sweep = 0; sweep < most; ++sweep) {
    largest_ = 0.0;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i].is_cone)
        relax_cone(blocks_[i], rows.size(), lambda.data() + kLanes * i, u.data() + kLanes * i, u.data());
      else
        relax_other(rows, i, lambda, u);
    if (largest_ < kStill) break;
  }
}

}  // namespace cardan
