#include "cardan/io/scene_forces.hpp"

#include "cardan/forces/applied_wrench.hpp"
#include "cardan/forces/joint_force.hpp"
#include "cardan/forces/spring.hpp"
#include "cardan/io/scene_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

using ReadForce = std::shared_ptr<const Force> (*)(const SceneWords& words, const TomlValue& table);

std::shared_ptr<const Force> read_applied_wrench(const SceneWords& words, const TomlValue& table) {
  const bool is_point = table.find("type").text() == "point";
  std::vector<std::string> keys{"type", "name", "body", "at", "frame", "force"};
  if (!is_point) keys.emplace_back("moment");
  table.allow(with_word_keys(keys));
  const Model& model = words.model();
  const TomlValue at = table.find("at"), axes = table.find("frame"), moment = table.find("moment"),
                  force = table.find("force");
  const int frame = read_moving_frame(model, table.required("body"));
  if (!force && is_point) table.fail("expected the key \"force\", found none");
  if (!force && !moment) table.fail("expected the key \"moment\" or \"force\", found neither");
  std::vector<TomlValue> texts;
  static const TomlNode kZero{.kind = TomlNode::Kind::number};
  static const Source kNowhere{};
  for (const TomlValue& part : {moment, force})
    for (int c = 0; c < 3; ++c)
      texts.push_back(part ? part.items(3, "expressions")[static_cast<std::size_t>(c)]
                           : TomlValue(kZero, kNowhere, ""));
  SignalFunction wrench = words.function(table, texts);
  AppliedWrench out{frame, at ? at.vec3() : Vec3<double>{}, axes && axes.one_of({"world", "body"}) == "body",
                    std::move(wrench)};
  return make_force(out.on(model));
}

std::shared_ptr<const Force> read_joint_force(const SceneWords& words, const TomlValue& table) {
  table.allow(with_word_keys({"type", "name", "joint", "force"}));
  const TomlValue joint = table.required("joint"), force = table.required("force");
  const Link& link = words.model().link(read_moving_joint(words.model(), joint));
  return make_force(
      JointForce{joint.text(), link.v, words.function(table, one_each(force, static_cast<std::size_t>(link.nv)))});
}

/// { body, at }: a point of a body, "world" included.
BodyPoint read_body_point(const Model& model, const TomlValue& table) {
  table.allow({"body", "at"});
  const TomlValue body = table.required("body"), at = table.find("at");
  const Vec3<double> place = at ? at.vec3() : Vec3<double>{};
  const Frame& frame = model.frame(read_frame(model, body, "a body"));
  return {frame.body, frame.X.r + rotate_back(frame.X.E, place)};
}

std::shared_ptr<const Force> read_spring(const SceneWords& words, const TomlValue& table) {
  const Model& model = words.model();
  table.allow({"type", "name", "points", "stiffness", "damping", "rest"});
  const std::vector<TomlValue> points = table.required("points").items();
  if (points.size() != 2)
    table.find("points").fail(
        fmt::format("expected 2 points, found {}: paths over more are not available yet", points.size()));
  const auto number = [&](const char* key) {
    const TomlValue value = table.find(key);
    if (value && value.number() < 0.0) value.fail(fmt::format("expected a number not below 0, found {}", value.kind()));
    return value ? std::optional(value.number()) : std::nullopt;
  };
  const TomlValue name = table.find("name");
  Spring out{name ? name.name() : "spring", read_body_point(model, points[0]), read_body_point(model, points[1])};
  if (out.a.body == out.b.body)
    table.find("points").fail("expected points of two bodies that move against each other, found two of one");
  out.stiffness = number("stiffness").value_or(0.0);
  out.damping = number("damping").value_or(0.0);
  out.rest = number("rest");
  if (out.stiffness == 0.0 && out.damping == 0.0)
    table.fail("expected the key \"stiffness\" or \"damping\", found neither");
  return make_force(out);
}

struct ForceType {
  const char* name;
  ReadForce read;
};
constexpr ForceType kForceTypes[] = {
    {"point", read_applied_wrench}, {"wrench", read_applied_wrench}, {"joint", read_joint_force},
    {"spring", read_spring},        {"spring_damper", read_spring},
};
/// Types of the format that this version does not read.
const std::vector<std::string> kLater{"cable", "muscle", "damping", "bushing"};

}  // namespace

Forces read_forces(const SceneWords& words, const std::vector<TomlValue>& forces) {
  std::vector<std::string> names;
  for (const ForceType& type : kForceTypes) names.emplace_back(type.name);
  Forces out;
  for (const TomlValue& table : forces) {
    const TomlValue type = table.required("type");
    if (type.is_text() && std::find(kLater.begin(), kLater.end(), type.text()) != kLater.end())
      type.fail(fmt::format("expected one of {}, found {}: not available yet", fmt::join(names, ", "),
                            in_quotes(type.text())));
    const std::string& word = type.one_of(names);
    for (const ForceType& known : kForceTypes)
      if (word == known.name) out.push_back(known.read(words, table));
  }
  return out;
}

}  // namespace cardan::io
