#include "cardan/io/internal/mjcf_elements.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> out;
  for (const auto& [key, value] : map) out.push_back(key);
  return out;
}

/// The text within a range; as it is where there is none.
std::string clipped(const std::string& text, const std::vector<double>& range) {
  return range.empty() ? text : fmt::format("max({}, min({}, {}))", written(range[0]), written(range[1]), text);
}

/// The range, where it holds: limited is true, or not said and a range is given.
std::vector<double> range_of(const MjcfElement& element, const char* range, const char* limited, bool autolimits) {
  const std::vector<double> out = element.numbers(range, 2, 2);
  const std::string word = element.text(limited, "auto");
  return word == "true" || (word == "auto" && autolimits) ? out : std::vector<double>();
}

}  // namespace

const MjcfJoint& MjcfElements::plain_joint(const XmlElement& element, const char* attribute) const {
  const std::string name = element.name(attribute);
  std::vector<std::string> known;
  for (const MjcfJoint& joint : bodies_.joints()) {
    if (joint.name == name) {
      if (joint.type != "hinge" && joint.type != "slide")
        element.fail(attribute,
                     fmt::format("expected a hinge or slide, found the {} joint {}", joint.type, in_quotes(name)));
      return joint;
    }
    known.push_back(joint.name);
  }
  element.fail(attribute,
               fmt::format("expected a joint of this file, found {}{}", in_quotes(name), did_you_mean(name, known)));
}

const MjcfPlace& MjcfElements::place(const XmlElement& element, const char* attribute,
                                     const std::map<std::string, MjcfPlace>& places, const char* what) const {
  const std::string name = element.name(attribute);
  const auto found = places.find(name);
  if (found == places.end())
    element.fail(attribute, fmt::format("expected a {} of this file, found {}{}", what, in_quotes(name),
                                        did_you_mean(name, keys_of(places))));
  return found->second;
}

Pose<double> MjcfElements::body_pose(const XmlElement& element, const char* attribute, std::string& name) const {
  name = element.has(attribute) ? element.name(attribute) : "world";
  const auto found = bodies_.poses().find(name);
  if (found == bodies_.poses().end())
    element.fail(attribute, fmt::format("expected a body of this file, found {}{}", in_quotes(name),
                                        did_you_mean(name, keys_of(bodies_.poses()))));
  return found->second;
}

void MjcfElements::read_equalities() {
  for (const XmlElement& own : document_.section("equality")) {
    const MjcfElement element = document_.with_defaults(own, "", "equality");
    if (!element.truth("active", true)) continue;
    if (own.tag() == "connect" || own.tag() == "weld")
      read_connect(element, own.tag() == "weld");
    else if (own.tag() == "joint")
      read_joint_equality(element);
    else
      warn(own, "this equality is not read: the motion is as without it");
  }
}

/// Two frames, or their origins, that stay together. A weld without torques holds its anchor alone.
void MjcfElements::read_connect(const MjcfElement& element, bool is_weld) {
  const XmlElement& own = element.own();
  const bool welds = is_weld && element.number("torquescale", 1.0) != 0.0;
  std::string a, b;
  Pose<double> at_a, at_b;
  if (own.has("site1")) {
    const MjcfPlace &first = place(own, "site1", bodies_.sites(), "site"),
                    &second = place(own, "site2", bodies_.sites(), "site");
    a = first.body;
    b = second.body;
    at_a = first.pose;
    at_b = second.pose;
  } else {
    const Pose<double> in_a = inverse(body_pose(own, "body1", a)), world_b = body_pose(own, "body2", b);
    Pose<double> relative = in_a * world_b;  // of body2 in body1
    if (const auto given = element.numbers("relpose", 7, 7); is_weld && !given.empty()) {
      const Quaternion<double> q{given[3], given[4], given[5], given[6]};
      if (dot(q, q) > 1e-28) relative = {quaternion_to_matrix(quaternion_normalize(q)), {given[0], given[1], given[2]}};
    }
    // the anchor is one of body1, that of a weld one of body2
    const Vec3<double> anchor = element.vec3("anchor", {});
    at_b.p = is_weld ? anchor : inverse(relative) * anchor;
    at_a = relative * at_b;
    if (!welds) at_a.R = at_b.R = Mat3<double>::identity();
  }
  TomlNode loop = toml_table({{"type", toml_text(welds ? "fixed" : "spherical")},
                              {"a", toml_text(a)},
                              {"b", toml_text(b)},
                              {"at_a", toml_pose(at_a)},
                              {"at_b", toml_pose(at_b)}});
  if (own.has("name")) put(loop, "name", toml_text(own.name("name")));
  append(scene_, "loop", std::move(loop));
}

/// y - y0 = a0 + a1 (x - x0) + ... + a4 (x - x0)^4.
void MjcfElements::read_joint_equality(const MjcfElement& element) {
  const XmlElement& own = element.own();
  const MjcfJoint& y = plain_joint(own, "joint1");
  std::vector<double> a = element.numbers("polycoef", 1, 5);
  if (a.empty()) a = {0.0, 1.0};
  TomlNode coupling = toml_table({{"joint", toml_text(y.name)}});
  if (own.has("joint2")) {
    const MjcfJoint& x = plain_joint(own, "joint2");
    std::string text = written(y.reference + a[0]), power;
    for (std::size_t k = 1; k < a.size(); ++k) {
      power += fmt::format("*(x - {})", written(x.reference));
      text += fmt::format(" + {}{}", written(a[k]), power);
    }
    put(coupling, "equals", toml_text(text));
    put(coupling, "with", toml_table({{"x", toml_text(x.name)}}));
  } else {
    append(scene_, "motion",
           toml_table({{"joint", toml_text(y.name)}, {"position", toml_text(written(y.reference + a[0]))}}));
    return;
  }
  append(scene_, "coupling", std::move(coupling));
}

void MjcfElements::read_tendons() {
  int count = 0;
  for (const XmlElement& own : document_.section("tendon")) {
    const MjcfElement tendon = document_.with_defaults(own, "", "tendon");
    const std::string name = own.has("name") ? own.name("name") : fmt::format("tendon_{}", count);
    ++count;
    if (tendon.number("armature", 0.0) != 0.0) warn(own, "armature of tendons is not read");
    if (tendon.number("frictionloss", 0.0) != 0.0) warn(own, "friction of tendons is not read");
    if (!range_of(tendon, "range", "limited", compiler_.autolimits).empty())
      warn(own, "limits of tendons are not read");
    if (own.tag() == "fixed")
      read_fixed_tendon(own, tendon);
    else
      read_spatial_tendon(own, tendon, name);
  }
}

/// L = sum of c_i q_i pulls at each joint with -c_i (k (L - L0) + d dL/dt).
void MjcfElements::read_fixed_tendon(const XmlElement& own, const MjcfElement& tendon) {
  const double k = tendon.number("stiffness", 0.0), d = tendon.number("damping", 0.0);
  std::string length, speed;
  TomlNode with;
  std::vector<std::pair<std::string, double>> parts;
  for (const XmlElement& part : document_.children(own, "joint")) {
    const MjcfJoint& joint = plain_joint(part, "joint");
    const double c = part.number("coef");
    const std::size_t i = parts.size();
    length += fmt::format("{}{}*q{}", i == 0 ? "" : " + ", written(c), i);
    speed += fmt::format("{}{}*v{}", i == 0 ? "" : " + ", written(c), i);
    if (k != 0.0) put(with, fmt::format("q{}", i), toml_text(joint.name));
    if (d != 0.0) put(with, fmt::format("v{}", i), toml_text("v." + joint.name));
    parts.emplace_back(joint.name, c);
  }
  if ((k == 0.0 && d == 0.0) || parts.empty()) return;
  std::vector<double> rest = tendon.numbers("springlength", 1, 2);
  if (rest.empty() || rest[0] < 0.0) rest = {0.0};
  const double low = rest.front(), high = rest.back();
  const std::string stretch =
      fmt::format("(max(0, {0} - {2}) + min(0, {0} - {1}))", "(" + length + ")", written(low), written(high));
  for (const auto& [joint, c] : parts) {
    std::string text;
    if (k != 0.0) text += fmt::format("{}*{}*{}", written(-c), written(k), stretch);
    if (d != 0.0) text += fmt::format("{}{}*{}*({})", text.empty() ? "" : " + ", written(-c), written(d), speed);
    append(
        scene_, "force",
        toml_table(
            {{"type", toml_text("joint")}, {"joint", toml_text(joint)}, {"force", toml_text(text)}, {"with", with}}));
  }
}

void MjcfElements::read_spatial_tendon(const XmlElement& own, const MjcfElement& tendon, const std::string& name) {
  std::vector<TomlNode> points, wraps;
  std::vector<Vec3<double>> places;  // of the points in the world
  std::vector<std::pair<std::size_t, MjcfPlace>> sideless;
  for (const XmlElement& part : document_.children(own)) {
    if (part.tag() == "site") {
      const MjcfPlace& at = place(part, "site", bodies_.sites(), "site");
      points.push_back(toml_table({{"body", toml_text(at.body)}, {"at", toml_vector(at.pose.p)}}));
      places.push_back(bodies_.poses().at(at.body) * at.pose.p);
    } else if (part.tag() == "geom") {
      const MjcfPlace& at = place(part, "geom", bodies_.geoms(), "geom");
      const auto* sphere = at.shape ? std::get_if<Sphere>(&*at.shape) : nullptr;
      const auto* cylinder = at.shape ? std::get_if<Cylinder>(&*at.shape) : nullptr;
      if (sphere == nullptr && cylinder == nullptr)
        part.fail("geom", "expected a sphere or a cylinder to wrap over, found another shape");
      TomlNode wrap =
          toml_table({{"body", toml_text(at.body)},
                      {sphere ? "sphere" : "cylinder", toml_number(sphere ? sphere->radius : cylinder->radius)},
                      {"at", toml_pose(at.pose)},
                      {"after", toml_number(static_cast<double>(points.size()))}});
      if (part.has("sidesite")) {
        const MjcfPlace& side = place(part, "sidesite", bodies_.sites(), "site");
        const Pose<double> frame = bodies_.poses().at(at.body) * at.pose;
        put(wrap, "side", toml_vector(inverse(frame) * (bodies_.poses().at(side.body) * side.pose.p)));
      } else {
        sideless.emplace_back(wraps.size(), at);
      }
      wraps.push_back(std::move(wrap));
    } else {
      warn(own, "tendons with pulleys are not read");
      return;
    }
  }
  for (const auto& [index, at] : sideless) {  // the side on which the straight line passes
    const auto after = static_cast<std::size_t>(
        std::find_if(wraps[index].entries.begin(), wraps[index].entries.end(), [](const TomlEntry& e) {
          return e.key == "after";
        })->value.number);
    if (after == 0 || after >= places.size()) continue;
    const Pose<double> frame = bodies_.poses().at(at.body) * at.pose;
    put(wraps[index], "side", toml_vector(inverse(frame) * (0.5 * (places[after - 1] + places[after]))));
  }
  const double k = tendon.number("stiffness", 0.0), d = tendon.number("damping", 0.0);
  TomlNode force =
      toml_table({{"type", toml_text("spring")}, {"name", toml_text(name)}, {"points", toml_list(points)}});
  if (!wraps.empty()) put(force, "wraps", toml_list(wraps));
  const std::vector<double> rest = tendon.numbers("springlength", 1, 2);
  if (rest.size() == 2 && rest[0] >= 0.0) {
    put(force, "law",
        toml_text(fmt::format("{0}*(max(0, l - {2}) + min(0, l - {1})) + {3}*ldot", written(k), written(rest[0]),
                              written(rest[1]), written(d))));
  } else if (k == 0.0 && d == 0.0) {
    put(force, "law", toml_text("0*l"));
  } else {
    put(force, "stiffness", toml_number(k));
    put(force, "damping", toml_number(d));
    if (!rest.empty() && rest[0] >= 0.0) put(force, "rest", toml_number(rest[0]));
  }
  append(scene_, "force", std::move(force));
}

void MjcfElements::read_actuators() {
  int count = 0;
  for (const XmlElement& own : document_.section("actuator")) {
    const std::string name = own.has("name") ? own.name("name") : fmt::format("actuator_{}", count);
    ++count;
    const std::string tag = own.tag();
    if (tag != "motor" && tag != "position" && tag != "velocity" && tag != "general") {
      warn(own, fmt::format("actuators of type {} are not read", printable(tag)));
      continue;
    }
    read_actuator(document_.with_defaults(own, "", "general"), name);
  }
}

/// gear * (gain u + b0 + b1 length + b2 speed), u and the force in brackets within their ranges; length and speed are
/// those of the joint times the gear.
void MjcfElements::read_actuator(const MjcfElement& by_general, const std::string& name) {
  const XmlElement& own = by_general.own();
  const MjcfElement by_tag = document_.with_defaults(own, "");
  const auto number = [&](const char* attribute, double otherwise) {
    return by_tag.number(attribute, by_general.number(attribute, otherwise));
  };
  const auto numbers = [&](const char* attribute, std::size_t most) {
    const std::vector<double> out = by_tag.numbers(attribute, 1, most);
    return out.empty() ? by_general.numbers(attribute, 1, most) : out;
  };
  const std::string tag = own.tag(), transmission = own.has("joint")           ? "joint"
                                                    : own.has("jointinparent") ? "jointinparent"
                                                                               : "";
  if (transmission.empty()) return warn(own, "actuators of tendons, sites and bodies are not read");
  for (const MjcfJoint& joint : bodies_.joints())
    if (joint.name == own.text(transmission.c_str()) && joint.type != "hinge" && joint.type != "slide")
      return warn(own, fmt::format("actuators of {} joints are not read", joint.type));
  const MjcfJoint& joint = plain_joint(own, transmission.c_str());
  const std::vector<double> gears = numbers("gear", 6);
  const double gear = gears.empty() ? 1.0 : gears[0];
  double gain = 1.0, bias[3] = {0.0, 0.0, 0.0};
  if (tag == "position") {
    gain = number("kp", 1.0);
    bias[1] = -gain;
    bias[2] = -number("kv", 0.0);
    if (number("dampratio", 0.0) != 0.0) warn(own, "dampratio is not read: give kv");
  } else if (tag == "velocity") {
    gain = number("kv", 1.0);
    bias[2] = -gain;
  } else if (tag == "general") {
    if (by_general.text("dyntype", "none") != "none" || by_general.text("gaintype", "fixed") != "fixed")
      return warn(own, "actuators with dynamics or gains of their own are not read");
    if (const auto given = numbers("gainprm", 10); !given.empty()) gain = given[0];
    const std::string kind = by_general.text("biastype", "none");
    if (kind != "none" && kind != "affine") return warn(own, "actuators with such a bias are not read");
    const std::vector<double> given = numbers("biasprm", 10);
    for (std::size_t i = 0; kind == "affine" && i < std::min<std::size_t>(3, given.size()); ++i) bias[i] = given[i];
  }
  const auto range = [&](const char* values, const char* limited) {
    const std::vector<double> out = range_of(by_tag, values, limited, compiler_.autolimits);
    return out.empty() ? range_of(by_general, values, limited, compiler_.autolimits) : out;
  };
  append(scene_, "input", toml_table({{"name", toml_text(name)}}));
  std::string force = fmt::format("{}*{}", written(gain), clipped("u", range("ctrlrange", "ctrllimited")));
  TomlNode with = toml_table({{"u", toml_text("u." + name)}});
  if (bias[0] != 0.0) force += " + " + written(bias[0]);
  if (bias[1] != 0.0) {
    force += fmt::format(" + {}*{}*q", written(bias[1]), written(gear));
    put(with, "q", toml_text("q." + joint.name));
  }
  if (bias[2] != 0.0) {
    force += fmt::format(" + {}*{}*w", written(bias[2]), written(gear));
    put(with, "w", toml_text("v." + joint.name));
  }
  const std::string text =
      fmt::format("{}*({})", written(gear), clipped("(" + force + ")", range("forcerange", "forcelimited")));
  append(scene_, "controller",
         toml_table({{"name", toml_text(name)},
                     {"type", toml_text("text")},
                     {"joints", toml_list({toml_text(joint.name)})},
                     {"force", toml_list({toml_text(text)})},
                     {"with", with}}));
}

}  // namespace cardan::io
