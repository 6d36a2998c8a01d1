#include "cardan/io/internal/scene_units.hpp"

#include "cardan/io/internal/scene_parameters.hpp"
#include "cardan/io/internal/scene_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace cardan::io {

namespace {

bool is_shifting(std::string_view joint_type) {
  return joint_type == "prismatic" || joint_type == "planar" || joint_type == "translational";
}

/// The units that a key may have: "N, N m" is that of a slider, then that of a hinge.
std::vector<std::string> units_of(std::string_view unit, std::string_view joint_type) {
  constexpr std::string_view separator = ", ";
  const std::size_t at = unit.find(separator);
  if (at == std::string_view::npos) return {std::string(unit)};
  const std::string shifting(unit.substr(0, at)), turning(unit.substr(at + separator.size()));
  if (is_shifting(joint_type)) return {shifting};
  if (is_turning(joint_type)) return {turning};
  return {shifting, turning};
}

/// The kind of a unit as the table of keys writes it: "N m/rad", "1/s".
std::optional<Dimension> dimension_of(const std::string& unit) {
  constexpr std::string_view inverse = "1/";
  if (!unit.starts_with(inverse)) return quantity_in("1 " + unit, {});
  const auto of = quantity_in("1 " + unit.substr(inverse.size()), {});
  if (!of) return std::nullopt;
  return Dimension{-of->length, -of->mass, -of->time, -of->angle};
}

/// Radians of a stiffness or damping may be left out: "5 N m" stands for 5 N m/rad.
bool is_of_kind(const Dimension& found, const std::string& unit) {
  std::optional<Dimension> expected = dimension_of(unit);
  if (!expected) return true;  // no unit that could be compared
  if (expected->mass != 0) expected->angle = found.angle;
  return found == *expected;
}

/// Looks at numbers of a value of this type; tables inside are visited by themselves.
void check_value(const TomlValue& value, const ValueType& type, std::string_view unit, std::string_view joint_type) {
  using Kind = ValueType::Kind;
  if (type.kind == Kind::number || type.kind == Kind::expression) check_unit(value, unit, joint_type);
  if (type.kind == Kind::either)
    for (const ValueType& part : type.parts) check_value(value, part, unit, joint_type);
  if (type.kind == Kind::list && value.is_list() && value.holds_text())
    for (const TomlValue& item : value.items()) check_value(item, type.parts.front(), unit, joint_type);
  if (type.kind == Kind::map && value.is_table())
    for (const std::string& key : value.keys()) check_value(value.find(key), type.parts.front(), unit, joint_type);
}

}  // namespace

bool is_turning(std::string_view joint_type) {
  for (const char* type : {"revolute", "helical", "universal", "spherical_euler", "spherical_exponential"})
    if (joint_type == type) return true;
  return false;
}

void check_unit(const TomlValue& value, std::string_view unit, std::string_view joint_type) {
  if (unit.empty() || !value.holds_text()) return;
  if (value.is_list()) {
    for (const TomlValue& item : value.items()) check_unit(item, unit, joint_type);
    return;
  }
  const auto found = quantity_in(value.text(), value.names()->symbols);
  if (!found) return;
  const std::vector<std::string> units = units_of(unit, joint_type);
  if (std::any_of(units.begin(), units.end(), [&](const std::string& any) { return is_of_kind(*found, any); })) return;
  value.fail(fmt::format("expected a number or a quantity in {}, found {}", fmt::join(units, " or "),
                         in_quotes(value.text())));
}

void check_units(const TomlValue& table, std::string_view key_table_name, std::string_view joint_type) {
  visit_values(table, key_table(key_table_name), [&](const TomlValue& value, const PlaceOfKey& place) {
    check_value(value, place.key.type, place.key.unit, joint_type.empty() ? place.variant : joint_type);
  });
}

}  // namespace cardan::io
