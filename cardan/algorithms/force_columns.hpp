// The columns F = I S of all joints of a subtree, several in one register. Bodies are numbered depth first, so the
// columns of a subtree stand side by side and cross a joint together.
#pragma once

#include "cardan/algorithms/fold.hpp"
#include "cardan/math/pack.hpp"

namespace cardan::detail {

template <class L, int A, class T>
CARDAN_INLINE Transform<L, AxisRotation<A, L>> broadcast(const Transform<T, AxisRotation<A, T>>& X) {
  return {{L(X.E.c), L(X.E.s)}, Vec3<L>{L(X.r[0]), L(X.r[1]), L(X.r[2])}};
}
template <class L, class T>
CARDAN_INLINE Transform<L, NoRotation> broadcast(const Transform<T, NoRotation>& X) {
  return {{}, Vec3<L>{L(X.r[0]), L(X.r[1]), L(X.r[2])}};
}
template <class L, class T>
CARDAN_INLINE Transform<L> broadcast(const Transform<T>& X) {
  Transform<L> out;
  for (int i = 0; i < 3; ++i) {
    out.r[i] = L(X.r[i]);
    for (int j = 0; j < 3; ++j) out.E(i, j) = L(X.E(i, j));
  }
  return out;
}

/// S' f for one column of S, on all lanes.
template <class L, int A>
CARDAN_INLINE const L& row_of(UnitRotation<A>, const ForceVector<L>& f, int) {
  return f.moment[A];
}
template <class L, int A>
CARDAN_INLINE const L& row_of(UnitTranslation<A>, const ForceVector<L>& f, int) {
  return f.force[A];
}
template <class L, class T>
CARDAN_INLINE L row_of(const TranslationAlong<T>& S, const ForceVector<L>& f, int) {
  return L(S.d[0]) * f.force[0] + L(S.d[1]) * f.force[1] + L(S.d[2]) * f.force[2];
}
template <class L>
CARDAN_INLINE const L& row_of(AllRotations, const ForceVector<L>& f, int i) {
  return f[i];
}
template <class L>
CARDAN_INLINE const L& row_of(AllMotions, const ForceVector<L>& f, int i) {
  return f[i];
}
template <class L, class T, int N>
CARDAN_INLINE L row_of(const MotionMatrix<T, N>& S, const ForceVector<L>& f, int i) {
  L sum = L(S.column[i][0]) * f[0];
  for (int c = 1; c < 6; ++c) sum = sum + L(S.column[i][c]) * f[c];
  return sum;
}

/// Zeros in these columns from row `end` on.
template <class T>
CARDAN_INLINE void fill_below(const MatrixView<T>& H, int first, int last, int end) {
  for (int j = first; j < last; ++j)
    for (int k = end; k < H.rows(); ++k) H(k, j) = T(0.0);
}

}  // namespace cardan::detail
