#include "cardan/io/scene_forces.hpp"

#include "cardan/forces/applied_wrench.hpp"
#include "cardan/forces/joint_force.hpp"
#include "cardan/io/scene_lines.hpp"
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

struct ForceType {
  const char* name;
  ReadForce read;
};
constexpr ForceType kForceTypes[] = {
    {"point", read_applied_wrench},
    {"wrench", read_applied_wrench},
    {"joint", read_joint_force},
};

/// The name of a force, or its type with a number where several have none.
std::string force_label(const TomlValue& table, const std::string& type, std::vector<std::string>& taken) {
  const auto is_taken = [&](const std::string& name) {
    return std::find(taken.begin(), taken.end(), name) != taken.end();
  };
  std::string label = type;
  if (const TomlValue name = table.find("name")) {
    label = name.name();
    if (is_taken(label)) name.fail("expected names that differ, found " + in_quotes(label) + " twice");
  }
  for (int k = 2; is_taken(label); ++k) label = fmt::format("{}_{}", type, k);
  taken.push_back(label);
  return label;
}

}  // namespace

Forces read_forces(const Model& model, const std::vector<TomlValue>& forces) {
  std::vector<std::string> names, labels;
  const std::vector<std::string>& lines = line_force_names();
  for (const ForceType& type : kForceTypes) names.emplace_back(type.name);
  names.insert(names.end(), lines.begin(), lines.end());
  Forces out;
  for (const TomlValue& table : forces) {
    const std::string& word = table.required("type").one_of(names);
    for (const ForceType& known : kForceTypes)
      if (word == known.name) out.push_back(known.read(model, table));
    if (std::find(lines.begin(), lines.end(), word) != lines.end())
      out.push_back(read_line_force(model, table, word, force_label(table, word, labels)));
  }
  return out;
}

}  // namespace cardan::io
