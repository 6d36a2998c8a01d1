#include "cardan/constraints/loop_motion.hpp"

#include "cardan/constraints/internal/loop_frames.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cardan {

namespace {

/// Steps of Newton's method for a loop joint's own coordinates. A closed loop needs two or three.
constexpr int kMostIterations = 60;
constexpr double kConverged = 1e-14;
constexpr double kLongestStep = 1.0;   // rad or m: further than that Newton's method only guesses
constexpr double kRightBranch = 1e-4;  // beyond it the coordinates may belong to another branch
constexpr int kStarts = 12;

Eigen::Matrix<double, 6, 1> vector(const MotionVector<double>& m) {
  Eigen::Matrix<double, 6, 1> out;
  for (int i = 0; i < 6; ++i) out[i] = m[i];
  return out;
}

}  // namespace

LoopMotion::LoopMotion(const LoopJoint& loop, int freedoms, double length)
    : loop_(loop),
      nv_(loop.type.nv()),
      freedoms_(freedoms),
      length_(length),
      q_(static_cast<std::size_t>(loop.type.nq())),
      v_(static_cast<std::size_t>(nv_)) {
  loop_.type.neutral(q_.data());
}

double LoopMotion::improve_coordinates(const Transform<double>& X) {
  double before = INFINITY;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    joint_ = joint_motion(loop_.type, q_.data(), v_.data());
    split_.update(joint_, freedoms_, length_);
    error_ = detail::displacement(X, joint_.X);
    double step[6];
    Eigen::Map<Eigen::VectorXd> change(step, nv_);
    change.noalias() = split_.S_inverse.transpose() * vector(error_);
    double length = change.norm();
    // rounding keeps the last steps from becoming zero
    if (!std::isfinite(length) || length <= kConverged || (length < 1e-10 && length >= before)) break;
    before = length;
    if (length > kLongestStep) change *= kLongestStep / length;
    loop_.type.integrate(q_.data(), step, 1.0, q_.data());
  }
  const double left = vector(error_).norm();
  return std::isfinite(left) ? left : INFINITY;
}

void LoopMotion::find_coordinates(const Transform<double>& X) {
  std::fill(v_.begin(), v_.end(), 0.0);
  double best = improve_coordinates(X);
  const bool searched = std::exchange(given_up_, best > kRightBranch);
  if (best <= kRightBranch || searched) return;
  // open, or Newton's method has found the wrong place: look from elsewhere, once
  std::vector<double> found = q_, direction(6);
  for (int start = 0; start < kStarts; ++start) {
    loop_.type.neutral(q_.data());
    for (std::size_t i = 0; i < direction.size(); ++i)
      direction[i] = 1.5 * std::sin(static_cast<double>((start * 7 + 3) * (static_cast<int>(i) + 1) * start));
    loop_.type.integrate(q_.data(), direction.data(), 1.0, q_.data());
    const double left = improve_coordinates(X);
    if (!(left < best - 1e-9)) continue;
    best = left;
    found = q_;
    if (best > kRightBranch) continue;
    given_up_ = false;
    return;
  }
  q_ = found;
  improve_coordinates(X);
}

void LoopMotion::start_from(const std::vector<double>& coordinates) { q_ = coordinates; }

void LoopMotion::find(const Instant& at) {
  find_coordinates(detail::between_frames(loop_, at));
  detail::project(split_.S_inverse, relative_velocity(at, joint_.X), v_.data());
  const Transform<double> X_J = joint_.X;
  joint_ = joint_motion(loop_.type, q_.data(), v_.data());  // with c_J now
  joint_.X = X_J;
}

LoopMotion::Of<double> LoopMotion::here() const {
  Of<double> out{joint_, error_, {}, {}, {}};
  std::copy(q_.begin(), q_.end(), out.coordinates);
  std::copy(v_.begin(), v_.end(), out.rates);
  for (int i = 0; i < rows(); ++i)
    for (int c = 0; c < 6; ++c) out.across[i][c] = split_.T(c, i);
  return out;
}

LoopMotion::Of<Dual8> LoopMotion::near(const InstantOf<Dual8>& at) const {
  const std::vector<Dual8> q0(q_.begin(), q_.end()), v0(v_.begin(), v_.end());
  Of<Dual8> out;
  const Transform<Dual8> X = detail::between_frames(loop_, at);
  // coordinates, and the joint there
  Dual8 step[6];
  detail::project(split_.S_inverse, detail::displacement(X, as<Dual8>(joint_.X)), step);
  for (Dual8& x : step) x.value = 0.0;  // what Newton's method has left is rounding
  loop_.type.integrate(q0.data(), step, Dual8(1.0), out.coordinates);
  out.joint = joint_motion(loop_.type, out.coordinates, v0.data());
  out.error = detail::displacement(X, out.joint.X);
  // rates, and the velocity products with them
  MotionVector<Dual8> left = relative_velocity(at, out.joint.X);
  for (int i = 0; i < nv_; ++i) left -= v0[static_cast<std::size_t>(i)] * out.joint.S[i];
  detail::project(split_.S_inverse, left, step);
  for (int i = 0; i < nv_; ++i) out.rates[i] = v0[static_cast<std::size_t>(i)] + step[i];
  out.joint.c_J = joint_motion(loop_.type, out.coordinates, out.rates).c_J;
  // T, turned with S
  for (int i = 0; i < rows(); ++i) {
    for (int c = 0; c < 6; ++c) out.across[i][c] = Dual8(split_.T(c, i));
    ForceVector<Dual8> turned = out.across[i];
    for (int k = 0; k < nv_; ++k) {
      const Dual8 along = dot(out.joint.S[k], out.across[i]);
      for (int c = 0; c < 6; ++c) turned[c] -= Dual8(split_.S_inverse(c, k)) * along;
    }
    out.across[i] = turned;
  }
  return out;
}

ForceVector<double> LoopMotion::drive(const double* joint_forces) const {
  ForceVector<double> out;
  for (int i = 0; i < nv_; ++i)
    for (int c = 0; c < 6; ++c) out[c] += split_.S_inverse(c, i) * joint_forces[i];
  return out;
}

std::pair<ForceVector<double>, ForceVector<double>> LoopMotion::on_both_bodies(
    const ForceVector<double>& on_successor) const {
  return {-transpose_apply(joint_.X * loop_.predecessor.X, on_successor),
          transpose_apply(loop_.successor.X, on_successor)};
}

}  // namespace cardan
