#include "cardan/symbolic/motion_product.hpp"

#include <algorithm>

namespace cardan {

Pose<Expr> MotionProduct::pose() const {
  Pose<Expr> G;
  for (const MotionFactor& factor : factors_) G = G * factor.pose;
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
    factor.pose = inverse(factor.pose);
    factor.amount = -factor.amount;
  }
  return out;
}

MotionProduct turn(int axis, Expr angle) {
  MotionFactor factor;
  factor.kind = MotionFactor::Kind::screw;
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  factor.pose.R(b, b) = factor.pose.R(c, c) = cos(angle);
  factor.pose.R(c, b) = sin(angle);
  factor.pose.R(b, c) = -sin(angle);
  factor.twist.angular[axis] = Expr(1.0);
  factor.amount = angle;
  return factor;
}

MotionProduct shift(const Vec3<Expr>& by) {
  MotionFactor factor;
  factor.kind = MotionFactor::Kind::shift;
  factor.pose.p = by;
  return factor;
}

}  // namespace cardan
