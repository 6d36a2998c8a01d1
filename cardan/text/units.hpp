// Units of measurement in texts ("500 mm", "30 deg"): what they are in SI units and radians, and of which kind.
#pragma once

#include <string_view>

namespace cardan {

/// Powers of meter, kilogram, second and radian: two units are of one kind where these are equal.
struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0;
  bool operator==(const Dimension&) const = default;
};

/// A number of this unit is that number times `times`, by `per`: exact where one of them is 1, as 3 mm = 3/1000 m is.
struct Unit {
  double times = 1.0, per = 1.0;
  Dimension dimension{};

  double si(double number) const { return number * times / per; }
  /// Multiplies by a power of another unit.
  void multiply(const Unit& other, int power);
};

/// Finds a unit by its word; null where the word is none.
const Unit* find_unit(std::string_view word);

}  // namespace cardan
