#include "cardan/constraints/loop_constraint.hpp"

#include "cardan/spatial/se3.hpp"

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

/// How far the frame that X leads to is from the one that X_J leads to, in coordinates of the former.
template <class T>
MotionVector<T> displacement(const Transform<T>& X, const Transform<T>& X_J) {
  const Transform<T> difference = X * inverse(X_J);
  return log_se3(Pose<T>{transpose(difference.E), difference.r});
}

/// Multiplies S_inverse' with a motion.
template <class T>
void project(const MotionBasis& S_inverse, const MotionVector<T>& m, T* out) {
  for (Eigen::Index i = 0; i < S_inverse.cols(); ++i) {
    out[i] = T(0.0);
    for (int c = 0; c < 6; ++c) out[i] += T(S_inverse(c, i)) * m[c];
  }
}

Eigen::Matrix<double, 6, 1> vector(const MotionVector<double>& m) {
  Eigen::Matrix<double, 6, 1> out;
  for (int i = 0; i < 6; ++i) out[i] = m[i];
  return out;
}

}  // namespace

LoopState::LoopState(const LoopJoint& loop, int freedoms, double length)
    : loop_(loop),
      nv_(loop.type.nv()),
      freedoms_(freedoms),
      length_(length),
      q_(static_cast<std::size_t>(loop.type.nq())),
      v_(static_cast<std::size_t>(nv_)) {
  loop_.type.neutral(q_.data());
}

double LoopState::improve_coordinates(const Transform<double>& X) {
  double before = INFINITY;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    joint_ = joint_motion(loop_.type, q_.data(), v_.data());
    split_.update(joint_, freedoms_, length_);
    error_ = displacement(X, joint_.X);
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

void LoopState::find_coordinates(const Transform<double>& X) {
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

template <class T>
Transform<T> LoopState::between(const InstantOf<T>& at) const {
  const Transform<T> X_P = as<T>(loop_.predecessor.X) * at.X_0(loop_.predecessor.body);
  return as<T>(loop_.successor.X) * at.X_0(loop_.successor.body) * inverse(X_P);
}

template <class T>
MotionVector<T> LoopState::relative_velocity(const InstantOf<T>& at, const Transform<T>& X_J) const {
  return as<T>(loop_.successor.X) * at.velocity(loop_.successor.body) -
         X_J * as<T>(loop_.predecessor.X) * at.velocity(loop_.predecessor.body);
}

void LoopState::evaluate(const Instant& at, ConstraintRows& rows) {
  find_coordinates(between(at));
  Motion<double> motion;
  project(split_.S_inverse, relative_velocity(at, joint_.X), v_.data());
  const Transform<double> X_J = joint_.X;
  joint_ = joint_motion(loop_.type, q_.data(), v_.data());  // with c_J now
  joint_.X = X_J;
  motion.joint = joint_;
  motion.error = error_;
  std::copy_n(v_.begin(), nv_, motion.rates);
  for (int i = 0; i < this->rows(); ++i)
    for (int c = 0; c < 6; ++c) motion.across[i][c] = split_.T(c, i);
  set_rows(at, motion, rows);
}

void LoopState::differentiate(const InstantOf<Dual8>& at, ConstraintRowsOf<Dual8>& rows) const {
  const std::vector<Dual8> q0(q_.begin(), q_.end()), v0(v_.begin(), v_.end());
  Motion<Dual8> motion;
  const Transform<Dual8> X = between(at);
  // coordinates, and the joint there
  std::vector<Dual8> step(6), q(q0.size());
  project(split_.S_inverse, displacement(X, as<Dual8>(joint_.X)), step.data());
  for (Dual8& x : step) x.value = 0.0;  // what Newton's method has left is rounding
  loop_.type.integrate(q0.data(), step.data(), Dual8(1.0), q.data());
  motion.joint = joint_motion(loop_.type, q.data(), v0.data());
  motion.error = displacement(X, motion.joint.X);
  // rates, and the velocity products with them
  MotionVector<Dual8> left = relative_velocity(at, motion.joint.X);
  for (int i = 0; i < nv_; ++i) left -= v0[static_cast<std::size_t>(i)] * motion.joint.S[i];
  project(split_.S_inverse, left, step.data());
  for (int i = 0; i < nv_; ++i) motion.rates[i] = v0[static_cast<std::size_t>(i)] + step[static_cast<std::size_t>(i)];
  motion.joint.c_J = joint_motion(loop_.type, q.data(), motion.rates).c_J;
  // T, turned with S
  for (int i = 0; i < this->rows(); ++i) {
    for (int c = 0; c < 6; ++c) motion.across[i][c] = Dual8(split_.T(c, i));
    ForceVector<Dual8> turned = motion.across[i];
    for (int k = 0; k < nv_; ++k) {
      const Dual8 along = dot(motion.joint.S[k], motion.across[i]);
      for (int c = 0; c < 6; ++c) turned[c] -= Dual8(split_.S_inverse(c, k)) * along;
    }
    motion.across[i] = turned;
  }
  set_rows(at, motion, rows);
}

template <class T>
void LoopState::set_rows(const InstantOf<T>& at, const Motion<T>& motion, ConstraintRowsOf<T>& rows) const {
  const int p = loop_.predecessor.body, s = loop_.successor.body;
  const Transform<T> from_s = as<T>(loop_.successor.X), from_p = motion.joint.X * as<T>(loop_.predecessor.X);
  const MotionVector<T> v_s = from_s * at.velocity(s), v_rel = relative_velocity(at, motion.joint.X);
  MotionVector<T> v_J;
  for (int i = 0; i < nv_; ++i) v_J += motion.rates[i] * motion.joint.S[i];
  // a_s - a_p = c_J + v_s x v_J + S qdd in a joint, and T'S = 0
  const MotionVector<T> k =
      motion.joint.c_J + cross(v_s, v_J) - (from_s * at.bias_acceleration(s) - from_p * at.bias_acceleration(p));
  for (int i = 0; i < this->rows(); ++i) {
    const ForceVector<T>& f = motion.across[i];
    rows.k[i] = dot(k, f);
    rows.drift[i] = dot(v_rel, f);
    rows.gap[i] = dot(motion.error, f);
    std::size_t term = 0;
    if (p != 0) rows.on_bodies[term++].row[static_cast<std::size_t>(i)] = -transpose_apply(from_p, f);
    if (s != 0) rows.on_bodies[term].row[static_cast<std::size_t>(i)] = transpose_apply(from_s, f);
  }
}

ForceVector<double> LoopState::force(const double* multipliers) const {
  ForceVector<double> out;
  for (int i = 0; i < rows(); ++i)
    for (int c = 0; c < 6; ++c) out[c] += split_.T(c, i) * multipliers[i];
  return out;
}

ForceVector<double> LoopState::drive(const double* joint_forces) const {
  ForceVector<double> out;
  for (int i = 0; i < nv_; ++i)
    for (int c = 0; c < 6; ++c) out[c] += split_.S_inverse(c, i) * joint_forces[i];
  return out;
}

std::pair<ForceVector<double>, ForceVector<double>> LoopState::on_both_bodies(
    const ForceVector<double>& on_successor) const {
  return {-transpose_apply(joint_.X * loop_.predecessor.X, on_successor),
          transpose_apply(loop_.successor.X, on_successor)};
}

LoopConstraint::LoopConstraint(const LoopJoint& loop, double length)
    : loop_(loop), freedoms_(subspace_dimension(loop.type)), length_(length) {}

Touches LoopConstraint::touches() const {
  Touches out{.relative = true};
  for (const int body : {loop_.predecessor.body, loop_.successor.body})
    if (body != 0) out.bodies.push_back(body);
  return out;
}

std::unique_ptr<ConstraintMemory> LoopConstraint::make_memory() const {
  return std::make_unique<LoopState>(loop_, freedoms_, length_);
}

void LoopConstraint::evaluate(const Instant& at, ConstraintMemory* memory, ConstraintRows& rows) const {
  static_cast<LoopState*>(memory)->evaluate(at, rows);
}

void LoopConstraint::differentiate(const InstantOf<Dual8>& at, const ConstraintMemory* memory,
                                   ConstraintRowsOf<Dual8>& rows) const {
  static_cast<const LoopState*>(memory)->differentiate(at, rows);
}

}  // namespace cardan
