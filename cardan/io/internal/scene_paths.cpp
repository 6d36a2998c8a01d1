#include "cardan/io/internal/scene_paths.hpp"

#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

namespace cardan::io {

namespace {

constexpr std::size_t kMostPathPoints = 1000;

/// A coordinate of a joint that is a plain number, by the joint's name, or JOINT.k where it has several.
PathCoordinate read_path_coordinate(const Model& model, const TomlValue& where, const std::string& name) {
  int body = model.find_joint(name), k = -1;
  if (body < 0 && name.size() > 2 && name[name.size() - 2] == '.' && name.back() >= '0' && name.back() <= '5') {
    k = name.back() - '0';
    body = model.find_joint(name.substr(0, name.size() - 2));
    if (body >= 0 && (k >= model.link(body).nv || !model.joint(body).is_flat()))
      where.fail(fmt::format("expected a coordinate that the joint has, found {}", in_quotes(name)));
  }
  if (body < 0)
    where.fail(fmt::format("expected a joint that moves, found {}{}", in_quotes(name),
                           did_you_mean(name, joint_names(model))));
  const Link& link = model.link(body);
  if (k >= 0) return {link.q + k, link.v + k};
  if (link.nv != 1 || link.nq != 1)
    where.fail(fmt::format("expected a joint of one coordinate, found {}, which has {}", in_quotes(name), link.nq));
  return {link.q, link.v};
}

/// at = ["text of a coordinate", ...]
void read_moving(const Model& model, const TomlValue& table, const TomlValue& at, const Frame& frame,
                 PathPoint& point) {
  const std::vector<TomlValue> texts = at.items(3, "numbers or texts");
  std::vector<std::string> words;
  for (const TomlValue& text : texts)
    for (const std::string& word : names_used(table, text))
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  if (words.size() > 1)
    at.fail(fmt::format("expected texts of one coordinate, found {} and {}", in_quotes(words[0]), in_quotes(words[1])));
  PathCoordinate coordinate{0, 0};
  const TomlValue with = table.find("with"), other = with && !words.empty() ? with.find(words[0]) : TomlValue();
  if (!words.empty()) coordinate = read_path_coordinate(model, other ? other : at, other ? other.name() : words[0]);
  const TextScope scope = TextScope::of_names(table, words.empty() ? std::vector<std::string>{"q"} : words);
  const auto place = [&](Expr q) {
    const Symbols symbols = scope.symbols(std::span(&q, 1));
    const Vec3<Expr> own{read_expression(texts[0], symbols), read_expression(texts[1], symbols),
                         read_expression(texts[2], symbols)};
    const Vec3<Expr> x = Vec3<Expr>(frame.X.r) + rotate_back(Mat3<Expr>(frame.X.E), own);
    return std::vector<Expr>{x[0], x[1], x[2]};
  };
  try {
    TimeFunction function(place, 2);
    const std::vector<double> x = function(0.0);
    point.at = {x[0], x[1], x[2]};
    if (!words.empty()) point.moving = PathPoint::Moving{coordinate, std::move(function)};
  } catch (const GraphTooLarge& problem) {
    at.fail(problem.what());
  }
}

PathPoint read_path_point(const Model& model, const TomlValue& table) {
  allow_keys(table, "point");
  const TomlValue at = table.find("at"), when = table.find("when");
  const Frame& frame = model.frame(read_frame(model, table.required("body"), "a body"));
  PathPoint out;
  out.body = frame.body;
  const bool has_text = at && at.is_list() && [&] {
    for (const TomlValue& item : at.items())
      if (item.is_text()) return true;
    return false;
  }();
  if (has_text)
    read_moving(model, table, at, frame, out);
  else
    out.at = frame.X.r + rotate_back(frame.X.E, at ? at.vec3() : Vec3<double>{});
  if (when) {
    const std::vector<TomlValue> parts = when.items(3, "entries, a joint and two limits");
    out.when = PathPoint::When{read_path_coordinate(model, parts[0], parts[0].name()), parts[1].number_or_infinity(),
                               parts[2].number_or_infinity()};
    if (!(out.when->low <= out.when->high)) when.fail("expected the lower limit first, found it above the other");
  }
  return out;
}

/// Any surface of joints by its point; `range` says how much of it is there.
std::shared_ptr<const WrapSurface> read_any_surface(const TomlValue& table, const TomlValue& value,
                                                    const Vec3<double>& side) {
  const bool is_bezier = static_cast<bool>(value.find("bezier"));
  std::array<double, 4> range{-std::numbers::pi, std::numbers::pi, -std::numbers::pi, std::numbers::pi};
  if (is_bezier) range = {0.0, 1.0, 0.0, 1.0};
  if (const TomlValue given = table.find("range")) {
    const std::vector<TomlValue> pairs = given.items(2, "pairs, of u and of v");
    for (std::size_t i = 0; i < 2; ++i) {
      const std::vector<double> ends = pairs[i].numbers(2);
      if (!(ends[0] < ends[1])) pairs[i].fail("expected the lower end first, found it above the other");
      range[2 * i] = ends[0];
      range[2 * i + 1] = ends[1];
    }
  }
  const Surface surface = read_surface(value);
  return wrap_parametric([&](Expr u, Expr v) { return surface(u, v).pose().p; }, range, side);
}

/// A surface for a side that it is wrapped on.
std::shared_ptr<const WrapSurface> read_sided_surface(const TomlValue& table, const std::string& kind,
                                                      const Vec3<double>& side) {
  const TomlValue value = table.find(kind), length = table.find("length");
  if (kind == "sphere") return wrap_sphere(value.positive(), side);
  if (kind == "cylinder" && length) return wrap_cylinder(value.positive(), side, length.positive());
  if (kind == "cylinder") return wrap_cylinder(value.positive(), side);
  if (kind == "ellipsoid") return wrap_ellipsoid(value.vec3(), side);
  if (kind == "surface") return read_any_surface(table, value, side);
  allow_keys(value, "torus");
  return wrap_torus(value.required("major").positive(), value.required("minor").positive(), side);
}

/// A surface that is wrapped the shorter way round.
std::shared_ptr<const WrapSurface> read_shorter_way(const TomlValue& table, const std::string& kind) {
  const TomlValue value = table.find(kind);
  static_cast<void>(read_sided_surface(table, kind, {1.0, 0.0, 0.0}));  // refuses what cannot be
  if (kind == "ellipsoid") {
    const Vec3<double> a = value.vec3();
    return wrap_shorter_way([a](const Vec3<double>& side) { return wrap_ellipsoid(a, side); },
                            Ellipsoid{a[0], a[1], a[2]});
  }
  if (kind == "torus") {
    const double major = value.required("major").number(), minor = value.required("minor").number();
    return wrap_shorter_way([=](const Vec3<double>& side) { return wrap_torus(major, minor, side); },
                            Torus{major, minor});
  }
  const double radius = value.number();
  if (kind == "sphere")
    return wrap_shorter_way([radius](const Vec3<double>& side) { return wrap_sphere(radius, side); }, Sphere{radius});
  const TomlValue given = table.find("length");
  const double length = given ? given.number() : std::numeric_limits<double>::infinity();
  return wrap_shorter_way([=](const Vec3<double>& side) { return wrap_cylinder(radius, side, length); },
                          Cylinder{radius, given ? length : 4.0 * radius});
}

std::shared_ptr<const WrapSurface> read_wrap_surface(const TomlValue& table) {
  const std::string kind = table.only_key(variant_names("wrap"), "wrap");
  if (kind != "surface" && table.find("range")) table.find("range").fail("expected none but for a surface, found one");
  if (kind != "cylinder" && table.find("length"))
    table.find("length").fail("expected none but for a cylinder, found one");
  const TomlValue side = kind == "surface" ? table.required("side") : table.find("side");
  try {
    if (side) return read_sided_surface(table, kind, side.vec3());
    return read_shorter_way(table, kind);
  } catch (const std::invalid_argument& problem) {
    (side ? side : table.find(kind))
        .fail(fmt::format("expected a wrap that can be, found one that cannot: {}", problem.what()));
  }
}

PathWrap read_wrap(const Model& model, const TomlValue& table, std::size_t points) {
  allow_keys(table, "wrap");
  const Frame& frame = model.frame(read_frame(model, table.required("body"), "a body"));
  const TomlValue after = table.find("after");
  PathWrap out;
  out.body = frame.body;
  const Pose<double> at = read_place(table);
  out.X = from_pose(at.R, at.p) * frame.X;
  const auto number = [&](const TomlValue& value) {
    const double k = value.number();
    if (k != std::floor(k) || k < 1.0 || k >= static_cast<double>(points))
      value.fail(fmt::format("expected the number of a point from 1 to {}, found {}", points - 1, value.kind()));
    return static_cast<int>(k) - 1;
  };
  if (after && after.is_list()) {
    const std::vector<TomlValue> ends = after.items(2, "numbers of points");
    out.after = number(ends[0]);
    out.until = number(ends[1]);
    if (out.until < out.after) after.fail("expected the first point first, found it after the last");
  } else if (after) {
    out.after = number(after);
  }
  out.surface = read_wrap_surface(table);
  return out;
}

}  // namespace

Path read_path(const Model& model, const TomlValue& table) {
  const TomlValue list = table.required("points"), wrap_list = table.find("wraps");
  const std::vector<TomlValue> entries = list.items();
  if (entries.size() < 2 || entries.size() > kMostPathPoints)
    list.fail(fmt::format("expected from 2 to {} points, found {}", kMostPathPoints, entries.size()));
  std::vector<PathPoint> points;
  for (const TomlValue& entry : entries) points.push_back(read_path_point(model, entry));
  const bool moves = std::any_of(points.begin(), points.end(), [&](const PathPoint& p) {
    return p.body != points.front().body || p.moving || p.when;
  });
  if (!moves) list.fail("expected points of two bodies that move against each other, found all on one");
  std::vector<PathWrap> wraps;
  if (wrap_list)
    for (const TomlValue& wrap : wrap_list.items()) wraps.push_back(read_wrap(model, wrap, points.size()));
  try {
    return Path(std::move(points), std::move(wraps));
  } catch (const std::invalid_argument& problem) {
    list.fail(fmt::format("expected a path that can be, found one that cannot: {}", problem.what()));
  }
}

}  // namespace cardan::io
