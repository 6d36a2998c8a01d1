// The turn about z that curve and surface joints may add: a further coordinate, or an angle that stays.
#pragma once

#include "cardan/math/se3.hpp"
#include "cardan/symbolic/expr.hpp"

#include <cmath>
#include <span>

namespace cardan {

struct Spin {
  bool free = false;
  double angle = 0.0;  // where it is frozen [rad]

  /// How many coordinates it adds.
  int coordinates() const { return free ? 1 : 0; }
  /// The turn itself; a free one reads its coordinate.
  Pose<Expr> turn(std::span<const Expr> coordinate) const {
    Expr c, s;
    if (free) {
      c = cos(coordinate[0]);
      s = sin(coordinate[0]);
    } else {
      c = Expr(exact(std::cos(angle)));
      s = Expr(exact(std::sin(angle)));
    }
    const Expr o, one(1.0);
    return {mat3<Expr>(c, -s, o, s, c, o, o, o, one), {}};
  }

 private:
  /// Quarter turns keep expressions small only if their zeros are zeros.
  static double exact(double x) {
    const double whole = std::round(x);
    return std::abs(x - whole) < 1e-15 ? whole : x;
  }
};

inline constexpr Spin free_spin{true, 0.0};
inline Spin frozen_spin(double angle = 0.0) { return {false, angle}; }

}  // namespace cardan
