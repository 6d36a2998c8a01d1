#include "cardan/formulate/discrete_tree.hpp"

#include <cmath>

namespace cardan {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

Vector3d eigen(const Vec3<double>& a) { return {a[0], a[1], a[2]}; }
Matrix3d eigen(const Mat3<double>& m) {
  Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m(i, j);
  return out;
}
Matrix3d skew(const Vector3d& a) {
  Matrix3d out;
  out << 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0;
  return out;
}

bool moves_by_exp(JointKernel kernel) { return kernel < JointKernel::general_0; }

/// exp(xi) - 1 of a twist.
void exp_less_one(const Vector3d& phi, const Vector3d& rho, Matrix3d& E, Vector3d& p) {
  const detail::Stumpff<double> s(phi.squaredNorm());
  const Matrix3d hat = skew(phi), square = hat * hat;
  E = s.c1 * hat + s.c2 * square;
  p = rho + s.c2 * (hat * rho) + s.c3 * (square * rho);
}

}  // namespace

DiscreteTree::DiscreteTree(const Model& model)
    : model_(model),
      bodies_(static_cast<std::size_t>(model.bodies()) + 1),
      driven_(bodies_.size()),
      workspace_(model),
      kinematics_(model),
      start_(model),
      v0_(static_cast<std::size_t>(model.nv())),
      at0_(bodies_.size()),
      at1_(bodies_.size()),
      steps_(bodies_.size()),
      pivots_(bodies_.size()),
      momentum0_(bodies_.size()),
      gravity0_(bodies_.size()),
      scratch_(bodies_.size()),
      motion_(bodies_.size()),
      inertia_(bodies_.size()) {
  for (std::size_t i = 1; i < count(); ++i) {
    const Link& link = model.link(static_cast<int>(i));
    Body& b = bodies_[i];
    b.parent = link.parent;
    b.v = link.v;
    b.nv = link.nv;
    b.moves_by_exp = moves_by_exp(link.kernel);
    b.mass = link.I.m;
    const Vector3d h = eigen(link.I.h);
    if (b.mass != 0.0) b.c = h / b.mass;
    Matrix3d about_origin;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) about_origin(r, c) = link.I.I(r, c);
    const Matrix3d hat = skew(b.c);
    b.Ic = about_origin + b.mass * hat * hat;
    b.I << about_origin, skew(h), -skew(h), b.mass * Matrix3d::Identity();
    pivots_[i].D_inv.resize(b.nv, b.nv);
  }
}

DiscreteTree::Vector6 DiscreteTree::Place::motion(const Vector6& m) const {
  Vector6 out;
  out.head<3>().noalias() = E * m.head<3>();
  out.tail<3>().noalias() = E * (m.tail<3>() - r.cross(m.head<3>()));
  return out;
}

DiscreteTree::Vector6 DiscreteTree::Place::force_to_parent(const Vector6& f) const {
  Vector6 out;
  out.tail<3>().noalias() = E.transpose() * f.tail<3>();
  out.head<3>().noalias() = E.transpose() * f.head<3>();
  out.head<3>() += r.cross(out.tail<3>());
  return out;
}

void DiscreteTree::set_places(const Model& model, const Kinematics<double>& k, std::vector<Place>& out) {
  for (std::size_t i = 1; i < out.size(); ++i) {
    const Link& link = model.link(static_cast<int>(i));
    out[i].E = eigen(k.X[i].E);
    out[i].r = eigen(k.X[i].r);
    for (int c = 0; c < link.nv; ++c) {
      const MotionVector<double>& s = k.S[static_cast<std::size_t>(link.v + c)];
      out[i].S.col(c) << eigen(s.angular), eigen(s.linear);
    }
  }
}

void DiscreteTree::add_gravity(const Kinematics<double>& k, std::vector<Vector6>& wrench, double factor) const {
  for (std::size_t i = 1; i < count(); ++i) {
    const Vector3d weight = factor * bodies_[i].mass * eigen(k.X_0[i].E * model_.gravity());
    wrench[i].head<3>() += bodies_[i].c.cross(weight);
    wrench[i].tail<3>() += weight;
  }
}

void DiscreteTree::start(In<double> q0, In<double> v0) {
  forward_kinematics(model_, workspace_, q0, v0, start_);
  set_places(model_, start_, at0_);
  std::copy_n(v0.data(), v0_.size(), v0_.begin());
  for (std::size_t i = 1; i < count(); ++i) {
    Vector6 motion;
    motion << eigen(start_.v[i].angular), eigen(start_.v[i].linear);
    momentum0_[i].noalias() = bodies_[i].I * motion;
    gravity0_[i].setZero();
  }
  add_gravity(start_, gravity0_, 1.0);
}

bool DiscreteTree::move(In<double> q1, In<double> x, double h) {
  forward_kinematics(model_, workspace_, q1, kinematics_);
  set_places(model_, kinematics_, at1_);
  for (std::size_t i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    const Place &at0 = at0_[i], &at1 = at1_[i];
    const Step& parent = steps_[static_cast<std::size_t>(b.parent)];
    Step& step = steps_[i];
    Matrix3d own;  // the joint's part, and that of the parent in this body's frame
    Vector3d own_p;
    if (b.moves_by_exp) {
      Vector6 xi = Vector6::Zero();
      for (int c = 0; c < b.nv; ++c) xi += x[b.v + c] * at0.S.col(c);
      exp_less_one(xi.head<3>(), xi.tail<3>(), own, own_p);
    } else {
      own = at0.E * at1.E.transpose() - Matrix3d::Identity();
      own_p = at0.E * (at1.r - at0.r);
    }
    const Matrix3d carried = at0.E * parent.E * at0.E.transpose();
    step.E = carried + own + carried * own;
    step.p = at0.E * (parent.E * at0.r + parent.p) + own_p + carried * own_p;
    // the logarithm of 1 + E
    const Vector3d axis =
        0.5 * Vector3d(step.E(2, 1) - step.E(1, 2), step.E(0, 2) - step.E(2, 0), step.E(1, 0) - step.E(0, 1));
    const double sine = axis.norm(), cosine = 1.0 + 0.5 * step.E.trace(), theta = std::atan2(sine, cosine);
    if (!(cosine > -0.99)) return false;
    step.phi = sine > 1e-8 ? Vector3d((theta / sine) * axis) : axis;
    const Vector3d spin = b.Ic * step.phi;
    step.n = (spin + 0.5 * step.phi.cross(spin) +
              detail::Stumpff<double>(step.phi.squaredNorm()).k1() * step.phi.cross(step.phi.cross(spin))) /
             h;
    step.l = (b.mass / h) * (step.E * b.c + step.p);
  }
  return true;
}

void DiscreteTree::project(const std::vector<Place>& at, std::vector<Vector6>& wrench, Out<double> out) const {
  for (std::size_t i = count() - 1; i > 0; --i) {
    const Body& b = bodies_[i];
    for (int c = 0; c < b.nv; ++c) out[b.v + c] = at[i].S.col(c).dot(wrench[i]);
    if (b.parent != 0) wrench[static_cast<std::size_t>(b.parent)] += at[i].force_to_parent(wrench[i]);
  }
}

void DiscreteTree::residual(In<double> x, double h, Out<double> r) const {
  for (std::size_t i = 1; i < count(); ++i) {
    const Step& step = steps_[i];
    scratch_[i] << step.n + bodies_[i].c.cross(step.l), step.l;
    scratch_[i] -= momentum0_[i] + (0.5 * h) * gravity0_[i];
  }
  project(at0_, scratch_, r);
  for (int k = 0; k < r.size(); ++k) r[k] += model_.armature(k) * (x[k] / h - v0_[static_cast<std::size_t>(k)]);
}

void DiscreteTree::end_momentum(In<double> x, double h, Out<double> p) {
  for (std::size_t i = 1; i < count(); ++i) {
    const Step& step = steps_[i];
    const Vector3d l = step.l + step.E.transpose() * step.l, n = step.n + step.E.transpose() * step.n;
    scratch_[i] << n + bodies_[i].c.cross(l), l;
  }
  add_gravity(kinematics_, scratch_, 0.5 * h);
  project(at1_, scratch_, p);
  for (int k = 0; k < p.size(); ++k) p[k] += model_.armature(k) * x[k] / h;
}

void DiscreteTree::momentum(In<double> v, Out<double> out) {
  motion_[0].setZero();
  for (std::size_t i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    motion_[i] = at1_[i].motion(motion_[static_cast<std::size_t>(b.parent)]);
    for (int c = 0; c < b.nv; ++c) motion_[i] += v[b.v + c] * at1_[i].S.col(c);
    scratch_[i].noalias() = b.I * motion_[i];
  }
  project(at1_, scratch_, out);
  for (int k = 0; k < out.size(); ++k) out[k] += model_.armature(k) * v[k];
}

DiscreteTree::Matrix6 DiscreteTree::momentum_tangent(const Body& b, const Step& step, double h) const {
  const Vector3d &phi = step.phi, spin = b.Ic * phi;
  const double square = phi.squaredNorm(), along = phi.dot(spin);
  const detail::Stumpff<double> stumpff(square);
  const double kappa = stumpff.k1(), slope = stumpff.k1_slope();  // of the inverse tangent operator
  const Matrix3d hat = skew(phi);
  const Matrix3d by_phi = b.Ic + 0.5 * (hat * b.Ic - skew(spin)) +
                          kappa * (along * Matrix3d::Identity() + 2.0 * phi * spin.transpose() -
                                   2.0 * spin * phi.transpose() - square * b.Ic) +
                          slope * (phi * along - square * spin) * phi.transpose();
  const Matrix3d K = by_phi * (Matrix3d::Identity() + 0.5 * hat + kappa * hat * hat) / h;
  const Matrix3d M = (b.mass / h) * (Matrix3d::Identity() + step.E), c = skew(b.c);
  Matrix6 out;
  out << K - c * M * c, c * M, -M * c, M;
  return out;
}

void DiscreteTree::factorize(double h, In<double> diagonal) {
  for (std::size_t i = 1; i < count(); ++i) inertia_[i] = momentum_tangent(bodies_[i], steps_[i], h);
  factorize(at0_, at1_, diagonal.data());
}

void DiscreteTree::factorize_inertia() {
  for (std::size_t i = 1; i < count(); ++i) inertia_[i] = bodies_[i].I;
  std::vector<double>& armature = v0_;  // of the step that has ended
  for (std::size_t k = 0; k < armature.size(); ++k) armature[k] = model_.armature(static_cast<int>(k));
  factorize(at1_, at1_, armature.data());
}

void DiscreteTree::factorize(const std::vector<Place>& left, const std::vector<Place>& right, const double* diagonal) {
  left_ = &left;
  right_ = &right;
  for (std::size_t i = count() - 1; i > 0; --i) {
    const Body& b = bodies_[i];
    const Place &at0 = left[i], &at1 = right[i];
    Matrix6& N = inertia_[i];
    if (!driven_[i] && b.nv > 0) {
      Pivot& pivot = pivots_[i];
      for (int c = 0; c < b.nv; ++c) {
        pivot.U.col(c).noalias() = N * at1.S.col(c);
        pivot.V.col(c).noalias() = N.transpose() * at0.S.col(c);
      }
      for (int c = 0; c < b.nv; ++c) {
        for (int d = 0; d < b.nv; ++d) pivot.D_inv(d, c) = at0.S.col(d).dot(pivot.U.col(c));
        pivot.D_inv(c, c) += diagonal[b.v + c];
      }
      if (b.nv == 1)
        pivot.D_inv(0, 0) = 1.0 / pivot.D_inv(0, 0);
      else
        pivot.D_inv = pivot.D_inv.inverse().eval();
      if (b.parent != 0)
        for (int c = 0; c < b.nv; ++c) {
          Vector6 gain = pivot.D_inv(0, c) * pivot.U.col(0);
          for (int d = 1; d < b.nv; ++d) gain += pivot.D_inv(d, c) * pivot.U.col(d);
          N.noalias() -= gain * pivot.V.col(c).transpose();
        }
    }
    if (b.parent == 0) continue;
    // X0' N X1, block by block: rotate, then shift
    const Matrix3d A = at0.E.transpose() * N.topLeftCorner<3, 3>() * at1.E,
                   B = at0.E.transpose() * N.topRightCorner<3, 3>() * at1.E,
                   C = at0.E.transpose() * N.bottomLeftCorner<3, 3>() * at1.E,
                   D = at0.E.transpose() * N.bottomRightCorner<3, 3>() * at1.E;
    const Matrix3d r0 = skew(at0.r), r1 = skew(at1.r), lower = C - D * r1;
    Matrix6& parent = inertia_[static_cast<std::size_t>(b.parent)];
    parent.topLeftCorner<3, 3>() += A - B * r1 + r0 * lower;
    parent.topRightCorner<3, 3>() += B + r0 * D;
    parent.bottomLeftCorner<3, 3>() += lower;
    parent.bottomRightCorner<3, 3>() += D;
  }
}

void DiscreteTree::solve(In<double> r, Out<double> dx) {
  for (std::size_t i = 1; i < count(); ++i) scratch_[i].setZero();
  // inward: what each joint would do if its parent stood still
  for (std::size_t i = count() - 1; i > 0; --i) {
    const Body& b = bodies_[i];
    const Place& at0 = (*left_)[i];
    double u[6];
    for (int c = 0; c < b.nv; ++c) {
      u[c] = driven_[i] ? 0.0 : r[b.v + c] - at0.S.col(c).dot(scratch_[i]);
      dx[b.v + c] = 0.0;
    }
    if (!driven_[i])
      for (int c = 0; c < b.nv; ++c) {
        for (int d = 0; d < b.nv; ++d) dx[b.v + c] += pivots_[i].D_inv(c, d) * u[d];
        scratch_[i] += dx[b.v + c] * pivots_[i].U.col(c);
      }
    if (b.parent != 0) scratch_[static_cast<std::size_t>(b.parent)] += at0.force_to_parent(scratch_[i]);
  }
  // outward: less what the parent's motion does
  motion_[0].setZero();
  for (std::size_t i = 1; i < count(); ++i) {
    const Body& b = bodies_[i];
    const Place& at1 = (*right_)[i];
    motion_[i] = at1.motion(motion_[static_cast<std::size_t>(b.parent)]);
    if (driven_[i]) continue;
    double u[6];
    for (int c = 0; c < b.nv; ++c) u[c] = pivots_[i].V.col(c).dot(motion_[i]);
    for (int c = 0; c < b.nv; ++c) {
      for (int d = 0; d < b.nv; ++d) dx[b.v + c] -= pivots_[i].D_inv(c, d) * u[d];
      motion_[i] += dx[b.v + c] * at1.S.col(c);
    }
  }
}

}  // namespace cardan
