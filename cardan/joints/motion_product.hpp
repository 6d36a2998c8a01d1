// Poses as products of simple motions. What is known of a factor (a turn about an axis, a shift) need not be found
// again by differentiating the entries of the whole product, which costs several times as much.
#pragma once

#include "cardan/spatial/se3.hpp"
#include "cardan/symbolic/expr.hpp"

#include <vector>

namespace cardan {

/// A motion along a constant twist by an amount, pose = exp(amount twist); or a shift; or a frame whose x and z axes
/// are along two vectors; or any pose. A frame or pose may stand inverted.
struct MotionFactor {
  enum class Kind { screw, shift, frame, pose };
  Kind kind = Kind::pose;
  Pose<Expr> base;
  bool inverted = false;
  MotionVector<Expr> twist;  // of a screw: does not depend on coordinates
  Expr amount;               // of a screw
  Vec3<Expr> x, z;           // of a frame: perpendicular, of any length

  Pose<Expr> pose() const { return inverted ? inverse(base) : base; }
};

class MotionProduct {
 public:
  MotionProduct() = default;
  MotionProduct(MotionFactor factor) : factors_{std::move(factor)} {}
  MotionProduct(const Pose<Expr>& pose) : factors_(1) { factors_[0].base = pose; }

  const std::vector<MotionFactor>& factors() const { return factors_; }
  /// The factors multiplied out.
  Pose<Expr> pose() const;

  friend MotionProduct operator*(MotionProduct a, const MotionProduct& b);
  friend MotionProduct inverse(const MotionProduct& a);

 private:
  std::vector<MotionFactor> factors_;
};

/// A turn about coordinate axis 0, 1 or 2.
MotionProduct turn(int axis, Expr angle);
MotionProduct shift(const Vec3<Expr>& by);
/// Origin at p, axes along x and z, which are perpendicular but of any length.
MotionProduct frame_along(const Vec3<Expr>& x, const Vec3<Expr>& z, const Vec3<Expr>& p);

}  // namespace cardan
