#include "cardan/io/internal/mjcf_bodies.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

bool is_zero(const Vec3<double>& v) { return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0; }

}  // namespace

/// Refuses attributes that are misspelled, and tells of others that MuJoCo may know and this reader does not.
void MjcfBodies::check_attributes(const XmlElement& element) {
  static const std::string kTurns = " pos quat axisangle xyaxes zaxis euler";
  static const std::map<std::string, std::string> kKnown{
      {"body", "name childclass mocap gravcomp sleep user" + kTurns},
      {"frame", "name childclass" + kTurns},
      {"inertial", "mass diaginertia fullinertia" + kTurns},
      {"freejoint", "name group align"},
      {"joint",
       "name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction "
       "solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping "
       "frictionloss user"},
      {"geom",
       "name class type contype conaffinity condim group priority size material friction mass density shellinertia "
       "solmix solref solimp margin gap fromto hfield mesh fitscale rgba fluidshape fluidcoef user" +
           kTurns},
      {"site", "name class type group material size fromto rgba user" + kTurns}};
  const auto found = kKnown.find(element.tag());
  if (found == kKnown.end()) return;
  const std::vector<std::string_view> list = words(found->second);
  const std::vector<std::string> known(list.begin(), list.end());
  for (const std::string& name : element.attributes()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = did_you_mean(name, known);
    const std::string what = fmt::format("unknown attribute {}{}", in_quotes(name), near);
    if (!near.empty()) element.fail(what);
    warnings_.push_back(element.message(what + ": it is not read"));
  }
}

std::string MjcfBodies::unique(std::string name) {
  const std::string first = name;
  for (int k = 2; std::find(names_.begin(), names_.end(), name) != names_.end(); ++k)
    name = fmt::format("{}_{}", first, k);
  names_.push_back(name);
  return name;
}

void MjcfBodies::read(TomlNode& scene, const Surroundings& surroundings) {
  scene_ = &scene;
  around_ = surroundings;
  Parts world;
  for (const XmlElement& part : document_.children(document_.root(), "worldbody")) gather(part, {}, "", world);
  poses_["world"] = {};
  if (std::vector<TomlNode> shapes = read_places(world, "world"); !shapes.empty())
    add_body(unique("scenery"), "world", toml_table({{"type", toml_text("fixed")}}), {}, std::move(shapes));
  for (const Parts::Placed& body : world.bodies) read_body(body, "world");
  scale_total_mass();
}

void MjcfBodies::gather(const XmlElement& element, const Pose<double>& frame, const std::string& child_class,
                        Parts& parts) {
  for (const XmlElement& child : document_.children(element)) {
    const std::string tag = child.tag();
    check_attributes(child);
    if (tag == "frame") {
      const std::string own = child.has("childclass") ? child.text("childclass") : child_class;
      gather(child, frame * compiler_.pose(MjcfElement(child, {})), own, parts);
    } else if (tag == "joint" || tag == "freejoint") {
      parts.joints.push_back({child, frame, child_class});
    } else if (tag == "geom") {
      parts.geoms.push_back({child, frame, child_class});
    } else if (tag == "site") {
      parts.sites.push_back({child, frame, child_class});
    } else if (tag == "body") {
      parts.bodies.push_back({child, frame, child_class});
    } else if (tag == "inertial") {
      parts.inertial = child;
    } else if (tag != "camera" && tag != "light" && tag != "user") {
      child.fail(fmt::format("<{}> is not available yet in this version", printable(tag)));
    }
  }
}

void MjcfBodies::read_body(const Parts::Placed& placed, const std::string& parent) {
  const XmlElement& element = placed.element;
  ++count_;
  const std::string name = element.has("name") ? element.name("name") : fmt::format("body_{}", count_);
  if (std::find(names_.begin(), names_.end(), name) != names_.end())
    element.fail("name", "expected names that differ, found " + in_quotes(name) + " twice");
  names_.push_back(name);
  const std::string child_class = element.has("childclass") ? element.text("childclass") : placed.child_class;
  const Pose<double> pose = placed.frame * compiler_.pose(MjcfElement(element, {}));
  poses_[name] = poses_[parent] * pose;
  Parts parts;
  gather(element, {}, child_class, parts);
  if (!parts.joints.empty() || std::find(moving_.begin(), moving_.end(), parent) != moving_.end())
    moving_.push_back(name);
  const MassProperties mass = mass_of(parts, name);
  std::vector<TomlNode> shapes = read_places(parts, name);
  Carrier carrier = carry(parts, name, parent, pose);
  add_body(name, carrier.parent, std::move(carrier.joint), mass, std::move(shapes));
  compensate_gravity(element, name, mass);
  add_fluid(parts, name, mass);
  for (const Parts::Placed& body : parts.bodies) read_body(body, name);
}

MjcfBodies::Carrier MjcfBodies::carry(const Parts& parts, const std::string& name, const std::string& parent,
                                      const Pose<double>& pose) {
  Carrier out{parent, {}};
  Pose<double> pending = pose;
  for (std::size_t k = 0; k < parts.joints.size(); ++k) {
    const Parts::Placed& placed = parts.joints[k];
    const bool is_free_tag = placed.element.tag() == "freejoint";
    const MjcfElement joint = is_free_tag ? MjcfElement(placed.element, {})
                                          : document_.with_defaults(placed.element, placed.child_class, "joint");
    MjcfJoint about;
    about.type = is_free_tag ? "free" : joint.one_of("type", {"hinge", "slide", "ball", "free"});
    about.name = placed.element.has("name") ? placed.element.name("name")
                 : parts.joints.size() == 1 ? name
                                            : fmt::format("{}.{}", name, k);
    const double reference = joint.number("ref", 0.0);
    about.reference = about.type == "hinge" ? compiler_.angle(reference) : about.type == "slide" ? reference : 0.0;
    about.axis = placed.frame.R * joint.vec3("axis", {0.0, 0.0, 1.0});
    if (about.type == "free") {
      if (parts.joints.size() > 1 || parent != "world")
        placed.element.fail("expected a free joint alone on a body of the world, found it elsewhere");
      joints_.push_back(about);
      const Quaternion<double> q = quaternion_from_matrix(pose.R);
      TomlNode table = joint_table(joint, about, {});
      put(table, "q", toml_numbers(std::array{q[0], q[1], q[2], q[3], pose.p[0], pose.p[1], pose.p[2]}));
      return {"world", std::move(table)};
    }
    if (!(norm(about.axis) > 1e-14)) placed.element.fail("axis", "expected a direction, found a vector of zero length");
    about.axis = (1.0 / norm(about.axis)) * about.axis;
    joints_.push_back(about);
    const Vec3<double> anchor = about.type == "slide" ? Vec3<double>{} : placed.frame * joint.vec3("pos", {});
    Pose<double> at = pending * Pose<double>{Mat3<double>::identity(), anchor};
    if (about.type == "hinge") at = at * Pose<double>{exp_so3((-about.reference) * about.axis), {}};
    if (about.type == "slide") at = at * Pose<double>{Mat3<double>::identity(), (-about.reference) * about.axis};
    TomlNode table = joint_table(joint, about, at);
    if (k + 1 == parts.joints.size() && is_zero(anchor)) return {out.parent, std::move(table)};
    const std::string carrier = unique(fmt::format("{}:{}", name, about.name));
    add_body(carrier, out.parent, std::move(table), {});
    out.parent = carrier;
    pending = {Mat3<double>::identity(), -anchor};
  }
  out.joint =
      toml_table({{"name", toml_text(name + ":fixed")}, {"type", toml_text("fixed")}, {"at", toml_pose(pending)}});
  return out;
}

TomlNode MjcfBodies::joint_table(const MjcfElement& joint, const MjcfJoint& about, const Pose<double>& at) {
  const bool is_plain = about.type == "hinge" || about.type == "slide";
  const char* type = about.type == "hinge"   ? "revolute"
                     : about.type == "slide" ? "prismatic"
                     : about.type == "ball"  ? "spherical"
                                             : "free";
  TomlNode out = toml_table({{"name", toml_text(about.name)}, {"type", toml_text(type)}});
  if (is_plain) put(out, "axis", toml_vector(about.axis));
  if (about.type != "free") put(out, "at", toml_pose(at));
  if (joint.own().tag() == "freejoint") return out;
  const auto copy = [&](const char* from, const char* to) {
    if (const double value = joint.number(from, 0.0); value != 0.0) put(out, to, toml_number(value));
  };
  copy("armature", "armature");
  copy("damping", "damping");
  copy("frictionloss", "friction");
  copy("stiffness", "stiffness");
  const auto scaled = [&](double value) { return about.type == "slide" ? value : compiler_.angle(value); };
  if (is_plain && joint.number("stiffness", 0.0) != 0.0)
    put(out, "rest", toml_number(scaled(joint.number("springref", 0.0))));
  if (const auto range = joint.numbers("springdamper", 2, 2); !range.empty() && range[0] > 0.0 && range[1] > 0.0)
    warnings_.push_back(joint.own().message("springdamper is not read: give stiffness and damping"));
  const std::string limited = joint.text("limited", "auto");
  const std::vector<double> range = joint.numbers("range", 2, 2);
  if (limited == "true" || (limited == "auto" && compiler_.autolimits && !range.empty())) {
    if (is_plain && range.size() == 2)
      put(out, "limits", toml_list({toml_numbers(std::array{scaled(range[0]), scaled(range[1])})}));
    else if (about.type == "ball")
      warnings_.push_back(joint.own().message("the limit of a ball joint is not read"));
  }
  if (const auto force = joint.numbers("actuatorfrcrange", 2, 2); is_plain && !force.empty() && force[0] == -force[1])
    put(out, "effort_limit", toml_number(force[1]));
  return out;
}

MassProperties MjcfBodies::mass_of(const Parts& parts, const std::string& name) {
  using FromGeoms = MjcfCompiler::FromGeoms;
  MassProperties out;
  if (std::find(moving_.begin(), moving_.end(), name) == moving_.end()) return out;  // fixed to the world
  if (parts.inertial && compiler_.inertia_from_geoms != FromGeoms::always) {
    out = shapes_.explicit_mass(parts.inertial);
  } else if (compiler_.inertia_from_geoms != FromGeoms::never) {
    for (const Parts::Placed& placed : parts.geoms) {
      const MjcfElement geom = document_.with_defaults(placed.element, placed.child_class);
      const double group = geom.number("group", 0.0);
      if (group < compiler_.first_group || group > compiler_.last_group) continue;
      if (geom.has("mass") && geom.number("mass", 0.0) == 0.0) continue;
      Pose<double> pose = compiler_.pose(geom);
      std::optional<Shape> shape = shapes_.shape_of(geom, pose);
      if (!shape) {
        const std::string type = geom.text("type", "mesh");
        if (type != "mesh" || geom.number("density", MjcfShapes::kWater) == 0.0) continue;
        shape = shapes_.mesh_of(geom, name);
      }
      if (geom.truth("shellinertia", false))
        placed.element.fail("shellinertia", "inertia of shells is not available yet in this version");
      const double density =
          geom.has("mass") ? geom.number("mass", 0.0) / volume(*shape) : geom.number("density", MjcfShapes::kWater);
      const Pose<double> at = placed.frame * pose;
      out = combine(out, to_parent(mass_properties(*shape, density), at.R, at.p));
    }
  }
  out.mass = std::max(out.mass, compiler_.least_mass);
  if (compiler_.least_inertia > 0.0)  // of the principal moments; exact where they lie along the axes
    for (int i = 0; i < 3; ++i) out.inertia(i, i) = std::max(out.inertia(i, i), compiler_.least_inertia);
  if (compiler_.balance_inertia) {
    const Vec3<double> moments = principal_moments(out.inertia);
    if (moments[0] + moments[1] < moments[2]) {
      const double mean = (moments[0] + moments[1] + moments[2]) / 3.0;
      out.inertia = {mean, mean, mean, 0.0, 0.0, 0.0};
    }
  }
  return out;
}

std::vector<TomlNode> MjcfBodies::read_places(const Parts& parts, const std::string& name) {
  std::vector<TomlNode> out;
  for (const Parts::Placed& placed : parts.geoms) {
    const MjcfElement geom = document_.with_defaults(placed.element, placed.child_class);
    Pose<double> pose = compiler_.pose(geom);
    std::optional<Shape> shape = shapes_.shape_of(geom, pose);
    const Pose<double> at = placed.frame * pose;
    may_touch_ = may_touch_ || geom.number("contype", 1.0) != 0.0 || geom.number("conaffinity", 1.0) != 0.0;
    if (placed.element.has("name")) geoms_[placed.element.name("name")] = {name, at, shape};
    if (!shape) continue;
    TomlNode table = shape_table(*shape);
    put(table, "at", toml_pose(at));
    put(table, "collide", toml_truth(false));
    if (const auto rgba = geom.numbers("rgba", 4, 4); !rgba.empty()) put(table, "color", toml_text(color_text(rgba)));
    out.push_back(std::move(table));
  }
  for (const Parts::Placed& placed : parts.sites)
    if (placed.element.has("name")) {
      const MjcfElement site = document_.with_defaults(placed.element, placed.child_class);
      Pose<double> pose = compiler_.pose(site);
      if (const auto ends = site.numbers("fromto", 6, 6); !ends.empty())
        pose = {rotation_of_z(Vec3<double>{ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]}),
                0.5 * Vec3<double>{ends[0] + ends[3], ends[1] + ends[4], ends[2] + ends[5]}};
      sites_[placed.element.name("name")] = {name, placed.frame * pose, {}};
    }
  return out;
}

void MjcfBodies::add_body(const std::string& name, const std::string& parent, TomlNode joint,
                          const MassProperties& mass, std::vector<TomlNode> shapes) {
  append(*scene_, "body", body_table(name, parent, std::move(joint), mass, std::move(shapes)));
}

/// gravcomp: a force at the center of mass against the weight.
void MjcfBodies::compensate_gravity(const XmlElement& body, const std::string& name, const MassProperties& mass) {
  const double part = body.has("gravcomp") ? body.number("gravcomp") : 0.0;
  const bool moves = std::find(moving_.begin(), moving_.end(), name) != moving_.end();
  if (part == 0.0 || mass.mass == 0.0 || !moves || is_zero(around_.gravity)) return;
  append(*scene_, "force", against_weight(name, mass, part, around_.gravity));
}

/// Drag as of a box that has the body's mass and principal moments, or by the shapes of its geoms, which is not read.
void MjcfBodies::add_fluid(const Parts& parts, const std::string& name, const MassProperties& mass) {
  const bool moves = std::find(moving_.begin(), moving_.end(), name) != moving_.end();
  if ((around_.density == 0.0 && around_.viscosity == 0.0) || mass.mass == 0.0 || !moves) return;
  for (const Parts::Placed& placed : parts.geoms)
    if (document_.with_defaults(placed.element, placed.child_class).text("fluidshape", "none") != "none") {
      warnings_.push_back(placed.element.message("forces of a fluid on ellipsoids are not read"));
      return;
    }
  const Sym3<double>& I = mass.inertia;
  Eigen::Matrix3d M;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) M(i, j) = I(i, j);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(M);
  Eigen::Matrix3d R = axes.eigenvectors();
  if (R.determinant() < 0.0) R.col(2) = -R.col(2);
  const Eigen::Vector3d moments = axes.eigenvalues();
  Pose<double> at;
  at.p = mass.com;
  Vec3<double> box;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) at.R(i, j) = R(i, j);
    box[i] = std::sqrt(std::max(1e-15, moments.sum() - 2.0 * moments[i]) / mass.mass * 6.0);
  }
  append(*scene_, "force",
         toml_table({{"type", toml_text("fluid")},
                     {"name", toml_text(name + ":fluid")},
                     {"body", toml_text(name)},
                     {"at", toml_pose(at)},
                     {"box", toml_vector(box)},
                     {"density", toml_number(around_.density)},
                     {"viscosity", toml_number(around_.viscosity)},
                     {"wind", toml_vector(around_.wind)}}));
}

/// settotalmass: all masses and inertias by one factor.
void MjcfBodies::scale_total_mass() const {
  if (!(compiler_.total_mass > 0.0)) return;
  for (TomlEntry& entry : scene_->entries) {
    if (entry.key != "body") continue;
    double sum = 0.0;
    const auto each = [&](const auto& visit) {
      for (TomlNode& body : entry.value.items)
        for (TomlEntry& key : body.entries) visit(key);
    };
    each([&](TomlEntry& key) { sum += key.key == "mass" ? key.value.number : 0.0; });
    const double factor = sum > 0.0 ? compiler_.total_mass / sum : 1.0;
    each([&](TomlEntry& key) {
      if (key.key == "mass") key.value.number *= factor;
      if (key.key == "inertia")
        for (TomlNode& moment : key.value.items) moment.number *= factor;
    });
  }
}

}  // namespace cardan::io
