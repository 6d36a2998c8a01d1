#include "cardan/io/scene_loads.hpp"

#include "cardan/io/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

/// Types of the format that this version does not read.
const std::vector<std::string> kLater{"spring", "spring_damper", "muscle"};

std::vector<std::string> with_names(std::vector<std::string> keys) {
  keys.insert(keys.end(), TextScope::kKeys.begin(), TextScope::kKeys.end());
  return keys;
}

/// What record(symbols) gives as a function of time; trouble with it is the table's.
template <class Record>
TimeFunction read_time_function(const TomlValue& table, int derivatives, const Record& record) {
  const TextScope scope = TextScope::of_time(table);
  try {
    return TimeFunction([&](Expr t) { return record(scope.symbols(std::span(&t, 1))); }, derivatives);
  } catch (const GraphTooLarge& problem) {
    table.fail(problem.what());
  }
}

int read_frame(const Model& model, const TomlValue& body) {
  const int frame = model.find_frame(body.name());
  if (frame < 0 && body.text() != "world") {
    std::vector<std::string> known;
    for (int i = 0; i < model.frames(); ++i) known.push_back(model.frame(i).name);
    body.fail(fmt::format("expected a body of this scene, found {}{}", in_quotes(body.text()),
                          did_you_mean(body.text(), known)));
  }
  if (frame < 0 || model.frame(frame).body == 0)
    body.fail(fmt::format("expected a body that moves, found {}, which is fixed", in_quotes(body.text())));
  return frame;
}

AppliedForce read_force(const Model& model, const TomlValue& table) {
  const TomlValue type = table.required("type");
  if (type.is_text() && std::find(kLater.begin(), kLater.end(), type.text()) != kLater.end())
    type.fail(fmt::format("expected point or wrench, found {}: not available yet", in_quotes(type.text())));
  const bool is_point = type.one_of({"point", "wrench"}) == "point";
  table.allow(with_names(is_point ? std::vector<std::string>{"type", "body", "at", "frame", "force"}
                                  : std::vector<std::string>{"type", "body", "at", "frame", "force", "moment"}));
  const TomlValue at = table.find("at"), axes = table.find("frame"), moment = table.find("moment"),
                  force = table.find("force");
  const int frame = read_frame(model, table.required("body"));
  if (!force && is_point) table.fail("expected the key \"force\", found none");
  if (!force && !moment) table.fail("expected the key \"moment\" or \"force\", found neither");
  TimeFunction wrench = read_time_function(table, 0, [&](const Symbols& symbols) {
    const Vec3<Expr> m = moment ? read_point(moment, symbols) : Vec3<Expr>{};
    const Vec3<Expr> f = force ? read_point(force, symbols) : Vec3<Expr>{};
    return std::vector<Expr>{m[0], m[1], m[2], f[0], f[1], f[2]};
  });
  return {frame, at ? at.vec3() : Vec3<double>{}, axes && axes.one_of({"world", "body"}) == "body", std::move(wrench)};
}

int read_driven_joint(const Model& model, const TomlValue& joint) {
  const int body = model.find_joint(joint.name());
  if (body < 0) {
    std::vector<std::string> known;
    for (int i = 1; i <= model.bodies(); ++i) known.push_back(model.joint_name(i));
    joint.fail(fmt::format("expected a joint that moves, found {}{}", in_quotes(joint.text()),
                           did_you_mean(joint.text(), known)));
  }
  if (model.link(body).nq != model.link(body).nv)
    joint.fail(fmt::format("expected a joint with as many coordinates as velocities, found {}, which has {} and {}",
                           in_quotes(joint.text()), model.link(body).nq, model.link(body).nv));
  return body;
}

PrescribedMotion read_motion(const Model& model, const TomlValue& table) {
  table.allow(with_names({"joint", "position", "acceleration"}));
  const int body = read_driven_joint(model, table.required("joint"));
  const std::string key = table.only_key({"position", "acceleration"}, "motion");
  const TomlValue value = table.find(key);
  const auto n = static_cast<std::size_t>(model.link(body).nv);
  // one coordinate needs no list
  const std::vector<TomlValue> texts = n == 1 && !value.is_list()
                                           ? std::vector<TomlValue>{value}
                                           : value.items(n, n == 1 ? "expression" : "expressions");
  const bool is_position = key == "position";
  TimeFunction motion = read_time_function(table, is_position ? 2 : 0, [&](const Symbols& symbols) {
    std::vector<Expr> out;
    for (const TomlValue& text : texts) out.push_back(read_expression(text, symbols));
    return out;
  });
  using Kind = PrescribedMotion::Kind;
  return {body, is_position ? Kind::position : Kind::acceleration, std::move(motion)};
}

/// Three expressions of time with their derivatives.
std::optional<TimeFunction> read_path(const TomlValue& table, const char* key) {
  const TomlValue value = table.find(key);
  if (!value) return std::nullopt;
  return read_time_function(table, 2, [&](const Symbols& symbols) {
    const Vec3<Expr> x = read_point(value, symbols);
    return std::vector<Expr>{x[0], x[1], x[2]};
  });
}

PrescribedBodyMotion read_body_motion(const Model& model, const TomlValue& table) {
  table.allow(with_names({"body", "at", "position", "rpy"}));
  const TomlValue at = table.find("at");
  PrescribedBodyMotion out{read_frame(model, table.required("body")), at ? at.vec3() : Vec3<double>{},
                           read_path(table, "position"), read_path(table, "rpy")};
  if (!out.position && !out.rpy) table.fail("expected the key \"position\" or \"rpy\", found neither");
  if (at && !out.position) at.fail("expected a position for this point, found none");
  return out;
}

/// A joint that follows others cannot follow time as well.
void refuse_coupled(const Model& model, const TomlValue& joint, int body) {
  for (const Coupling& coupling : model.couplings())
    if (coupling.dependent.body == body)
      joint.fail(fmt::format("expected a joint that is free to be moved, found {}, which is coupled: {}",
                             in_quotes(joint.text()), coupling.text));
}

}  // namespace

Loads read_loads(const Model& model, const std::vector<TomlValue>& forces, const std::vector<TomlValue>& motions) {
  Loads out;
  for (const TomlValue& force : forces) out.forces.push_back(read_force(model, force));
  for (const TomlValue& table : motions) {
    if (table.find("body")) {
      out.body_motions.push_back(read_body_motion(model, table));
      continue;
    }
    out.motions.push_back(read_motion(model, table));
    const int body = out.motions.back().body;
    refuse_coupled(model, table.find("joint"), body);
    for (std::size_t i = 0; i + 1 < out.motions.size(); ++i)
      if (out.motions[i].body == body)
        table.find("joint").fail(
            fmt::format("expected one motion for each joint, found {} twice", in_quotes(model.joint_name(body))));
  }
  return out;
}

}  // namespace cardan::io
