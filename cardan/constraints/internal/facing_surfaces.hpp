// Where two surfaces that roll on each other face each other: the equations stand on top of rolling_constraint.hpp.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/constraints/rolling_surface.hpp"
#include "cardan/math/dual.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cardan::detail {

/// A number with its rate, in direction 0.
using RollingRate = Dual<2>;

/// Where a frame is: its axes in the world as columns, and its origin.
template <class T>
struct Placed {
  Mat3<T> R;
  Vec3<T> p;
  Vec3<T> z() const { return {R(0, 2), R(1, 2), R(2, 2)}; }
};

template <class T>
struct Touch {
  T gap;
  Vec3<T> normal, point;  // from a to b; on b
  T tilt;                 // of a line contact: the sine of the angle between axis and plane
};

/// Where two surfaces face each other, remembered from one evaluation to the next.
struct FacingPlaces : ConstraintMemory {
  SurfacePlace a, b;
  bool known = false;
  void reset_warm_start() override { known = false; }
};

/// Two surfaces that roll on each other.
class FacingSurfaces {
 public:
  FacingSurfaces(const RollingSurface& a, const RollingSurface& b) : a_(a), b_(b) {}

  /// Finds the places, at the present pose of both; false where Newton's method does not converge.
  bool find(const Placed<double>& on_a, const Placed<double>& on_b, FacingPlaces& places) const {
    if (places.known && improve(on_a, on_b, places)) return true;
    search(on_a, on_b, places);
    places.known = improve(on_a, on_b, places);
    return places.known;
  }

  /// Gap, normal and contact point with their rates.
  Touch<RollingRate> touch(const Placed<RollingRate>& on_a, const Placed<RollingRate>& on_b,
                           const FacingPlaces& places) const {
    // the places move so that the equations keep holding: J y_dot = -(rates at constant places)
    const std::array<RollingRate, 4> still = equations<RollingRate>(
        on_a, on_b, places,
        {RollingRate(places.a.u), RollingRate(places.a.v), RollingRate(places.b.u), RollingRate(places.b.v)});
    Eigen::Vector4d rate;
    for (int i = 0; i < 4; ++i) rate[i] = -still[static_cast<std::size_t>(i)].d[0];
    const Placed<double> a{values_of(on_a.R), values(on_a.p)}, b{values_of(on_b.R), values(on_b.p)};
    rate = linearized(a, b, places).second.partialPivLu().solve(rate);
    std::array<RollingRate, 4> y{RollingRate(places.a.u), RollingRate(places.a.v), RollingRate(places.b.u),
                                 RollingRate(places.b.v)};
    for (int i = 0; i < 4; ++i) y[static_cast<std::size_t>(i)].d[0] = rate[i];
    const auto jet_a = a_.at(places.a.chart, y[0], y[1]);
    const auto jet_b = b_.at(places.b.chart, y[2], y[3]);
    const Vec3<RollingRate> n = on_a.R * jet_a.normal(), X_a = on_a.p + on_a.R * jet_a.X,
                            X_b = on_b.p + on_b.R * jet_b.X;
    return {dot(n, X_b - X_a), n, X_b, RollingRate(0.0)};
  }

 private:
  using J4 = Dual<4>;

  static Vec3<double> values(const Vec3<RollingRate>& x) { return {x[0].value, x[1].value, x[2].value}; }
  static Mat3<double> values_of(const Mat3<RollingRate>& R) {
    Mat3<double> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out(i, j) = R(i, j).value;
    return out;
  }

  template <class T>
  std::array<T, 4> equations(const Placed<T>& on_a, const Placed<T>& on_b, const FacingPlaces& places,
                             const std::array<T, 4>& y) const {
    const auto a = a_.at(places.a.chart, y[0], y[1]);
    const auto b = b_.at(places.b.chart, y[2], y[3]);
    const Vec3<T> u = on_a.R * a.u, v = on_a.R * a.v, n = on_b.R * b.normal();
    const Vec3<T> d = on_b.p + on_b.R * b.X - on_a.p - on_a.R * a.X;
    const T size(a_.size());
    return {dot(d, u) / size, dot(d, v) / size, dot(n, u), dot(n, v)};
  }
  std::pair<Eigen::Vector4d, Eigen::Matrix4d> linearized(const Placed<double>& on_a, const Placed<double>& on_b,
                                                         const FacingPlaces& places) const {
    const Placed<J4> a{Mat3<J4>(on_a.R), Vec3<J4>(on_a.p)}, b{Mat3<J4>(on_b.R), Vec3<J4>(on_b.p)};
    const std::array<J4, 4> e = equations<J4>(a, b, places,
                                              {J4::variable(places.a.u, 0), J4::variable(places.a.v, 1),
                                               J4::variable(places.b.u, 2), J4::variable(places.b.v, 3)});
    std::pair<Eigen::Vector4d, Eigen::Matrix4d> out;
    for (int i = 0; i < 4; ++i) {
      out.first[i] = e[static_cast<std::size_t>(i)].value;
      for (int j = 0; j < 4; ++j) out.second(i, j) = e[static_cast<std::size_t>(i)].d[j];
    }
    return out;
  }

  bool improve(const Placed<double>& on_a, const Placed<double>& on_b, FacingPlaces& places) const {
    places.a = a_.best(places.a);
    places.b = b_.best(places.b);
    for (int i = 0; i < 40; ++i) {
      const auto [e, J] = linearized(on_a, on_b, places);
      Eigen::Vector4d change = J.partialPivLu().solve(e);
      const double size = change.cwiseAbs().maxCoeff();
      if (!std::isfinite(size)) return false;
      if (size > 0.3) change *= 0.3 / size;
      places.a.u -= change[0];
      places.a.v -= change[1];
      places.b.u -= change[2];
      places.b.v -= change[3];
      if (size <
          1e-13 * (1.0 + std::abs(places.a.u) + std::abs(places.a.v) + std::abs(places.b.u) + std::abs(places.b.v)))
        return true;
    }
    return linearized(on_a, on_b, places).first.norm() < 1e-10;
  }
  /// Takes the samples that are nearest to each other and face each other.
  void search(const Placed<double>& on_a, const Placed<double>& on_b, FacingPlaces& places) const {
    struct Sample {
      SurfacePlace place;
      Vec3<double> X, n;
    };
    const auto placed = [](const RollingSurface& surface, const Placed<double>& on) {
      std::vector<Sample> out;
      for (const SurfacePlace& place : surface.samples()) {
        const auto jet = surface.at(place.chart, place.u, place.v);
        out.push_back({place, on.p + on.R * jet.X, on.R * jet.normal()});
      }
      return out;
    };
    const std::vector<Sample> all_a = placed(a_, on_a), all_b = placed(b_, on_b);
    const double size = std::min(a_.size(), b_.size());
    double least = std::numeric_limits<double>::infinity();
    for (const Sample& a : all_a)
      for (const Sample& b : all_b) {
        const double badness = norm(b.X - a.X) + size * (1.0 + dot(a.n, b.n));
        if (!(badness < least)) continue;
        least = badness;
        places.a = a.place;
        places.b = b.place;
      }
  }

  const RollingSurface &a_, &b_;
};

}  // namespace cardan::detail
