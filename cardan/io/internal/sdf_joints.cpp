#include "cardan/io/internal/sdf_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan::io {

namespace {

constexpr double kNoLimit = 1e16;  // what files of old versions write for none
const std::vector<std::string> kSdfTypes{"fixed",     "revolute", "continuous", "prismatic", "universal",
                                         "revolute2", "ball",     "screw",      "gearbox"};
const char* const kAxisTags[]{"axis", "axis2"};

std::size_t axes_of(const std::string& type) {
  return type == "universal" || type == "revolute2" || type == "gearbox" ? 2
         : type == "fixed" || type == "ball"                             ? 0
                                                                         : 1;
}

/// Meters a radian: thread_pitch is in radians a meter, left-handed; screw_thread_pitch in meters a turn.
double pitch_of(const SdfPart& joint) {
  constexpr double turn = 6.283185307179586;
  const bool is_new = static_cast<bool>(joint.element.child("screw_thread_pitch"));
  if (is_new || (joint.scope.version > 1.095 && !joint.element.child("thread_pitch")))
    return number_in(joint.element, "screw_thread_pitch", 1.0) / turn;
  const double pitch = number_in(joint.element, "thread_pitch", 1.0);
  if (pitch == 0.0) joint.element.child("thread_pitch").fail("expected a number other than 0, found 0");
  return -1.0 / pitch;
}

}  // namespace

Vec3<double> SdfJoints::axis(const SdfPart& joint, const char* tag) const {
  const XmlElement element = joint.element.child(tag);
  if (!element) return {0.0, 0.0, 1.0};
  check_children(element, "xyz dynamics limit use_parent_model_frame mimic", "initial_position", left_out_);
  const XmlElement xyz = element.child("xyz");
  Vec3<double> out = vec3_in(element, "xyz", {0.0, 0.0, 1.0});
  const double length = norm(out);
  if (!(length > 1e-14) || !std::isfinite(length))
    (xyz ? xyz : element).fail("expected a direction, found a vector of zero length");
  out = (1.0 / length) * out;
  std::string in;
  if (xyz && xyz.has("expressed_in") && !xyz.text("expressed_in").empty()) {
    const std::string name = xyz.text("expressed_in");
    in = models_.frames().resolve(name, joint.scope, xyz);
    models_.frames().require(in, name, joint.scope, xyz);
  } else if (joint.scope.version < 1.065 && truth_in(element, "use_parent_model_frame", joint.scope.version < 1.045)) {
    in = joint.scope.model;
  }
  return in.empty() ? out : models_.frames().between(joint.name, in).R * out;
}

SdfJoint SdfJoints::read(const SdfPart& part) const {
  SdfJoint out;
  out.part = part;
  out.type = part.element.text("type");
  if (std::find(kSdfTypes.begin(), kSdfTypes.end(), out.type) == kSdfTypes.end())
    part.element.fail("type", fmt::format("expected a joint type ({}), found {}{}", fmt::join(kSdfTypes, ", "),
                                          in_quotes(out.type), did_you_mean(out.type, kSdfTypes)));
  const auto link = [&](const char* tag) {
    const XmlElement element = part.element.required_child(tag);
    return models_.frames().body_of(models_.frames().resolve(element.content_name(), part.scope, element));
  };
  out.parent = link("parent");
  out.child = link("child");
  if (out.parent == out.child) part.element.fail("expected two links, found " + in_quotes(out.child) + " for both");
  for (std::size_t i = 0; i < axes_of(out.type); ++i) out.axes.push_back(axis(part, kAxisTags[i]));
  const auto turn = [](const char* type, const Vec3<double>& about) {
    return toml_table({{"type", toml_text(type)}, {"axis", toml_vector(about)}});
  };
  if (out.type == "fixed" || out.type == "gearbox")
    out.table = toml_table({{"type", toml_text("fixed")}});
  else if (out.type == "ball")
    out.table = toml_table({{"type", toml_text("spherical")}});
  else if (out.axes.size() == 2)
    out.table = toml_table({{"type", toml_text("composite")},
                            {"joints", toml_list({turn("revolute", out.axes[0]), turn("revolute", out.axes[1])})}});
  else
    out.table = turn(out.type == "prismatic" ? "prismatic" : out.type == "screw" ? "helical" : "revolute", out.axes[0]);
  if (out.type == "screw") put(out.table, "pitch", toml_number(pitch_of(part)));
  if (out.type != "gearbox") put_dynamics(out, out.table);
  return out;
}

/// Springs, damping, friction and limits, one entry for each coordinate.
void SdfJoints::put_dynamics(const SdfJoint& joint, TomlNode& table) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t axes = std::max<std::size_t>(joint.axes.size(), joint.type == "ball" ? 1 : 0);
  std::vector<double> stiffness, rest, damping, friction, effort, velocity;
  std::vector<TomlNode> limits;
  bool is_limited = false;
  for (std::size_t i = 0; i < axes; ++i) {
    const XmlElement axis = joint.part.element.child(kAxisTags[i]);
    const XmlElement dynamics = axis ? axis.child("dynamics") : XmlElement();
    const XmlElement limit = axis ? axis.child("limit") : XmlElement();
    if (dynamics) check_children(dynamics, "damping friction spring_reference spring_stiffness", "", left_out_);
    if (limit) check_children(limit, "lower upper effort velocity", "stiffness dissipation", left_out_);
    const auto number = [&](const char* tag) {
      const double x = dynamics ? number_in(dynamics, tag, 0.0) : 0.0;
      if (x < 0.0 && std::string_view(tag) != "spring_reference")
        dynamics.child(tag).fail(fmt::format("expected a number that is not negative, found {}", x));
      return x;
    };
    stiffness.push_back(number("spring_stiffness"));
    rest.push_back(number("spring_reference"));
    damping.push_back(number("damping"));
    friction.push_back(number("friction"));
    const auto bound = [&](const char* tag, double otherwise) {
      const double x = limit ? limit_in(limit, tag, otherwise) : otherwise;
      return std::abs(x) >= kNoLimit ? std::copysign(infinity, x) : x;
    };
    const double lower = bound("lower", -infinity), upper = bound("upper", infinity);
    if (lower > upper)
      limit.fail(fmt::format("expected the lower limit below the upper, found {} and {}", lower, upper));
    is_limited = is_limited || (joint.type != "continuous" && (std::isfinite(lower) || std::isfinite(upper)));
    limits.push_back(toml_numbers(std::array{lower, upper}));
    const double force = bound("effort", infinity), speed = bound("velocity", infinity);
    effort.push_back(force < 0.0 ? infinity : force);
    velocity.push_back(speed < 0.0 ? infinity : speed);
  }
  const auto add = [&](const char* key, const std::vector<double>& values, double none) {
    if (std::all_of(values.begin(), values.end(), [&](double x) { return x == none; })) return;
    put(table, key, joint.type == "ball" ? toml_number(values[0]) : toml_numbers(values));
  };
  add("stiffness", stiffness, 0.0);
  if (std::any_of(stiffness.begin(), stiffness.end(), [](double x) { return x != 0.0; })) add("rest", rest, 0.0);
  add("damping", damping, 0.0);
  add("friction", friction, 0.0);
  if (joint.type == "ball") return;
  // what Drake adds to the format: the inertia of a motor behind a gear
  const double ratio = number_in(joint.part.element, "drake:gear_ratio", 1.0);
  if (const double rotor = number_in(joint.part.element, "drake:rotor_inertia", 0.0); rotor != 0.0)
    put(table, "armature", toml_number(ratio * ratio * rotor));
  if (is_limited) put(table, "limits", toml_list(limits));
  add("effort_limit", effort, infinity);
  add("velocity_limit", velocity, infinity);
}

void SdfJoints::add_couplings(const std::vector<SdfJoint>& joints, TomlNode& scene) const {
  for (const SdfJoint& joint : joints) {
    if (joint.type == "gearbox") add_gearbox(joint, joints, scene);
    add_mimic(joint, joints, scene);
  }
}

/// theta_child = -ratio theta_parent, each the angle from the reference body about the gearbox's axes.
void SdfJoints::add_gearbox(const SdfJoint& gearbox, const std::vector<SdfJoint>& joints, TomlNode& scene) const {
  const XmlElement& element = gearbox.part.element;
  const XmlElement name = element.required_child("gearbox_reference_body");
  const std::string full = models_.frames().resolve(name.content_name(), gearbox.part.scope, name);
  models_.frames().require(full, name.content(), gearbox.part.scope, name);
  const std::string reference = models_.frames().body_of(full);
  double sign[2] = {1.0, 1.0};
  const SdfJoint* between[2] = {nullptr, nullptr};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& link = i == 0 ? gearbox.parent : gearbox.child;
    for (const SdfJoint& joint : joints) {
      if (joint.axes.size() != 1 || joint.type == "prismatic") continue;
      const bool forward = joint.parent == reference && joint.child == link;
      if (!forward && !(joint.parent == link && joint.child == reference)) continue;
      const Vec3<double> about = models_.frames().between(joint.part.name, gearbox.part.name).R * gearbox.axes[i];
      between[i] = &joint;
      sign[i] = (forward ? 1.0 : -1.0) * (dot(about, joint.axes[0]) < 0.0 ? -1.0 : 1.0);
    }
    if (between[i] == nullptr)
      element.fail(fmt::format("expected a revolute joint between {} and the reference body {}, found none",
                               in_quotes(link), in_quotes(reference)));
  }
  const double ratio = number_in(element, "gearbox_ratio", 1.0);
  append(scene, "coupling",
         toml_table({{"joint", toml_text(between[1]->part.name)},
                     {"equals", toml_text(written(-ratio * sign[0] * sign[1]) + "*x")},
                     {"with", toml_table({{"x", toml_text(between[0]->part.name)}})}}));
}

/// follower = multiplier (leader - reference) + offset.
void SdfJoints::add_mimic(const SdfJoint& joint, const std::vector<SdfJoint>& joints, TomlNode& scene) const {
  for (const char* tag : kAxisTags) {
    const XmlElement axis = joint.part.element.child(tag);
    const XmlElement mimic = axis ? axis.child("mimic") : XmlElement();
    if (!mimic) continue;
    const std::string full = models_.frames().resolve(mimic.name("joint"), joint.part.scope, mimic);
    const auto leader = std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.part.name == full; });
    if (leader == joints.end()) {
      std::vector<std::string> known;
      for (const SdfJoint& other : joints) known.push_back(other.part.name.substr(other.part.scope.prefix.size()));
      mimic.fail("joint", "expected a joint of this model, found " + in_quotes(mimic.text("joint")) +
                              did_you_mean(mimic.text("joint"), known));
    }
    if (leader->axes.size() != 1 || joint.axes.size() != 1) {
      left_out_.add("mimic (of joints with two axes)");
      continue;
    }
    append(
        scene, "coupling",
        toml_table({{"joint", toml_text(joint.part.name)},
                    {"equals", toml_text(fmt::format("{}*(x - {}) + {}", written(number_in(mimic, "multiplier", 1.0)),
                                                     written(number_in(mimic, "reference", 0.0)),
                                                     written(number_in(mimic, "offset", 0.0))))},
                    {"with", toml_table({{"x", toml_text(leader->part.name)}})}}));
  }
}

}  // namespace cardan::io
