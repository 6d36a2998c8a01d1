// Sequences of joints and reversed joints, and the functions of Joint that pick a type at run time.
#pragma once

#include "cardan/joints/joint.hpp"

#include <algorithm>

namespace cardan {

inline Composite::Composite(std::vector<Joint> parts) : joints(std::move(parts)) {}

inline int Composite::nq() const {
  int n = 0;
  for (const Joint& j : joints) n += j.nq();
  return n;
}
inline int Composite::nv() const {
  int n = 0;
  for (const Joint& j : joints) n += j.nv();
  return n;
}

inline int Joint::nq() const {
  return std::visit(
      []<class J>(const J& j) {
        if constexpr (SizedAtRunTime<J>)
          return j.nq();
        else
          return J::nq;
      },
      type);
}
inline int Joint::nv() const {
  return std::visit(
      []<class J>(const J& j) {
        if constexpr (SizedAtRunTime<J>)
          return j.nv();
        else
          return J::nv;
      },
      type);
}

namespace detail {
/// Puts one more joint after those already in k: columns move into its frame, its own columns join from `first`.
template <class T, int N, int M>
void append(JointKinematics<T, N>& k, MotionVector<T>& v_J, int first, const JointKinematics<T, M>& next,
            const Vector<T, M>& v) {
  const Transform<T> X{next.E, next.p};
  for (int i = 0; i < first; ++i) k.S.column[i] = X * k.S.column[i];
  for (int i = 0; i < M; ++i) k.S.column[first + i] = next.S.column[i];
  // velocity and velocity-product acceleration as along a chain of bodies: c = X c + c_next + v x S v_next
  const MotionVector<T> relative = next.S * v;
  v_J = X * v_J + relative;
  k.c_J = X * k.c_J + next.c_J + cross(v_J, relative);
  const Transform<T> total = X * Transform<T>{k.E, k.p};
  k.E = total.E;
  k.p = total.r;
}

/// Sets k to the first joint of a row.
template <class T, int N, int M>
void begin_with(JointKinematics<T, N>& k, MotionVector<T>& v_J, const JointKinematics<T, M>& joint,
                const Vector<T, M>& v) {
  k.E = joint.E;
  k.p = joint.p;
  for (int i = 0; i < M; ++i) k.S.column[i] = joint.S.column[i];
  k.c_J = joint.c_J;
  v_J = joint.S * v;
}

template <class T, int N>
void append_joint(JointKinematics<T, N>& k, MotionVector<T>& v_J, int first, const Joint& joint,
                  const Coordinates<T>& q, const Vector<T, N>& v, bool is_first) {
  const auto with = [&]<int M>(std::integral_constant<int, M>) {
    if constexpr (M <= N) {
      Vector<T, M> part;
      for (int i = 0; i < M; ++i) part[i] = v[first + i];
      if (is_first)
        begin_with(k, v_J, joint.kinematics<T, M>(q, part), part);
      else
        append(k, v_J, first, joint.kinematics<T, M>(q, part), part);
    }
  };
  switch (joint.nv()) {
    case 0: return with(std::integral_constant<int, 0>{});
    case 1: return with(std::integral_constant<int, 1>{});
    case 2: return with(std::integral_constant<int, 2>{});
    case 3: return with(std::integral_constant<int, 3>{});
    case 4: return with(std::integral_constant<int, 4>{});
    case 5: return with(std::integral_constant<int, 5>{});
    case 6: return with(std::integral_constant<int, 6>{});
  }
}

/// Table 4.2: the same joint seen from its successor.
template <class T, int N>
JointKinematics<T, N> reverse(const JointKinematics<T, N>& k) {
  const Transform<T> X{k.E, k.p};
  const Transform<T> back = inverse(X);
  JointKinematics<T, N> out{back.E, back.r, {}, -inverse_apply(X, k.c_J)};
  for (int i = 0; i < N; ++i) out.S.column[i] = -inverse_apply(X, k.S.column[i]);
  return out;
}
}  // namespace detail

template <class T, int N>
JointKinematics<T, N> Composite::kinematics(Coordinates<T> q, const Vector<T, N>& v) const {
  JointKinematics<T, N> k;
  MotionVector<T> v_J;
  int first = 0;
  for (const Joint& joint : joints) {
    detail::append_joint(k, v_J, first, joint, q, v, &joint == &joints.front());
    q = q.from(joint.nq());
    first += joint.nv();
  }
  return k;
}

template <class T, int N>
JointKinematics<T, N> Joint::kinematics(const Coordinates<T>& q, const Vector<T, N>& v) const {
  JointKinematics<T, N> k = std::visit(
      [&]<class J>(const J& j) -> JointKinematics<T, N> {
        if constexpr (SizedAtRunTime<J>) {
          return j.kinematics(q, v);
        } else if constexpr (J::nv == N) {
          return j(q, v);
        } else {
          return {};
        }
      },
      type);
  return reversed ? detail::reverse(k) : k;
}

template <class T>
void Joint::integrate(const T* q, const T* v, const T& h, T* out) const {
  std::visit(
      [&]<class J>(const J& j) {
        if constexpr (std::same_as<J, Composite>) {
          int iq = 0, iv = 0;
          for (const Joint& part : j.joints) {
            part.integrate(q + iq, v + iv, h, out + iq);
            iq += part.nq();
            iv += part.nv();
          }
        } else if constexpr (SizedAtRunTime<J>) {
          for (int i = 0; i < j.nv(); ++i) out[i] = q[i] + h * v[i];
        } else {
          j.integrate(q, v, h, out);
        }
      },
      type);
}

template <class T>
void Joint::difference(const T* q0, const T* q1, T* v) const {
  std::visit(
      [&]<class J>(const J& j) {
        if constexpr (std::same_as<J, Composite>) {
          int iq = 0, iv = 0;
          for (const Joint& part : j.joints) {
            part.difference(q0 + iq, q1 + iq, v + iv);
            iq += part.nq();
            iv += part.nv();
          }
        } else if constexpr (SizedAtRunTime<J>) {
          for (int i = 0; i < j.nv(); ++i) v[i] = q1[i] - q0[i];
        } else {
          j.difference(q0, q1, v);
        }
      },
      type);
}

inline void Joint::neutral(double* q) const {
  for_each_part(*this, 0, 0, [&]<class J>(const J& j, int first, int) {
    if constexpr (SizedAtRunTime<J>)
      std::fill_n(q + first, j.nq(), 0.0);
    else
      j.neutral(q + first);
  });
}

template <class F>
void for_each_part(const Joint& joint, int q, int v, const F& f) {
  std::visit(
      [&]<class J>(const J& j) {
        if constexpr (std::same_as<J, Composite>) {
          for (const Joint& part : j.joints) {
            for_each_part(part, q, v, f);
            q += part.nq();
            v += part.nv();
          }
        } else {
          f(j, q, v);
        }
      },
      joint.type);
}

}  // namespace cardan
