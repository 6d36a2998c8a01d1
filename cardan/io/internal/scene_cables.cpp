// A cable as n rigid segments of length ds on ball joints. Each joint stands for half a segment on either side: bending
// stiffness EI/ds, twisting stiffness GJ/ds, and twice that at a clamped end, whose joint stands for one half only. The
// tip of a cantilever then sinks by F L^3/(3 EI) up to an error that falls with n^-2.
#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_strands.hpp"
#include "cardan/math/so3.hpp"
#include "cardan/model/model_builder.hpp"
#include "cardan/model/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan::io {

namespace {

constexpr double kMostSegments = 2000.0;

struct CableEnd {
  std::string body{};
  Vec3<double> at;
  std::optional<Vec3<double>> direction{};
  bool is_clamped = true;
};

struct CableTable {
  std::string name;
  int segments = 0;
  double length = 0.0, radius = 0.0, density = 0.0, EI = 0.0, GJ = 0.0, damping = 0.0;
  std::vector<Vec3<double>> rest;  // empty: straight
  CableEnd from, to;
};

CableEnd read_cable_end(const TomlValue& table, const char* key, const std::set<std::string>& names) {
  CableEnd out;
  const TomlValue end = table.find(key);
  allow_keys(end, "cable.end");
  const TomlValue body = end.required("body"), at = end.find("at"), direction = end.find("direction"),
                  kind = end.find("end");
  out.body = body.name();
  if (names.count(out.body) == 0)
    body.fail(fmt::format("expected a body of this scene, found {}{}", in_quotes(out.body),
                          did_you_mean(out.body, {names.begin(), names.end()})));
  if (at) out.at = at.vec3();
  if (direction) out.direction = read_direction(direction);
  out.is_clamped = !kind || kind.one_of(choices("cable.end", "end")) == "clamped";
  return out;
}

/// The stiffness `direct`, or modulus times `area_moment`.
double read_section(const TomlValue& table, const char* direct, const char* modulus, double area_moment) {
  if (table.find(direct) && table.find(modulus))
    table.find(direct).fail(fmt::format("expected {} or {}, found both", direct, modulus));
  if (const TomlValue value = table.find(direct)) return value.positive();
  if (!table.find(modulus))
    table.fail(fmt::format("expected the key \"{}\" or \"{}\", found neither", modulus, direct));
  return table.find(modulus).positive() * area_moment;
}

CableTable read_cable(const TomlValue& table, std::size_t index, const std::set<std::string>& names) {
  allow_keys(table, "cable");
  CableTable out;
  const TomlValue name = table.find("name"), count = table.required("segments"), rest = table.find("rest"),
                  damping = table.find("damping");
  out.name = name ? name.name() : (index == 0 ? "cable" : fmt::format("cable_{}", index + 1));
  const double n = count.number();
  if (n != std::floor(n) || n < 1.0 || n > kMostSegments)
    count.fail(fmt::format("expected a whole number from 1 to {}, found {}", kMostSegments, count.kind()));
  out.segments = static_cast<int>(n);
  out.radius = table.required("radius").positive();
  out.density = table.required("density").positive();
  const double round = std::numbers::pi * std::pow(out.radius, 4);
  out.EI = read_section(table, "EI", "young", 0.25 * round);
  out.GJ = read_section(table, "GJ", "shear", 0.5 * round);
  if (damping) {
    out.damping = damping.number();
    if (out.damping < 0.0) damping.fail(fmt::format("expected a number not below 0, found {}", damping.kind()));
  }
  if (rest && rest.is_list()) {
    for (const TomlValue& point : rest.items()) out.rest.push_back(point.vec3());
    if (out.rest.size() < 2) rest.fail(fmt::format("expected 2 points or more, found {}", out.rest.size()));
    for (std::size_t i = 1; i < out.rest.size(); ++i) out.length += norm(out.rest[i] - out.rest[i - 1]);
    if (!(out.length > 0.0)) rest.fail("expected points that differ, found all at one place");
    if (table.find("length")) table.find("length").fail("expected none beside the points of rest, found one");
  } else {
    if (rest) rest.one_of(choices("cable", "rest"));
    out.length = table.required("length").positive();
  }
  table.required("from");
  out.from = read_cable_end(table, "from", names);
  if (table.find("to")) out.to = read_cable_end(table, "to", names);
  return out;
}

/// Directions of the segments at rest, in the frame of the body that holds the first.
std::vector<Vec3<double>> rest_directions(const CableTable& cable) {
  const auto n = static_cast<std::size_t>(cable.segments);
  if (cable.rest.empty())
    return std::vector<Vec3<double>>(n, cable.from.direction.value_or(Vec3<double>{0.0, 0.0, 1.0}));
  // points at equal lengths along the polygon
  std::vector<Vec3<double>> at{cable.rest.front()};
  const double ds = cable.length / cable.segments;
  double before = 0.0;
  for (std::size_t i = 1; i < cable.rest.size(); ++i) {
    const Vec3<double> d = cable.rest[i] - cable.rest[i - 1];
    const double part = norm(d);
    while (at.size() <= n && static_cast<double>(at.size()) * ds <= before + part * (1.0 + 1e-12))
      at.push_back(cable.rest[i - 1] + ((static_cast<double>(at.size()) * ds - before) / part) * d);
    before += part;
  }
  while (at.size() <= n) at.push_back(cable.rest.back());
  std::vector<Vec3<double>> out;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3<double> d = at[i + 1] - at[i];
    out.push_back(norm(d) > 0.0 ? (1.0 / norm(d)) * d : out.back());
  }
  return out;
}

/// The smallest rotation that takes unit vector a to b, as a rotation vector.
Vec3<double> shortest_turn(const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> axis = cross(a, b);
  const double sine = norm(axis), angle = std::atan2(sine, dot(a, b));
  if (sine > 1e-12) return (angle / sine) * axis;
  if (dot(a, b) > 0.0) return {};
  const Vec3<double> other = std::abs(a[0]) < 0.9 ? Vec3<double>{1.0, 0.0, 0.0} : Vec3<double>{0.0, 1.0, 0.0};
  const Vec3<double> across = cross(a, other);
  return (std::numbers::pi / norm(across)) * across;
}

}  // namespace

std::vector<CableStart> add_cables(ModelBuilder& builder, const std::vector<TomlValue>& cables,
                                   std::set<std::string>& names) {
  std::vector<CableStart> out;
  for (std::size_t c = 0; c < cables.size(); ++c) {
    const CableTable cable = read_cable(cables[c], c, names);
    const double ds = cable.length / cable.segments;
    const std::vector<Vec3<double>> directions = rest_directions(cable);
    const Cylinder shape{cable.radius, ds};
    const Pose<double> middle{Mat3<double>::identity(), {0.0, 0.0, 0.5 * ds}};
    const MassProperties mass = to_parent(mass_properties(shape, cable.density), middle.R, middle.p);
    Mat3<double> R = exp_so3(shortest_turn({0.0, 0.0, 1.0}, directions.front()));  // of the segment, in the holder
    for (int k = 1; k <= cable.segments; ++k) {
      const std::string name = fmt::format("{}.{}", cable.name, k);
      if (!names.insert(name).second)
        cables[c].fail(fmt::format("expected names that differ, found {} twice", in_quotes(name)));
      ShapeInstance look{shape, middle, true, false, "#8d99ae", ""};
      builder.body(BodySpec{name, mass, {look}, cables[c].where()});
      JointSpec joint;
      joint.name = joint.successor = name;
      joint.type = Spherical{};
      joint.where = cables[c].where();
      Vec3<double> rest;
      double stiff = 1.0;
      if (k == 1) {
        joint.predecessor = cable.from.body;
        joint.at = {R, cable.from.at};
        stiff = cable.from.is_clamped ? 2.0 : 0.0;
      } else {
        joint.predecessor = fmt::format("{}.{}", cable.name, k - 1);
        joint.at.p = {0.0, 0.0, ds};
        // turns the segment before, whose z is its direction, into this one; its axis has no part along z: no twist
        rest = shortest_turn({0.0, 0.0, 1.0}, transpose_apply(R, directions[static_cast<std::size_t>(k - 1)]));
        R = R * exp_so3(rest);
      }
      for (int axis = 0; axis < 3; ++axis) {
        DofProperties dof;
        dof.stiffness = stiff * (axis < 2 ? cable.EI : cable.GJ) / ds;
        dof.damping = stiff * cable.damping / ds;
        dof.rest = rest[axis];
        joint.dofs.push_back(dof);
      }
      builder.joint(std::move(joint));
      out.push_back({name, quaternion_exp(rest)});
    }
    if (cable.to.body.empty()) continue;
    JointSpec loop;
    loop.name = cable.name;
    loop.predecessor = cable.to.body;
    loop.successor = fmt::format("{}.{}", cable.name, cable.segments);
    loop.type = cable.to.is_clamped ? Joint{Fixed{}} : Joint{Spherical{}};
    loop.at.p = cable.to.at;
    if (cable.to.direction) loop.at.R = exp_so3(shortest_turn({0.0, 0.0, 1.0}, *cable.to.direction));
    loop.at_successor.p = {0.0, 0.0, ds};
    loop.closes_loop = true;
    loop.where = cables[c].where();
    builder.joint(std::move(loop));
  }
  return out;
}

}  // namespace cardan::io
