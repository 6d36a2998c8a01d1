#include "cardan/io/internal/osim_joints.hpp"

#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace cardan::io {

namespace {

/// A type of joint with a fixed number of coordinates; -1: as many as the file lists.
struct JointType {
  const char* name;
  int coordinates;
  const char* transform;  // of coordinates a, b, c; null: not an expression joint
};
constexpr JointType kJointTypes[]{{"PinJoint", 1, nullptr},
                                  {"SliderJoint", 1, nullptr},
                                  {"WeldJoint", 0, nullptr},
                                  {"BallJoint", 3, nullptr},
                                  {"FreeJoint", 6, nullptr},
                                  {"UniversalJoint", 2, "rotx({0})*roty({1})"},
                                  {"PlanarJoint", 3, "trans({1}, {2}, 0)*rotz({0})"},
                                  {"GimbalJoint", 3, "rotx({0})*roty({1})*rotz({2})"},
                                  {"EllipsoidJoint", 3, nullptr},
                                  {"CustomJoint", -1, nullptr}};

const JointType& osim_joint_type(const XmlElement& joint) {
  std::vector<std::string> known;
  const std::string tag = joint.tag();
  for (const JointType& type : kJointTypes) {
    if (tag == type.name) return type;
    known.emplace_back(type.name);
  }
  joint.fail(fmt::format("expected a type of joint that is known ({}), found {}{}", fmt::join(known, ", "),
                         in_quotes(tag), did_you_mean(tag, known)));
}

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

OsimJoints::OsimJoints(const XmlElement& model, const OsimFrames& frames, LeftOut& left_out)
    : frames_(frames), left_out_(left_out) {
  for (const XmlElement& joint : osim_objects(model, "JointSet")) add(joint, {});
  for (const XmlElement& part : osim_objects(model, "components"))
    if (part.tag().ends_with("Joint")) add(part, {});
  for (const XmlElement& body : frames.bodies()) {
    const XmlElement inside = body.child("Joint");
    if (!inside) continue;
    for (const XmlElement& joint : inside.children()) add(joint, body);
  }
}

/// `body`: the one that a file up to version 3 writes the joint into; else false.
void OsimJoints::add(const XmlElement& element, const XmlElement& body) {
  OsimJoint joint;
  joint.type = osim_joint_type(element).name;
  joint.name = osim_name(element, in_small_letters(joint.type));
  for (int k = 2; !names_.insert(joint.name).second; ++k) {
    if (!osim_name(element).empty())
      element.fail("name", "expected names that differ, found " + in_quotes(joint.name) + " twice");
    joint.name = fmt::format("{}_{}", in_small_letters(joint.type), k);
  }
  joint.element = element.owned_by(joint.type + " " + in_quotes(joint.name));
  check_children(joint.element,
                 "socket_parent_frame socket_child_frame connectors frames coordinates CoordinateSet parent_body "
                 "location_in_parent orientation_in_parent location orientation reverse SpatialTransform radii_x_y_z "
                 "location_in_child orientation_in_child use_euler_angles",
                 "components VisibleObject appliesForce", left_out_);
  const auto place = [&](const char* socket, const char* old_tag) {
    const std::string text = osim_socket(joint.element, socket, old_tag);
    const std::string tag = std::string("socket_") + socket;
    const XmlElement child = joint.element.child(tag.c_str());
    if (text.empty()) joint.element.fail(fmt::format("expected a <{}> element, found none", tag));
    return frames_.find(text, "/jointset/" + osim_name(element), child ? child : joint.element);
  };
  const auto pose = [&](const char* translation, const char* angles) {
    return osim_pose(vec3_in(joint.element, translation, {}), vec3_in(joint.element, angles, {}));
  };
  joint.parent = place("parent_frame", "parent_body");
  joint.parent.pose = joint.parent.pose * pose("location_in_parent", "orientation_in_parent");
  if (body) {
    joint.child = {body.name("name"), pose("location", "orientation")};
  } else {
    joint.child = place("child_frame", "child_body");
    joint.child.pose = joint.child.pose * pose("location_in_child", "orientation_in_child");
  }
  if (joint.parent.body == joint.child.body)
    joint.element.fail("expected two bodies, found " + in_quotes(joint.child.body) + " for both");
  joint.is_reversed = osim_truth(joint.element, "reverse", false);
  read_coordinates(joint);
  joints_.push_back(std::move(joint));
}

void OsimJoints::read_coordinates(OsimJoint& joint) {
  const JointType& type = osim_joint_type(joint.element);
  std::vector<XmlElement> listed = osim_objects(joint.element, "coordinates");
  for (const XmlElement& one : osim_objects(joint.element, "CoordinateSet")) listed.push_back(one);
  const int count = type.coordinates < 0 ? static_cast<int>(listed.size()) : type.coordinates;
  constexpr int most = 6;
  if (static_cast<int>(listed.size()) > count || count > most)
    joint.element.fail(fmt::format("expected at most {} coordinates, found {}", std::min(count, most), listed.size()));
  const bool has_rates = joint.type != "BallJoint" && joint.type != "FreeJoint";
  for (int k = 0; k < count; ++k) {
    OsimCoordinate c;
    c.joint = joint.name;
    c.name = fmt::format("{}_coord_{}", osim_name(joint.element), k);
    if (k < static_cast<int>(listed.size())) {
      const XmlElement& own = listed[static_cast<std::size_t>(k)];
      c.name = osim_name(own, c.name);
      if (own.tag() != "Coordinate") own.fail("expected a <Coordinate>, found <" + printable(own.tag()) + ">");
      c.element = own.owned_by("Coordinate " + in_quotes(c.name));
      check_children(c.element,
                     "default_value default_speed_value initial_value range clamped locked prescribed_function "
                     "prescribed motion_type is_free_to_satisfy_constraints keys restraint_function "
                     "min_restraint_function max_restraint_function restraint_active",
                     "tolerance stiffness", left_out_);
      c.value = number_in(c.element, c.element.child("initial_value") ? "initial_value" : "default_value", 0.0);
      c.speed = number_in(c.element, "default_speed_value", 0.0);
    }
    if (!coordinate_names_.insert(c.name).second)
      (c.element ? c.element : joint.element)
          .fail("expected names that differ, found the coordinate " + in_quotes(c.name) + " twice");
    c.word = osim_word(c.name, words_);
    if (has_rates) c.ref = count == 1 ? joint.name : fmt::format("{}.{}", joint.name, k);
    joint.coordinates.push_back(std::move(c));
  }
}

void OsimJoints::write_types(OsimFunctions& functions) {
  for (OsimJoint& joint : joints_) write_type(joint, functions);
}

void OsimJoints::write_type(OsimJoint& joint, OsimFunctions& functions) {
  const JointType& type = osim_joint_type(joint.element);
  const auto plain = [&](const char* name) { joint.table = toml_table({{"type", toml_text(name)}}); };
  const auto turn = [&](const char* name, const Vec3<double>& axis) {
    plain(name);
    put(joint.table, "axis", toml_vector(joint.is_reversed ? -axis : axis));
  };
  const auto word = [&](std::size_t k) { return joint.coordinates[k].word; };
  const auto expression = [&](const std::string& transform) {
    plain("expression");
    put(joint.table, "transform", toml_text(transform));
    joint.is_expression = true;
  };
  if (joint.type == "PinJoint") return turn("revolute", {0.0, 0.0, 1.0});
  if (joint.type == "SliderJoint") return turn("prismatic", {1.0, 0.0, 0.0});
  if (joint.type == "WeldJoint") return plain("fixed");
  if (joint.type == "BallJoint" || joint.type == "FreeJoint") {
    if (joint.is_reversed) joint.element.child("reverse").fail("expected false for this type of joint, found true");
    return plain(joint.type == "BallJoint" ? "spherical" : "free");
  }
  if (joint.type == "CustomJoint") return write_custom(joint, functions);
  if (joint.type == "EllipsoidJoint") {
    // the child's origin moves on an ellipsoid, at the point to which its z axis shows on a unit sphere
    const Vec3<double> r = vec3_in(joint.element, "radii_x_y_z", {1.0, 1.0, 1.0});
    return expression(
        fmt::format("trans({3}*sin({1}), -{4}*sin({0})*cos({1}), {5}*cos({0})*cos({1}))*rotx({0})*roty({1})*rotz({2})",
                    word(0), word(1), word(2), written(r[0]), written(r[1]), written(r[2])));
  }
  const std::string third = joint.coordinates.size() > 2 ? word(2) : std::string();
  expression(fmt::format(fmt::runtime(type.transform), word(0), word(1), third));
}

bool OsimJoints::is_translation(const OsimCoordinate& coordinate) const {
  if (coordinate.element && coordinate.element.child("motion_type"))
    return text_in(coordinate.element, "motion_type") != "rotational";
  for (const OsimJoint& joint : joints_) {
    if (joint.name != coordinate.joint) continue;
    if (joint.type == "SliderJoint") return true;
    if (joint.type == "PlanarJoint") return joint.coordinates[0].name != coordinate.name;
    if (joint.type != "CustomJoint") return false;
    bool turns = false;
    for (const XmlElement& axis : osim_objects(joint.element, "SpatialTransform"))
      for (const std::string& name : osim_names(axis, "coordinates"))
        turns = turns || (name == coordinate.name && osim_name(axis).starts_with("rotation"));
    return !turns;
  }
  return false;
}

const OsimCoordinate& OsimJoints::coordinate(const std::string& path, const XmlElement& where) const {
  const std::string name = osim_last_part(path);
  std::vector<std::string> known;
  for (const OsimJoint& joint : joints_)
    for (const OsimCoordinate& c : joint.coordinates) {
      if (c.name == name) return c;
      known.push_back(c.name);
    }
  where.fail(
      fmt::format("expected a coordinate of this model, found {}{}", in_quotes(name), did_you_mean(name, known)));
}

}  // namespace cardan::io
