#include "cardan/contact/internal/free_joints.hpp"

#include "cardan/spatial/articulated_inertia.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan {

namespace {

constexpr int kMostTurnRounds = 20;       // of Newton's method for the rotation of a step
constexpr double kTurnConverged = 1e-15;  // of the rotation
constexpr double kFarTurn = 0.5;          // rad, in one application of the midpoint rule
constexpr int kMostTurns = 1000;          // applications in one step
constexpr double kLeastInertia = 1e-12;   // determinant of the moments, of the cube of their sum

Vec3<double> vec3(const double* x) { return {x[0], x[1], x[2]}; }
void set(double* out, const Vec3<double>& x) {
  for (int k = 0; k < 3; ++k) out[k] = x[k];
}
Quaternion<double> orientation(const double* q) { return {q[0], q[1], q[2], q[3]}; }
Mat3<double> matrix(const double* q) { return quaternion_to_matrix(orientation(q)); }

/// Turns an orientation by x, in its own axes.
Quaternion<double> turned(const Quaternion<double>& q, const Vec3<double>& x) {
  return quaternion_normalize(quaternion_product(q, quaternion_exp(x)));
}

Vec3<double> solve(const Mat3<double>& A, const Vec3<double>& b) {
  const Mat3<double> columns = transpose(A);
  const Vec3<double>&a0 = columns.row[0], &a1 = columns.row[1], &a2 = columns.row[2];
  const Vec3<double> n = cross(a1, a2);
  return (1.0 / dot(a0, n)) * Vec3<double>{dot(b, n), dot(a0, cross(b, a2)), dot(a0, cross(a1, b))};
}

/// Solves x = h/2 (w0 + I^-1 E(x)' L) by Newton's method: the rotation of a step from angular velocity w0 with angular
/// momentum L, in the axes of its beginning.
Vec3<double> midpoint_rotation(const Sym3<double>& I_inverse, const Vec3<double>& w0, const Vec3<double>& L, double h) {
  Vec3<double> x = (0.5 * h) * (w0 + I_inverse * transpose_apply(exp_so3(h * w0), L)), best = x;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostTurnRounds; ++round) {
    const Vec3<double> momentum = transpose_apply(exp_so3(x), L);
    const Vec3<double> error = x - (0.5 * h) * (w0 + I_inverse * momentum);
    const double size = norm(error);
    if (!(size < least)) break;
    least = size;
    best = x;
    if (!(size > kTurnConverged * norm(x))) break;
    const Mat3<double> slope =
        Mat3<double>::identity() - (0.5 * h) * (full(I_inverse) * cross(momentum, tangent_so3(x)));
    x = x - solve(slope, error);
  }
  return best;
}

/// Adds up the inertias of bodies that are fixed to one another.
std::vector<RigidBodyInertia<double>> with_what_is_fixed(const Model& model) {
  StateKinematics kinematics(model);
  const std::vector<double> neutral = model.neutral();
  const Instant at = kinematics.at_rest(0.0, neutral);
  std::vector<RigidBodyInertia<double>> out;
  for (int body = 0; body <= model.bodies(); ++body) out.push_back(model.link(body).I);
  for (int body = model.bodies(); body >= 1; --body)
    if (model.link(body).nv == 0)
      out[static_cast<std::size_t>(model.link(body).parent)] +=
          transpose_apply(at.bodies.X[static_cast<std::size_t>(body)], out[static_cast<std::size_t>(body)]);
  return out;
}

Mat3<double> about_center(const RigidBodyInertia<double>& inertia) {
  const Mat3<double> c = skew((1.0 / inertia.m) * inertia.h);
  return full(inertia.I) + inertia.m * (c * c);
}

/// Tells whether an inertia resists rotation about every axis.
bool turns(const RigidBodyInertia<double>& inertia) {
  if (!(inertia.m > 0.0)) return false;
  const Mat3<double> I = about_center(inertia);
  const double size = I(0, 0) + I(1, 1) + I(2, 2);
  return dot(I.row[0], cross(I.row[1], I.row[2])) > kLeastInertia * size * size * size;
}

}  // namespace

FreeJoint::FreeJoint(int body, int q, int v, const RigidBodyInertia<double>& inertia)
    : body_(body), q_(q), v_(v), is_single_(true), c_((1.0 / inertia.m) * inertia.h) {
  I_ = lower_triangle(about_center(inertia));
  I_inverse_ = inverse(I_);
}

CarriedVelocity FreeJoint::carried(const double* q, const double* v) const {
  const Mat3<double> R = matrix(q + q_);
  const Vec3<double> w = vec3(v + v_);
  return {R * w, R * (vec3(v + v_ + 3) + cross(w, c_))};
}

void FreeJoint::express(const CarriedVelocity& carried, const double* q, double* v) const {
  const Mat3<double> R = matrix(q + q_);
  const Vec3<double> w = transpose_apply(R, carried.angular);
  set(v + v_, w);
  set(v + v_ + 3, transpose_apply(R, carried.linear) - cross(w, c_));
}

void FreeJoint::predict(const double* q0, const double* v0, const double* a, double h, double* q, double* v) const {
  const CarriedVelocity start = carried(q0, v0);
  const Vec3<double> w0 = vec3(v0 + v_), alpha = vec3(a + v_), a_c = vec3(a + v_ + 3);
  const Mat3<double> R0 = matrix(q0 + q_);
  const Quaternion<double> end = turned(orientation(q0 + q_), h * (w0 + (0.5 * h) * alpha));
  const Mat3<double> R = quaternion_to_matrix(end);
  for (int k = 0; k < 4; ++k) q[q_ + k] = end[k];
  set(q + q_ + 4, vec3(q0 + q_ + 4) + (R0 * c_ - R * c_) + h * (start.linear + (0.5 * h) * a_c));
  const Vec3<double> w = w0 + h * alpha;
  set(v + v_, w);
  set(v + v_ + 3, transpose_apply(R, start.linear + h * a_c) - cross(w, c_));
}

Flight FreeJoint::fly(const double* q0, const double* v0, const double* q_mid, const double* dv, double h) const {
  const CarriedVelocity start = carried(q0, v0);
  const Mat3<double> R_mid = matrix(q_mid + q_);
  const Vec3<double> w0 = vec3(v0 + v_), dw = vec3(dv + v_);
  Flight out;
  if (is_single_) {
    out = fly_alone(q0, w0, R_mid * (I_ * dw), h);
  } else {
    const Vec3<double> w1 = w0 + dw;
    out.orientation = turned(orientation(q_mid + q_), (0.5 * h) * w1);
    out.v.angular = quaternion_to_matrix(out.orientation) * w1;
  }
  out.v.linear = start.linear + R_mid * (vec3(dv + v_ + 3) + cross(dw, c_));
  return out;
}

/// Turns with an impulse of torque that is spread over h.
Flight FreeJoint::fly_alone(const double* q0, const Vec3<double>& w0, const Vec3<double>& torque, double h) const {
  Flight out;
  out.orientation = orientation(q0 + q_);
  const double turns = std::ceil(h * norm(w0) / kFarTurn);
  const int parts = turns < kMostTurns ? std::max(1, static_cast<int>(turns)) : kMostTurns;
  Vec3<double> w = w0;
  for (int part = 0; part < parts; ++part) {
    const Mat3<double> R = quaternion_to_matrix(out.orientation);
    const Vec3<double> L = I_ * w + (1.0 / parts) * transpose_apply(R, torque);
    const Vec3<double> x = midpoint_rotation(I_inverse_, w, L, h / parts);
    w = I_inverse_ * transpose_apply(exp_so3(x), L);
    out.orientation = turned(out.orientation, x);
  }
  out.v.angular = quaternion_to_matrix(out.orientation) * w;
  return out;
}

void FreeJoint::move(const double* q0, const double* v0, const Flight& flight, const CarriedVelocity& end,
                     bool by_end_alone, double h, double* q1, double* v1, double* a) const {
  const CarriedVelocity start = carried(q0, v0);
  const Mat3<double> R0 = matrix(q0 + q_), R_flight = quaternion_to_matrix(flight.orientation);
  const Quaternion<double> at =
      by_end_alone ? turned(orientation(q0 + q_), h * transpose_apply(R0, end.angular))
                   : turned(flight.orientation, (0.5 * h) * transpose_apply(R_flight, end.angular - flight.v.angular));
  const Mat3<double> R = quaternion_to_matrix(at);
  const Vec3<double> mean = by_end_alone ? end.linear : 0.5 * (start.linear + end.linear);
  Vec3<double> p = vec3(q0 + q_ + 4) + (R0 * c_ - R * c_) + h * mean;
  if (!by_end_alone) p += flight.shift;
  const Vec3<double> alpha = (1.0 / h) * (transpose_apply(R, end.angular) - vec3(v0 + v_));
  for (int k = 0; k < 4; ++k) q1[q_ + k] = at[k];
  set(q1 + q_ + 4, p);
  set(a + v_, alpha);
  set(a + v_ + 3, (1.0 / h) * (end.linear - start.linear));
  express(end, q1, v1);
}

void FreeJoint::interpolate(const State& from, const State& to, double s, double h, State& out) const {
  const auto center = [&](const State& at) { return vec3(at.q.data() + q_ + 4) + matrix(at.q.data() + q_) * c_; };
  const CarriedVelocity start = carried(from.q.data(), from.v.data()), end = carried(to.q.data(), to.v.data());
  const Vec3<double> bend = (0.5 * h * s * (1.0 - s)) * (start.linear - end.linear);
  const Vec3<double> at = (1.0 - s) * center(from) + s * center(to) + bend;
  const Mat3<double> R = matrix(out.q.data() + q_);
  set(out.q.data() + q_ + 4, at - R * c_);
  const Vec3<double> w = vec3(out.v.data() + v_), linear = (1.0 - s) * start.linear + s * end.linear;
  set(out.v.data() + v_ + 3, transpose_apply(R, linear) - cross(w, c_));
}

void FreeJoint::express_acceleration(const double* q, const double* a, double* out) const {
  const Vec3<double> alpha = vec3(a + v_), a_c = vec3(a + v_ + 3);
  set(out + v_, alpha);
  set(out + v_ + 3, transpose_apply(matrix(q + q_), a_c) - cross(alpha, c_));
}

std::vector<FreeJoint> free_joints(const Model& model) {
  std::vector<FreeJoint> out;
  std::vector<RigidBodyInertia<double>> composite;
  for (int body = 1; body <= model.bodies(); ++body) {
    const Joint& joint = model.joint(body);
    if (joint.reversed || !std::holds_alternative<Free>(joint.type)) continue;
    const Link& link = model.link(body);
    if (composite.empty()) composite = with_what_is_fixed(model);
    const RigidBodyInertia<double>& inertia = composite[static_cast<std::size_t>(body)];
    if (link.parent == 0 && !link.has_armature && model.subtree_dofs_end(body) == link.v + link.nv && turns(inertia))
      out.emplace_back(body, link.q, link.v, inertia);
    else
      out.emplace_back(body, link.q, link.v);
  }
  return out;
}

}  // namespace cardan
