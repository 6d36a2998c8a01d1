#include "cardan/io/internal/osim_forces.hpp"

#include "cardan/io/internal/osim_muscles.hpp"
#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

const std::vector<std::string> kForces{"Thelen2003Muscle",
                                       "Millard2012EquilibriumMuscle",
                                       "DeGrooteFregly2016Muscle",
                                       "PathActuator",
                                       "CoordinateActuator",
                                       "PointActuator",
                                       "TorqueActuator",
                                       "PathSpring",
                                       "Ligament",
                                       "PointToPointSpring",
                                       "SpringGeneralizedForce",
                                       "CoordinateLimitForce",
                                       "BushingForce"};
/// Others that OpenSim has, which are left out by name.
const std::vector<std::string> kOtherForces{"TorqueActuator",
                                            "BodyActuator",
                                            "HuntCrossleyForce",
                                            "ElasticFoundationForce",
                                            "SmoothSphereHalfSpaceForce",
                                            "ExternalForce",
                                            "PrescribedForce",
                                            "RigidTendonMuscle",
                                            "Schutte1993Muscle_Deprecated",
                                            "Thelen2003Muscle_Deprecated",
                                            "Delp1990Muscle_Deprecated",
                                            "Millard2012AccelerationMuscle",
                                            "ClutchedPathSpring",
                                            "PistonActuator",
                                            "PointToPointActuator",
                                            "BodyDragForce",
                                            "ControllableSpring",
                                            "ActivationCoordinateActuator",
                                            "McKibbenActuator"};

bool is_one_of(const std::string& tag, const std::vector<std::string>& list) {
  return std::find(list.begin(), list.end(), tag) != list.end();
}

}  // namespace

bool is_osim_force(const std::string& tag) { return is_one_of(tag, kForces); }

/// What the file says of all objects of a type; false where it says nothing.
XmlElement OsimForces::defaults_of(const XmlElement& object) const {
  return defaults_ ? defaults_.child(object.tag().c_str()) : XmlElement();
}

void OsimForces::write(const XmlElement& model) {
  for (const XmlElement& force : osim_objects(model, "ForceSet")) add(force);
  for (const char* set : {"ComponentSet", "components"})
    for (const XmlElement& force : osim_objects(model, set))
      if (is_osim_force(force.tag())) add(force);
}

void OsimForces::add(const XmlElement& own) {
  const std::string tag = own.tag();
  if (!is_one_of(tag, kForces)) {
    const std::string near = is_one_of(tag, kOtherForces) ? std::string() : did_you_mean(tag, kForces);
    if (!near.empty()) own.fail(fmt::format("unknown element {}{}", in_quotes(tag), near));
    left_out_.add(printable(tag));
    return;
  }
  const XmlElement force = own.owned_by(tag + " " + in_quotes(osim_name(own)));
  if (!osim_truth(force, "appliesForce", true) || osim_truth(force, "isDisabled", false)) return;
  const std::string name = osim_name(own, tag);
  if (!names_.insert(name).second) own.fail("expected names that differ, found " + in_quotes(name) + " twice");
  if (is_one_of(tag, osim_muscle_types())) add_muscle(force, name);
  if (tag == "PathActuator") add_path_actuator(force, name);
  if (tag == "CoordinateActuator") add_coordinate_actuator(force, name);
  if (tag == "PointActuator") add_point_actuator(force, name);
  if (tag == "TorqueActuator") add_torque_actuator(force, name);
  if (tag == "PathSpring") add_path_spring(force, name);
  if (tag == "Ligament") add_ligament(force, name);
  if (tag == "PointToPointSpring") add_point_spring(force, name);
  if (tag == "SpringGeneralizedForce") add_coordinate_spring(force);
  if (tag == "CoordinateLimitForce") add_limit_force(force);
  if (tag == "BushingForce") add_bushing(force, name);
}

std::string OsimForces::add_input(const std::string& name, const std::string& force) {
  const std::string called = name == "t" ? "t_" : name;  // t is the time
  TomlNode input = toml_table({{"name", toml_text(called)}});
  if (!force.empty()) put(input, "force", toml_text(force));
  append(scene_, "input", std::move(input));
  return called;
}

void OsimForces::add_muscle(const XmlElement& force, const std::string& name) {
  TomlNode table = osim_muscle(force, defaults_of(force), name, left_out_);
  if (!paths_.put_path(force, table)) return;
  append(scene_, "force", std::move(table));
  add_input(name, name);
}

void OsimForces::add_at_coordinate(const XmlElement& force, const std::string& text, const std::string& input) {
  const std::string tag = force.tag(), name = osim_socket(force, "coordinate", "coordinate");
  if (name.empty()) force.fail("expected a <coordinate> element, found none");
  const XmlElement child = force.child("coordinate");
  const OsimCoordinate& c = joints_.coordinate(name, child ? child : force);
  if (c.ref.empty()) {
    left_out_.add(tag + " of BallJoint and FreeJoint");
    return;
  }
  std::vector<TomlNode> texts;
  for (const OsimJoint& joint : joints_.joints())
    if (joint.name == c.joint)
      for (const OsimCoordinate& other : joint.coordinates)
        texts.push_back(other.name == c.name ? toml_text(text) : toml_number(0.0));
  TomlNode with;
  const auto use = [&](const char* word, const std::string& meaning) {
    if (text.find(word) != std::string::npos) put(with, word, toml_text(meaning));
  };
  use("q", "q." + c.ref);
  use("w", "v." + c.ref);
  use("u", "u." + input);
  TomlNode table = toml_table({{"type", toml_text("joint")},
                               {"joint", toml_text(c.joint)},
                               {"force", texts.size() == 1 ? texts[0] : toml_list(texts)}});
  if (!with.entries.empty()) put(table, "with", std::move(with));
  append(scene_, "force", std::move(table));
}

/// T = k s (1 + d dl/dt) where the stretch s is positive.
void OsimForces::add_path_spring(const XmlElement& force, const std::string& name) {
  TomlNode table = toml_table({{"type", toml_text("spring")}, {"name", toml_text(name)}});
  if (!paths_.put_path(force, table)) return;
  put(table, "law",
      toml_text(fmt::format("{}*max(0, l - {})*(1 + {}*ldot)", written(number_in(force, "stiffness", 1.0)),
                            written(number_in(force, "resting_length", 0.0)),
                            written(number_in(force, "dissipation", 0.0)))));
  append(scene_, "force", std::move(table));
}

/// T = F f(l/l_rest) where it is stretched.
void OsimForces::add_ligament(const XmlElement& force, const std::string& name) {
  TomlNode table = toml_table({{"type", toml_text("spring")}, {"name", toml_text(name)}});
  if (!paths_.put_path(force, table)) return;
  const XmlElement curve = OsimFunctions::find(force, "force_length_curve");
  const double rest = number_in(force, "resting_length", 0.0);
  if (!curve) force.fail("expected a <force_length_curve> element, found none");
  if (!(rest > 0.0)) force.fail(fmt::format("expected a positive resting_length, found {:g}", rest));
  const std::string f = functions_.text(curve, {fmt::format("(l/{})", written(rest))}, name + "_curve");
  put(table, "law",
      toml_text(fmt::format("if(l < {}, 0, {}*({}))", written(rest), written(number_in(force, "pcsa_force", 1.0)), f)));
  append(scene_, "force", std::move(table));
}

void OsimForces::add_point_spring(const XmlElement& force, const std::string& name) {
  const auto end = [&](const char* socket, const char* point) {
    const std::string text = osim_socket(force, socket, socket);
    if (text.empty()) force.fail(fmt::format("expected a <socket_{}> element, found none", socket));
    const OsimPlace at = frames_.find(text, "/forceset/" + osim_name(force), force);
    return toml_table({{"body", toml_text(at.body)}, {"at", toml_vector(at.pose * vec3_in(force, point, {}))}});
  };
  const double stiffness = number_in(force, "stiffness", 1.0);
  if (!(stiffness > 0.0)) return;
  append(scene_, "force",
         toml_table({{"type", toml_text("spring")},
                     {"name", toml_text(name)},
                     {"points", toml_list({end("body1", "point1"), end("body2", "point2")})},
                     {"stiffness", toml_number(stiffness)},
                     {"rest", toml_number(number_in(force, "rest_length", 0.0))}}));
}

void OsimForces::add_coordinate_spring(const XmlElement& force) {
  add_at_coordinate(
      force, fmt::format("{}*(q - {}) - {}*w", written(-number_in(force, "stiffness", 0.0)),
                         written(number_in(force, "rest_length", 0.0)), written(number_in(force, "viscosity", 0.0))));
}

/// Stiffness and damping that grow from 0 within `transition` beyond the limits, by the quintic step
/// s^3 (10 - 15 s + 6 s^2). Angles are in degrees.
void OsimForces::add_limit_force(const XmlElement& force) {
  const std::string name = osim_socket(force, "coordinate", "coordinate");
  if (name.empty()) force.fail("expected a <coordinate> element, found none");
  const OsimCoordinate& c = joints_.coordinate(name, force);
  const bool is_length = joints_.is_translation(c);
  const double unit = is_length ? 1.0 : std::acos(-1.0) / 180.0;
  const double width = unit * number_in(force, "transition", 0.1);
  if (!(width > 0.0)) force.fail("expected a positive transition, found another");
  const auto number = [&](const char* tag, double otherwise) { return number_in(force, tag, otherwise); };
  const double high = unit * number("upper_limit", 0.0), low = unit * number("lower_limit", 0.0);
  const auto step = [&](const std::string& beyond) {
    const std::string s = fmt::format("min(1, max(0, ({})/{}))", beyond, written(width));
    return fmt::format("({0})^3*(10 - 15*({0}) + 6*({0})^2)", s);
  };
  const std::string up = step(fmt::format("q - {}", written(high))), down = step(fmt::format("{} - q", written(low)));
  add_at_coordinate(force, fmt::format("{}*{}*({} - q) + {}*{}*({} - q) - {}*({} + {})*w",
                                       written(number("upper_stiffness", 1.0) / unit), up, written(high),
                                       written(number("lower_stiffness", 1.0) / unit), down, written(low),
                                       written(number("damping", 0.001) / unit), up, down));
}

void OsimForces::add_bushing(const XmlElement& force, const std::string& name) {
  const auto end = [&](const char* socket, const char* body, const char* location, const char* orientation) {
    const std::string text = osim_socket(force, socket, body);
    if (text.empty()) force.fail(fmt::format("expected a <socket_{}> element, found none", socket));
    OsimPlace at = frames_.find(text, "/forceset/" + osim_name(force), force);
    at.pose = at.pose * osim_pose(vec3_in(force, location, {}), vec3_in(force, orientation, {}));
    return at;
  };
  const OsimPlace a = end("frame1", "body_1", "location_body_1", "orientation_body_1"),
                  b = end("frame2", "body_2", "location_body_2", "orientation_body_2");
  if (a.body == b.body) force.fail("expected two bodies, found " + in_quotes(a.body) + " for both");
  const auto six = [&](const char* turning, const char* moving) {
    const Vec3<double> r = vec3_in(force, turning, {}), p = vec3_in(force, moving, {});
    return std::vector<double>{r[0], r[1], r[2], p[0], p[1], p[2]};
  };
  const std::vector<double> k = six("rotational_stiffness", "translational_stiffness"),
                            d = six("rotational_damping", "translational_damping");
  for (std::size_t i = 0; i < 6; ++i)
    if (k[i] < 0.0 || d[i] < 0.0) force.fail("expected stiffness and damping that are not negative, found another");
  if (k[0] != 0.0 || k[1] != 0.0 || k[2] != 0.0) left_out_.add("angles of BushingForce (the rotation vector instead)");
  append(scene_, "force",
         toml_table({{"type", toml_text("bushing")},
                     {"name", toml_text(name)},
                     {"a", toml_text(a.body)},
                     {"b", toml_text(b.body)},
                     {"at_a", toml_pose(a.pose)},
                     {"at_b", toml_pose(b.pose)},
                     {"stiffness", toml_numbers(k)},
                     {"damping", toml_numbers(d)}}));
}

}  // namespace cardan::io
