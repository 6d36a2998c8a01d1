#include "cardan/io/internal/osim_constraints.hpp"

#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

const std::vector<std::string> kConstraints{"CoordinateCouplerConstraint", "WeldConstraint", "PointConstraint",
                                            "ConstantDistanceConstraint", "PointOnLineConstraint"};

bool is_enforced(const XmlElement& constraint) {
  return osim_truth(constraint, "isEnforced", true) && !osim_truth(constraint, "isDisabled", false);
}

}  // namespace

void OsimConstraints::write(const XmlElement& model) {
  for (const XmlElement& own : osim_objects(model, "ConstraintSet")) {
    const std::string tag = own.tag();
    const XmlElement constraint = own.owned_by(printable(tag) + " " + in_quotes(osim_name(own)));
    if (std::find(kConstraints.begin(), kConstraints.end(), tag) == kConstraints.end()) {
      const std::string near = did_you_mean(tag, kConstraints);
      if (!near.empty()) own.fail(fmt::format("unknown element {}{}", in_quotes(tag), near));
      left_out_.add(printable(tag));
      continue;
    }
    if (!is_enforced(constraint)) continue;
    if (tag == "CoordinateCouplerConstraint")
      add_coupler(constraint);
    else
      add_loop(constraint);
  }
  add_held_coordinates();
}

/// dependent = scale f(independent, ...).
void OsimConstraints::add_coupler(const XmlElement& coupler) {
  check_children(coupler,
                 "isEnforced isDisabled coupled_coordinates_function independent_coordinate_names "
                 "dependent_coordinate_name scale_factor LinearFunction SimmSpline NaturalCubicSpline Constant "
                 "MultiplierFunction PolynomialFunction PiecewiseLinearFunction",
                 "components", left_out_);
  const XmlElement name = coupler.required_child("dependent_coordinate_name");
  const OsimCoordinate& dependent = joints_.coordinate(name.content_name(), name);
  const XmlElement function = OsimFunctions::find(coupler, "coupled_coordinates_function");
  if (!function) coupler.fail("expected a <coupled_coordinates_function> element, found none");
  TomlNode with;
  std::vector<std::string> arguments;
  bool has_rates = !dependent.ref.empty();
  const std::vector<std::string> names = osim_names(coupler, "independent_coordinate_names");
  if (names.empty()) coupler.fail("expected <independent_coordinate_names>, found none");
  for (const std::string& one : names) {
    const OsimCoordinate& source = joints_.coordinate(one, coupler.child("independent_coordinate_names"));
    has_rates = has_rates && !source.ref.empty();
    arguments.push_back(fmt::format("x{}", arguments.size()));
    put(with, arguments.back(), toml_text(source.ref));
  }
  if (!has_rates) {
    left_out_.add("CoordinateCouplerConstraint of BallJoint and FreeJoint");
    return;
  }
  if (!coupled_.insert(dependent.name).second)
    name.fail("expected a coordinate that follows no other yet, found " + in_quotes(dependent.name));
  std::string text = functions_.text(function, arguments, dependent.name + "_coupled");
  if (const double scale = number_in(coupler, "scale_factor", 1.0); scale != 1.0)
    text = fmt::format("{}*({})", written(scale), text);
  std::erase_if(with.entries, [&](const TomlEntry& entry) { return text.find(entry.key) == std::string::npos; });
  TomlNode coupling = toml_table({{"joint", toml_text(dependent.ref)}, {"equals", toml_text(text)}});
  if (!with.entries.empty()) put(coupling, "with", std::move(with));
  append(scene_, "coupling", std::move(coupling));
}

OsimPlace OsimConstraints::end(const XmlElement& constraint, const char* socket, const char* body, const char* location,
                               const char* orientation) const {
  const std::string text = osim_socket(constraint, socket, body);
  if (text.empty()) constraint.fail(fmt::format("expected a <socket_{}> element, found none", socket));
  OsimPlace out = frames_.find(text, "/constraintset/" + osim_name(constraint), constraint);
  const Vec3<double> angles = orientation != nullptr ? vec3_in(constraint, orientation, {}) : Vec3<double>{};
  out.pose = out.pose * osim_pose(vec3_in(constraint, location, {}), angles);
  return out;
}

void OsimConstraints::add_loop(const XmlElement& constraint) {
  check_children(constraint,
                 "isEnforced isDisabled body_1 body_2 location_body_1 location_body_2 orientation_body_1 "
                 "orientation_body_2 socket_frame1 socket_frame2 frames socket_body_1 socket_body_2 constant_distance "
                 "line_body follower_body line_direction_vec point_on_line point_on_follower socket_line_body "
                 "socket_follower_body connectors",
                 "components", left_out_);
  const std::string tag = constraint.tag();
  const bool welds = tag == "WeldConstraint", on_line = tag == "PointOnLineConstraint";
  OsimPlace a = on_line ? end(constraint, "line_body", "line_body", "point_on_line", nullptr)
                        : end(constraint, welds ? "frame1" : "body_1", "body_1", "location_body_1",
                              welds ? "orientation_body_1" : nullptr);
  OsimPlace b = on_line ? end(constraint, "follower_body", "follower_body", "point_on_follower", nullptr)
                        : end(constraint, welds ? "frame2" : "body_2", "body_2", "location_body_2",
                              welds ? "orientation_body_2" : nullptr);
  if (a.body == b.body) constraint.fail("expected two bodies, found " + in_quotes(a.body) + " for both");
  TomlNode loop = toml_table({{"name", toml_text(osim_name(constraint, tag))}});
  const TomlNode ball = toml_table({{"type", toml_text("spherical")}});
  if (welds) {
    put(loop, "type", toml_text("fixed"));
  } else if (tag == "PointConstraint") {
    put(loop, "type", toml_text("spherical"));
  } else if (on_line) {
    const Vec3<double> line = vec3_in(constraint, "line_direction_vec", {0.0, 0.0, 1.0});
    if (!(norm(line) > 1e-12)) constraint.fail("expected a direction of the line, found a vector of zero length");
    put(loop, "type", toml_text("composite"));
    put(loop, "joints", toml_list({toml_table({{"type", toml_text("prismatic")}, {"axis", toml_vector(line)}}), ball}));
  } else {
    const double distance = number_in(constraint, "constant_distance", 0.0);
    if (!(distance > 0.0)) constraint.fail(fmt::format("expected a positive distance, found {:g}", distance));
    put(loop, "type", toml_text("point_on_surface"));
    put(loop, "surface", toml_table({{"sphere", toml_number(distance)}}));
  }
  put(loop, "a", toml_text(a.body));
  put(loop, "b", toml_text(b.body));
  put(loop, "at_a", toml_pose(a.pose));
  put(loop, "at_b", toml_pose(b.pose));
  append(scene_, "loop", std::move(loop));
}

/// Locked coordinates keep their value, prescribed ones follow a function of time.
void OsimConstraints::add_held_coordinates() {
  for (const OsimJoint& joint : joints_.joints())
    for (const OsimCoordinate& c : joint.coordinates) {
      if (!c.element || coupled_.contains(c.name)) continue;
      const XmlElement function = OsimFunctions::find(c.element, "prescribed_function");
      const bool locked = osim_truth(c.element, "locked", false);
      if (!locked && !(osim_truth(c.element, "prescribed", false) && function)) continue;
      if (c.ref.empty())
        left_out_.add((locked ? "locked of " : "prescribed_function of ") + joint.type);
      else if (locked)
        append(scene_, "coupling", toml_table({{"joint", toml_text(c.ref)}, {"equals", toml_number(c.value)}}));
      else
        append(scene_, "motion",
               toml_table({{"joint", toml_text(c.ref)},
                           {"position", toml_text(functions_.text(function, {"t"}, c.name + "_course"))}}));
    }
}

}  // namespace cardan::io
