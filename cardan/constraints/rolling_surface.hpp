// Surfaces that roll on each other, by points as functions of u and v. A surface may have several charts, so that none
// of its points lies at a pole: an ellipsoid has one for each axis.
#pragma once

#include "cardan/math/matrix.hpp"
#include "cardan/program/interpreter.hpp"
#include "cardan/symbolic/expr.hpp"

#include <array>
#include <functional>
#include <memory>
#include <vector>

namespace cardan {

/// A place on a surface.
struct SurfacePlace {
  int chart = 0;
  double u = 0.0, v = 0.0;
};

class RollingSurface {
 public:
  using Point = std::function<Vec3<Expr>(Expr u, Expr v)>;

  /// About the origin.
  static std::shared_ptr<const RollingSurface> ellipsoid(const Vec3<double>& semi_axes);
  /// About z; `minor` is the radius of the tube.
  static std::shared_ptr<const RollingSurface> torus(double major, double minor);
  /// z = 0, outward along z; about z, endless.
  static std::shared_ptr<const RollingSurface> plane();
  static std::shared_ptr<const RollingSurface> cylinder(double radius);
  /// Any point; its outside is where point_u x point_v shows. `range`: u from [0] to [1], v from [2] to [3], where a
  /// first contact is looked for.
  static std::shared_ptr<const RollingSurface> of_point(const Point& point, const std::array<double, 4>& range);

  /// Point and derivatives by u and v.
  template <class T>
  struct Jet {
    Vec3<T> X, u, v;
    Vec3<T> normal() const {
      const Vec3<T> n = cross(u, v);
      return (T(1.0) / sqrt(dot(n, n))) * n;
    }
  };
  template <class T>
  Jet<T> at(int chart, const T& u, const T& v) const {
    const T in[2] = {u, v};
    T out[9];
    run_small<T>(charts_[static_cast<std::size_t>(chart)], in, out);
    return {{out[0], out[1], out[2]}, {out[3], out[4], out[5]}, {out[6], out[7], out[8]}};
  }
  /// Rewrites a place in the chart that suits it best.
  SurfacePlace best(const SurfacePlace& place) const;
  /// Places all over the surface.
  const std::vector<SurfacePlace>& samples() const { return samples_; }
  /// Half the diameter of what the samples cover.
  double size() const { return size_; }

 private:
  RollingSurface(const std::vector<Point>& charts, const std::array<double, 4>& range);

  std::vector<Interpreter> charts_;
  Vec3<double> semi_axes_{};  // of an ellipsoid: the only one with several charts
  std::vector<SurfacePlace> samples_;
  double size_ = 0.0;
};

}  // namespace cardan
