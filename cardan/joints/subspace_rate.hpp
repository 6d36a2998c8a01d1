// S_dot(q, v) column by column. Joints only supply c_J = S_dot v; where v = dq/dt, the columns follow from it:
// c_J is a quadratic form in v, whose polarization gives the symmetric part of dS_i/dq_j, and the rest is fixed by
// dS_i/dq_j - dS_j/dq_i = S_i x S_j, which holds for every S that comes from a pose.
#pragma once

#include "cardan/joints/joint.hpp"

namespace cardan {

template <class T, int N>
MotionMatrix<T, N> subspace_rate(const Joint& joint, const Coordinates<T>& q, const Vector<T, N>& v);

namespace detail {

template <class T, int N, class J>
MotionMatrix<T, N> rate_of_type(const J& joint, const Coordinates<T>& q, const Vector<T, N>& v) {
  MotionMatrix<T, N> out;
  if constexpr (std::derived_from<J, RateCoordinates<N>> || SizedAtRunTime<J>) {
    const auto at = [&](const Vector<T, N>& rates) {
      if constexpr (SizedAtRunTime<J>)
        return joint.kinematics(q, rates);
      else
        return joint(q, rates);
    };
    const JointKinematics<T, N> k = at(v);
    const MotionVector<T> v_J = k.S * v;
    for (int i = 0; i < N; ++i) {
      Vector<T, N> e, sum(v);
      e[i] = T(1.0);
      sum[i] += T(1.0);
      const MotionVector<T> polar = at(sum).c_J - k.c_J - at(e).c_J;
      out.column[i] = T(0.5) * (polar + cross(k.S.column[i], v_J));
    }
  }
  return out;  // spherical and free joints have a constant S
}

template <class T, int N>
MotionMatrix<T, N> rate_of_composite(const Composite& composite, Coordinates<T> q, const Vector<T, N>& v) {
  MotionMatrix<T, N> S, rate;
  int first = 0;
  for (const Joint& joint : composite.joints) {
    const auto with = [&]<int M>(std::integral_constant<int, M>) {
      if constexpr (M <= N) {
        Vector<T, M> part;
        for (int i = 0; i < M; ++i) part[i] = v[first + i];
        const JointKinematics<T, M> k = joint.kinematics<T, M>(q, part);
        const MotionMatrix<T, M> own_rate = subspace_rate<T, M>(joint, q, part);
        const Transform<T> X{k.E, k.p};
        const MotionVector<T> v_J = k.S * part;
        for (int i = 0; i < first; ++i) {  // d(X S)/dt = X S_dot - v_J x X S
          S.column[i] = X * S.column[i];
          rate.column[i] = X * rate.column[i] - cross(v_J, S.column[i]);
        }
        for (int i = 0; i < M; ++i) {
          S.column[first + i] = k.S.column[i];
          rate.column[first + i] = own_rate.column[i];
        }
      }
    };
    switch (joint.nv()) {
      case 1: with(std::integral_constant<int, 1>{}); break;
      case 2: with(std::integral_constant<int, 2>{}); break;
      case 3: with(std::integral_constant<int, 3>{}); break;
      case 4: with(std::integral_constant<int, 4>{}); break;
      case 5: with(std::integral_constant<int, 5>{}); break;
      case 6: with(std::integral_constant<int, 6>{}); break;
      default: with(std::integral_constant<int, 0>{});
    }
    q = q.from(joint.nq());
    first += joint.nv();
  }
  return rate;
}

}  // namespace detail

template <class T, int N>
MotionMatrix<T, N> subspace_rate(const Joint& joint, const Coordinates<T>& q, const Vector<T, N>& v) {
  MotionMatrix<T, N> rate = std::visit(
      [&]<class J>(const J& j) -> MotionMatrix<T, N> {
        if constexpr (std::same_as<J, Composite>) {
          return detail::rate_of_composite(j, q, v);
        } else if constexpr (SizedAtRunTime<J>) {
          return detail::rate_of_type(j, q, v);
        } else if constexpr (J::nv == N) {
          return detail::rate_of_type(j, q, v);
        } else {
          return {};
        }
      },
      joint.type);
  if (!joint.reversed) return rate;
  // d(-X^-1 S)/dt, in terms of the reversed joint's own back = X^-1 and S
  const JointKinematics<T, N> k = joint.kinematics<T, N>(q, v);
  const Transform<T> back{k.E, k.p};
  const MotionVector<T> v_J = k.S * v;
  for (int i = 0; i < N; ++i) rate.column[i] = -(back * rate.column[i]) - cross(v_J, k.S.column[i]);
  return rate;
}

}  // namespace cardan
