#include "cardan/io/internal/scene_doubts.hpp"

#include "cardan/io/internal/scene_units.hpp"
#include "cardan/io/internal/scene_walk.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace cardan::io {

namespace {

/// A small turn or none as (x, y, z, w), and a turn of exactly 180 degrees as (w, x, y, z). With x != 0 both are as
/// likely, so that nothing is said.
std::string doubt_of_quaternion(std::span<const double> q) {
  if (!(q[0] == 0.0 && q[3] >= std::numbers::sqrt2 / 2.0)) return {};
  return fmt::format(
      "[{0:g}, {1:g}, {2:g}, {3:g}] turns by 180 degrees: quaternions are (w, x, y, z); if (x, y, z, w) is meant, "
      "write "
      "[{3:g}, {0:g}, {1:g}, {2:g}]",
      q[0], q[1], q[2], q[3]);
}

/// The plain numbers of a value: a list of them, or one; texts are 0, of which nobody has doubts.
std::vector<double> plain_numbers(const TomlValue& value) {
  std::vector<double> out;
  for (const TomlValue& item : value.is_list() ? value.items() : std::vector<TomlValue>{value})
    out.push_back(item.is_number() ? item.number() : 0.0);
  return out;
}

}  // namespace

std::string doubt_of_coordinates(std::string_view joint_type, std::span<const double> q) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (is_turning(joint_type))
    for (const double angle : q)
      if (std::abs(angle) > kTurn)
        return fmt::format("{0:g} is {1:.3g} turns: angles are radians; for degrees write \"{0:g} deg\"", angle,
                           std::abs(angle) / kTurn);
  const bool has_quaternion = joint_type == "spherical" || joint_type == "free";
  return has_quaternion && q.size() >= 4 ? doubt_of_quaternion(q.first(4)) : std::string();
}

std::vector<std::string> doubtful_numbers(const TomlValue& scene, const Model& model) {
  std::vector<std::string> out;
  const auto add = [&](const TomlValue& value, const std::string& doubt) {
    if (!doubt.empty()) out.push_back(value.message(doubt));
  };
  visit_values(scene, key_tables().front(), [&](const TomlValue& value, const PlaceOfKey& place) {
    if (place.key.name == "quat") add(value, doubt_of_quaternion(plain_numbers(value)));
    if (place.key.name != "q") return;
    if (!place.variant.empty()) return add(value, doubt_of_coordinates(place.variant, plain_numbers(value)));
    for (const std::string& joint : value.keys())
      add(value.find(joint),
          doubt_of_coordinates(model.joint(model.find_joint(joint)).type_name(), plain_numbers(value.find(joint))));
  });
  return out;
}

}  // namespace cardan::io
