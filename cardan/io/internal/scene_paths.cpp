#include "cardan/io/internal/scene_paths.hpp"

#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

namespace cardan::io {

namespace {

constexpr std::size_t kMostPathPoints = 1000;

/// A coordinate of a joint that is a plain number, by the joint's name.
PathCoordinate read_path_coordinate(const Model& model, const TomlValue& where, const std::string& name) {
  const int body = model.find_joint(name);
  if (body < 0)
    where.fail(fmt::format("expected a joint that moves, found {}{}", in_quotes(name),
                           did_you_mean(name, joint_names(model))));
  const Link& link = model.link(body);
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
  if (!words.empty()) coordinate = read_path_coordinate(model, at, words[0]);
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

std::shared_ptr<const WrapSurface> read_wrap_surface(const TomlValue& table, const TomlValue& side) {
  const std::string kind = table.only_key(variant_names("wrap"), "wrap");
  const TomlValue value = table.find(kind);
  const Vec3<double> middle = side.vec3();
  if (kind != "surface" && table.find("range")) table.find("range").fail("expected none but for a surface, found one");
  try {
    if (kind == "sphere") return wrap_sphere(value.positive(), middle);
    if (kind == "cylinder") return wrap_cylinder(value.positive(), middle);
    if (kind == "ellipsoid") return wrap_ellipsoid(value.vec3(), middle);
    if (kind == "surface") return read_any_surface(table, value, middle);
    allow_keys(value, "torus");
    return wrap_torus(value.required("major").positive(), value.required("minor").positive(), middle);
  } catch (const std::invalid_argument& problem) {
    side.fail(fmt::format("expected a wrap that can be, found one that cannot: {}", problem.what()));
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
  if (after) {
    const double k = after.number();
    if (k != std::floor(k) || k < 1.0 || k >= static_cast<double>(points))
      after.fail(fmt::format("expected the number of a point from 1 to {}, found {}", points - 1, after.kind()));
    out.after = static_cast<int>(k) - 1;
  }
  out.surface = read_wrap_surface(table, table.required("side"));
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
