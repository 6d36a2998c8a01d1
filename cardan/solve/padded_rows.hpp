// Sums over rows whose lengths are multiples of kLanes: what compilers turn into vector instructions without tails.
#pragma once

#include "cardan/math/pack.hpp"

namespace cardan {

/// Rows are padded to multiples of this. Wider padding would fill wider registers, but short rows leave the cache
/// first.
inline constexpr int kLanes = 4;

constexpr int padded(int n) { return (n + kLanes - 1) / kLanes * kLanes; }

/// As many numbers in a register. Loops over them written out are turned into shuffles by clang, which cost more than
/// the sums.
using Quad = Pack<double, kLanes>;

/// y += c x.
inline void add_row(double* __restrict y, double c, const double* __restrict x, int n) {
  for (int i = 0; i < n; i += kLanes) (Quad::load(y + i) + Quad(c) * Quad::load(x + i)).store(y + i);
}

inline double dot_row(const double* x, const double* y, int n) {
  Quad sum[2] = {};
  int i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes)
    for (int k = 0; k < 2; ++k) sum[k] += Quad::load(x + i + k * kLanes) * Quad::load(y + i + k * kLanes);
  if (i < n) sum[0] += Quad::load(x + i) * Quad::load(y + i);
  sum[0] += sum[1];
  return (sum[0][0] + sum[0][2]) + (sum[0][1] + sum[0][3]);
}

/// One block of `Quads` places of the sums below: as many sums at once as hide the latency of an addition.
template <int Quads>
inline void add_block(double* __restrict y, const double* __restrict c, int c_stride, const double* __restrict x,
                      int terms, int stride) {
  Quad sum[Quads];
  for (int q = 0; q < Quads; ++q) sum[q] = Quad::load(y + kLanes * q);
  for (int j = 0; j < terms; ++j) {
    const Quad factor(c[j * c_stride]);
    for (int q = 0; q < Quads; ++q) sum[q] += factor * Quad::load(x + j * stride + kLanes * q);
  }
  for (int q = 0; q < Quads; ++q) sum[q].store(y + kLanes * q);
}

/// y += sum of c_j x_j over `terms` rows x_j, `stride` apart, with coefficients `c_stride` apart.
inline void add_rows(double* __restrict y, const double* __restrict c, int c_stride, const double* __restrict x,
                     int terms, int stride, int n) {
  int i = 0;
  for (; i + 3 * kLanes <= n; i += 3 * kLanes) add_block<3>(y + i, c, c_stride, x + i, terms, stride);
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) add_block<2>(y + i, c, c_stride, x + i, terms, stride);
  for (; i < n; i += kLanes) add_block<1>(y + i, c, c_stride, x + i, terms, stride);
}

/// Sums a few products without padding.
inline double dot_few(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace cardan
