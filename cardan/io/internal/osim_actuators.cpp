// Actuators of an OpenSim model: what they exert is optimal_force times an input of their name.
#include "cardan/io/internal/osim_forces.hpp"
#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

/// A unit vector times the input u.
TomlNode along(const Vec3<double>& direction, double factor) {
  std::vector<TomlNode> texts;
  for (int i = 0; i < 3; ++i)
    texts.push_back(direction[i] == 0.0
                        ? toml_number(0.0)
                        : toml_text(fmt::format("{}*u", written(factor * direction[i] / norm(direction)))));
  return toml_list(std::move(texts));
}

Vec3<double> direction_in(const XmlElement& force, const char* tag, const Vec3<double>& otherwise) {
  const Vec3<double> out = vec3_in(force, tag, otherwise);
  if (!(norm(out) > 1e-12)) force.child(tag).fail("expected a direction, found a vector of zero length");
  return out;
}

}  // namespace

/// T = optimal_force u.
void OsimForces::add_path_actuator(const XmlElement& force, const std::string& name) {
  TomlNode table = toml_table({{"type", toml_text("spring")}, {"name", toml_text(name)}});
  if (!paths_.put_path(force, table)) return;
  std::set<std::string> none;
  const std::string word = osim_word(name, none);
  put(table, "law", toml_text(fmt::format("{}*{}", written(number_in(force, "optimal_force", 1.0)), word)));
  append(scene_, "force", std::move(table));
  add_input(word);
}

void OsimForces::add_coordinate_actuator(const XmlElement& force, const std::string& name) {
  const std::string input = add_input(name);
  add_at_coordinate(force, fmt::format("{}*u", written(number_in(force, "optimal_force", 1.0))), input);
}

/// A force at a point of a body, along a direction of the ground or of the body.
void OsimForces::add_point_actuator(const XmlElement& force, const std::string& name) {
  const std::string body = osim_socket(force, "body", "body");
  if (body.empty()) force.fail("expected a <body> element, found none");
  const OsimPlace at = frames_.find(body, "/forceset/" + name, force);
  if (at.body == "world") return;  // which does not move
  if (osim_truth(force, "point_is_global", false)) {
    left_out_.add("PointActuator at a point of the ground");
    return;
  }
  const std::string input = add_input(name);
  const bool is_global = osim_truth(force, "force_is_global", true);
  append(scene_, "force",
         toml_table({{"type", toml_text("point")},
                     {"body", toml_text(at.body)},
                     {"at", toml_vector(at.pose * vec3_in(force, "point", {}))},
                     {"frame", toml_text(is_global ? "world" : "body")},
                     {"force",
                      along(direction_in(force, "direction", {1.0, 0.0, 0.0}), number_in(force, "optimal_force", 1.0))},
                     {"with", toml_table({{"u", toml_text("u." + input)}})}}));
}

/// A moment on one body and its opposite on another, about an axis of the ground or of the first body.
void OsimForces::add_torque_actuator(const XmlElement& force, const std::string& name) {
  const auto body = [&](const char* tag) {
    const std::string text = osim_socket(force, tag, tag);
    return text.empty() || text == "Unassigned" ? std::string("world")
                                                : frames_.find(text, "/forceset/" + name, force).body;
  };
  const std::string a = body("bodyA"), b = body("bodyB");
  const bool is_global = osim_truth(force, "torque_is_global", true);
  if (!is_global && b != "world") {
    left_out_.add("TorqueActuator about an axis of a body");
    return;
  }
  const std::string input = add_input(name);
  const Vec3<double> axis = direction_in(force, "axis", {0.0, 0.0, 1.0});
  const double factor = number_in(force, "optimal_force", 1.0);
  for (const auto& [on, sign] : {std::pair(a, 1.0), std::pair(b, -1.0)}) {
    if (on == "world") continue;
    append(scene_, "force",
           toml_table({{"type", toml_text("wrench")},
                       {"body", toml_text(on)},
                       {"frame", toml_text(is_global ? "world" : "body")},
                       {"moment", along(axis, sign * factor)},
                       {"with", toml_table({{"u", toml_text("u." + input)}})}}));
  }
}

}  // namespace cardan::io
