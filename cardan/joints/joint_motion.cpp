#include "cardan/joints/joint_motion.hpp"

namespace cardan {

namespace {

constexpr int kMostCoordinates = 12;  // of one joint: composites of quaternions have more coordinates than velocities

/// Sines and cosines of one joint's coordinates.
struct Turned {
  double s[kMostCoordinates], c[kMostCoordinates];
  Coordinates<double> coordinates;

  Turned(const double* q, int n) : coordinates{q, s, c} { sincos_all(q, n, s, c); }
};

template <int N>
JointMotion motion_of(const Joint& joint, const Coordinates<double>& q, const double* v) {
  Vector<double, N> rates;
  for (int i = 0; i < N; ++i) rates[i] = v[i];
  const JointKinematics<double, N> k = joint.kinematics<double, N>(q, rates);
  JointMotion out{{k.E, k.p}, N, {}, k.c_J};
  for (int i = 0; i < N; ++i) out.S[i] = k.S.column[i];
  return out;
}

}  // namespace

JointMotion joint_motion(const Joint& joint, const double* q, const double* v) {
  const Turned turned(q, joint.nq());
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

}  // namespace cardan
