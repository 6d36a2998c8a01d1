#include "cardan/text/units.hpp"

#include <cstdlib>
#include <functional>
#include <map>
#include <numbers>
#include <string>

namespace cardan {

void Unit::multiply(const Unit& other, int power) {
  for (int i = 0; i < std::abs(power); ++i) {
    times *= power > 0 ? other.times : other.per;
    per *= power > 0 ? other.per : other.times;
  }
  dimension.length += power * other.dimension.length;
  dimension.mass += power * other.dimension.mass;
  dimension.time += power * other.dimension.time;
  dimension.angle += power * other.dimension.angle;
}

const Unit* find_unit(std::string_view word) {
  constexpr Dimension length{1, 0, 0, 0}, mass{0, 1, 0, 0}, time{0, 0, 1, 0}, angle{0, 0, 0, 1}, force{1, 1, -2, 0},
      energy{2, 1, -2, 0}, power{2, 1, -3, 0}, pressure{-1, 1, -2, 0}, rate{0, 0, -1, 0}, turns{0, 0, -1, 1};
  constexpr double pi = std::numbers::pi;
  static const std::map<std::string, Unit, std::less<>> all{
      {"m", {1.0, 1.0, length}},         {"km", {1e3, 1.0, length}},      {"cm", {1.0, 1e2, length}},
      {"mm", {1.0, 1e3, length}},        {"um", {1.0, 1e6, length}},      {"in", {0.0254, 1.0, length}},
      {"ft", {0.3048, 1.0, length}},     {"kg", {1.0, 1.0, mass}},        {"g", {1.0, 1e3, mass}},
      {"mg", {1.0, 1e6, mass}},          {"lb", {0.45359237, 1.0, mass}}, {"s", {1.0, 1.0, time}},
      {"ms", {1.0, 1e3, time}},          {"us", {1.0, 1e6, time}},        {"min", {60.0, 1.0, time}},
      {"h", {3600.0, 1.0, time}},        {"rad", {1.0, 1.0, angle}},      {"mrad", {1.0, 1e3, angle}},
      {"deg", {pi / 180.0, 1.0, angle}}, {"rev", {2.0 * pi, 1.0, angle}}, {"rpm", {2.0 * pi, 60.0, turns}},
      {"Hz", {1.0, 1.0, rate}},          {"kHz", {1e3, 1.0, rate}},       {"N", {1.0, 1.0, force}},
      {"kN", {1e3, 1.0, force}},         {"mN", {1.0, 1e3, force}},       {"lbf", {4.4482216152605, 1.0, force}},
      {"Nm", {1.0, 1.0, energy}},        {"J", {1.0, 1.0, energy}},       {"W", {1.0, 1.0, power}},
      {"kW", {1e3, 1.0, power}},         {"Pa", {1.0, 1.0, pressure}},    {"kPa", {1e3, 1.0, pressure}},
      {"MPa", {1e6, 1.0, pressure}},     {"GPa", {1e9, 1.0, pressure}}};
  const auto found = all.find(word);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace cardan
