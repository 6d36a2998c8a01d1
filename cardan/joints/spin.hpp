// The turn about z that curve and surface joints may add: a further coordinate, or an angle that stays.
#pragma once

#include "cardan/joints/motion_product.hpp"

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace cardan {

struct Spin {
  bool free = false;
  double angle = 0.0;  // where it is frozen [rad]

  /// How many coordinates it adds.
  int coordinates() const { return free ? 1 : 0; }
  /// Names of a joint's coordinates: these, and its own where it has one.
  std::vector<std::string> names(std::vector<std::string> others, const char* own) const {
    if (free) others.emplace_back(own);
    return others;
  }
  /// The turn itself; a free one reads its coordinate.
  MotionProduct motion(std::span<const Expr> coordinate) const {
    if (free) return turn(2, coordinate[0]);
    const double c = exact(std::cos(angle)), s = exact(std::sin(angle));
    return Pose<Expr>{Mat3<Expr>(mat3<double>(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)), {}};
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
