#include "cardan/io/internal/osim_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace cardan::io {

namespace {

/// frame(...) of a text.
std::string frame_text(const Pose<double>& pose) {
  std::vector<std::string> numbers;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) numbers.push_back(fmt::format("{:.17g}", pose.R(i, j)));
  for (int i = 0; i < 3; ++i) numbers.push_back(fmt::format("{:.17g}", pose.p[i]));
  return fmt::format("frame({})", fmt::join(numbers, ", "));
}

TomlNode fixed_joint(const std::string& name, const Pose<double>& at) {
  return toml_table({{"name", toml_text(name)}, {"type", toml_text("fixed")}, {"at", toml_pose(at)}});
}

}  // namespace

void OsimTree::turn_from_ground(std::vector<OsimJoint>& joints) {
  for (OsimJoint& joint : joints) {
    if (joint.child.body != "world") continue;
    std::swap(joint.parent, joint.child);
    joint.is_reversed = !joint.is_reversed;
  }
}

void OsimTree::write() {
  std::map<std::string, const OsimJoint*> carried_by;
  for (const OsimJoint& joint : joints_.joints())
    if (!carried_by.emplace(joint.child.body, &joint).second)
      joint.element.fail(fmt::format("expected one joint for each body, found {} moved by {} too",
                                     in_quotes(joint.child.body), in_quotes(carried_by[joint.child.body]->name)));
  for (const XmlElement& body : frames_.bodies()) {
    check_children(body,
                   "mass mass_center inertia inertia_xx inertia_yy inertia_zz inertia_xy inertia_xz inertia_yz Joint "
                   "WrapObjectSet attached_geometry VisibleObject FrameGeometry components frames FrameSet appearance "
                   "Appearance",
                   "", left_out_);
    const auto found = carried_by.find(body.name("name"));
    if (found == carried_by.end())
      add_free(body);
    else
      add(body, *found->second);
  }
}

MassProperties OsimTree::mass(const XmlElement& body) const {
  MassProperties out;
  out.mass = number_in(body, "mass", 0.0);
  if (out.mass < 0.0) body.child("mass").fail(fmt::format("expected a mass that is not negative, found {}", out.mass));
  out.com = vec3_in(body, "mass_center", {});
  Sym3<double>& I = out.inertia;
  if (const XmlElement six = body.child("inertia")) {
    const std::vector<double> numbers = six.content_numbers(6);
    for (int i = 0; i < 6; ++i) I.e[i] = numbers[static_cast<std::size_t>(i)];
  } else {
    const char* const tags[]{"inertia_xx", "inertia_yy", "inertia_zz", "inertia_xy", "inertia_xz", "inertia_yz"};
    for (int i = 0; i < 6; ++i) I.e[i] = number_in(body, tags[i], 0.0);
  }
  return out;
}

/// Primitive shapes to look at; meshes are left out.
std::vector<TomlNode> OsimTree::shapes(const XmlElement& body, const std::string& path) const {
  std::vector<TomlNode> out;
  for (const XmlElement& geometry : osim_objects(body, "attached_geometry")) {
    const std::string tag = geometry.tag();
    const XmlElement one = geometry.child(tag == "Brick" ? "half_lengths" : tag == "Ellipsoid" ? "radii" : "radius");
    if ((tag != "Sphere" && tag != "Brick" && tag != "Ellipsoid" && tag != "Cylinder") || !one) {
      left_out_.add(printable(tag));
      continue;
    }
    const std::vector<double> size = osim_numbers(one);
    if (size.empty() || std::any_of(size.begin(), size.end(), [](double x) { return !(x > 0.0); }))
      one.fail("expected positive lengths, found " + in_quotes(one.content()));
    TomlNode shape;
    if (tag == "Sphere")
      shape = shape_table(Sphere{size[0]});
    else if (tag == "Cylinder")
      shape = shape_table(Cylinder{size[0], 2.0 * number_in(geometry, "half_height", 1.0)});
    else if (size.size() != 3)
      one.fail(fmt::format("expected 3 numbers, found {}", size.size()));
    else if (tag == "Brick")
      shape = shape_table(Box{2.0 * size[0], 2.0 * size[1], 2.0 * size[2]});
    else
      shape = shape_table(Ellipsoid{size[0], size[1], size[2]});
    // OpenSim's cylinders stand along y
    const Pose<double> turn = tag == "Cylinder" ? osim_pose({}, {-0.5 * std::acos(-1.0), 0.0, 0.0}) : Pose<double>{};
    const OsimPlace at = frames_.find(osim_socket(geometry, "frame").empty() ? ".." : osim_socket(geometry, "frame"),
                                      path + "/geometry", geometry);
    put(shape, "at", toml_pose(at.pose * turn));
    put(shape, "collide", toml_truth(false));
    if (const XmlElement look = geometry.child("Appearance"); look && look.child("color"))
      put(shape, "color", toml_text(color_text(look.child("color").content_numbers(3))));
    out.push_back(std::move(shape));
  }
  return out;
}

/// Starts, and the limits of coordinates that are clamped.
void OsimTree::put_coordinates(const OsimJoint& joint, TomlNode& table) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto& c = joint.coordinates;
  if (joint.type == "BallJoint" || joint.type == "FreeJoint") {
    const Pose<double> turned = osim_pose({}, {c[0].value, c[1].value, c[2].value});
    const Quaternion<double> q = quaternion_from_matrix(turned.R);
    std::vector<double> start{q[0], q[1], q[2], q[3]};
    for (std::size_t i = 3; i < c.size(); ++i) start.push_back(c[i].value);
    put(table, "q", toml_numbers(start));
    if (std::any_of(c.begin(), c.end(), [](const OsimCoordinate& one) { return one.speed != 0.0; }))
      left_out_.add("default_speed_value of " + joint.type);
    return;
  }
  std::vector<double> q, v;
  std::vector<TomlNode> limits;
  bool is_limited = false;
  for (const OsimCoordinate& one : c) {
    q.push_back(one.value);
    v.push_back(one.speed);
    double low = -infinity, high = infinity;
    const XmlElement range = one.element ? one.element.child("range") : XmlElement();
    if (range && osim_truth(one.element, "clamped", false)) {
      const std::vector<double> ends = range.content_numbers(2);
      low = ends[0];
      high = ends[1];
      if (low > high) range.fail(fmt::format("expected the lower limit first, found {} and {}", low, high));
      is_limited = true;
    }
    limits.push_back(toml_numbers(std::array{low, high}));
  }
  const auto any = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double x) { return x != 0.0; });
  };
  if (any(q)) put(table, "q", toml_numbers(q));
  if (any(v)) put(table, "v", toml_numbers(v));
  if (is_limited) put(table, "limits", toml_list(std::move(limits)));
}

/// The body frame of a scene is the moving frame of its joint. Where the child's frame is another, an expression joint
/// ends with what is between the two; any other has a body without mass in front.
void OsimTree::add(const XmlElement& body, const OsimJoint& joint) {
  const std::string name = body.name("name");
  const MassProperties own = mass(body);
  std::vector<TomlNode> looks = shapes(body, "/bodyset/" + name);
  const Pose<double> rest = inverse(joint.child.pose);
  const bool is_direct = is_identity(rest.R) && is_origin(rest.p);
  TomlNode table = toml_table({{"name", toml_text(joint.name)}});
  for (const TomlEntry& entry : joint.table.entries) put(table, entry.key, entry.value);
  if (joint.type == "WeldJoint") {
    append(
        scene_, "body",
        body_table(name, joint.parent.body, fixed_joint(joint.name, joint.parent.pose * rest), own, std::move(looks)));
    return;
  }
  put(table, "at", toml_pose(joint.parent.pose));
  if (joint.is_expression) {
    std::vector<TomlNode> words;
    for (const OsimCoordinate& c : joint.coordinates) words.push_back(toml_text(c.word));
    std::string transform;
    for (const TomlEntry& entry : joint.table.entries)
      if (entry.key == "transform") transform = entry.value.text;
    if (joint.is_reversed) transform = "inv(" + transform + ")";
    if (!is_direct) transform += "*" + frame_text(rest);
    put(table, "coordinates", toml_list(std::move(words)));
    put(table, "transform", toml_text(transform));
  } else if (joint.type != "BallJoint" && joint.type != "FreeJoint") {
    put(table, "coordinates", toml_list({toml_text(joint.coordinates[0].name)}));
  }
  put_coordinates(joint, table);
  if (joint.is_expression || is_direct) {
    append(scene_, "body", body_table(name, joint.parent.body, std::move(table), own, std::move(looks)));
    return;
  }
  std::string carrier = joint.name + ":frame";
  while (frames_.is_body(carrier)) carrier += "_";
  append(scene_, "body", body_table(carrier, joint.parent.body, std::move(table), {}));
  append(scene_, "body", body_table(name, carrier, fixed_joint(name + ":fixed", rest), own, std::move(looks)));
}

void OsimTree::write_markers(const XmlElement& model) {
  std::set<std::string> names;
  for (const XmlElement& own : osim_objects(model, "MarkerSet")) {
    if (own.tag() != "Marker") {
      left_out_.add(printable(own.tag()));
      continue;
    }
    const XmlElement marker = own.owned_by("Marker " + in_quotes(osim_name(own)));
    const std::string frame = osim_socket(marker, "parent_frame", "body");
    if (frame.empty()) marker.fail("expected a <socket_parent_frame> element, found none");
    const OsimPlace at = frames_.find(frame, "/markerset", marker);
    std::string name = marker.name("name");
    while (name == "world" || frames_.is_body(name) || !names.insert(name).second) name += "_";
    append(scene_, "body",
           body_table(name, at.body,
                      fixed_joint(name + ":fixed", {at.pose.R, at.pose * vec3_in(marker, "location", {})}), {}));
  }
}

/// A body that no joint moves is free, as in OpenSim.
void OsimTree::add_free(const XmlElement& body) {
  const std::string name = body.name("name");
  append(scene_, "body",
         body_table(name, "world", toml_table({{"name", toml_text("free_" + name)}, {"type", toml_text("free")}}),
                    mass(body), shapes(body, "/bodyset/" + name)));
}

}  // namespace cardan::io
