#include "cardan/dynamics/internal/articulated_factor.hpp"

namespace cardan {

ArticulatedFactor::ArticulatedFactor(const Model& model)
    : model_(model),
      joints_(static_cast<std::size_t>(model.bodies()) + 1),
      diagonal_(static_cast<std::size_t>(model.nv())),
      pull_(joints_.size()),
      motion_(joints_.size(), Vector6::Zero()) {
  reset();
}

void ArticulatedFactor::reset() {
  for (int i = 1; i <= model_.bodies(); ++i) {
    for (int c = 0; c < 6; ++c) {
      MotionVector<double> unit;
      unit[c] = 1.0;
      const ForceVector<double> f = model_.link(i).I * unit;
      for (int r = 0; r < 6; ++r) own(i)(r, c) = f[r];
    }
    with_parent(i).setZero();
  }
  for (int v = 0; v < model_.nv(); ++v) diagonal(v) = model_.armature(v);
}

bool ArticulatedFactor::factorize(const Kinematics<double>& bodies) {
  for (int i = model_.bodies(); i >= 1; --i) {
    const Link& link = model_.link(i);
    Joint& j = joints_[static_cast<std::size_t>(i)];
    const Transform<double>& X = bodies.X[static_cast<std::size_t>(i)];
    for (int c = 0; c < 6; ++c) {
      MotionVector<double> unit;
      unit[c] = 1.0;
      const MotionVector<double> m = X * unit;
      for (int r = 0; r < 6; ++r) j.X(r, c) = m[r];
    }
    j.S.resize(6, link.nv);
    for (int k = 0; k < link.nv; ++k)
      for (int r = 0; r < 6; ++r) j.S(r, k) = bodies.S[static_cast<std::size_t>(link.v + k)][r];
    const Matrix6 MX = j.M * j.X + j.C.transpose();
    if (link.nv > 0) {
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> D = j.S.transpose() * j.M * j.S;
      for (int k = 0; k < link.nv; ++k) D(k, k) += diagonal(link.v + k);
      j.D.compute(D);
      if (j.D.info() != Eigen::Success) return false;
      j.U.noalias() = MX.transpose() * j.S;
    }
    if (link.parent == 0) continue;
    Matrix6& parent = own(link.parent);
    parent.noalias() += j.X.transpose() * MX;
    parent.noalias() += j.C * j.X;
    if (link.nv > 0) parent.noalias() -= j.U * j.D.solve(j.U.transpose());
  }
  return true;
}

/// Forces x at the joints lead to motions y: pulls are taken to the root, motions to the tips.
void ArticulatedFactor::solve(const double* x, double* y) const {
  for (Vector6& p : pull_) p.setZero();
  for (int i = model_.bodies(); i >= 1; --i) {
    const Link& link = model_.link(i);
    const Joint& j = joints_[static_cast<std::size_t>(i)];
    const Vector6& pull = pull_[static_cast<std::size_t>(i)];
    Eigen::Map<Eigen::VectorXd> own(y + link.v, link.nv);
    if (link.nv > 0) {
      own = Eigen::Map<const Eigen::VectorXd>(x + link.v, link.nv) + j.S.transpose() * pull;
      j.D.solveInPlace(own);
    }
    if (link.parent == 0) continue;
    Vector6& parent = pull_[static_cast<std::size_t>(link.parent)];
    parent.noalias() += j.X.transpose() * pull;
    if (link.nv > 0) parent.noalias() -= j.U * own;
  }
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link& link = model_.link(i);
    const Joint& j = joints_[static_cast<std::size_t>(i)];
    const Vector6& parent = motion_[static_cast<std::size_t>(link.parent)];
    Vector6& motion = motion_[static_cast<std::size_t>(i)];
    motion.noalias() = j.X * parent;
    if (link.nv == 0) continue;
    Eigen::Map<Eigen::VectorXd> own(y + link.v, link.nv);
    if (link.parent != 0) own -= j.D.solve(j.U.transpose() * parent);
    motion.noalias() += j.S * own;
  }
}

}  // namespace cardan
