#include "cardan/io/internal/osim_paths.hpp"

#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

constexpr double kRangeMargin = 1e-5;  // by which a coordinate may leave the range of a point, as in OpenSim

const std::vector<std::string> kPointTypes{"PathPoint", "ConditionalPathPoint", "MovingPathPoint"};
const std::vector<std::string> kWrapTypes{"WrapSphere", "WrapCylinder", "WrapEllipsoid", "WrapTorus"};

/// A point of the quadrant that a path keeps to; none where it takes the shorter way round.
std::optional<Vec3<double>> quadrant_of(const XmlElement& wrap) {
  const std::string text = text_in(wrap, "quadrant", "all");
  if (text == "all" || text == "All" || text == "ALL" || text == "Unassigned") return std::nullopt;
  const bool is_signed = text.size() == 2 && (text[0] == '-' || text[0] == '+');
  const char letter = text.size() == 1 || is_signed ? static_cast<char>(text.back() | 0x20) : '?';
  if (letter < 'x' || letter > 'z')
    wrap.child("quadrant").fail("expected x, -x, y, -y, z, -z or all, found " + in_quotes(text));
  Vec3<double> out;
  out[letter - 'x'] = text[0] == '-' ? -1.0 : 1.0;
  return out;
}

double positive_in(const XmlElement& wrap, const char* tag) {
  const XmlElement element = wrap.required_child(tag);
  const double x = element.content_number();
  if (!(x > 0.0)) element.fail(fmt::format("expected a positive number, found {:g}", x));
  return x;
}

}  // namespace

OsimPaths::OsimPaths(const XmlElement& model, const OsimFrames& frames, const OsimJoints& joints,
                     OsimFunctions& functions, LeftOut& left_out)
    : frames_(frames), joints_(joints), functions_(functions), left_out_(left_out) {
  for (const char* tag : {"Ground", "ground"})
    if (const XmlElement ground = model.child(tag)) add_wraps(ground, "/ground");
  for (const XmlElement& body : osim_objects(model, "BodySet"))
    if (osim_name(body) == "ground") add_wraps(body, "/ground");
  for (const XmlElement& body : frames.bodies()) add_wraps(body, "/bodyset/" + osim_name(body));
}

void OsimPaths::add_wraps(const XmlElement& body, const std::string& path) {
  for (const XmlElement& own : osim_objects(body, "WrapObjectSet")) {
    const std::string tag = own.tag();
    if (std::find(kWrapTypes.begin(), kWrapTypes.end(), tag) == kWrapTypes.end())
      own.fail(fmt::format("expected a type of wrap that is known ({}), found {}{}", fmt::join(kWrapTypes, ", "),
                           in_quotes(tag), did_you_mean(tag, kWrapTypes)));
    const XmlElement wrap = own.owned_by(tag + " " + in_quotes(osim_name(own)));
    check_children(wrap,
                   "active xyz_body_rotation translation quadrant radius length dimensions inner_radius outer_radius "
                   "Appearance VisibleObject display_preference color socket_frame",
                   "components", left_out_);
    OsimPlace at = frames_.find(path, "", wrap);
    at.pose = at.pose * osim_pose(vec3_in(wrap, "translation", {}), vec3_in(wrap, "xyz_body_rotation", {}));
    wraps_.emplace(wrap.name("name"), Wrap{wrap, at});
  }
}

bool OsimPaths::leave(const XmlElement& force, const std::string& why) {
  left_out_.add(fmt::format("{} {}", printable(force.tag()), why));
  return false;
}

bool OsimPaths::put_path(const XmlElement& force, TomlNode& table) {
  XmlElement path = force.child("GeometryPath");
  for (const XmlElement& child : force.children())
    if (!path && osim_name(child) == "path") path = child;
  if (!path) return leave(force, "without a GeometryPath");
  if (path.tag() != "GeometryPath") return leave(force, "along a " + printable(path.tag()));
  const std::vector<XmlElement> list = osim_objects(path, "PathPointSet");
  std::vector<TomlNode> points, wraps;
  for (const XmlElement& one : list) {
    const bool is_end = points.empty() || points.size() + 1 == list.size();
    if (is_end && one.tag() == "ConditionalPathPoint")
      return leave(force, "that begins or ends at a ConditionalPathPoint");
    std::optional<TomlNode> made = point(one, osim_name(force) + "_" + osim_name(one));
    if (!made) return leave(force, "with points that follow coordinates in other ways");
    points.push_back(std::move(*made));
  }
  if (points.size() < 2) path.fail(fmt::format("expected at least 2 points, found {}", points.size()));
  for (const XmlElement& one : osim_objects(path, "PathWrapSet")) {
    if (one.tag() != "PathWrap") one.fail("expected a <PathWrap>, found <" + printable(one.tag()) + ">");
    TomlNode made = wrap(one, points.size());
    if (!made.entries.empty()) wraps.push_back(std::move(made));
  }
  put(table, "points", toml_list(std::move(points)));
  if (!wraps.empty()) put(table, "wraps", toml_list(std::move(wraps)));
  return true;
}

std::optional<TomlNode> OsimPaths::point(const XmlElement& own, const std::string& title) {
  const std::string tag = own.tag();
  if (std::find(kPointTypes.begin(), kPointTypes.end(), tag) == kPointTypes.end())
    own.fail(fmt::format("expected a type of point that is known ({}), found {}{}", fmt::join(kPointTypes, ", "),
                         in_quotes(tag), did_you_mean(tag, kPointTypes)));
  const XmlElement point = own.owned_by(tag + " " + in_quotes(osim_name(own)));
  const std::string frame = osim_socket(point, "parent_frame", "body");
  if (frame.empty()) point.fail("expected a <socket_parent_frame> element, found none");
  const OsimPlace at = frames_.find(frame, "/forceset", point);
  TomlNode table = toml_table({{"body", toml_text(at.body)}});
  if (tag == "MovingPathPoint") {
    if (!is_identity(at.pose.R) || !is_origin(at.pose.p) || !put_moving(point, title, table)) return std::nullopt;
    return table;
  }
  put(table, "at", toml_vector(at.pose * vec3_in(point, "location", {})));
  if (tag == "PathPoint") return table;
  const XmlElement range = point.required_child("range");
  const std::vector<double> ends = range.content_numbers(2);
  if (ends[0] > ends[1]) range.fail(fmt::format("expected the lower limit first, found {} and {}", ends[0], ends[1]));
  const OsimCoordinate& c = joints_.coordinate(osim_socket(point, "coordinate", "coordinate"), point);
  if (c.ref.empty()) return std::nullopt;
  put(table, "when",
      toml_list({toml_text(c.ref), toml_number(ends[0] - kRangeMargin), toml_number(ends[1] + kRangeMargin)}));
  return table;
}

/// A place by functions of a coordinate.
bool OsimPaths::put_moving(const XmlElement& point, const std::string& title, TomlNode& table) {
  std::vector<TomlNode> texts;
  std::string follows;
  for (const char* axis : {"x", "y", "z"}) {
    const std::string tag = std::string(axis) + "_location", coordinate = std::string(axis) + "_coordinate";
    const XmlElement function = OsimFunctions::find(point, tag.c_str());
    if (!function) point.fail(fmt::format("expected a <{}> element, found none", tag));
    const std::string text = functions_.text(function, {"q"}, title + "_" + axis);
    if (text.find("q") == std::string::npos) {
      texts.push_back(
          toml_number(parse_number(text.starts_with('(') ? text.substr(1, text.size() - 2) : text).value_or(0.0)));
      continue;
    }
    const std::string name = osim_socket(point, coordinate, coordinate.c_str());
    if (name.empty()) point.fail(fmt::format("expected a <socket_{}> element, found none", coordinate));
    const OsimCoordinate& c = joints_.coordinate(name, point);
    if (c.ref.empty() || (!follows.empty() && follows != c.ref)) return false;
    follows = c.ref;
    texts.push_back(toml_text(text));
  }
  put(table, "at", toml_list(std::move(texts)));
  if (!follows.empty()) put(table, "with", toml_table({{"q", toml_text(follows)}}));
  return true;
}

/// The surface, and between which points of the path it is; empty where it is not active.
TomlNode OsimPaths::wrap(const XmlElement& path_wrap, std::size_t points) const {
  const XmlElement name = path_wrap.required_child("wrap_object");
  const auto found = wraps_.find(name.content_name());
  if (found == wraps_.end()) {
    std::vector<std::string> known;
    for (const auto& [other, wrap] : wraps_) known.push_back(other);
    name.fail(fmt::format("expected a wrap object of this model, found {}{}", in_quotes(name.content()),
                          did_you_mean(name.content(), known)));
  }
  if (!osim_truth(found->second.element, "active", true)) return {};
  TomlNode table = toml_table({{"body", toml_text(found->second.at.body)}, {"at", toml_pose(found->second.at.pose)}});
  put_surface(found->second, table);
  double first = 1.0, last = static_cast<double>(points);
  if (const XmlElement range = path_wrap.child("range")) {
    const std::vector<double> ends = range.content_numbers(2);
    if (ends[0] >= 1.0) first = std::floor(ends[0]);
    if (ends[1] >= 1.0) last = std::min(last, std::floor(ends[1]));
    if (!(first < last))
      range.fail(fmt::format("expected the numbers of two points from 1 to {}, found {:g} and {:g}", points, ends[0],
                             ends[1]));
  }
  put(table, "after", toml_numbers(std::array{first, last - 1.0}));
  return table;
}

void OsimPaths::put_surface(const Wrap& wrap, TomlNode& table) const {
  const XmlElement& element = wrap.element;
  const std::string tag = element.tag();
  if (tag == "WrapSphere") put(table, "sphere", toml_number(positive_in(element, "radius")));
  if (tag == "WrapCylinder") {
    put(table, "cylinder", toml_number(positive_in(element, "radius")));
    put(table, "length", toml_number(positive_in(element, "length")));
  }
  if (tag == "WrapTorus")
    put(table, "torus",
        toml_table({{"major", toml_number(positive_in(element, "outer_radius"))},
                    {"minor", toml_number(positive_in(element, "inner_radius"))}}));
  if (tag == "WrapEllipsoid") {
    const XmlElement list = element.required_child("dimensions");
    const std::vector<double> axes = list.content_numbers(3);
    if (std::any_of(axes.begin(), axes.end(), [](double x) { return !(x > 0.0); }))
      list.fail("expected positive lengths, found " + in_quotes(list.content()));
    put(table, "ellipsoid", toml_numbers(axes));
  }
  const std::optional<Vec3<double>> side = quadrant_of(element);
  const bool lies_on_axis = side && tag == "WrapCylinder" && (*side)[2] != 0.0;
  if (side && !lies_on_axis && tag != "WrapTorus") put(table, "side", toml_vector(*side));
}

}  // namespace cardan::io
