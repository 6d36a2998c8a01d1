// Columns of -H^-1 dID in O(n) each, without H and without dID: forward dynamics of a tree whose joint j is displaced,
// by articulated inertias in one stationary frame. Beside I^A an articulated 2B is eliminated, G^A: six rows, and three
// columns, because 2B heeds angular parts alone. Going inward over velocity k with column phi,
//   U = I^A phi,  D = phi' U + rotor,  K = U / D,  y = phi' G^A / D,  I^A -= K U',  G^A -= K D y,
// after which I^a and G^a belong to the joint. Displacing joint j hands its parent the force
//   b = I^a psi2 + G^a psi1 + phi x* f   by q,     I^a chi + G^a phi   by v,     K_j   by tau,
// that passes over the joints i that carry j, u_i = -phi_i' p, p += K_i u_i, and outward over all joints
//   x_k = u_k / D_k - K_k' a - y_k' psi1 (beyond j, and at it),   a += phi_k x_k,   where a begins with psi2 at j.
// (by tau x_j has 1 / D_j besides.) For joints with a constant S, and without external forces. The columns of several j
// are in the lanes of a register, those by q, v and tau beside each other.
#pragma once

#include "cardan/algorithms/displacements.hpp"

namespace cardan {

template <class T>
class ArticulatedColumns {
 public:
  using L = typename Lanes<T>::type;
  static constexpr int width = Lanes<T>::width;
  // numbers in the records of a joint (I^a, G^a, then the bias force) and of a velocity (K, y, 1/D, u/D)
  static constexpr int kJoint = record_size<T>(45), kVelocity = record_size<T>(11);

  explicit ArticulatedColumns(const Model& model)
      : joint_(size((model.bodies() + 1) * kJoint)),
        branches_(size(model.branches() * kJoint)),
        velocity_(size(model.nv() * kVelocity)),
        first_(size(model.nv() + 2 * width), T(-1.0)),
        end_(first_),
        self_(first_),
        u_(size(3 * model.nv())),
        a_(size(18 * (model.bodies() + 1))) {
    for (int j = 0; j < model.nv(); ++j) {
      const int body = model.body_of_dof(j);
      first_[size(j + width)] = T(static_cast<double>(model.link(body).v));
      self_[size(j + width)] = T(static_cast<double>(j));
      end_[size(j + width)] = T(static_cast<double>(model.subtree_dofs_end(body)));
    }
  }

  CARDAN_INLINE T* joint(int body) { return joint_.data() + body * kJoint; }
  CARDAN_INLINE T* branch(int slot) { return branches_.data() + slot * kJoint; }
  CARDAN_INLINE T* velocity(int v) { return velocity_.data() + v * kVelocity; }
  /// Of the lanes' joints: the first velocity, and one past the last that they carry; then the lanes' own numbers. -1
  /// for lanes before the first velocity.
  CARDAN_INLINE L first(int j) const { return Lanes<T>::load(first_.data() + j + width); }
  CARDAN_INLINE L end(int j) const { return Lanes<T>::load(end_.data() + j + width); }
  CARDAN_INLINE L self(int j) const { return Lanes<T>::load(self_.data() + j + width); }
  /// What velocity k and body i keep of three columns.
  CARDAN_INLINE L* u(int k) { return u_.data() + 3 * k; }
  CARDAN_INLINE L* a(int i) { return a_.data() + 18 * i; }

  /// Overwrites all scratch, for tests.
  void fill(const T& value) {
    joint_.assign(joint_.size(), value);
    branches_.assign(branches_.size(), value);
    velocity_.assign(velocity_.size(), value);
    u_.assign(u_.size(), L(value));
    a_.assign(a_.size(), L(value));
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  AlignedVector<T> joint_, branches_, velocity_, first_, end_, self_;
  AlignedVector<L> u_, a_;
};

namespace detail {

/// I^A, G^A and bias force of a body, and how a velocity is eliminated.
template <class T>
struct ArticulatedTerms {
  ArticulatedInertia<T> I;
  Mat3<T> top, bottom;  // of G
  ForceVector<T> p;

  CARDAN_INLINE void add_body(const SubtreeSums<T>& own) {
    I += own.I;
    const Mat3<T> n = skew(own.B.n), f = skew(own.B.f);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        top(i, k) += own.B.C(i, k) - n(i, k);
        bottom(i, k) -= f(i, k) + f(i, k);
      }
    p += own.f;
  }
  /// Writes K, y, 1/D and u/D.
  CARDAN_INLINE void eliminate(const MotionVector<T>& phi, const T& rotor, const T& tau, T* to) {
    const ForceVector<T> U = I * phi;
    const T D_inv = T(1.0) / (dot(phi, U) + rotor), u = tau - dot(phi, p);
    const ForceVector<T> K = D_inv * U;
    const Vec3<T> g = transpose_apply(top, phi.angular) + transpose_apply(bottom, phi.linear);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        if (k <= i) {
          I.I(i, k) -= K.moment[i] * U.moment[k];
          I.M(i, k) -= K.force[i] * U.force[k];
        }
        I.H(i, k) -= K.moment[i] * U.force[k];
        top(i, k) -= K.moment[i] * g[k];
        bottom(i, k) -= K.force[i] * g[k];
      }
    p += u * K;
    for (int c = 0; c < 6; ++c) to[c] = K[c];
    for (int c = 0; c < 3; ++c) to[6 + c] = D_inv * g[c];
    to[9] = D_inv;
    to[10] = D_inv * u;
  }
  CARDAN_INLINE void operator+=(const ArticulatedTerms& o) {
    I += o.I;
    top += o.top;
    bottom += o.bottom;
    p += o.p;
  }
  template <class F>
  CARDAN_INLINE void for_each(const F& number) {
    for (int i = 0; i < 6; ++i) number(I.I.e[i]);
    for (int i = 0; i < 9; ++i) number(I.H(i / 3, i % 3));
    for (int i = 0; i < 6; ++i) number(I.M.e[i]);
    for (int i = 0; i < 9; ++i) number(top(i / 3, i % 3));
    for (int i = 0; i < 9; ++i) number(bottom(i / 3, i % 3));
    for (int i = 0; i < 6; ++i) number(p[i]);
  }
  CARDAN_INLINE void write(T* to) {
    for_each([&](T& x) CARDAN_INLINE_LAMBDA { *to++ = x; });
  }
  static CARDAN_INLINE ArticulatedTerms read(const T* from) {
    ArticulatedTerms out;
    out.for_each([&](T& x) CARDAN_INLINE_LAMBDA { x = *from++; });
    return out;
  }
};

template <class T>
CARDAN_INLINE MotionVector<T> motion_at(const T* from) {
  MotionVector<T> m;
  for (int c = 0; c < 6; ++c) m[c] = from[c];
  return m;
}

/// Tips to base: I^A, G^A and bias forces, all velocities eliminated. A fold as `inward`, whose room is too small for
/// it.
template <class T>
CARDAN_INLINE void articulate_displaced(const Model& model, DerivativeWorkspace<T>& w, ArticulatedColumns<T>& s,
                                        const In<T>& tau) {
  ArticulatedTerms<T> A;
  for (int i = model.bodies(); i >= 1; --i) {
    const Link& link = model.link(i);
    if (link.store >= 0) A += ArticulatedTerms<T>::read(s.branch(link.store));
    A.add_body(SubtreeSums<T>::read(w.sums(i)));
    for (int k = link.v + link.nv - 1; k >= link.v; --k)
      A.eliminate(motion_at(w.displacement(k)), T(model.armature(k)), tau[k], s.velocity(k));
    A.write(s.joint(i));
    if (link.chained) continue;
    if (!link.first_into_branch && link.branch >= 0) A += ArticulatedTerms<T>::read(s.branch(link.branch));
    if (link.branch >= 0) A.write(s.branch(link.branch));
    A = {};
  }
}

/// Base to tips: accelerations of the joints, with which psi2 and the bodies' forces become those of the motion.
template <class T>
CARDAN_INLINE void accelerate_displaced(const Model& model, DerivativeWorkspace<T>& w, ArticulatedColumns<T>& s) {
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    T* const motion = w.motion(i) + 18;  // from here on what the joints' accelerations add
    MotionVector<T> a = link.parent == 0 ? MotionVector<T>{} : motion_at(w.motion(link.parent) + 18);
    const MotionVector<T> a_l = a;
    for (int k = link.v; k < link.v + link.nv; ++k) {
      const T* const K = s.velocity(k);
      T x = K[10];
      for (int c = 0; c < 6; ++c) x -= K[c] * a[c];
      T* const at = w.displacement(k);
      const MotionVector<T> phi = motion_at(at);
      a += x * phi;
      write(motion_at(at + 12) + cross(a_l, phi), at + 12);
    }
    write(a, motion);
    const ForceVector<T> f = SubtreeSums<T>::read(w.sums(i)).I * a;
    for (int c = 0; c < 6; ++c) w.sums(i)[22 + c] += f[c];
  }
}

/// b of all velocities by q, v and tau, and their displacements, several at once.
template <class T>
CARDAN_INLINE void forces_of_displacements(const Model& model, DerivativeWorkspace<T>& w, ArticulatedColumns<T>& s) {
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;
  for (int k = model.nv() - W::width; k > -W::width; k -= W::width) {
    const auto velocity = [k](int lane) CARDAN_INLINE_LAMBDA { return k + lane < 0 ? 0 : k + lane; };
    const auto body = [&](int lane) CARDAN_INLINE_LAMBDA { return model.body_of_dof(velocity(lane)); };
    L at[W::kDisplacement], sums[W::kSums], joint[ArticulatedColumns<T>::kJoint] = {},
                                            K[ArticulatedColumns<T>::kVelocity];
    load_records<24, T>([&](int lane) CARDAN_INLINE_LAMBDA { return w.displacement(velocity(lane)); }, at);
    load_records<28, T>([&](int lane) CARDAN_INLINE_LAMBDA { return w.sums(body(lane)); }, sums);
    load_records<39, T>([&](int lane) CARDAN_INLINE_LAMBDA { return s.joint(body(lane)); }, joint);
    load_records<6, T>([&](int lane) CARDAN_INLINE_LAMBDA { return s.velocity(velocity(lane)); }, K);
    const auto A = ArticulatedTerms<L>::read(joint);
    const MotionVector<L> phi = motion_at(at), psi1 = motion_at(at + 6), psi2 = motion_at(at + 12),
                          chi = motion_at(at + 18);
    const ForceVector<L> f = SubtreeSums<L>::read(sums).f;
    const auto G = [&](const MotionVector<L>& m) CARDAN_INLINE_LAMBDA {
      return ForceVector<L>{A.top * m.angular, A.bottom * m.angular};
    };
    w.columns(model, W::phi).store(k, phi);
    w.columns(model, W::psi1).store(k, psi1);
    w.columns(model, W::psi2).store(k, psi2);
    w.columns(model, W::chi).store(k, chi);
    w.columns(model, W::force_by_q).store(k, A.I * psi2 + G(psi1) + cross(phi, f));
    w.columns(model, W::force_by_v).store(k, A.I * chi + G(phi));
    w.columns(model, W::momentum).store(k, ForceVector<L>{{K[0], K[1], K[2]}, {K[3], K[4], K[5]}});
  }
}

/// Several neighboring columns, from column j on, of the derivatives by q, v and tau.
template <class T>
class ColumnSweep {
 public:
  using W = DerivativeWorkspace<T>;
  using L = typename W::L;

  CARDAN_INLINE ColumnSweep(const Model& model, W& w, ArticulatedColumns<T>& s, int j)
      : model_(model),
        w_(w),
        s_(s),
        j_(j),
        lowest_(first_of(j)),
        highest_(first_of(j + W::width - 1)),
        last_(0),
        first_(s.first(j)),
        end_(s.end(j)),
        self_(s.self(j)) {
    for (int v = j < 0 ? 0 : j; v < j + W::width; ++v) {
      const int end = model.subtree_dofs_end(model.body_of_dof(v));
      last_ = end > last_ ? end : last_;
    }
  }

  /// Tips to base: the forces u that the displaced joints cause at those that carry them.
  CARDAN_INLINE void inward() {
    L p[3][6];
    const auto by_q = w_.columns(model_, W::force_by_q), by_v = w_.columns(model_, W::force_by_v),
               by_tau = w_.columns(model_, W::momentum);
    for (int c = 0; c < 6; ++c) {
      p[0][c] = Lanes<T>::load(by_q.row(c) + j_);
      p[1][c] = Lanes<T>::load(by_v.row(c) + j_);
      p[2][c] = Lanes<T>::load(by_tau.row(c) + j_);
    }
    const L zero(T(0.0));
    for (int i = model_.nv() - 1; i >= 0; --i) {
      const int body = model_.body_of_dof(i), joint_end = model_.link(body).v + model_.link(body).nv,
                subtree_end = model_.subtree_dofs_end(body);
      L* const u = s_.u(i);
      for (int x = 0; x < 3; ++x) u[x] = zero;
      if (i < j_ + W::width && lowest_ < subtree_end) {
        const T *const phi = w_.displacement(i), *const K = s_.velocity(i);
        for (int x = 0; x < 3; ++x) {
          L sum = p[x][0] * L(phi[0]);
          for (int c = 1; c < 6; ++c) sum = sum + p[x][c] * L(phi[c]);
          // by q and v the velocities of one joint are displaced together, by tau one after the other
          sum = x < 2 ? select_less(first_, number(joint_end), zero, -sum) : select_less(number(i), self_, -sum, zero);
          u[x] = select_less(first_, number(subtree_end), sum, zero);
          for (int c = 0; c < 6; ++c) p[x][c] = p[x][c] + u[x] * L(K[c]);
        }
      }
      u[2] = Lanes<T>::with(u[2], i - j_, T(1.0));
    }
  }

  /// Base to tips: accelerations x of all joints; out(k, by_q, by_v, by_tau) gets row k.
  template <class Out>
  CARDAN_INLINE void outward(const Out& out) {
    L a[3][6], by_q[3], by_v[3];
    const auto phis = w_.columns(model_, W::phi), psi1s = w_.columns(model_, W::psi1);
    for (int c = 0; c < 3; ++c) {
      by_q[c] = Lanes<T>::load(psi1s.row(c) + j_);
      by_v[c] = Lanes<T>::load(phis.row(c) + j_);
    }
    for (int i = 1; i <= model_.bodies(); ++i) {
      const Link& link = model_.link(i);
      if (link.parent == 0 || !link.chained) begin_branch(link.parent, a);
      if (link.v >= lowest_ && link.v <= highest_) enter(link.v, a);
      for (int k = link.v; k < link.v + link.nv; ++k) {
        const T *const phi = w_.displacement(k), *const K = s_.velocity(k);
        L x[3];
        for (int n = 0; n < 3; ++n) {
          L front = L(K[9]) * s_.u(k)[n] - a[n][0] * L(K[0]), back = a[n][3] * L(K[3]);
          for (int c = 1; c < 3; ++c) {
            front = front - a[n][c] * L(K[c]);
            back = back + a[n][3 + c] * L(K[3 + c]);
          }
          x[n] = front - back;
        }
        if (k >= lowest_ && k < last_) {
          x[0] = x[0] - beyond(k, K + 6, by_q);
          x[1] = x[1] - beyond(k, K + 6, by_v);
        }
        for (int n = 0; n < 3; ++n)
          for (int c = 0; c < 6; ++c) a[n][c] = a[n][c] + x[n] * L(phi[c]);
        out(k, x[0], x[1], x[2]);
      }
      if (link.store >= 0)
        for (int n = 0; n < 3; ++n)
          for (int c = 0; c < 6; ++c) s_.a(i)[6 * n + c] = a[n][c];
    }
  }

 private:
  int first_of(int v) const { return v < 0 ? -1 : model_.link(model_.body_of_dof(v)).v; }
  static CARDAN_INLINE L number(int i) { return L(static_cast<T>(i)); }

  CARDAN_INLINE void begin_branch(int parent, L (&a)[3][6]) {
    for (int n = 0; n < 3; ++n)
      for (int c = 0; c < 6; ++c) a[n][c] = parent == 0 ? L(T(0.0)) : s_.a(parent)[6 * n + c];
  }
  /// Adds psi2 and chi in the lanes of the joint that begins with velocity v.
  CARDAN_INLINE void enter(int v, L (&a)[3][6]) {
    const auto psi2 = w_.columns(model_, W::psi2), chi = w_.columns(model_, W::chi);
    const L zero(T(0.0)), at = number(v);
    const auto own = [&](const L& x) CARDAN_INLINE_LAMBDA {
      return select_less(first_, at, zero, select_less(at, first_, zero, x));
    };
    for (int c = 0; c < 6; ++c) {
      a[0][c] = a[0][c] + own(Lanes<T>::load(psi2.row(c) + j_));
      a[1][c] = a[1][c] + own(Lanes<T>::load(chi.row(c) + j_));
    }
  }
  /// y' m in the lanes whose joints carry velocity k, or are its own.
  CARDAN_INLINE L beyond(int k, const T* y, const L (&m)[3]) {
    const L zero(T(0.0)), sum = m[0] * L(y[0]) + m[1] * L(y[1]) + m[2] * L(y[2]);
    return select_less(number(k), first_, zero, select_less(number(k), end_, sum, zero));
  }

  const Model& model_;
  W& w_;
  ArticulatedColumns<T>& s_;
  int j_, lowest_, highest_, last_;  // of the joints' first velocities; end of what they carry
  L first_, end_, self_;
};

}  // namespace detail

}  // namespace cardan
