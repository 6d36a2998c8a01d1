#include "cardan/constraints/loop_constraint.hpp"

#include "cardan/math/se3.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// Steps of Newton's method for a loop joint's own coordinates. A closed loop needs two or three.
constexpr int kMostIterations = 60;
constexpr double kConverged = 1e-14;

/// How far the frame that X leads to is from the one that X_J leads to, in coordinates of the former.
MotionVector<double> displacement(const Transform<double>& X, const Transform<double>& X_J) {
  const Transform<double> difference = X * inverse(X_J);
  const Twist<double> twist = log_se3(Pose<double>{transpose(difference.E), difference.r});
  return {twist.angular, twist.linear};
}

Eigen::Matrix<double, 6, 1> vector(const MotionVector<double>& m) {
  Eigen::Matrix<double, 6, 1> out;
  for (int i = 0; i < 6; ++i) out[i] = m[i];
  return out;
}

}  // namespace

LoopConstraint::LoopConstraint(const Model&, const LoopJoint& loop)
    : loop_(loop),
      nv_(loop.type.nv()),
      q_(static_cast<std::size_t>(loop.type.nq())),
      v_(static_cast<std::size_t>(nv_)) {
  loop_.type.neutral(q_.data());
}

void LoopConstraint::prepare(MovingBodies& bodies, ConstraintRows& rows) {
  const Model& model = bodies.model();
  const int p = loop_.predecessor.body, s = loop_.successor.body, above = common_ancestor(model, p, s);
  const auto n = static_cast<std::size_t>(this->rows());
  for (const int body : {p, s}) {
    bodies.follow(path_between(model, above, body));
    if (body != 0) rows.on_bodies.push_back({body, std::vector<ForceVector<double>>(n)});
  }
  for (Eigen::VectorXd* v : {&rows.k, &rows.gap, &rows.drift}) v->resize(this->rows());
}

bool LoopConstraint::improve_coordinates(const Transform<double>& X) {
  double before = INFINITY;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    joint_ = joint_motion(loop_.type, q_.data(), v_.data());
    split_directions(joint_, S_inverse_, T_);
    error_ = displacement(X, joint_.X);
    if (nv_ == 0) return true;
    double step[6];
    const Eigen::Matrix<double, 6, 1> e = vector(error_);
    Eigen::Map<Eigen::VectorXd>(step, nv_).noalias() = S_inverse_.transpose() * e;
    const double length = Eigen::Map<Eigen::VectorXd>(step, nv_).norm();
    if (!std::isfinite(length)) return false;
    // rounding keeps the last steps from becoming zero
    if (length <= kConverged || (length < 1e-10 && length >= before)) return true;
    before = length;
    loop_.type.integrate(q_.data(), step, 1.0, q_.data());
  }
  return before < 1e-6;
}

void LoopConstraint::find_coordinates(const Transform<double>& X) {
  std::fill(v_.begin(), v_.end(), 0.0);
  if (improve_coordinates(X)) return;
  loop_.type.neutral(q_.data());  // far from where it was: begin again
  improve_coordinates(X);
}

void LoopConstraint::evaluate(double, const MovingBodies& bodies, const double*, const double*, ConstraintRows& rows) {
  const int p = loop_.predecessor.body, s = loop_.successor.body;
  const Transform<double> X_P = loop_.predecessor.X * bodies.X_0(p), X_S = loop_.successor.X * bodies.X_0(s);
  const Transform<double> X = X_S * inverse(X_P);  // predecessor's frame to successor's
  find_coordinates(X);

  const Transform<double> from_p = X * loop_.predecessor.X;
  const Transform<double>& from_s = loop_.successor.X;
  const MotionVector<double> v_s = from_s * bodies.v(s), v_rel = v_s - from_p * bodies.v(p);
  Eigen::Map<Eigen::VectorXd>(v_.data(), nv_).noalias() = S_inverse_.transpose() * vector(v_rel);
  const Transform<double> X_J = joint_.X;
  joint_ = joint_motion(loop_.type, q_.data(), v_.data());  // with c_J now
  joint_.X = X_J;
  MotionVector<double> v_J;
  for (int i = 0; i < nv_; ++i) v_J += v_[static_cast<std::size_t>(i)] * joint_.S[i];

  // a_s - a_p = c_J + v_s x v_J + S qdd in a joint, and T'S = 0
  const MotionVector<double> k =
      joint_.c_J + cross(v_s, v_J) - (from_s * bodies.a(s) - from_p * bodies.a(p));
  rows.k.noalias() = T_.transpose() * vector(k);
  rows.drift.noalias() = T_.transpose() * vector(v_rel);
  rows.gap.noalias() = T_.transpose() * vector(error_);
  for (int i = 0; i < this->rows(); ++i) {
    ForceVector<double> f;
    for (int c = 0; c < 6; ++c) f[c] = T_(c, i);
    std::size_t term = 0;
    if (p != 0) rows.on_bodies[term++].row[static_cast<std::size_t>(i)] = -transpose_apply(from_p, f);
    if (s != 0) rows.on_bodies[term].row[static_cast<std::size_t>(i)] = transpose_apply(from_s, f);
  }
}

ForceVector<double> LoopConstraint::force(const double* multipliers) const {
  ForceVector<double> out;
  for (int i = 0; i < rows(); ++i)
    for (int c = 0; c < 6; ++c) out[c] += T_(c, i) * multipliers[i];
  return out;
}

ForceVector<double> LoopConstraint::drive(const double* joint_forces) const {
  ForceVector<double> out;
  for (int i = 0; i < nv_; ++i)
    for (int c = 0; c < 6; ++c) out[c] += S_inverse_(c, i) * joint_forces[i];
  return out;
}

}  // namespace cardan
