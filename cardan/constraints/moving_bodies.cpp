#include "cardan/constraints/moving_bodies.hpp"

#include "cardan/algorithms/fold.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kMostCoordinates = 12;  // of one joint: composites of quaternions have more coordinates than velocities

/// Sines and cosines of one joint's coordinates.
struct Turned {
  double s[kMostCoordinates], c[kMostCoordinates];
  Coordinates<double> coordinates;

  Turned(const double* q, int n) : coordinates{q, s, c} {
    for (int i = 0; i < n; ++i) {
      s[i] = std::sin(q[i]);
      c[i] = std::cos(q[i]);
    }
  }
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

MotionVector<double> acceleration_or_zero(Zero) { return {}; }
MotionVector<double> acceleration_or_zero(const MotionVector<double>& c_J) { return c_J; }

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

JointMotion link_motion(const Model& model, int body, const double* q, const double* v) {
  const Link& link = model.link(body);
  const Turned turned(q + link.q, link.nq);
  JointMotion out;
  out.nv = link.nv;
  dispatch(link.path, [&]<class Path>(Path) {
    const At<Path> at{model, link, body};
    const auto [X_J, S, c_J] =
        Path::step(link, model.joint(body), turned.coordinates, at(VectorView<const double>(v, model.nv())));
    out.X = general(at.place(X_J));
    const auto basis = columns<double>(S);
    for (int c = 0; c < at.nv; ++c) out.S[c] = link.sign * basis.column[c];
    out.c_J = acceleration_or_zero(c_J);
  });
  return out;
}

std::vector<int> path_between(const Model& model, int above, int body) {
  std::vector<int> out;
  for (int i = body; i != above; i = model.link(i).parent) out.push_back(i);
  std::reverse(out.begin(), out.end());
  return out;
}

int common_ancestor(const Model& model, int a, int b) {
  while (a != b) (a > b ? a : b) = model.link(std::max(a, b)).parent;
  return a;
}

MovingBodies::MovingBodies(const Model& model)
    : model_(model), slot_(static_cast<std::size_t>(model.bodies()) + 1), motions_(1) {}

void MovingBodies::follow(const std::vector<int>& path) {
  for (const int body : path)
    if (slot_[static_cast<std::size_t>(body)] == 0) {
      slot_[static_cast<std::size_t>(body)] = 1;
      bodies_.push_back(body);
    }
  std::sort(bodies_.begin(), bodies_.end());
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    slot_[static_cast<std::size_t>(bodies_[i])] = static_cast<int>(i) + 1;
  motions_.resize(bodies_.size() + 1);
}

void MovingBodies::update(const double* q, const double* v) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Link& link = model_.link(bodies_[i]);
    Motion& m = motions_[i + 1];
    const Motion& parent = motion(link.parent);
    m.joint = link_motion(model_, bodies_[i], q, v);
    m.X_0 = m.joint.X * parent.X_0;
    MotionVector<double> v_J;
    for (int k = 0; k < link.nv; ++k) v_J += v[link.v + k] * m.joint.S[k];
    m.v = m.joint.X * parent.v + v_J;
    m.a = m.joint.X * parent.a + m.joint.c_J + cross(m.v, v_J);
  }
}

}  // namespace cardan
