#include "cardan/constraints/internal/loop_frames.hpp"
#include "cardan/constraints/loop_motion.hpp"

namespace cardan {

namespace {

/// The part of a rotation that turns about an axis; E takes coordinates to the turned frame.
Mat3<Expr> turn_about(const Vec3<double>& axis, const Mat3<Expr>& E) {
  const Vec3<Expr> twice_sine{E(1, 2) - E(2, 1), E(2, 0) - E(0, 2), E(0, 1) - E(1, 0)};
  const Expr s = dot(Vec3<Expr>(axis), twice_sine), c = E(0, 0) + E(1, 1) + E(2, 2) - Expr(1.0);
  const Expr scale = Expr(1.0) / sqrt(s * s + c * c);
  return detail::axis_rotation(axis, scale * c, scale * s);
}

Vec3<Expr> along(const Vec3<double>& axis, const Vec3<Expr>& r) { return dot(Vec3<Expr>(axis), r) * Vec3<Expr>(axis); }

/// Where a joint of constant directions leads that is as near to X as it can be.
struct NearestPose {
  const Transform<Expr>& X;

  Transform<Expr> operator()(const Fixed&) const { return Transform<Expr>::identity(); }
  Transform<Expr> operator()(const Revolute& j) const { return {turn_about(j.axis, X.E), {}}; }
  Transform<Expr> operator()(const Prismatic& j) const { return {Mat3<Expr>::identity(), along(j.axis, X.r)}; }
  Transform<Expr> operator()(const Cylindrical& j) const { return {turn_about(j.axis, X.E), along(j.axis, X.r)}; }
  Transform<Expr> operator()(const Planar&) const { return {Mat3<Expr>::identity(), {X.r[0], X.r[1], Expr()}}; }
  Transform<Expr> operator()(const Translational&) const { return {Mat3<Expr>::identity(), X.r}; }
  Transform<Expr> operator()(const Spherical&) const { return {X.E, {}}; }
};

}  // namespace

std::string LoopMotion::beyond_code(const Joint& joint) {
  if (joint.reversed) return "its joint is reversed";
  return std::visit(
      []<class J>(const J&) -> std::string {
        if constexpr (std::is_invocable_v<NearestPose, const J&>) return {};
        return "the coordinates of its joint are searched for";
      },
      joint.type);
}

LoopMotion::Of<Expr> LoopMotion::recorded(const InstantOf<Expr>& at) const {
  std::vector<double> q(q_.size()), at_rest(6);
  loop_.type.neutral(q.data());
  const JointMotion joint = joint_motion(loop_.type, q.data(), at_rest.data());
  SplitSubspace split;
  split.update(joint, freedoms_, length_);
  Of<Expr> out;
  const Transform<Expr> X = detail::between_frames(loop_, at);
  std::visit(
      [&]<class J>(const J& type) {
        if constexpr (std::is_invocable_v<NearestPose, const J&>) out.joint.X = NearestPose{X}(type);
      },
      loop_.type.type);
  out.error = detail::displacement(X, out.joint.X);
  detail::project(split.S_inverse, relative_velocity(at, out.joint.X), out.rates);
  for (int i = 0; i < nv_; ++i) out.joint.S[i] = {Vec3<Expr>(joint.S[i].angular), Vec3<Expr>(joint.S[i].linear)};
  for (int i = 0; i < rows(); ++i)
    for (int c = 0; c < 6; ++c) out.across[i][c] = Expr(split.T(c, i));
  return out;
}

}  // namespace cardan
