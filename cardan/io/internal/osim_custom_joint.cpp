// CustomJoint of OpenSim: its SpatialTransform as an expression joint, or as the joint that it is.
#include "cardan/io/internal/osim_joints.hpp"
#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

const char* const kAxisNames[]{"rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3"};

/// The axis of a TransformAxis: x, y, z where it is not said.
Vec3<double> axis_of(const XmlElement& axis, std::size_t i) {
  Vec3<double> otherwise;
  otherwise[static_cast<int>(i % 3)] = 1.0;
  const Vec3<double> out = vec3_in(axis, "axis", otherwise);
  const double length = norm(out);
  if (!(length > 1e-12) || !std::isfinite(length))
    axis.child("axis").fail("expected a direction, found a vector of zero length");
  return (1.0 / length) * out;
}

/// True if the function is the coordinate itself.
bool is_the_coordinate(const XmlElement& function) {
  if (function.tag() != "LinearFunction") return false;
  const XmlElement list = function.child("coefficients");
  return !list || osim_numbers(list) == std::vector<double>{1.0, 0.0};
}

bool is_zero_function(const XmlElement& function) {
  return function.tag() == "Constant" && number_in(function, "value", 0.0) == 0.0;
}

}  // namespace

/// rotation1, rotation2 and rotation3 follow one another about axes that move; the translations are in the parent.
void OsimJoints::write_custom(OsimJoint& joint, OsimFunctions& functions) {
  static_cast<void>(joint.element.required_child("SpatialTransform"));
  if (joint.coordinates.empty())
    joint.element.fail("expected at least one coordinate, found none: a joint without is a WeldJoint");
  std::vector<XmlElement> axes(6);
  for (const XmlElement& axis : osim_objects(joint.element, "SpatialTransform")) {
    const std::string name = osim_name(axis);
    const auto found = std::find(std::begin(kAxisNames), std::end(kAxisNames), name);
    if (axis.tag() != "TransformAxis") axis.fail("expected a <TransformAxis>, found <" + printable(axis.tag()) + ">");
    if (found == std::end(kAxisNames))
      axis.fail("name", fmt::format("expected rotation1 to translation3, found {}{}", in_quotes(name),
                                    did_you_mean(name, {std::begin(kAxisNames), std::end(kAxisNames)})));
    XmlElement& own = axes[static_cast<std::size_t>(found - std::begin(kAxisNames))];
    if (own) axis.fail("expected names that differ, found " + in_quotes(name) + " twice");
    own = axis.owned_by(fmt::format("{} {}: {}", joint.type, in_quotes(joint.name), name));
    check_children(own,
                   "coordinates axis function "
                   "Constant LinearFunction SimmSpline NaturalCubicSpline "
                   "PiecewiseLinearFunction MultiplierFunction PolynomialFunction Sine GCVSpline StepFunction",
                   "", left_out_);
    check_axis(own, joint);
  }
  check_uses(joint, axes);
  if (write_native_custom(joint, axes)) return;
  std::string sums[3], rotations;
  for (std::size_t i = 0; i < 6; ++i) {
    if (!axes[i]) continue;
    std::vector<std::string> arguments;
    for (const std::string& name : osim_names(axes[i], "coordinates"))
      for (const OsimCoordinate& c : joint.coordinates)
        if (c.name == name) arguments.push_back(c.word);
    const XmlElement function = OsimFunctions::find(axes[i], "function");
    if (!function && arguments.size() > 1) axes[i].fail("expected a function of its coordinates, found none");
    const std::string value = function ? functions.text(function, arguments, joint.name + "_" + kAxisNames[i])
                              : arguments.empty() ? "0"
                                                  : arguments[0];
    if (value == "0") continue;
    const Vec3<double> axis = axis_of(axes[i], i);
    if (i < 3) {
      rotations += fmt::format("*rot({:.17g}, {:.17g}, {:.17g}, {})", axis[0], axis[1], axis[2], value);
      continue;
    }
    for (int k = 0; k < 3; ++k)
      if (axis[k] != 0.0)
        sums[k] += (sums[k].empty() ? "" : " + ") +
                   (axis[k] == 1.0 ? "(" + value + ")" : fmt::format("{}*({})", written(axis[k]), value));
  }
  for (std::string& sum : sums)
    if (sum.empty()) sum = "0";
  joint.table =
      toml_table({{"type", toml_text("expression")},
                  {"transform", toml_text(fmt::format("trans({}, {}, {}){}", sums[0], sums[1], sums[2], rotations))}});
  joint.is_expression = true;
}

void OsimJoints::check_axis(const XmlElement& axis, const OsimJoint& joint) const {
  std::vector<std::string> known;
  for (const OsimCoordinate& c : joint.coordinates) known.push_back(c.name);
  for (const std::string& name : osim_names(axis, "coordinates"))
    if (std::find(known.begin(), known.end(), name) == known.end())
      axis.child("coordinates")
          .fail(fmt::format("expected a coordinate of the joint, found {}{}", in_quotes(name),
                            did_you_mean(name, known)));
}

/// Refuses coordinates that no axis follows.
void OsimJoints::check_uses(const OsimJoint& joint, const std::vector<XmlElement>& axes) const {
  for (const OsimCoordinate& c : joint.coordinates) {
    const bool is_used = std::any_of(axes.begin(), axes.end(), [&](const XmlElement& axis) {
      const std::vector<std::string> names = axis ? osim_names(axis, "coordinates") : std::vector<std::string>();
      return std::find(names.begin(), names.end(), c.name) != names.end();
    });
    if (!is_used)
      joint.element.fail(fmt::format("expected an axis that the coordinate {} moves, found none", in_quotes(c.name)));
  }
}

/// One coordinate that is the angle about, or the way along, one axis.
bool OsimJoints::write_native_custom(OsimJoint& joint, const std::vector<XmlElement>& axes) {
  if (joint.coordinates.size() != 1) return false;
  int moving = -1;
  for (int i = 0; i < 6; ++i) {
    const XmlElement& axis = axes[static_cast<std::size_t>(i)];
    if (!axis) continue;
    const XmlElement function = OsimFunctions::find(axis, "function");
    const bool has_coordinate = !osim_names(axis, "coordinates").empty();
    if (function ? is_zero_function(function) : !has_coordinate) continue;
    if (moving >= 0 || !has_coordinate || (function && !is_the_coordinate(function))) return false;
    moving = i;
  }
  if (moving < 0) return false;
  const auto k = static_cast<std::size_t>(moving);
  const Vec3<double> axis = axis_of(axes[k], k);
  joint.table = toml_table({{"type", toml_text(moving < 3 ? "revolute" : "prismatic")},
                            {"axis", toml_vector(joint.is_reversed ? -axis : axis)}});
  return true;
}

}  // namespace cardan::io
