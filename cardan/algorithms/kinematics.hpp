// Where every body is and how it moves: poses, velocities, accelerations (sections 2.11, 4.2, 5.3), in O(n).
#pragma once

#include "cardan/algorithms/fold.hpp"

namespace cardan {

/// Results of forward_kinematics, for the model's internal body frames; read them through the frame_... functions.
template <class T>
struct Kinematics {
  explicit Kinematics(const Model& model)
      : X(static_cast<std::size_t>(model.bodies()) + 1),
        X_0(X.size(), Transform<T>::identity()),
        v(X.size()),
        a(X.size()),
        S(static_cast<std::size_t>(model.nv())) {}

  std::vector<Transform<T>> X;     // parent to body
  std::vector<Transform<T>> X_0;   // world to body
  std::vector<MotionVector<T>> v;  // spatial velocity, body coordinates; if velocities were given
  std::vector<MotionVector<T>> a;  // spatial acceleration, body coordinates, gravity not in it; if accelerations were
  std::vector<MotionVector<T>> S;  // the joints' columns, each in the coordinates of the body it moves
};

namespace detail {

template <class T>
struct Motion {
  Transform<T> X_0 = Transform<T>::identity();
  MotionVector<T> v, a;
};

/// a += v x S qd + c_J, touching only what S reaches.
template <int A, class T>
CARDAN_INLINE void add_velocity_product(MotionVector<T>& a, const MotionVector<T>& v, UnitRotation<A>,
                                        const Vector<T, 1>& qd, Zero) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  a.angular[B] += v.angular[C] * qd[0];
  a.angular[C] -= v.angular[B] * qd[0];
  a.linear[B] += v.linear[C] * qd[0];
  a.linear[C] -= v.linear[B] * qd[0];
}
template <int A, class T>
CARDAN_INLINE void add_velocity_product(MotionVector<T>& a, const MotionVector<T>& v, UnitTranslation<A>,
                                        const Vector<T, 1>& qd, Zero) {
  constexpr int B = (A + 1) % 3, C = (A + 2) % 3;
  a.linear[B] += v.angular[C] * qd[0];
  a.linear[C] -= v.angular[B] * qd[0];
}
template <class T, class S, int N>
CARDAN_INLINE void add_velocity_product(MotionVector<T>& a, const MotionVector<T>& v, const S& s,
                                        const Vector<T, N>& qd, Zero) {
  a += cross(v, s * qd);
}
template <class T, class S, int N>
CARDAN_INLINE void add_velocity_product(MotionVector<T>& a, const MotionVector<T>& v, const S& s,
                                        const Vector<T, N>& qd, const MotionVector<T>& c_J) {
  a += cross(v, s * qd) + c_J;
}

template <bool velocities, bool accelerations, class T>
CARDAN_INLINE void move_bodies(const Model& model, Workspace<T>& w, const In<T>& q, const In<T>& v, const In<T>& a,
                               Kinematics<T>& k) {
  compute_sincos(model, w, q);
  outward(model, w, Motion<T>{}, [&](const auto& at, Motion<T>& m) CARDAN_INLINE_LAMBDA {
    const auto i = at.index();
    Vector<T, std::remove_cvref_t<decltype(at)>::nv> qd;
    if constexpr (velocities) qd = at(v);
    const auto [X_J, S, c_J] = at.evaluate(w, q, qd);
    const auto X = at.transform(X_J);
    k.X[i] = general(X);
    m.X_0 = X * m.X_0;
    k.X_0[i] = m.X_0;
    const auto basis = columns<T>(S);
    for (int c = 0; c < at.nv; ++c) k.S[static_cast<std::size_t>(at.link.v + c)] = T(at.link.sign) * basis.column[c];
    if constexpr (velocities) {
      m.v = X * m.v;
      add_to(m.v, S, qd);
      k.v[i] = m.v;
    }
    if constexpr (accelerations) {
      m.a = X * m.a;
      add_velocity_product(m.a, m.v, S, qd, c_J);
      add_to(m.a, S, at(a));
      k.a[i] = m.a;
    }
  });
}

}  // namespace detail

/// Poses only.
template <class T>
void forward_kinematics(const Model& model, Workspace<T>& w, In<T> q, Kinematics<T>& k) {
  detail::check_size("forward_kinematics", "q", model.nq(), q.size());
  detail::move_bodies<false, false>(model, w, q, q, q, k);
}
/// Poses and velocities.
template <class T>
void forward_kinematics(const Model& model, Workspace<T>& w, In<T> q, In<T> v, Kinematics<T>& k) {
  detail::check_size("forward_kinematics", "q", model.nq(), q.size());
  detail::check_size("forward_kinematics", "v", model.nv(), v.size());
  detail::move_bodies<true, false>(model, w, q, v, v, k);
}
/// Poses, velocities and accelerations.
template <class T>
void forward_kinematics(const Model& model, Workspace<T>& w, In<T> q, In<T> v, In<T> a, Kinematics<T>& k) {
  detail::check_size("forward_kinematics", "q", model.nq(), q.size());
  detail::check_size("forward_kinematics", "v", model.nv(), v.size());
  detail::check_size("forward_kinematics", "a", model.nv(), a.size());
  detail::move_bodies<true, true>(model, w, q, v, a, k);
}

/// The transform from the world to a frame.
template <class T>
Transform<T> frame_transform(const Model& model, const Kinematics<T>& k, int frame) {
  const Frame& f = model.frame(frame);
  return as<T>(f.X) * k.X_0[static_cast<std::size_t>(f.body)];
}
/// Orientation and position of a frame in the world.
template <class T>
Pose<T> frame_pose(const Model& model, const Kinematics<T>& k, int frame) {
  const Transform<T> X = frame_transform(model, k, frame);
  return {transpose(X.E), X.r};
}
/// Spatial velocity of a frame in its own axes, about its own origin.
template <class T>
MotionVector<T> frame_velocity(const Model& model, const Kinematics<T>& k, int frame) {
  const Frame& f = model.frame(frame);
  return as<T>(f.X) * k.v[static_cast<std::size_t>(f.body)];
}
/// Spatial acceleration of a frame in its own axes; gravity is not in it.
template <class T>
MotionVector<T> frame_acceleration(const Model& model, const Kinematics<T>& k, int frame) {
  const Frame& f = model.frame(frame);
  return as<T>(f.X) * k.a[static_cast<std::size_t>(f.body)];
}
/// Angular acceleration and the acceleration that an observer sees at the frame's origin, in the frame's axes.
template <class T>
MotionVector<T> frame_classical_acceleration(const Model& model, const Kinematics<T>& k, int frame) {
  return classical_acceleration(frame_acceleration(model, k, frame), frame_velocity(model, k, frame));
}

// compiled once, in the library
extern template void forward_kinematics<double>(const Model&, Workspace<double>&, In<double>, Kinematics<double>&);
extern template void forward_kinematics<double>(const Model&, Workspace<double>&, In<double>, In<double>,
                                                Kinematics<double>&);
extern template void forward_kinematics<double>(const Model&, Workspace<double>&, In<double>, In<double>, In<double>,
                                                Kinematics<double>&);

}  // namespace cardan
