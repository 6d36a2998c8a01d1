#include "cardan/io/internal/scene_rolling.hpp"

#include "cardan/constraints/rolling_constraint.hpp"
#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"

#include <fmt/format.h>

#include <array>
#include <numbers>

namespace cardan::io {

namespace {

using Rolls = RollingShape::Kind;

/// Ellipsoid, torus, Bezier patch or a point as texts of two coordinates.
RollingShape read_rolling_surface(const TomlValue& value, const std::string& kind) {
  const Surface surface = read_surface(value);  // complains of what makes no sense
  RollingShape out;
  out.kind = Rolls::surface;
  const TomlValue size = value.find(kind);
  if (kind == "ellipsoid") {
    out.surface = RollingSurface::ellipsoid(size.vec3());
  } else if (kind == "torus") {
    out.surface = RollingSurface::torus(size.find("major").number(), size.find("minor").number());
  } else {
    constexpr double kPi = std::numbers::pi;
    const std::array<double, 4> range =
        kind == "bezier" ? std::array{0.0, 1.0, 0.0, 1.0} : std::array{-kPi, kPi, -kPi, kPi};
    out.surface = RollingSurface::of_point([&](Expr u, Expr v) { return surface(u, v).pose().p; }, range);
  }
  return out;
}

RollingShape read_rolling_shape(const TomlValue& value) {
  const std::string kind = value.only_key(variant_names("rolling.shape"), "rolling shape");
  if (kind == "ellipsoid" || kind == "torus" || kind == "bezier" || kind == "point")
    return read_rolling_surface(value, kind);
  allow_keys(value, "rolling.shape", kind);
  if (kind == "plane") {
    if (!value.find(kind).truth()) value.find(kind).fail("expected true, found false");
    return {};
  }
  const Rolls shape = kind == "sphere" ? Rolls::sphere : kind == "disc" ? Rolls::disc : Rolls::cylinder;
  return {shape, value.find(kind).positive()};
}

/// A frame of a body, placed on it.
Frame read_placed(const Model& model, const TomlValue& table, const char* body, const char* at) {
  Frame frame = model.frame(read_frame(model, table.required(body), "a body"));
  if (const TomlValue place = table.find(at)) {
    const Pose<double> pose = read_pose(place);
    frame.X = Transform<double>{transpose(pose.R), pose.p} * frame.X;
  }
  return frame;
}

}  // namespace

Constraints read_rolling(const Model& model, const std::vector<TomlValue>& tables) {
  Constraints out;
  for (const TomlValue& table : tables) {
    allow_keys(table, "rolling");
    const TomlValue name = table.find("name"), spin = table.find("spin");
    RollingPair pair{name ? name.name() : table.required("a").name() + "-" + table.required("b").name(),
                     read_placed(model, table, "a", "at_a"),
                     read_placed(model, table, "b", "at_b"),
                     read_rolling_shape(table.required("shape_a")),
                     read_rolling_shape(table.required("shape_b")),
                     !spin || spin.one_of(choices("rolling", "spin")) == "free"};
    if (pair.a.body == pair.b.body) table.find("b").fail("expected two bodies that move against each other, found one");
    if (!can_roll(pair.shape_a, pair.shape_b))
      table.find("shape_b").fail(
          "expected shapes that roll on each other (a sphere, disc or cylinder on a plane, a sphere on a sphere or a "
          "cylinder, an ellipsoid, torus or other surface on all but a disc), found another pair");
    out.push_back(std::make_shared<const RollingConstraint>(std::move(pair)));
  }
  return out;
}

}  // namespace cardan::io
