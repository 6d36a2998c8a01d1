// Sums over rows whose lengths are multiples of kLanes: what compilers turn into vector instructions without tails.
#pragma once

namespace cardan {

/// Rows are padded to multiples of this. Wider padding would fill wider registers, but short rows leave the cache
/// first.
inline constexpr int kLanes = 4;

constexpr int padded(int n) { return (n + kLanes - 1) / kLanes * kLanes; }

/// y += c x.
inline void add_row(double* __restrict y, double c, const double* __restrict x, int n) {
  for (int i = 0; i < n; i += kLanes)
    for (int l = 0; l < kLanes; ++l) y[i + l] += c * x[i + l];
}

inline double dot_row(const double* x, const double* y, int n) {
  double lane[2][kLanes] = {};
  int i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes)
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < kLanes; ++l) lane[k][l] += x[i + k * kLanes + l] * y[i + k * kLanes + l];
  for (; i < n; i += kLanes)
    for (int l = 0; l < kLanes; ++l) lane[0][l] += x[i + l] * y[i + l];
  for (int l = 0; l < kLanes; ++l) lane[0][l] += lane[1][l];
  return (lane[0][0] + lane[0][2]) + (lane[0][1] + lane[0][3]);
}

/// One block of `Width` places of the sums below: as many sums at once as hide the latency of an addition.
template <int Width>
inline void add_block(double* __restrict y, const double* __restrict c, int c_stride, const double* __restrict x,
                      int terms, int stride) {
  double sum[Width];
  for (int l = 0; l < Width; ++l) sum[l] = y[l];
  for (int j = 0; j < terms; ++j)
    for (int l = 0; l < Width; ++l) sum[l] += c[j * c_stride] * x[j * stride + l];
  for (int l = 0; l < Width; ++l) y[l] = sum[l];
}

/// y += sum of c_j x_j over `terms` rows x_j, `stride` apart, with coefficients `c_stride` apart.
inline void add_rows(double* __restrict y, const double* __restrict c, int c_stride, const double* __restrict x,
                     int terms, int stride, int n) {
  int i = 0;
  for (; i + 3 * kLanes <= n; i += 3 * kLanes) add_block<3 * kLanes>(y + i, c, c_stride, x + i, terms, stride);
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) add_block<2 * kLanes>(y + i, c, c_stride, x + i, terms, stride);
  for (; i < n; i += kLanes) add_block<kLanes>(y + i, c, c_stride, x + i, terms, stride);
}

/// Sums a few products without padding.
inline double dot_few(const double* x, const double* y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace cardan
