#include "cardan/io/internal/scene_joints.hpp"

#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_text.hpp"
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
    parts.push_back(read_joint_type(part, "part"));
    freedom += parts.back().nv();
  }
  if (parts.empty()) list.fail("expected at least one joint, found none");
  if (freedom > 6) list.fail(fmt::format("expected at most 6 degrees of freedom together, found {}", freedom));
  return Composite(std::move(parts));
}

SplineBasis read_basis(const TomlValue& table) {
  const TomlValue basis = table.find("basis");
  const auto& names = spline_basis_names();
  if (!basis) return SplineBasis::b_spline;
  return static_cast<SplineBasis>(std::find(names.begin(), names.end(), basis.one_of(names)) - names.begin());
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
  return spline_curve(frames, ring, read_basis(table));
}

Joint read_spline_surface(const TomlValue& table) {
  constexpr std::size_t most = 100;
  const TomlValue net = table.required("controls");
  const std::vector<TomlValue> rows = net.items();
  const auto require_count = [&](const TomlValue& where, std::size_t found, const char* what) {
    if (found < 4 || found > most) where.fail(fmt::format("expected 4 to {} {}, found {}", most, what, found));
  };
  require_count(net, rows.size(), "rows");
  SplineControls controls;
  for (const TomlValue& row : rows) {
    const std::vector<TomlValue> items = row.items();
    require_count(row, items.size(), "controls");
    if (items.size() != rows[0].items().size())
      row.fail(fmt::format("expected {} controls as in the first row, found {}", rows[0].items().size(), items.size()));
    controls.emplace_back(items.size());
    for (std::size_t j = 0; j < items.size(); ++j) {
      const std::vector<double> six = items[j].numbers(6);
      std::copy(six.begin(), six.end(), controls.back()[j].begin());
    }
  }
  return spline_surface(controls, read_basis(table));
}

Spin read_spin_of(const TomlValue& table, const char* key) {
  const TomlValue value = table.find(key);
  return value ? read_spin(value) : Spin{};
}

Vec3<double> read_up(const TomlValue& table) {
  const TomlValue up = table.find("up");
  return up ? read_direction(up) : Vec3<double>{0.0, 0.0, 1.0};
}

Joint read_on_curve(const TomlValue& table) {
  return on_curve(read_curve(table.required("curve")), read_spin_of(table, "roll"), read_up(table));
}

/// Finds what touches on one of the two sides: `a` and `b` of a joint, but of a loop these are its bodies.
TomlValue touching(const TomlValue& table, const char* side, const char* in_loop) {
  if (const TomlValue value = table.find(in_loop)) return value;
  const TomlValue value = table.required(side);
  if (value.is_text())
    value.fail(fmt::format("expected {} beside it for what touches, since a and b of a loop are its bodies; found none",
                           in_loop));
  return value;
}

/// Two curves that touch.
Joint read_curve_joint(const TomlValue& table) {
  const TomlValue touch = table.find("touch"), roll = table.find("roll");
  const Curve a = read_curve(touching(table, "a", "curve_a")), b = read_curve(touching(table, "b", "curve_b"));
  if (!touch || touch.one_of(choices("joint", "touch", "curve")) == "tangent")
    return curve_on_curve(a, b, read_spin_of(table, "roll"), read_up(table));
  if (roll) roll.fail("expected none where curves lie across each other, found one");
  return curve_across_curve(a, b, read_up(table));
}

/// A point of the child that stays on a curve or surface of the parent, about which it may turn in every way.
Joint read_point_on_curve(const TomlValue& table) {
  return Composite({on_curve(read_curve(table.required("curve")), {}, read_up(table)), Spherical{}});
}
Joint read_point_on_surface(const TomlValue& table) {
  return Composite({on_surface(read_surface(table.required("surface"))), Spherical{}});
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
    ExpressionJoint out(scope.coordinates(),
                        [&](std::span<const Expr> q) { return read_transform(transform, scope.symbols(q)); });
    std::vector<std::string> called;
    for (const TomlValue& name : names) called.push_back(name.text());
    if (timed) called.emplace_back("t");
    out.name_coordinates(std::move(called));
    return out;
  } catch (const std::invalid_argument& problem) {
    transform.fail(problem.what());
  }
}

struct Type {
  const char* name;
  std::function<Joint(const TomlValue&)> read;
};

const std::vector<Type>& types() {
  const auto plain = [](const char* name, const Joint& joint) {
    return Type{name, [joint](const TomlValue&) { return joint; }};
  };
  static const std::vector<Type> all{
      plain("fixed", Fixed{}),
      {"revolute", [](const TomlValue& t) { return Revolute(read_axis(t)); }},
      {"prismatic", [](const TomlValue& t) { return Prismatic(read_axis(t)); }},
      {"helical", [](const TomlValue& t) { return Helical(read_axis(t), t.required("pitch").number()); }},
      {"cylindrical", [](const TomlValue& t) { return Cylindrical(read_axis(t)); }},
      plain("universal", Universal{}),
      plain("planar", Planar{}),
      plain("translational", Translational{}),
      plain("spherical", Spherical{}),
      {"spherical_euler", read_euler},
      plain("spherical_exponential", SphericalExponential{}),
      plain("free", Free{}),
      plain("free_planar", FreePlanar{}),
      {"composite", read_composite},
      {"spline_curve", read_spline_curve},
      {"spline_surface", read_spline_surface},
      {"on_curve", read_on_curve},
      {"curve", read_curve_joint},
      {"point_on_curve", read_point_on_curve},
      {"point_on_surface", read_point_on_surface},
      {"on_surface",
       [](const TomlValue& t) { return on_surface(read_surface(t.required("surface")), read_spin_of(t, "spin")); }},
      {"surface",
       [](const TomlValue& t) {
         return surface_on_surface(read_surface(touching(t, "a", "surface_a")),
                                   read_surface(touching(t, "b", "surface_b")), read_spin_of(t, "spin"));
       }},
      {"expression", read_expression_joint}};
  return all;
}

const Type& type_of(const TomlValue& table) {
  const TomlValue value = table.required("type");
  for (const Type& type : types())
    if (value.text() == type.name) return type;
  value.fail(fmt::format("unknown joint type {}{}", in_quotes(value.text()),
                         did_you_mean(value.text(), variant_names("joint"))));
}

/// A number for all degrees of freedom, or a list with one for each.
void read_each(const TomlValue& value, std::vector<DofProperties>& dofs, double DofProperties::*property) {
  const bool any_sign = property == &DofProperties::rest;
  const bool limit = property == &DofProperties::velocity_limit || property == &DofProperties::effort_limit;
  const auto read = [&](const TomlValue& item) {
    const double x = limit ? item.number_or_infinity() : item.number();
    if (!any_sign && x < 0.0) item.fail(fmt::format("expected a number that is not negative, found {}", x));
    if (property == &DofProperties::restitution && x > 1.0)
      item.fail(fmt::format("expected a number from 0 to 1, found {}", x));
    return x;
  };
  if (!value.is_list()) {
    for (DofProperties& dof : dofs) dof.*property = read(value);
    return;
  }
  const std::vector<TomlValue> items = value.items(dofs.size(), dofs.size() == 1 ? "number" : "numbers");
  for (std::size_t i = 0; i < dofs.size(); ++i) dofs[i].*property = read(items[i]);
}

/// [lower, upper] for each velocity; of a joint with one, the pair may stand alone.
void read_limits(const TomlValue& value, std::vector<DofProperties>& dofs) {
  const bool is_alone = dofs.size() == 1 && value.is_list() && value.items().size() == 2 && !value.items()[0].is_list();
  const std::vector<TomlValue> items =
      is_alone ? std::vector<TomlValue>{value}
               : value.items(dofs.size(), dofs.size() == 1 ? "pair of limits" : "pairs of limits");
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    const std::vector<TomlValue> pair = items[i].items(2, "numbers");
    dofs[i].lower = pair[0].number_or_infinity();
    dofs[i].upper = pair[1].number_or_infinity();
    if (dofs[i].lower > dofs[i].upper)
      items[i].fail(fmt::format("expected the lower limit first, found {} and {}", dofs[i].lower, dofs[i].upper));
  }
}

constexpr const char* kLimits = "limits";
constexpr std::pair<const char*, double DofProperties::*> kDofKeys[]{{"stiffness", &DofProperties::stiffness},
                                                                     {"rest", &DofProperties::rest},
                                                                     {"damping", &DofProperties::damping},
                                                                     {"armature", &DofProperties::armature},
                                                                     {"velocity_limit", &DofProperties::velocity_limit},
                                                                     {"effort_limit", &DofProperties::effort_limit},
                                                                     {"friction", &DofProperties::friction},
                                                                     {"restitution", &DofProperties::restitution}};

/// Names for the coordinates of a joint whose type names none.
std::vector<std::string> read_coordinate_names(const TomlValue& list, const Joint& joint) {
  if (!joint.is_flat())
    list.fail(fmt::format("expected none of a {} joint, whose coordinates have names, found some", joint.type_name()));
  std::vector<std::string> out;
  for (const TomlValue& name : list.items(static_cast<std::size_t>(joint.nv()), "names")) out.push_back(name.name());
  return out;
}

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

Joint read_joint_type(const TomlValue& table, const char* kind) {
  const Type& type = type_of(table);
  allow_keys(table, kind, type.name);
  try {
    return type.read(table);
  } catch (const GraphTooLarge& problem) {
    table.fail(fmt::format("{}: {}", type.name, problem.what()));
  } catch (const std::invalid_argument& problem) {
    table.fail(fmt::format("{}: {}", type.name, problem.what()));
  }
}

bool is_dof_key(std::string_view key) {
  return key == kLimits ||
         std::any_of(std::begin(kDofKeys), std::end(kDofKeys), [&](const auto& known) { return key == known.first; });
}

void read_dofs(const TomlValue& table, std::vector<DofProperties>& dofs) {
  if (const TomlValue limits = table.find(kLimits)) read_limits(limits, dofs);
  for (const auto& [key, property] : kDofKeys)
    if (const TomlValue value = table.find(key)) read_each(value, dofs, property);
}

SceneJoint read_joint(const TomlValue& table) {
  SceneJoint joint;
  joint.type = read_joint_type(table, "body.joint");
  if (const TomlValue names = table.find("coordinates"); names && table.find("type").text() != "expression")
    joint.coordinates = read_coordinate_names(names, joint.type);
  if (const TomlValue name = table.find("name")) joint.name = name.name();
  joint.at = read_place(table);
  joint.follows_time = depends_on_time(table);
  joint.dofs.resize(static_cast<std::size_t>(joint.type.nv() - (joint.follows_time ? 1 : 0)));
  read_dofs(table, joint.dofs);
  joint.q = read_coordinates(table, joint);
  if (const TomlValue v = table.find("v")) joint.v = v.numbers(joint.dofs.size());
  joint.dofs.resize(static_cast<std::size_t>(joint.type.nv()));
  return joint;
}

}  // namespace cardan::io
