#include "cardan/joints/joint_motion.hpp"

namespace cardan {

namespace {

constexpr int kMostCoordinates = 12;  // of one joint: composites of quaternions have more coordinates than velocities

/// Sines and cosines of one joint's coordinates.
template <class T>
struct Turned {
  T s[kMostCoordinates], c[kMostCoordinates];
  Coordinates<T> coordinates;

  Turned(const T* q, int n) : coordinates{q, s, c} { sincos_all(q, n, s, c); }
};

template <int N, class T>
JointMotionOf<T> motion_of(const Joint& joint, const Coordinates<T>& q, const T* v) {
  Vector<T, N> rates;
  for (int i = 0; i < N; ++i) rates[i] = v[i];
  const JointKinematics<T, N> k = joint.kinematics<T, N>(q, rates);
  JointMotionOf<T> out{{k.E, k.p}, N, {}, k.c_J};
  for (int i = 0; i < N; ++i) out.S[i] = k.S.column[i];
  return out;
}

}  // namespace

template <class T>
JointMotionOf<T> joint_motion(const Joint& joint, const T* q, const T* v) {
  const Turned<T> turned(q, joint.nq());
  switch (joint.nv()) {
    case 1: return motion_of<1>(joint, turned.coordinates, v);
    case 2: return motion_of<2>(joint, turned.coordinates, v);
    case 3: return motion_of<3>(joint, turned.coordinates, v);
    case 4: return motion_of<4>(joint, turned.coordinates, v);
    case 5: return motion_of<5>(joint, turned.coordinates, v);
    case 6: return motion_of<6>(joint, turned.coordinates, v);
    default: return motion_of<0>(joint, turned.coordinates, v);
  }
}

template JointMotionOf<double> joint_motion(const Joint& joint, const double* q, const double* v);
template JointMotionOf<Dual8> joint_motion(const Joint& joint, const Dual8* q, const Dual8* v);

}  // namespace cardan
