// The passes of DiscreteTree over the bodies (discrete_tree.hpp), for the sources that compile them.
#pragma once

#include "cardan/dynamics/internal/discrete_tree.hpp"

namespace cardan {

template <class T, class Turn>
DiscreteTree<T, Turn>::DiscreteTree(const Model& model)
    : model_(model),
      bodies_(static_cast<std::size_t>(model.bodies()) + 1),
      driven_(bodies_.size()),
      rotor_(static_cast<std::size_t>(model.nv())),
      workspace_(model),
      kinematics_(model),
      at0_(bodies_.size()),
      at1_(bodies_.size()),
      steps_(bodies_.size()),
      pivots_(bodies_.size()),
      force_(bodies_.size()),
      motion_(bodies_.size()),
      inertia_(bodies_.size()) {
  for (int k = 0; k < model.nv(); ++k) armature_.push_back(T(model.armature(k)));
  for (int i = 1; i < count(); ++i) {
    const Link& link = model.link(i);
    Body& b = bodies_[i];
    b.parent = link.parent;
    b.v = link.v;
    b.nv = link.nv;
    b.moves_by_exp = link.kernel < JointKernel::general_0;
    b.mass = T(link.I.m);
    const Vec3<double> c = link.I.m != 0.0 ? (1.0 / link.I.m) * link.I.h : Vec3<double>{};
    b.c = Vec3<T>(c);
    b.Ic = Sym3<T>(link.I.I + detail::cross_products(link.I.h, c));
    b.I = RigidBodyInertia<T>(link.I);
  }
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::set_places(In<T> q, Places& out) {
  forward_kinematics(model_, workspace_, q, kinematics_);
  out[0].gravity = Vec3<T>(model_.gravity());
  for (int i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    out[i].X = kinematics_.X[static_cast<std::size_t>(i)];
    for (int c = 0; c < b.nv; ++c) out[i].S[c] = kinematics_.S[static_cast<std::size_t>(b.v + c)];
    out[i].gravity = out[i].X.E * out[b.parent].gravity;
  }
}

template <class T, class Turn>
T DiscreteTree<T, Turn>::move(In<T> q1, In<T> x, const T& h) {
  set_places(q1, at1_);
  const T over_h = T(1.0) / h, one(1.0), half(0.5);
  T least(1.0);
  for (int i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    const Transform<T>&X0 = at0_[i].X, &X1 = at1_[i].X;
    const Step& parent = steps_[b.parent];
    Step& step = steps_[i];
    // the joint's part
    Mat3<T> own;
    Vec3<T> own_p;
    if (b.moves_by_exp) {
      MotionVector<T> xi;
      for (int c = 0; c < b.nv; ++c) xi += x[b.v + c] * at0_[i].S[c];
      const auto [c1, c2, c3] = Turn::exp_coefficients(dot(xi.angular, xi.angular));
      own = detail::add_skew(c2 * detail::skew_square(xi.angular), c1 * xi.angular);
      own_p = xi.linear + c2 * cross(xi.angular, xi.linear) + c3 * cross(xi.angular, cross(xi.angular, xi.linear));
    } else {
      own = X0.E * transpose(X1.E) - Mat3<T>::identity();
      own_p = X0.E * (X1.r - X0.r);
    }
    // that of the parent in this body's frame
    const Mat3<T> carried = rotate(X0.E, parent.E);
    step.E = carried + own + carried * own;
    step.p = X0.E * (parent.E * X0.r + parent.p) + own_p + carried * own_p;
    const Mat3<T>& E = step.E;
    const T trace = E(0, 0) + E(1, 1) + E(2, 2), cosine = one + half * trace;
    least = select_less(cosine, least, cosine, least);
    step.phi = Turn::log(half * Vec3<T>{E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1)}, trace);
    const Vec3<T> spin = b.Ic * step.phi, turned = cross(step.phi, spin);
    const T kappa = Turn::kappa(dot(step.phi, step.phi)).kappa;
    step.n = over_h * (spin + half * turned + kappa * cross(step.phi, turned));
    step.l = (over_h * b.mass) * (step.E * b.c + step.p);
  }
  return least;
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::project(const Places& at, In<T> rotor_velocities, Out<T> p) {
  for (int i = count() - 1; i > 0; --i) {
    const Body& b = bodies_[i];
    for (int c = 0; c < b.nv; ++c) {
      const int k = b.v + c;
      p[k] = dot(at[i].S[c], force_[i]) + armature_[static_cast<std::size_t>(k)] * rotor_velocities[k];
    }
    if (b.parent != 0) force_[b.parent] += transpose_apply(at[i].X, force_[i]);
  }
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::left_momentum(In<T> x, const T& h, Out<T> p) {
  const T half_h = T(0.5) * h, over_h = T(1.0) / h;
  for (int k = 0; k < x.size(); ++k) rotor_[static_cast<std::size_t>(k)] = over_h * x[k];
  for (int i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    const Vec3<T> l = steps_[i].l - (half_h * b.mass) * at0_[i].gravity;
    force_[i] = {plus_cross(steps_[i].n, b.c, l), l};
  }
  project(at0_, rotor_, p);
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::right_momentum(In<T> x, const T& h, Out<T> p) {
  const T half_h = T(0.5) * h, over_h = T(1.0) / h;
  for (int k = 0; k < x.size(); ++k) rotor_[static_cast<std::size_t>(k)] = over_h * x[k];
  for (int i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    const Step& step = steps_[i];
    const Vec3<T> l = step.l + transpose_apply(step.E, step.l) + (half_h * b.mass) * at1_[i].gravity;
    force_[i] = {plus_cross(step.n + transpose_apply(step.E, step.n), b.c, l), l};
  }
  project(at1_, rotor_, p);
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::momentum(const Places& at, In<T> v, Out<T> p) {
  motion_[0] = {};
  for (int i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    motion_[i] = at[i].X * motion_[b.parent];
    for (int c = 0; c < b.nv; ++c) motion_[i] += v[b.v + c] * at[i].S[c];
    force_[i] = b.I * motion_[i];
  }
  project(at, v, p);
}

template <class T, class Turn>
MotionToForce<T> DiscreteTree<T, Turn>::momentum_tangent(const Body& b, const Step& step, const T& over_h) const {
  const Vec3<T>& phi = step.phi;
  const Vec3<T> spin = b.Ic * phi;
  const T square = dot(phi, phi), along = dot(phi, spin), half(0.5), two(2.0);
  const auto [kappa, slope] = Turn::kappa(square);
  const Mat3<T> Ic = full(b.Ic);
  // d(h n)/dphi of n = (1 + [phi]x / 2 + kappa [phi]x^2) I_c phi / h, then dphi by the motion at q1
  Mat3<T> by_phi = Ic + half * (cross(phi, Ic) - skew(spin)) - (kappa * square) * Ic;
  for (int i = 0; i < 3; ++i) {
    by_phi(i, i) += kappa * along;
    const T radial = slope * (phi[i] * along - square * spin[i]) - two * kappa * spin[i];
    for (int j = 0; j < 3; ++j) by_phi(i, j) += two * kappa * phi[i] * spin[j] + radial * phi[j];
  }
  const Mat3<T> K = over_h * (by_phi * detail::rodrigues(half, kappa, phi));
  const T m = over_h * b.mass;
  const Mat3<T> M = m * (Mat3<T>::identity() + step.E), cM = cross(b.c, M), M_c = M * skew(b.c);
  return {K - cross(b.c, M_c), cM, T(-1.0) * M_c, M};
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::factorize(const T& h, In<T> diagonal) {
  const T over_h = T(1.0) / h;
  for (int i = 1; i < count(); ++i) inertia_[i] = momentum_tangent(bodies_[i], steps_[i], over_h);
  factorize(at0_, at1_, diagonal.data());
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::factorize_inertia() {
  for (int i = 1; i < count(); ++i) {
    const RigidBodyInertia<T>& I = bodies_[i].I;
    const Mat3<T> h = skew(I.h);
    inertia_[i] = {full(I.I), h, T(-1.0) * h, I.m * Mat3<T>::identity()};
  }
  factorize(at1_, at1_, armature_.data());
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::invert(T (&D)[6][6], int n) {
  if (n == 3) {  // by cofactors: one division
    T minor[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        minor[j][i] = D[(i + 1) % 3][(j + 1) % 3] * D[(i + 2) % 3][(j + 2) % 3] -
                      D[(i + 1) % 3][(j + 2) % 3] * D[(i + 2) % 3][(j + 1) % 3];
    const T over = T(1.0) / (D[0][0] * minor[0][0] + D[0][1] * minor[1][0] + D[0][2] * minor[2][0]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) D[i][j] = over * minor[i][j];
    return;
  }
  for (int k = 0; k < n; ++k) {  // in place, by Gauss and Jordan
    const T pivot = T(1.0) / D[k][k];
    D[k][k] = T(1.0);
    for (int j = 0; j < n; ++j) D[k][j] = pivot * D[k][j];
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const T factor = D[i][k];
      D[i][k] = T(0.0);
      for (int j = 0; j < n; ++j) D[i][j] -= factor * D[k][j];
    }
  }
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::add_to_parent(const Transform<T>& X0, const MotionToForce<T>& N, const Transform<T>& X1,
                                          MotionToForce<T>& parent) {
  // rotate, then shift
  const auto turned = [&](const Mat3<T>& block) { return transpose(X0.E) * (block * X1.E); };
  const Mat3<T> B = turned(N.B), D = turned(N.D), r1 = skew(X1.r), lower = turned(N.C) - D * r1;
  parent.A += turned(N.A) - B * r1 + cross(X0.r, lower);
  parent.B += B + cross(X0.r, D);
  parent.C += lower;
  parent.D += D;
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::factorize(const Places& left, const Places& right, const T* diagonal) {
  left_ = &left;
  right_ = &right;
  for (int i = count() - 1; i > 0; --i) {
    const Body& b = bodies_[i];
    const Place &at0 = left[i], &at1 = right[i];
    MotionToForce<T>& N = inertia_[i];
    if (!driven_[static_cast<std::size_t>(i)]) {
      Pivot& pivot = pivots_[i];
      for (int c = 0; c < b.nv; ++c) {
        pivot.U[c] = N * at1.S[c];
        pivot.V[c] = transpose_apply(N, at0.S[c]);
      }
      for (int c = 0; c < b.nv; ++c) {
        for (int d = 0; d < b.nv; ++d) pivot.D_inv[d][c] = dot(at0.S[d], pivot.U[c]);
        pivot.D_inv[c][c] += diagonal[b.v + c];
      }
      invert(pivot.D_inv, b.nv);
      if (b.parent != 0)
        for (int c = 0; c < b.nv; ++c) {
          ForceVector<T> gain = pivot.D_inv[0][c] * pivot.U[0];
          for (int d = 1; d < b.nv; ++d) gain += pivot.D_inv[d][c] * pivot.U[d];
          const ForceVector<T>& V = pivot.V[c];
          for (int r = 0; r < 3; ++r) {
            N.A.row[r] -= gain.moment[r] * V.moment;
            N.B.row[r] -= gain.moment[r] * V.force;
            N.C.row[r] -= gain.force[r] * V.moment;
            N.D.row[r] -= gain.force[r] * V.force;
          }
        }
    }
    if (b.parent != 0) add_to_parent(at0.X, N, at1.X, inertia_[b.parent]);
  }
}

template <class T, class Turn>
void DiscreteTree<T, Turn>::solve(In<T> r, Out<T> dx) {
  for (auto& f : force_) f = {};
  // inward: what each joint would do if its parent stood still
  for (int i = count() - 1; i > 0; --i) {
    const Body& b = bodies_[i];
    const Place& at0 = (*left_)[i];
    for (int c = 0; c < b.nv; ++c) dx[b.v + c] = T(0.0);
    if (!driven_[static_cast<std::size_t>(i)]) {
      for (int d = 0; d < b.nv; ++d) {
        const T u = r[b.v + d] - dot(at0.S[d], force_[i]);
        for (int c = 0; c < b.nv; ++c) dx[b.v + c] += pivots_[i].D_inv[c][d] * u;
      }
      if (b.parent != 0)
        for (int c = 0; c < b.nv; ++c) force_[i] += dx[b.v + c] * pivots_[i].U[c];
    }
    if (b.parent != 0) force_[b.parent] += transpose_apply(at0.X, force_[i]);
  }
  // outward: less what the parent's motion does
  motion_[0] = {};
  for (int i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    const Place& at1 = (*right_)[i];
    motion_[i] = {};
    if (b.parent != 0) motion_[i] = at1.X * motion_[b.parent];
    if (driven_[static_cast<std::size_t>(i)]) continue;
    if (b.parent != 0)
      for (int d = 0; d < b.nv; ++d) {
        const T u = dot(pivots_[i].V[d], motion_[i]);
        for (int c = 0; c < b.nv; ++c) dx[b.v + c] -= pivots_[i].D_inv[c][d] * u;
      }
    for (int c = 0; c < b.nv; ++c) motion_[i] += dx[b.v + c] * at1.S[c];
  }
}

}  // namespace cardan
