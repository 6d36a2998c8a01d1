// The table of keys: joint types, curves and surfaces.
#include "cardan/io/internal/scene_key_tables.hpp"
#include "cardan/joints/internal/polynomial.hpp"
#include "cardan/joints/spline.hpp"

namespace cardan::io {

namespace {

constexpr int kMostPoints = static_cast<int>(kMostBezierPoints);
constexpr int kMostFrames = 1000, kMostControls = 100, kMostFreedom = 6;

ValueType spin_type() {
  return keys::called("\"free\" or an angle", keys::either(keys::choice({"free"}), keys::number()));
}

std::vector<KeyVariant> plain_joints() {
  using namespace keys;
  const SceneKey axis{"axis", vec3(), "direction of the axis, of any length", "", "[0, 0, 1]"};
  return {{"fixed", "holds the body", {}},
          {"revolute", "turns about an axis; q: angle", {axis}},
          {"prismatic", "shifts along an axis; q: displacement", {axis}},
          {"helical",
           "turns about an axis and shifts along it; q: angle",
           {axis, {"pitch", number(), "displacement by angle", "m/rad", std::string(kRequired)}}},
          {"cylindrical", "turns about an axis and shifts along it; q: angle, displacement", {axis}},
          {"universal", "turns about x, then about the new y; q: both angles", {}},
          {"planar", "shifts along x and y; q: x, y", {}},
          {"translational", "shifts along x, y, z; q: x, y, z", {}},
          {"spherical", "turns in every way; q: quaternion (w, x, y, z), v: angular velocity", {}},
          {"spherical_euler",
           "turns in every way; q: three angles",
           {{"order", choice({"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"}),
             "axes of the three turns", "", std::string(kRequired)}}},
          {"spherical_exponential", "turns in every way; q: rotation vector", {}},
          {"free", "moves in every way; q: quaternion (w, x, y, z), position", {}},
          {"free_planar", "shifts along x and y and turns about z; q: x, y, angle", {}}};
}

std::vector<KeyVariant> made_joints() {
  using namespace keys;
  const std::string required(kRequired);
  const SceneKey basis{"basis", choice(spline_basis_names()), "blending functions of the spline", "", "\"b_spline\""};
  return {
      {"composite",
       "joints one after the other, together with at most 6 freedoms; q: theirs in turn",
       {{"joints", tables("part", 1, kMostFreedom * kMostFreedom), "its joints, each with its type and keys", "",
         required}}},
      {"expression", "where the body stands, as a text; q: the coordinates",
       std::vector<SceneKey>{{"coordinates", list(word(), 1, kMostFreedom), "names of the coordinates", "", required},
                             {"transform", text(),
                              "the pose: a product of trans, rotx, roty, rotz, rot, twist, frame, inv", "", required}} +
           text_keys()},
      {"spline_curve",
       "along frames; q: one unit from frame to frame",
       {{"frames", tables("pose", 3, kMostFrames), "poses of the body", "", required},
        {"closed", truth(), "whether the last frame leads to the first", "", "false"},
        basis}},
      {"spline_surface",
       "between controls; q: two, one unit for each patch",
       {{"controls",
         called("4 x 4 x 6 numbers or more", list(list(list_of(6, number()), 4, kMostControls), 4, kMostControls)),
         "rows of controls: x, y, z, then angles about x, y, z", "", required},
        basis}}};
}

std::vector<KeyVariant> touching_joints() {
  using namespace keys;
  const std::string required(kRequired);
  const SceneKey up{"up", vec3(), "what x of the curve's frame is square to, beside the tangent", "", "[0, 0, 1]"};
  const SceneKey roll{"roll", spin_type(), "turn about the tangent: free, or held at an angle", "rad", "0"};
  const SceneKey spin{"spin", spin_type(), "turn about the normal: free, or held at an angle", "rad", "0"};
  const SceneKey curve{"curve", table("curve"), "the curve on the parent", "", required};
  const SceneKey surface{"surface", table("surface"), "the surface on the parent", "", required};
  const auto sides = [](const std::string& what) {
    return std::vector<SceneKey>{{"a", table(what), "the " + what + " on the parent"},
                                 {"b", table(what), "the " + what + " on the child"},
                                 {what + "_a", table(what), "instead of `a` in loops, where that is a body"},
                                 {what + "_b", table(what), "instead of `b` in loops"}};
  };
  const auto rules = [](const std::string& what) {
    return std::vector<KeyRule>{{KeyRule::Kind::any_of, {"a", what + "_a"}},
                                {KeyRule::Kind::any_of, {"b", what + "_b"}}};
  };
  return {
      {"on_curve", "the body's frame follows that of a curve; q: s, roll", {curve, roll, up}},
      {"on_surface", "the body's frame follows that of a surface; q: u, v, spin", {surface, spin}},
      {"point_on_curve", "a point on a curve, about which the body turns; q: s, quaternion", {curve, up}},
      {"point_on_surface", "a point on a surface, about which the body turns; q: u, v, quaternion", {surface}},
      {"surface", "two surfaces that touch; q: u, v on `a`, u, v on `b`, spin", sides("surface") + std::vector{spin},
       rules("surface")},
      {"curve", "two curves that touch; q: s on `a`, s on `b`, roll; across: three angles",
       sides("curve") + std::vector<SceneKey>{{"touch", choice({"tangent", "across"}),
                                               "whether they have a common tangent or only a point", "", "\"tangent\""},
                                              roll,
                                              up},
       rules("curve")}};
}

std::vector<SceneKey> point_of(int coordinates) {
  using namespace keys;
  const std::string required(kRequired);
  std::vector<SceneKey> out{{"point", list_of(3, expression()), "x, y, z as texts of the coordinates", "m", required}};
  if (coordinates == 1) out.push_back({"coordinate", word(), "name of the coordinate", "", required});
  if (coordinates == 2)
    out.push_back({"coordinates", list_of(2, word()), "names of the two coordinates", "", required});
  return out + text_keys();
}

}  // namespace

std::vector<KeyVariant> surface_variants() {
  using namespace keys;
  const std::string required(kRequired);
  const auto one = [&](const char* key, const ValueType& type, const char* meaning) {
    return KeyVariant{key, meaning, {{key, type, meaning, "m", required}}};
  };
  return {one("ellipsoid", list_of(3, positive()), "semi-axes"),
          one("torus", table("torus"), "radii of the ring and of its tube, axis z"),
          one("bezier", list(list(vec3(), 2, kMostPoints), 2, kMostPoints), "rows of control points, first index u"),
          {"point", "any surface, by its point", point_of(2)}};
}

std::vector<KeyTable> joint_key_tables() {
  using namespace keys;
  const std::string required(kRequired);
  std::vector<KeyVariant> types = plain_joints();
  for (const auto& more : {made_joints(), touching_joints()}) types.insert(types.end(), more.begin(), more.end());
  std::vector<KeyVariant> surfaces{{"sphere", "radius", {{"sphere", positive(), "radius", "m", required}}}};
  for (KeyVariant& variant : surface_variants()) surfaces.push_back(std::move(variant));
  std::vector<KeyTable> out{
      {"joint",
       "Joint types",
       "What goes with each `type` of a joint, in `[body.joint]`, `[[loop]]` and `joints`",
       {},
       KeyTable::Choice::by_type,
       std::move(types)},
      {"part",
       "joints = [{ ... }, ...]",
       "A joint of a composite one: its type and the keys of that",
       {},
       KeyTable::Choice::by_type},
      {"curve", "A curve", "A curve of joints", {}, KeyTable::Choice::by_key},
      {"surface", "A surface", "A surface of joints and wraps", {}, KeyTable::Choice::by_key, std::move(surfaces)}};
  out[1].variants_of = "joint";
  out[2].variants = {{"bezier",
                      "control points, s from 0 to 1",
                      {{"bezier", list(vec3(), 2, kMostPoints), "control points, s from 0 to 1", "m", required}}},
                     {"point", "any curve, by its point", point_of(1)}};
  return out;
}

}  // namespace cardan::io
