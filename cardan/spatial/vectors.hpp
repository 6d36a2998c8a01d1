// Spatial motion and force vectors (Featherstone chapter 2), angular part first. They are different types:
// adding a motion to a force, or pairing two motions, does not compile.
#pragma once

#include "cardan/math/matrix.hpp"

namespace cardan {

template <class T>
struct MotionVector {
  Vec3<T> angular, linear;

  CARDAN_INLINE void operator+=(const MotionVector& o) {
    angular += o.angular;
    linear += o.linear;
  }
  CARDAN_INLINE void operator-=(const MotionVector& o) {
    angular -= o.angular;
    linear -= o.linear;
  }
  CARDAN_INLINE friend MotionVector operator+(const MotionVector& a, const MotionVector& b) {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  CARDAN_INLINE friend MotionVector operator-(const MotionVector& a, const MotionVector& b) {
    return {a.angular - b.angular, a.linear - b.linear};
  }
  CARDAN_INLINE friend MotionVector operator-(const MotionVector& a) { return {-a.angular, -a.linear}; }
  CARDAN_INLINE friend MotionVector operator*(const T& s, const MotionVector& a) {
    return {s * a.angular, s * a.linear};
  }
  CARDAN_INLINE const T& operator[](int i) const { return i < 3 ? angular[i] : linear[i - 3]; }
  CARDAN_INLINE T& operator[](int i) { return i < 3 ? angular[i] : linear[i - 3]; }
};

template <class T>
struct ForceVector {
  Vec3<T> moment, force;

  CARDAN_INLINE void operator+=(const ForceVector& o) {
    moment += o.moment;
    force += o.force;
  }
  CARDAN_INLINE void operator-=(const ForceVector& o) {
    moment -= o.moment;
    force -= o.force;
  }
  CARDAN_INLINE friend ForceVector operator+(const ForceVector& a, const ForceVector& b) {
    return {a.moment + b.moment, a.force + b.force};
  }
  CARDAN_INLINE friend ForceVector operator-(const ForceVector& a, const ForceVector& b) {
    return {a.moment - b.moment, a.force - b.force};
  }
  CARDAN_INLINE friend ForceVector operator-(const ForceVector& a) { return {-a.moment, -a.force}; }
  CARDAN_INLINE friend ForceVector operator*(const T& s, const ForceVector& a) { return {s * a.moment, s * a.force}; }
  CARDAN_INLINE const T& operator[](int i) const { return i < 3 ? moment[i] : force[i - 3]; }
  CARDAN_INLINE T& operator[](int i) { return i < 3 ? moment[i] : force[i - 3]; }
};

/// Power: the only scalar product there is, between a motion and a force.
template <class T>
CARDAN_INLINE T dot(const MotionVector<T>& m, const ForceVector<T>& f) {
  return dot(m.angular, f.moment) + dot(m.linear, f.force);
}
template <class T>
CARDAN_INLINE T dot(const ForceVector<T>& f, const MotionVector<T>& m) {
  return dot(m, f);
}

/// v x m (Eq. 2.31).
template <class T>
CARDAN_INLINE MotionVector<T> cross(const MotionVector<T>& v, const MotionVector<T>& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}

/// v x* f (Eq. 2.32).
template <class T>
CARDAN_INLINE ForceVector<T> cross(const MotionVector<T>& v, const ForceVector<T>& f) {
  return {cross(v.angular, f.moment) + cross(v.linear, f.force), cross(v.angular, f.force)};
}

/// Velocity of the body-fixed point at P (Eq. 2.5).
template <class T>
CARDAN_INLINE Vec3<T> point_velocity(const MotionVector<T>& v, const Vec3<T>& P) {
  return v.linear + cross(v.angular, P);
}

/// A force f whose line of action passes through P.
template <class T>
CARDAN_INLINE ForceVector<T> force_at_point(const Vec3<T>& f, const Vec3<T>& P) {
  return {cross(P, f), f};
}

/// Spatial acceleration -> classical one of the point at the origin, whose velocity is v (Eq. 2.48).
template <class T>
CARDAN_INLINE MotionVector<T> classical_acceleration(const MotionVector<T>& a, const MotionVector<T>& v) {
  return {a.angular, a.linear + cross(v.angular, v.linear)};
}
template <class T>
CARDAN_INLINE MotionVector<T> spatial_acceleration(const MotionVector<T>& classical, const MotionVector<T>& v) {
  return {classical.angular, classical.linear - cross(v.angular, v.linear)};
}

/// Pitch, axis and magnitude of a motion (section 2.5): a rotation about the line through `point` along
/// `direction` with `pitch` meters per radian, `magnitude` its angular speed. A pure translation has no axis:
/// `direction` and `magnitude` are those of its velocity, `pitch` is infinite and `point` the origin. All is zero for
/// no motion.
template <class T>
struct Screw {
  Vec3<T> point, direction;
  T pitch, magnitude;
};

template <class T>
Screw<T> screw_of(const MotionVector<T>& s) {
  const T zero(0.0), one(1.0), infinite(HUGE_VAL);
  const T turn = dot(s.angular, s.angular), shift = dot(s.linear, s.linear);
  const T over_turn = one / select_less(zero, turn, turn, one);
  const T square = select_less(zero, turn, turn, shift);
  const T magnitude = sqrt(square), over = one / select_less(zero, square, magnitude, one);
  const T at_rest_or_shifted = select_less(zero, shift, infinite, zero);
  Screw<T> out{over_turn * cross(s.angular, s.linear), {}, over_turn * dot(s.angular, s.linear), magnitude};
  out.pitch = select_less(zero, turn, out.pitch, at_rest_or_shifted);
  for (int i = 0; i < 3; ++i) out.direction[i] = over * select_less(zero, turn, s.angular[i], s.linear[i]);
  return out;
}

}  // namespace cardan
