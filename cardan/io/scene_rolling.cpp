#include "cardan/io/scene_rolling.hpp"

#include "cardan/constraints/rolling_constraint.hpp"
#include "cardan/io/scene_geometry.hpp"
#include "cardan/io/scene_names.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

using Rolls = RollingShape::Kind;

RollingShape read_rolling_shape(const TomlValue& value) {
  const std::string kind = value.only_key({"sphere", "disc", "cylinder", "plane"}, "rolling shape");
  value.allow({kind});
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
    table.allow({"name", "a", "b", "at_a", "at_b", "shape_a", "shape_b", "spin"});
    const TomlValue name = table.find("name"), spin = table.find("spin");
    RollingPair pair{name ? name.name() : table.required("a").name() + "-" + table.required("b").name(),
                     read_placed(model, table, "a", "at_a"),
                     read_placed(model, table, "b", "at_b"),
                     read_rolling_shape(table.required("shape_a")),
                     read_rolling_shape(table.required("shape_b")),
                     !spin || spin.one_of({"free", "held"}) == "free"};
    if (pair.a.body == pair.b.body) table.find("b").fail("expected two bodies that move against each other, found one");
    if (!can_roll(pair.shape_a, pair.shape_b))
      table.find("shape_b").fail(
          "expected shapes that roll on each other (a sphere, disc or cylinder on a plane, a sphere on a sphere or a "
          "cylinder), found another pair");
    out.push_back(std::make_shared<const RollingConstraint>(std::move(pair)));
  }
  return out;
}

}  // namespace cardan::io
