#include "cardan/io/scene_motions.hpp"

#include "cardan/io/scene_names.hpp"
#include "cardan/io/scene_text.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

int read_driven_joint(const Model& model, const TomlValue& joint) {
  const int body = read_moving_joint(model, joint);
  if (model.link(body).nq != model.link(body).nv)
    joint.fail(fmt::format("expected a joint with as many coordinates as velocities, found {}, which has {} and {}",
                           in_quotes(joint.text()), model.link(body).nq, model.link(body).nv));
  return body;
}

PrescribedMotion read_motion(const Model& model, const TomlValue& table) {
  table.allow(with_text_keys({"joint", "position", "acceleration"}));
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
  table.allow(with_text_keys({"body", "at", "position", "rpy"}));
  const TomlValue at = table.find("at");
  PrescribedBodyMotion out{read_moving_frame(model, table.required("body")), at ? at.vec3() : Vec3<double>{},
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

Constraints read_motions(const Model& model, const std::vector<TomlValue>& motions) {
  Constraints out;
  std::vector<int> moved;
  for (const TomlValue& table : motions) {
    if (table.find("body")) {
      out.push_back(std::make_shared<const BodyMotionConstraint>(model, read_body_motion(model, table)));
      continue;
    }
    PrescribedMotion motion = read_motion(model, table);
    refuse_coupled(model, table.find("joint"), motion.body);
    for (const int body : moved)
      if (body == motion.body)
        table.find("joint").fail(
            fmt::format("expected one motion for each joint, found {} twice", in_quotes(model.joint_name(body))));
    moved.push_back(motion.body);
    out.push_back(std::make_shared<const JointMotionConstraint>(model, std::move(motion)));
  }
  return out;
}

}  // namespace cardan::io
