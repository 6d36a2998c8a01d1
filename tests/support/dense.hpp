// Every spatial type as the dense matrix of its definition (chapter 2 of the book), for tests to compare with.
#pragma once

#include "cardan/spatial/projected_inertia.hpp"

#include <Eigen/Dense>

namespace cardan::test {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

template <int N>
Eigen::Matrix<double, N, 1> dense(const Vector<double, N>& a) {
  Eigen::Matrix<double, N, 1> out;
  for (int i = 0; i < N; ++i) out(i) = a[i];
  return out;
}
template <int N, int M>
Eigen::Matrix<double, N, M> dense(const Matrix<double, N, M>& a) {
  Eigen::Matrix<double, N, M> out;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) out(i, j) = a(i, j);
  return out;
}
inline Matrix3 dense(const Sym3<double>& a) {
  Matrix3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = a(i, j);
  return out;
}

template <class Vector6Like>
Vector6 six(const Vector6Like& a) {
  Vector6 out;
  for (int i = 0; i < 6; ++i) out(i) = a[i];
  return out;
}
inline Vector6 dense(const MotionVector<double>& m) { return six(m); }
inline Vector6 dense(const ForceVector<double>& f) { return six(f); }

template <int N>
Eigen::Matrix<double, 6, N> dense(const MotionMatrix<double, N>& S) {
  Eigen::Matrix<double, 6, N> out;
  for (int k = 0; k < N; ++k) out.col(k) = dense(S.column[k]);
  return out;
}
template <int N>
Eigen::Matrix<double, 6, N> dense(const ForceMatrix<double, N>& U) {
  Eigen::Matrix<double, 6, N> out;
  for (int k = 0; k < N; ++k) out.col(k) = dense(U.column[k]);
  return out;
}

inline Matrix3 skew3(const Vector3& a) {
  Matrix3 out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

inline Matrix6 blocks(const Matrix3& a, const Matrix3& b, const Matrix3& c, const Matrix3& d) {
  Matrix6 out;
  out << a, b, c, d;
  return out;
}

/// X = [E 0; -E r x, E] (Eq. 2.26).
template <class R>
Matrix6 motion_transform(const Transform<double, R>& X) {
  const Matrix3 E = dense(general(X).E);
  return blocks(E, Matrix3::Zero(), -E * skew3(dense(X.r)), E);
}
/// X* = [E, -E r x; 0 E] (Eq. 2.27).
template <class R>
Matrix6 force_transform(const Transform<double, R>& X) {
  const Matrix3 E = dense(general(X).E);
  return blocks(E, -E * skew3(dense(X.r)), Matrix3::Zero(), E);
}

/// v x (Eq. 2.31).
inline Matrix6 crm(const Vector6& v) {
  const Matrix3 w = skew3(v.head<3>());
  return blocks(w, Matrix3::Zero(), skew3(v.tail<3>()), w);
}
/// v x* (Eq. 2.32).
inline Matrix6 crf(const Vector6& v) {
  const Matrix3 w = skew3(v.head<3>());
  return blocks(w, skew3(v.tail<3>()), Matrix3::Zero(), w);
}
inline Matrix6 crm(const MotionVector<double>& v) { return crm(dense(v)); }
inline Matrix6 crf(const MotionVector<double>& v) { return crf(dense(v)); }

/// [I h x; -h x, m 1] (Table A.3).
inline Matrix6 dense(const RigidBodyInertia<double>& a) {
  const Matrix3 h = skew3(dense(a.h));
  return blocks(dense(a.I), h, -h, a.m * Matrix3::Identity());
}
inline Matrix6 dense(const ArticulatedInertia<double>& a) {
  return blocks(dense(a.I), dense(a.H), dense(a.H).transpose(), dense(a.M));
}
inline Matrix6 dense(const InverseInertia<double>& a) {
  return blocks(dense(a.A), dense(a.B), dense(a.B).transpose(), dense(a.C));
}
template <int A>
Matrix6 dense(const ProjectedInertia<A, double>& p) {
  return dense(full(p));
}

}  // namespace cardan::test
