#include "cardan/io/scene_joints.hpp"

#include "cardan/io/scene_geometry.hpp"
#include "cardan/io/scene_text.hpp"
#include "cardan/joints/spline.hpp"
#include "cardan/model/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace cardan::io {

namespace {

Vec3<double> read_axis(const TomlValue& table) {
  const TomlValue axis = table.find("axis");
  return axis ? read_direction(axis) : Vec3<double>{0.0, 0.0, 1.0};
}

Joint read_euler(const TomlValue& table) {
  const TomlValue order = table.required("order");
  const std::string& text = order.text();
  std::array<int, 3> axis{};
  bool known = text.size() == 3;
  for (std::size_t i = 0; known && i < 3; ++i) {
    axis[i] = text[i] - 'X';
    known = axis[i] >= 0 && axis[i] < 3 && (i == 0 || axis[i] != axis[i - 1]);
  }
  if (!known)
    order.fail("expected three axes, no two neighbors equal, such as \"XYZ\" or \"XZX\", found " + in_quotes(text));
  return SphericalEuler(axis);
}

Joint read_composite(const TomlValue& table) {
  const TomlValue list = table.required("joints");
  std::vector<Joint> parts;
  int freedom = 0;
  for (const TomlValue& part : list.items()) {
    if (depends_on_time(part)) part.find("transform").fail("expected a part that does not depend on time, found t");
    parts.push_back(read_joint_type(part));
    freedom += parts.back().nv();
  }
  if (parts.empty()) list.fail("expected at least one joint, found none");
  if (freedom > 6) list.fail(fmt::format("expected at most 6 degrees of freedom together, found {}", freedom));
  return Composite(std::move(parts));
}

Joint read_spline_curve(const TomlValue& table) {
  const TomlValue list = table.required("frames"), closed = table.find("closed");
  constexpr std::size_t most = 1000;
  const std::vector<TomlValue> items = list.items();
  if (items.size() > most) list.fail(fmt::format("expected at most {} frames, found {}", most, items.size()));
  std::vector<Pose<double>> frames;
  for (const TomlValue& item : items) frames.push_back(read_pose(item));
  const bool ring = closed && closed.truth();
  const std::size_t least = ring ? 3 : 4;
  if (frames.size() < least) list.fail(fmt::format("expected at least {} frames, found {}", least, frames.size()));
  return spline_curve(frames, ring);
}

Joint read_spline_surface(const TomlValue& table) {
  SplineControls controls;
  const std::vector<TomlValue> rows = table.required("controls").items(4, "rows");
  for (std::size_t i = 0; i < 4; ++i) {
    const std::vector<TomlValue> row = rows[i].items(4, "controls");
    for (std::size_t j = 0; j < 4; ++j) {
      const std::vector<double> six = row[j].numbers(6);
      std::copy(six.begin(), six.end(), controls[i][j].begin());
    }
  }
  return spline_surface(controls);
}

Spin read_spin_of(const TomlValue& table, const char* key) {
  const TomlValue value = table.find(key);
  return value ? read_spin(value) : Spin{};
}

Joint read_on_curve(const TomlValue& table) {
  const TomlValue up = table.find("up");
  const Curve curve = read_curve(table.required("curve"));
  return on_curve(curve, read_spin_of(table, "roll"), up ? read_direction(up) : Vec3<double>{0.0, 0.0, 1.0});
}

Joint read_expression_joint(const TomlValue& table) {
  const TomlValue coordinates = table.required("coordinates"), transform = table.required("transform");
  const std::vector<TomlValue> names = coordinates.items();
  if (names.empty() || names.size() > 6) coordinates.fail(fmt::format("expected 1 to 6 names, found {}", names.size()));
  const bool timed = depends_on_time(table);
  if (timed && names.size() > 5) coordinates.fail("expected at most 5 names beside the time, found 6");
  TextScope scope(table, names);
  if (timed) scope.add_coordinate("t");
  try {
    return ExpressionJoint(scope.coordinates(),
                           [&](std::span<const Expr> q) { return read_transform(transform, scope.symbols(q)); });
  } catch (const std::invalid_argument& problem) {
    transform.fail(problem.what());
  }
}

struct Type {
  const char* name;
  std::vector<std::string> keys;  // besides `type`
  std::function<Joint(const TomlValue&)> read;
};

const std::vector<Type>& types() {
  const auto plain = [](const char* name, const Joint& joint) {
    return Type{name, {}, [joint](const TomlValue&) { return joint; }};
  };
  static const std::vector<Type> all{
      plain("fixed", Fixed{}),
      {"revolute", {"axis"}, [](const TomlValue& t) { return Revolute(read_axis(t)); }},
      {"prismatic", {"axis"}, [](const TomlValue& t) { return Prismatic(read_axis(t)); }},
      {"helical",
       {"axis", "pitch"},
       [](const TomlValue& t) { return Helical(read_axis(t), t.required("pitch").number()); }},
      {"cylindrical", {"axis"}, [](const TomlValue& t) { return Cylindrical(read_axis(t)); }},
      plain("universal", Universal{}),
      plain("planar", Planar{}),
      plain("translational", Translational{}),
      plain("spherical", Spherical{}),
      {"spherical_euler", {"order"}, read_euler},
      plain("spherical_exponential", SphericalExponential{}),
      plain("free", Free{}),
      plain("free_planar", FreePlanar{}),
      {"composite", {"joints"}, read_composite},
      {"spline_curve", {"frames", "closed"}, read_spline_curve},
      {"spline_surface", {"controls"}, read_spline_surface},
      {"on_curve", {"curve", "roll", "up"}, read_on_curve},
      {"on_surface",
       {"surface", "spin"},
       [](const TomlValue& t) { return on_surface(read_surface(t.required("surface")), read_spin_of(t, "spin")); }},
      {"surface",
       {"a", "b", "spin"},
       [](const TomlValue& t) {
         return surface_on_surface(read_surface(t.required("a")), read_surface(t.required("b")),
                                   read_spin_of(t, "spin"));
       }},
      {"expression", {"coordinates", "parameters", "let", "transform"}, read_expression_joint}};
  return all;
}

const Type& type_of(const TomlValue& table) {
  const TomlValue value = table.required("type");
  std::vector<std::string> names;
  for (const Type& type : types()) {
    if (value.text() == type.name) return type;
    names.emplace_back(type.name);
  }
  value.fail(fmt::format("unknown joint type {}{}", in_quotes(value.text()), did_you_mean(value.text(), names)));
}

/// A number for all degrees of freedom, or a list with one for each.
void read_each(const TomlValue& value, std::vector<DofProperties>& dofs, double DofProperties::*property) {
  const bool any_sign = property == &DofProperties::rest;
  const bool limit = property == &DofProperties::velocity_limit || property == &DofProperties::effort_limit;
  const auto read = [&](const TomlValue& item) {
    const double x = limit ? item.number_or_infinity() : item.number();
    if (!any_sign && x < 0.0) item.fail(fmt::format("expected a number that is not negative, found {}", x));
    return x;
  };
  if (!value.is_list()) {
    for (DofProperties& dof : dofs) dof.*property = read(value);
    return;
  }
  const std::vector<TomlValue> items = value.items(dofs.size(), dofs.size() == 1 ? "number" : "numbers");
  for (std::size_t i = 0; i < dofs.size(); ++i) dofs[i].*property = read(items[i]);
}

void read_limits(const TomlValue& value, std::vector<DofProperties>& dofs) {
  const std::vector<TomlValue> items =
      value.items(dofs.size(), dofs.size() == 1 ? "pair of limits" : "pairs of limits");
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    const std::vector<TomlValue> pair = items[i].items(2, "numbers");
    dofs[i].lower = pair[0].number_or_infinity();
    dofs[i].upper = pair[1].number_or_infinity();
    if (dofs[i].lower > dofs[i].upper)
      items[i].fail(fmt::format("expected the lower limit first, found {} and {}", dofs[i].lower, dofs[i].upper));
  }
}

constexpr std::pair<const char*, double DofProperties::*> kDofKeys[]{{"stiffness", &DofProperties::stiffness},
                                                                     {"rest", &DofProperties::rest},
                                                                     {"damping", &DofProperties::damping},
                                                                     {"armature", &DofProperties::armature},
                                                                     {"velocity_limit", &DofProperties::velocity_limit},
                                                                     {"effort_limit", &DofProperties::effort_limit},
                                                                     {"friction", &DofProperties::friction}};

std::vector<double> read_coordinates(const TomlValue& table, const SceneJoint& joint) {
  const TomlValue value = table.find("q");
  if (!value) return {};
  if (joint.follows_time) return value.numbers(joint.dofs.size());
  std::vector<double> q = value.numbers(static_cast<std::size_t>(joint.type.nq()));
  if (const auto length = normalize_quaternions(joint.type, q.data()))
    value.fail(fmt::format("expected a quaternion (w, x, y, z) of length 1, found length {:.9g}", *length));
  return q;
}

}  // namespace

bool depends_on_time(const TomlValue& table) {
  if (!table.find("type") || table.find("type").text() != "expression" || !table.find("transform")) return false;
  for (const TomlValue& name : table.required("coordinates").items())
    if (name.is_text() && name.text() == "t") return false;  // its own coordinate
  const std::vector<std::string> words = names_used(table, table.find("transform"));
  return std::find(words.begin(), words.end(), "t") != words.end();
}

Joint read_joint_type(const TomlValue& table, const std::vector<std::string>& further) {
  const Type& type = type_of(table);
  std::vector<std::string> keys{"type"};
  keys.insert(keys.end(), type.keys.begin(), type.keys.end());
  keys.insert(keys.end(), further.begin(), further.end());
  table.allow(keys);
  try {
    return type.read(table);
  } catch (const GraphTooLarge& problem) {
    table.fail(fmt::format("{}: {}", type.name, problem.what()));
  } catch (const std::invalid_argument& problem) {
    table.fail(fmt::format("{}: {}", type.name, problem.what()));
  }
}

SceneJoint read_joint(const TomlValue& table) {
  std::vector<std::string> keys{"name", "at", "q", "v", "limits", "bearing"};
  for (const auto& [key, property] : kDofKeys) keys.emplace_back(key);
  SceneJoint joint;
  joint.type = read_joint_type(table, keys);
  if (const TomlValue name = table.find("name")) joint.name = name.name();
  joint.at = read_place(table);
  joint.follows_time = depends_on_time(table);
  joint.dofs.resize(static_cast<std::size_t>(joint.type.nv() - (joint.follows_time ? 1 : 0)));
  if (const TomlValue limits = table.find("limits")) read_limits(limits, joint.dofs);
  for (const auto& [key, property] : kDofKeys)
    if (const TomlValue value = table.find(key)) read_each(value, joint.dofs, property);
  joint.q = read_coordinates(table, joint);
  if (const TomlValue v = table.find("v")) joint.v = v.numbers(joint.dofs.size());
  joint.dofs.resize(static_cast<std::size_t>(joint.type.nv()));
  return joint;
}

}  // namespace cardan::io
