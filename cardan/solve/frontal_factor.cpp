#include "cardan/solve/frontal_factor.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kPanel = 8;  // columns that are eliminated at once
constexpr int kRows = 8, kColumns = 4;

/// Factors the first columns of a front, all its rows.
bool factor_panel(double* F, int stride, int columns, int rows, const int* unknowns, const double* smallest) {
  for (int k = 0; k < columns; ++k) {
    double* own = F + stride * k;
    if (!(std::abs(own[k]) > smallest[unknowns[k]])) return false;
    const double inverse = 1.0 / own[k];
    for (int i = k + 1; i < rows; ++i) own[i] *= inverse;
    for (int j = k + 1; j < columns; ++j) {
      double* __restrict other = F + stride * j;
      const double a = other[k];
      for (int i = k + 1; i < rows; ++i) other[i] -= a * own[i];
    }
  }
  return true;
}

/// Subtracts L times U from the columns behind the panel: tiles of 8 x 4 stay in registers.
void update_trailing(double* __restrict F, int stride, int columns, int rows) {
  for (int j = columns; j < rows; j += kColumns) {
    double* c[kColumns];
    double u[kPanel][kColumns];
    for (int l = 0; l < kColumns; ++l) {
      c[l] = F + stride * (j + l);
      for (int k = 0; k < columns; ++k) {
        u[k][l] = c[l][k];
        for (int i = k + 1; i < columns; ++i) c[l][i] -= F[stride * k + i] * u[k][l];
      }
    }
    for (int i = columns; i < rows; i += kRows) {
      double tile[kColumns][kRows];
      for (int l = 0; l < kColumns; ++l)
        for (int r = 0; r < kRows; ++r) tile[l][r] = c[l][i + r];
      for (int k = 0; k < columns; ++k) {
        const double* L = F + stride * k + i;
        for (int l = 0; l < kColumns; ++l)
          for (int r = 0; r < kRows; ++r) tile[l][r] -= L[r] * u[k][l];
      }
      for (int l = 0; l < kColumns; ++l)
        for (int r = 0; r < kRows; ++r) c[l][i + r] = tile[l][r];
    }
  }
}

}  // namespace

void FrontalFactor::begin(const FrontLayout& layout) {
  layout_ = &layout;
  memory_.assign(layout.memory(), 0.0);
}

bool FrontalFactor::factor(const std::vector<double>& smallest) {
  for (const FrontLayout::Front& f : layout_->fronts()) {
    double* F = front(f);
    const int* unknowns = layout_->unknowns(f).data();
    for (int first = 0; first < f.own; first += kPanel) {
      double* corner = F + (f.stride + 1) * first;
      const int columns = std::min(kPanel, f.own - first), rows = f.all - first;
      if (!factor_panel(corner, f.stride, columns, rows, unknowns + first, smallest.data())) return false;
      update_trailing(corner, f.stride, columns, rows);
    }
    if (f.parent < 0) continue;
    // leave the rest to the parent
    const FrontLayout::Front& up = layout_->fronts()[static_cast<std::size_t>(f.parent)];
    double* P = front(up);
    const auto runs = layout_->runs(f);
    for (const FrontLayout::Run& across : runs)
      for (int c = 0; c < across.length; ++c) {
        const double* __restrict source = F + f.stride * (across.from + c);
        double* __restrict target = P + up.stride * (across.to + c);
        for (const FrontLayout::Run& down : runs)
          for (int r = 0; r < down.length; ++r) target[down.to + r] += source[down.from + r];
      }
  }
  return true;
}

void FrontalFactor::solve(double* x) {
  const auto& fronts = layout_->fronts();
  std::size_t most = 0;
  for (const FrontLayout::Front& f : fronts) most = std::max(most, static_cast<std::size_t>(f.all));
  local_.resize(most);
  double* y = local_.data();
  // L y = x, from the leaves on
  for (const FrontLayout::Front& f : fronts) {
    const auto unknowns = layout_->unknowns(f);
    for (int i = 0; i < f.all; ++i) y[i] = x[unknowns[static_cast<std::size_t>(i)]];
    const double* F = front(f);
    for (int k = 0; k < f.own; ++k)
      for (int i = k + 1; i < f.all; ++i) y[i] -= F[f.stride * k + i] * y[k];
    for (int i = 0; i < f.all; ++i) x[unknowns[static_cast<std::size_t>(i)]] = y[i];
  }
  // U x = y, from the roots on
  for (auto it = fronts.rbegin(); it != fronts.rend(); ++it) {
    const auto unknowns = layout_->unknowns(*it);
    for (int i = 0; i < it->all; ++i) y[i] = x[unknowns[static_cast<std::size_t>(i)]];
    const double* F = front(*it);
    for (int k = it->all - 1; k >= it->own; --k)
      for (int i = 0; i < it->own; ++i) y[i] -= F[it->stride * k + i] * y[k];
    for (int k = it->own - 1; k >= 0; --k) {
      y[k] /= F[it->stride * k + k];
      for (int i = 0; i < k; ++i) y[i] -= F[it->stride * k + i] * y[k];
    }
    for (int i = 0; i < it->own; ++i) x[unknowns[static_cast<std::size_t>(i)]] = y[i];
  }
}

}  // namespace cardan
