#include "cardan/io/internal/scene_motions.hpp"

#include "cardan/constraints/coordinate_motion.hpp"
#include "cardan/constraints/twist_motion.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_text.hpp"
#include "cardan/io/internal/scene_words.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

using MotionKind = PrescribedMotion::Kind;

/// Texts of time with so many derivatives; the first four may be a quaternion, which is brought to length one.
TimeFunction read_texts(const TomlValue& table, const std::vector<TomlValue>& texts, int derivatives,
                        bool quaternion = false) {
  return read_time_function(table, derivatives, [&](const Symbols& symbols) {
    std::vector<Expr> out;
    for (const TomlValue& text : texts) out.push_back(read_expression(text, symbols));
    if (!quaternion) return out;
    const Expr length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    if (length.is(0.0)) texts[0].fail("expected a quaternion (w, x, y, z), found one of length 0");
    for (std::size_t i = 0; i < 4; ++i) out[i] = out[i] / length;
    return out;
  });
}

PrescribedMotion read_joint_motion(const Model& model, const TomlValue& table) {
  allow_keys(table, "motion", "joint");
  const TomlValue joint = table.required("joint");
  const int body = read_moving_joint(model, joint);
  const Link& link = model.link(body);
  const std::string type = model.joint(body).type_name();
  const bool on_group = type == "spherical" || type == "free";
  if (link.nq != link.nv && !on_group)
    joint.fail(fmt::format("expected a joint with as many coordinates as velocities, found {}, which has {} and {}",
                           in_quotes(joint.text()), link.nq, link.nv));
  const std::string key = table.only_key({"position", "velocity", "acceleration"}, "motion");
  if (on_group && key != "position")
    table.find(key).fail(fmt::format(
        "expected the position of a {} joint, found its {}: twist of its frame says how it moves", type, key));
  const MotionKind kind = key == "position"   ? MotionKind::position
                          : key == "velocity" ? MotionKind::velocity
                                              : MotionKind::acceleration;
  const int derivatives = kind == MotionKind::position ? 2 : kind == MotionKind::velocity ? 1 : 0;
  const std::vector<TomlValue> texts = one_each(table.find(key), static_cast<std::size_t>(link.nq));
  return {body, kind, read_texts(table, texts, derivatives, on_group)};
}

std::optional<TimeFunction> read_path(const TomlValue& table, const char* key, std::size_t n) {
  const TomlValue value = table.find(key);
  if (!value) return std::nullopt;
  return read_texts(table, value.items(n, "expressions"), 2, n == 4);
}

PrescribedTwist read_twist(const TomlValue& table, int frame) {
  const TomlValue axes = table.find("axes");
  std::array<bool, 6> held{};
  std::vector<TomlValue> texts;
  const std::vector<TomlValue> all = table.find("twist").items(6, "expressions");
  for (std::size_t i = 0; i < 6; ++i) {
    held[i] = !(all[i].is_text() && all[i].text().empty());
    if (held[i]) texts.push_back(all[i]);
  }
  if (texts.empty()) table.find("twist").fail("expected at least one expression, found none");
  return {frame, axes && axes.one_of(choices("motion", "axes", "frame")) == "frame", held, read_texts(table, texts, 1)};
}

std::shared_ptr<const Constraint> read_body_motion(const Model& model, const TomlValue& table, const char* owner) {
  allow_keys(table, "motion", owner);
  const TomlValue at = table.find("at"), axes = table.find("axes");
  const int frame = read_moving_frame(model, table.find(owner));
  if (table.find("twist")) {
    for (const char* key : {"position", "rpy", "orientation", "at"})
      if (table.find(key)) table.find(key).fail("expected a twist alone, found it beside " + std::string(key));
    return std::make_shared<const TwistMotionConstraint>(model, read_twist(table, frame));
  }
  if (axes) axes.fail("expected a twist for these axes, found none");
  PrescribedBodyMotion out{frame, at ? at.vec3() : Vec3<double>{}, read_path(table, "position", 3),
                           read_path(table, "rpy", 3), read_path(table, "orientation", 4)};
  if (out.rpy && out.orientation) table.find("orientation").fail("expected one of rpy and orientation, found both");
  if (!out.position && !out.rpy && !out.orientation)
    table.fail("expected the key \"position\", \"rpy\", \"orientation\" or \"twist\", found none");
  if (at && !out.position) at.fail("expected a position for this point, found none");
  return std::make_shared<const BodyMotionConstraint>(model, std::move(out));
}

/// A joint that follows others cannot follow time as well; `k`: only this coordinate of it does.
void refuse_coupled(const Model& model, const TomlValue& joint, int body, int k = -1) {
  for (const Coupling& coupling : model.couplings())
    if (coupling.dependent.body == body && (k < 0 || coupling.dependent.k == k))
      joint.fail(fmt::format("expected a joint that is free to be moved, found {}, which is coupled: {}",
                             in_quotes(joint.text()), coupling.text));
}

/// joint = "JOINT.k": one coordinate of several follows time. None where the name is that of a joint.
std::shared_ptr<const Constraint> read_coordinate_motion(const Model& model, const TomlValue& table,
                                                         std::vector<std::pair<int, int>>& moved) {
  const TomlValue joint = table.required("joint");
  const std::string& name = joint.name();
  if (model.find_joint(name) >= 0 || name.size() < 3 || name[name.size() - 2] != '.') return nullptr;
  const int k = name.back() - '0', body = model.find_joint(name.substr(0, name.size() - 2));
  if (body < 0 || k < 0 || k > 9) return nullptr;
  allow_keys(table, "motion");
  for (const char* key : {"velocity", "acceleration"})
    if (table.find(key))
      table.fail_key(key, "expected a position of one coordinate beside others, found another kind of motion");
  if (k >= model.link(body).nv || !model.joint(body).is_flat())
    joint.fail(fmt::format("expected a coordinate that the joint has, found {}", in_quotes(name)));
  refuse_coupled(model, joint, body, k);
  for (const auto& [other, coordinate] : moved)
    if (other == body && (coordinate < 0 || coordinate == k))
      joint.fail(fmt::format("expected one motion for each joint, found {} twice", in_quotes(name)));
  moved.emplace_back(body, k);
  return std::make_shared<const CoordinateMotionConstraint>(
      model, body, model.link(body).v + k, read_texts(table, {table.required("position")}, 2), "motion of joint");
}

}  // namespace

std::vector<NamedMotion> read_motions(const Model& model, const std::vector<TomlValue>& motions) {
  std::vector<NamedMotion> out;
  std::vector<std::pair<int, int>> moved;  // bodies whose joints are moved, with a coordinate or -1
  for (const TomlValue& table : motions) {
    const TomlValue name = table.find("name");
    const char* const owner = table.find("body") ? "body" : table.find("frame") ? "frame" : "joint";
    NamedMotion motion{name ? name.name() : table.required(owner).name(), nullptr};
    if (std::string_view(owner) != "joint") {
      motion.motion = read_body_motion(model, table, owner);
      motion.efforts = motion.motion->rows();
    } else if (const auto of_coordinate = read_coordinate_motion(model, table, moved)) {
      motion.motion = of_coordinate;
      motion.efforts = 1;
    } else {
      PrescribedMotion of_joint = read_joint_motion(model, table);
      refuse_coupled(model, table.find("joint"), of_joint.body);
      for (const auto& [body, k] : moved)
        if (body == of_joint.body)
          table.find("joint").fail(fmt::format("expected one motion for each joint, found {} twice",
                                               in_quotes(model.joint_name(of_joint.body))));
      moved.emplace_back(of_joint.body, -1);
      motion.efforts = model.link(of_joint.body).nv;
      motion.motion = std::make_shared<const JointMotionConstraint>(model, std::move(of_joint));
    }
    out.push_back(std::move(motion));
  }
  return out;
}

}  // namespace cardan::io
