// A surface that a path is wrapped over: the shortest curve from a point P to a point S that goes round it on a chosen
// side. Straight to the surface, a geodesic on it, straight away from it. Where that curve would lift off (its arc is
// not positive), or an end lies inside, the path is straight.
//
// The curve is stationary, so its length changes only by what the ends do: dl/dP and dl/dS are the unit vectors along
// the curve, out of it, at its ends. Their derivatives (the second derivatives of the length) come with it.
#pragma once

#include "cardan/math/matrix.hpp"
#include "cardan/model/shape.hpp"
#include "cardan/symbolic/expr.hpp"

#include <array>
#include <functional>
#include <limits>
#include <memory>

namespace cardan {

/// All in the surface's frame.
struct WrappedCurve {
  bool touches = false;              // else the path is straight and nothing below is set
  double length = 0.0;               // from P to S
  double arc = 0.0;                  // of it on the surface
  Vec3<double> by_P, by_S;           // dl/dP and dl/dS
  Vec3<double> first, last;          // where it touches first and leaves
  Mat3<double> by_PP, by_PS, by_SS;  // second derivatives, where asked for
};

class WrapSurface {
 public:
  virtual ~WrapSurface() = default;
  enum class Want { slopes, second_derivatives };
  virtual WrappedCurve wrap(const Vec3<double>& P, const Vec3<double>& S, Want want) const = 0;
  /// Follows the geodesic that begins at a point of the surface with a unit tangent, over a length: where it ends.
  virtual Vec3<double> follow(const Vec3<double>& from, const Vec3<double>& tangent, double length) const = 0;
  /// What it looks like, for pictures; of an endless surface a piece.
  virtual Shape shape() const = 0;
  /// Finds where the straight line from P to S comes nearest to the center, or to the axis of a cylinder: the part of
  /// its way, from 0 to 1.
  virtual double nearest_part(const Vec3<double>& P, const Vec3<double>& S) const;
};

/// `side`: a point near the middle of the contact, in the surface's frame. Only which way round matters: the curve goes
/// over the half great circle that holds it. Throws std::invalid_argument if radius or side make no sense.
std::shared_ptr<const WrapSurface> wrap_sphere(double radius, const Vec3<double>& side);
/// About z. The curve never crosses the half plane through z opposite to `side`. A curve that touches the cylinder only
/// beyond its `length`, centered at the origin, does not touch it at all.
std::shared_ptr<const WrapSurface> wrap_cylinder(double radius, const Vec3<double>& side,
                                                 double length = std::numeric_limits<double>::infinity());
/// By geodesics, found from that of a sphere by continuation.
std::shared_ptr<const WrapSurface> wrap_ellipsoid(const Vec3<double>& semi_axes, const Vec3<double>& side);
/// About z; `minor` is the radius of the tube. Found from the geodesic of a straight tube near `side`.
std::shared_ptr<const WrapSurface> wrap_torus(double major, double minor, const Vec3<double>& side);

/// Wraps over a surface on the side on which the straight line passes its center, and only where that line goes through
/// it: the shorter way round. A torus is wrapped on the inside of its tube. `make` gives the surface for a side.
std::shared_ptr<const WrapSurface> wrap_shorter_way(
    std::function<std::shared_ptr<const WrapSurface>(const Vec3<double>& side)> make, const Shape& shape);

/// A surface given by a point as a function of u and v, written for expressions, of which `range` is covered: u from
/// [0] to [1], v from [2] to [3]. Its outside is where point_u x point_v shows. By geodesics, found from a string that
/// is laid from P over `side` to S and tightened. Throws std::invalid_argument where it has no normal at `side`.
std::shared_ptr<const WrapSurface> wrap_parametric(const std::function<Vec3<Expr>(Expr u, Expr v)>& point,
                                                   const std::array<double, 4>& range, const Vec3<double>& side);

}  // namespace cardan
