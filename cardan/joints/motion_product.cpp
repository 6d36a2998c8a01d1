#include "cardan/joints/motion_product.hpp"

#include <algorithm>

namespace cardan {

Pose<Expr> MotionProduct::pose() const {
  Pose<Expr> G;
  for (const MotionFactor& factor : factors_) G = G * factor.pose();
  return G;
}

MotionProduct operator*(MotionProduct a, const MotionProduct& b) {
  a.factors_.insert(a.factors_.end(), b.factors_.begin(), b.factors_.end());
  return a;
}

MotionProduct inverse(const MotionProduct& a) {
  MotionProduct out = a;
  std::reverse(out.factors_.begin(), out.factors_.end());
  for (MotionFactor& factor : out.factors_) {
    if (factor.kind == MotionFactor::Kind::screw || factor.kind == MotionFactor::Kind::shift) {
      factor.base = inverse(factor.base);
      factor.amount = -factor.amount;
    } else {
      factor.inverted = !factor.inverted;
    }
  }
  return out;
}

MotionProduct turn(int axis, Expr angle) {
  MotionFactor factor;
  factor.kind = MotionFactor::Kind::screw;
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  factor.base.R(b, b) = factor.base.R(c, c) = cos(angle);
  factor.base.R(c, b) = sin(angle);
  factor.base.R(b, c) = -sin(angle);
  factor.twist.angular[axis] = Expr(1.0);
  factor.amount = angle;
  return factor;
}

MotionProduct shift(const Vec3<Expr>& by) {
  MotionFactor factor;
  factor.kind = MotionFactor::Kind::shift;
  factor.base.p = by;
  return factor;
}

MotionProduct frame_along(const Vec3<Expr>& x, const Vec3<Expr>& z, const Vec3<Expr>& p) {
  const Vec3<Expr> ex = (Expr(1.0) / norm(x)) * x, ez = (Expr(1.0) / norm(z)) * z, ey = cross(ez, ex);
  MotionFactor factor;
  factor.kind = MotionFactor::Kind::frame;
  factor.base = {mat3<Expr>(ex[0], ey[0], ez[0], ex[1], ey[1], ez[1], ex[2], ey[2], ez[2]), p};
  factor.x = x;
  factor.z = z;
  return factor;
}

}  // namespace cardan
