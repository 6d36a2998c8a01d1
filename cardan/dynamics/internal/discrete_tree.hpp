// The discrete mechanics of a tree over one step: what a variational integrator solves (Lee, Liu, Park and Srinivasa,
// "A linear-time variational integrator for multibody systems", with the attitude by the logarithm of SO(3), the center
// of mass along a straight line, and the exact Jacobian).
//
// Between q0 and q1 = q0 moved by x, body i makes the motion f with the rotation F = exp(phi), and its center of mass
// the displacement d, both in its frame at q0. With the discrete Lagrangian
//   L_d = sum of (phi' I_c phi + m d'd) / 2h - h/2 (U(q0) + U(q1))
// it has at q0 the momentum m_L = (n + c x l, l), l = m d / h, n = dexp^-T(phi) I_c phi / h, and at q1 that of the same
// motion seen in its new frame, m_R. The step is the solution of
//   S(q0)' [m_L] = p0 + h/2 f(q0),  and it ends with  p1 = S(q1)' [m_R] + h/2 f(q1),  p = H v,
// where S'[] adds up along the tree. Only poses and motion subspaces are needed: no S_dot, no velocity products.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/dynamics/internal/step_rotation.hpp"
#include "cardan/math/indexed.hpp"
#include "cardan/model/workspace.hpp"

#include <vector>

namespace cardan {

/// A linear map from motions to forces: [A B; C D].
template <class T>
struct MotionToForce {
  Mat3<T> A, B, C, D;

  friend ForceVector<T> operator*(const MotionToForce& N, const MotionVector<T>& m) {
    return {N.A * m.angular + N.B * m.linear, N.C * m.angular + N.D * m.linear};
  }
};
/// N' m.
template <class T>
ForceVector<T> transpose_apply(const MotionToForce<T>& N, const MotionVector<T>& m) {
  return {transpose_apply(N.A, m.angular) + transpose_apply(N.C, m.linear),
          transpose_apply(N.B, m.angular) + transpose_apply(N.D, m.linear)};
}

/// Turn says how rotations over a step are computed: FullTurn or ShortTurn.
template <class T, class Turn>
class DiscreteTree {
 public:
  explicit DiscreteTree(const Model& model);

  /// Joints that move as they are told: no equation, no unknown. By body.
  void set_driven(std::vector<bool> driven) { driven_ = std::move(driven); }

  /// Sets the configuration that the step starts from.
  void start(In<T> q0) { set_places(q0, at0_); }
  /// Evaluates the motions of all bodies that lead to q1 = q0 moved by x in time h. Returns the least cosine of their
  /// rotations, which must not fall below Turn::kLeastCosine.
  [[nodiscard]] T move(In<T> q1, In<T> x, const T& h);

  /// p = H v at the start, and at q1.
  void start_momentum(In<T> v, Out<T> p) { momentum(at0_, v, p); }
  void end_momentum(In<T> v, Out<T> p) { momentum(at1_, v, p); }
  /// p = S(q0)' [m_L - h/2 gravity] + armature x / h: what H v0 and half a kick have to be.
  void left_momentum(In<T> x, const T& h, Out<T> p);
  /// p = S(q1)' [m_R + h/2 gravity] + armature x / h.
  void right_momentum(In<T> x, const T& h, Out<T> p);

  /// Factorizes the derivative of left_momentum (in the tangent space at q1; with `diagonal` instead of the armature)
  /// in linear time: an articulated-body recursion with different factors on its two sides, since S and X are those of
  /// q0 on the left and of q1 on the right.
  void factorize(const T& h, In<T> diagonal);
  /// Factorizes H at q1 instead.
  void factorize_inertia();
  /// Solves for dx, one sweep to the root and one back; zero at driven joints.
  void solve(In<T> r, Out<T> dx);

  /// Calls f(number) with every number of the factor, to store or to replace it; `solve` then needs q0 and q1 only.
  template <class F>
  void for_each_factor_entry(const F& f);

 private:
  /// What never changes.
  struct Body {
    int parent = 0, v = 0, nv = 0;
    bool moves_by_exp = false;  // q1 is q0 times exp(S x), S constant: no rounding of a difference
    T mass{0.0};
    Vec3<T> c;              // center of mass
    Sym3<T> Ic;             // inertia about it
    RigidBodyInertia<T> I;  // about the body's origin
  };
  /// A joint's pose as X, its columns, and gravity in the body's frame.
  struct Place {
    Transform<T> X;
    MotionVector<T> S[6];
    Vec3<T> gravity;
  };
  /// A body's motion over the step, less the identity.
  struct Step {
    Mat3<T> E;
    Vec3<T> p, phi;
    Vec3<T> n, l;  // momenta about the center of mass
  };
  /// What the factorization leaves for each joint.
  struct Pivot {
    ForceVector<T> U[6], V[6];
    T D_inv[6][6];
  };
  using Places = Indexed<Place>;

  void set_places(In<T> q, Places& out);
  void momentum(const Places& at, In<T> v, Out<T> p);
  /// Computes S'[force_], which is used up, and adds the rotors' armature x / h.
  void project(const Places& at, In<T> rotor_velocities, Out<T> p);
  /// d m_L by a small motion of the body at q1.
  MotionToForce<T> momentum_tangent(const Body& body, const Step& step, const T& over_h) const;
  /// The recursion: inertia_ holds N of every body and is used up.
  void factorize(const Places& left, const Places& right, const T* diagonal);
  /// Replaces D by its inverse. It is close to a positive definite matrix, so that elimination needs no pivoting.
  static void invert(T (&D)[6][6], int n);
  /// parent += X0' N X1.
  static void add_to_parent(const Transform<T>& X0, const MotionToForce<T>& N, const Transform<T>& X1,
                            MotionToForce<T>& parent);

  int count() const { return bodies_.count(); }

  Model model_;
  Indexed<Body> bodies_;  // entry 0 is the world, here and below
  std::vector<bool> driven_;
  std::vector<T> armature_, rotor_;
  Workspace<T> workspace_;
  Kinematics<T> kinematics_;
  Places at0_, at1_;
  Indexed<Step> steps_;
  Indexed<Pivot> pivots_;
  Indexed<ForceVector<T>> force_;
  Indexed<MotionVector<T>> motion_;
  Indexed<MotionToForce<T>> inertia_;
  const Places *left_ = nullptr, *right_ = nullptr;  // of the factorization
};

template <class T, class Turn>
template <class F>
void DiscreteTree<T, Turn>::for_each_factor_entry(const F& f) {
  left_ = &at0_;
  right_ = &at1_;
  for (int i = 1; i < count(); ++i) {
    const int n = bodies_[i].nv;
    Pivot& pivot = pivots_[i];
    for (int c = 0; c < n; ++c) {
      for (int k = 0; k < 6; ++k) {
        f(pivot.U[c][k]);
        f(pivot.V[c][k]);
      }
      for (int d = 0; d < n; ++d) f(pivot.D_inv[c][d]);
    }
  }
}

extern template class DiscreteTree<double, FullTurn>;

}  // namespace cardan
