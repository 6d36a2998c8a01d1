// Solving with a small symmetric positive definite matrix, A = L D L' with unit lower triangular L: no square roots,
// no pivoting and hence no comparisons; N divisions in all, so one for a joint of one degree of freedom.
// The pragmas leave straight-line code for every N; without them both compilers keep loops at N = 6.
#pragma once

#include "cardan/math/matrix.hpp"

namespace cardan {

template <class T, int N>
class LDLT {
 public:
  /// Reads only the lower triangle of A.
  CARDAN_INLINE explicit LDLT(const Matrix<T, N, N>& A) {
#pragma GCC unroll 6
    for (int i = 0; i < N; ++i) {
      Vector<T, N> LD;  // row i of L D
      T d = A(i, i);
#pragma GCC unroll 6
      for (int j = 0; j < i; ++j) {
        T sum = A(i, j);
#pragma GCC unroll 6
        for (int k = 0; k < j; ++k) sum -= LD[k] * L_(j, k);
        LD[j] = sum;
        L_(i, j) = sum * inverse_D_[j];
        d -= sum * L_(i, j);
      }
      inverse_D_[i] = T(1.0) / d;
    }
  }

  /// A^-1 b.
  CARDAN_INLINE Vector<T, N> solve(Vector<T, N> b) const {
#pragma GCC unroll 6
    for (int i = 1; i < N; ++i)
#pragma GCC unroll 6
      for (int k = 0; k < i; ++k) b[i] -= L_(i, k) * b[k];
#pragma GCC unroll 6
    for (int i = N - 1; i >= 0; --i) {
      b[i] = inverse_D_[i] * b[i];
#pragma GCC unroll 6
      for (int k = i + 1; k < N; ++k) b[i] -= L_(k, i) * b[k];
    }
    return b;
  }

  /// A^-1 B.
  template <int M>
  CARDAN_INLINE Matrix<T, N, M> solve(Matrix<T, N, M> B) const {
#pragma GCC unroll 6
    for (int i = 1; i < N; ++i)
#pragma GCC unroll 6
      for (int k = 0; k < i; ++k) B.row[i] -= L_(i, k) * B.row[k];
#pragma GCC unroll 6
    for (int i = N - 1; i >= 0; --i) {
      B.row[i] = inverse_D_[i] * B.row[i];
#pragma GCC unroll 6
      for (int k = i + 1; k < N; ++k) B.row[i] -= L_(k, i) * B.row[k];
    }
    return B;
  }

  /// A^-1 = W' D^-1 W with W = L^-1; symmetric to the last bit.
  CARDAN_INLINE Matrix<T, N, N> inverse() const {
    Matrix<T, N, N> W, out;
#pragma GCC unroll 6
    for (int i = 1; i < N; ++i)
#pragma GCC unroll 6
      for (int j = 0; j < i; ++j) {
        T sum = L_(i, j);
#pragma GCC unroll 6
        for (int k = j + 1; k < i; ++k) sum += L_(i, k) * W(k, j);
        W(i, j) = -sum;
      }
#pragma GCC unroll 6
    for (int i = 0; i < N; ++i) {
      Vector<T, N> DW;  // column i of D^-1 W
#pragma GCC unroll 6
      for (int k = i + 1; k < N; ++k) DW[k] = inverse_D_[k] * W(k, i);
#pragma GCC unroll 6
      for (int j = 0; j < i; ++j) {
        T sum = inverse_D_[i] * W(i, j);
#pragma GCC unroll 6
        for (int k = i + 1; k < N; ++k) sum += DW[k] * W(k, j);
        out(i, j) = out(j, i) = sum;
      }
      T sum = inverse_D_[i];
#pragma GCC unroll 6
      for (int k = i + 1; k < N; ++k) sum += DW[k] * W(k, i);
      out(i, i) = sum;
    }
    return out;
  }

 private:
  Matrix<T, N, N> L_;  // strictly lower triangle only
  Vector<T, N> inverse_D_;
};

}  // namespace cardan
