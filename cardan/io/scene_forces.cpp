#include "cardan/io/scene_forces.hpp"

#include "cardan/forces/applied_wrench.hpp"
#include "cardan/forces/joint_force.hpp"
#include "cardan/forces/spring.hpp"
#include "cardan/io/scene_names.hpp"
#include "cardan/io/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

using ReadForce = std::shared_ptr<const Force> (*)(const Model& model, const TomlValue& table);

std::shared_ptr<const Force> read_applied_wrench(const Model& model, const TomlValue& table) {
  const bool is_point = table.find("type").text() == "point";
  table.allow(with_text_keys(is_point
                                 ? std::vector<std::string>{"type", "name", "body", "at", "frame", "force"}
                                 : std::vector<std::string>{"type", "name", "body", "at", "frame", "force", "moment"}));
  const TomlValue at = table.find("at"), axes = table.find("frame"), moment = table.find("moment"),
                  force = table.find("force");
  const int frame = read_moving_frame(model, table.required("body"));
  if (!force && is_point) table.fail("expected the key \"force\", found none");
  if (!force && !moment) table.fail("expected the key \"moment\" or \"force\", found neither");
  TimeFunction wrench = read_time_function(table, 0, [&](const Symbols& symbols) {
    const Vec3<Expr> m = moment ? read_point(moment, symbols) : Vec3<Expr>{};
    const Vec3<Expr> f = force ? read_point(force, symbols) : Vec3<Expr>{};
    return std::vector<Expr>{m[0], m[1], m[2], f[0], f[1], f[2]};
  });
  AppliedWrench out{frame, at ? at.vec3() : Vec3<double>{}, axes && axes.one_of({"world", "body"}) == "body",
                    std::move(wrench)};
  return make_force(out.on(model));
}

/// What a word in the text of a force means: t, a joint's name (its coordinate) or "v." and a joint's name.
struct StateWord {
  enum class Kind { time, coordinate, velocity };
  Kind kind;
  int velocity = -1;
};
StateWord meaning_of(const Model& model, const TomlValue& where, const std::string& name) {
  if (name == "t") return {StateWord::Kind::time};
  const bool is_velocity = name.starts_with("v.") && model.find_joint(name) < 0;
  std::string joint = is_velocity ? name.substr(2) : name;
  int body = model.find_joint(joint), k = 0;
  if (body < 0 && joint.size() > 2 && joint[joint.size() - 2] == '.' && std::isdigit(joint.back())) {
    k = joint.back() - '0';
    joint.resize(joint.size() - 2);
    body = model.find_joint(joint);
  }
  if (body < 0 || k >= model.link(body).nv) {
    std::vector<std::string> known{"t"};
    for (int i = 1; i <= model.bodies(); ++i) {
      known.push_back(model.joint_name(i));
      known.push_back("v." + model.joint_name(i));
    }
    where.fail(fmt::format("expected t, a joint or v.JOINT, found {}{}", in_quotes(name), did_you_mean(name, known)));
  }
  const Link& link = model.link(body);
  if (!is_velocity && !model.joint(body).is_flat())
    where.fail(fmt::format("expected a joint with as many coordinates as velocities, found {}", in_quotes(name)));
  return {is_velocity ? StateWord::Kind::velocity : StateWord::Kind::coordinate, link.v + k};
}

std::shared_ptr<const Force> read_joint_force(const Model& model, const TomlValue& table) {
  table.allow(with_text_keys({"type", "name", "joint", "force", "with"}));
  const TomlValue joint = table.required("joint"), force = table.required("force"), with = table.find("with");
  const int body = read_moving_joint(model, joint);
  const auto n = static_cast<std::size_t>(model.link(body).nv);
  const std::vector<TomlValue> texts = n == 1 && !force.is_list()
                                           ? std::vector<TomlValue>{force}
                                           : force.items(n, n == 1 ? "expression" : "expressions");
  std::vector<std::string> words;
  for (const TomlValue& text : texts)
    for (const std::string& word : names_used(table, text))
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  if (with)
    for (const std::string& word : with.keys())
      if (std::find(words.begin(), words.end(), word) == words.end())
        with.fail_key(word, fmt::format("expected a name that the force uses, found {}", in_quotes(word)));
  std::vector<StateWord> meanings;
  std::vector<int> coordinates, velocities;
  for (const std::string& word : words) {
    const TomlValue given = with ? with.find(word) : TomlValue();
    meanings.push_back(meaning_of(model, given ? given : force, given ? given.name() : word));
    if (meanings.back().kind == StateWord::Kind::coordinate) coordinates.push_back(meanings.back().velocity);
    if (meanings.back().kind == StateWord::Kind::velocity) velocities.push_back(meanings.back().velocity);
  }
  const TextScope scope = TextScope::of_names(table, words);
  const auto write = [&](Expr t, std::span<const Expr> x, std::span<const Expr> v) {
    std::vector<Expr> values, out;
    std::size_t next_x = 0, next_v = 0;
    for (const StateWord& word : meanings)
      values.push_back(word.kind == StateWord::Kind::time         ? t
                       : word.kind == StateWord::Kind::coordinate ? x[next_x++]
                                                                  : v[next_v++]);
    const Symbols symbols = scope.symbols(values);
    for (const TomlValue& text : texts) out.push_back(read_expression(text, symbols));
    return out;
  };
  try {
    return make_force(
        JointForce{joint.text(), model.link(body).v, StateFunction(model, coordinates, velocities, write)});
  } catch (const GraphTooLarge& problem) {
    table.fail(problem.what());
  }
}

/// { body, at }: a point of a body, "world" included.
BodyPoint read_body_point(const Model& model, const TomlValue& table) {
  table.allow({"body", "at"});
  const TomlValue body = table.required("body"), at = table.find("at");
  const Vec3<double> place = at ? at.vec3() : Vec3<double>{};
  const Frame& frame = model.frame(read_frame(model, body, "a body"));
  return {frame.body, frame.X.r + rotate_back(frame.X.E, place)};
}

std::shared_ptr<const Force> read_spring(const Model& model, const TomlValue& table) {
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

Forces read_forces(const Model& model, const std::vector<TomlValue>& forces) {
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
      if (word == known.name) out.push_back(known.read(model, table));
  }
  return out;
}

}  // namespace cardan::io
