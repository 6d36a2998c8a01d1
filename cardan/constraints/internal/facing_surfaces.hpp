// Where two surfaces that roll on each other face each other: the equations stand on top of rolling_constraint.hpp.
#pragma once

#include "cardan/constraints/constraint.hpp"
#include "cardan/constraints/rolling_surface.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/math/rate.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cardan::detail {

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

  /// Gap, normal and contact point with their rates. The places y and their rates keep the equations F = 0 and
  /// dF/dt = 0; near the places that were found both follow by Newton's steps with the matrix there, of which the
  /// second is exact for first derivatives too.
  template <class T>
  Touch<Rate<T>> touch(const Placed<Rate<T>>& on_a, const Placed<Rate<T>>& on_b, const FacingPlaces& places) const {
    const auto inverse = linearized(still(on_a), still(on_b), places).second.inverse().eval();
    std::array<Rate<T>, 4> y{Rate<T>(places.a.u), Rate<T>(places.a.v), Rate<T>(places.b.u), Rate<T>(places.b.v)};
    for (int round = 0; round < 2; ++round) {
      const std::array<Rate<T>, 4> left = equations<Rate<T>>(on_a, on_b, places, y);
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
          const T m(inverse(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
          y[i] -= Rate<T>(m * (left[j].value - T(constant_of(left[j].value))), m * left[j].rate);
        }
    }
    const auto jet_a = a_.at(places.a.chart, y[0], y[1]);
    const auto jet_b = b_.at(places.b.chart, y[2], y[3]);
    const Vec3<Rate<T>> n = on_a.R * jet_a.normal(), X_a = on_a.p + on_a.R * jet_a.X, X_b = on_b.p + on_b.R * jet_b.X;
    return {dot(n, X_b - X_a), n, X_b, Rate<T>(0.0)};
  }

 private:
  using J4 = Dual<4>;

  /// Where a moving frame is.
  template <class T>
  static Placed<double> still(const Placed<T>& on) {
    Placed<double> out;
    for (int i = 0; i < 3; ++i) {
      out.p[i] = constant_of(on.p[i]);
      for (int j = 0; j < 3; ++j) out.R(i, j) = constant_of(on.R(i, j));
    }
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
