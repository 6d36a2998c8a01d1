#include "cardan/io/urdf.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/io/internal/urdf_shapes.hpp"
#include "cardan/io/internal/urdf_tree.hpp"
#include "cardan/io/internal/xml.hpp"
#include "cardan/model/model_builder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>

namespace cardan {

namespace {

using io::in_quotes;
using io::XmlElement;

/// The shortest rotation that takes z to the unit vector a.
Mat3<double> turn_z_to(const Vec3<double>& a) {
  const double x = a[0], y = a[1], z = a[2], square = x * x + y * y;
  if (square == 0.0) return mat3<double>(1.0, 0.0, 0.0, 0.0, z, 0.0, 0.0, 0.0, z);
  const double k = z > 0.0 ? 1.0 / (1.0 + z) : (1.0 - z) / square;  // 1 / (1 + z), without cancellation
  return mat3<double>(1.0 - k * x * x, -k * x * y, x, -k * x * y, 1.0 - k * y * y, y, -x, -y, z);
}

class UrdfReader {
 public:
  UrdfReader(const XmlElement& robot, const std::string& file, const UrdfOptions& options)
      : robot_(robot), options_(options), shapes_(options, file, warnings_) {}

  void read() {
    shapes_.read_materials(robot_);
    for (const XmlElement& link : robot_.children("link")) read_link(link);
    for (const XmlElement& joint : robot_.children("joint")) read_joint(joint);
    const io::UrdfTree tree(robot_, links_, joints_);
    std::erase_if(bodies_, [](const BodySpec& body) { return body.name == "world"; });
    check_mimics();
    attach_root(tree.root());
  }

  /// What was read; names get the prefix, and what hangs on the world is placed at `at`.
  std::vector<std::string> add_to(ModelBuilder& builder, const std::string& prefix, const Pose<double>& at) {
    const auto rename = [&](std::string& name) { name = prefix + name; };
    std::vector<std::string> names;
    for (BodySpec& body : bodies_) {
      rename(body.name);
      names.push_back(body.name);
      builder.body(std::move(body));
    }
    for (JointSpec& joint : specs_) {
      rename(joint.name);
      rename(joint.successor);
      if (joint.predecessor == "world")
        joint.at = at * joint.at;
      else
        rename(joint.predecessor);
      if (joint.mimic) rename(joint.mimic->joint);
      builder.joint(std::move(joint));
    }
    return names;
  }

  void warn(std::string what) { warnings_.push_back(std::move(what)); }
  /// Meshes that could not be read are one line together.
  void report_warnings() const {
    if (options_.warnings == nullptr) return;
    std::size_t meshes = 0, first = 0;
    for (const std::string& warning : warnings_) {
      const bool of_mesh = warning.find(io::kWithoutTriangles) != std::string::npos;
      if (of_mesh && meshes++ > 0) continue;
      if (of_mesh) first = options_.warnings->size();
      options_.warnings->push_back(warning);
    }
    if (meshes > 1) (*options_.warnings)[first] += fmt::format("; so are those of {} more", meshes - 1);
  }

 private:
  void read_link(const XmlElement& element);
  MassProperties read_inertial(const XmlElement& inertial) const;
  void read_joint(const XmlElement& element);
  Joint joint_type(const XmlElement& element, JointSpec& spec);
  Vec3<double> read_axis(const XmlElement& joint);
  DofProperties read_dof(const XmlElement& joint);
  void attach_root(const io::UrdfLink& root);
  void check_mimics();

  /// The child of that tag; URDF wants at most one, so a second is pointed out and not used.
  XmlElement only(const XmlElement& parent, const char* tag) {
    const auto all = parent.children(tag);
    if (all.size() > 1) warnings_.push_back(all[1].message("expected one of these, found a second: not used"));
    return all.empty() ? XmlElement{} : all[0];
  }

  XmlElement robot_;
  const UrdfOptions& options_;
  std::vector<std::string> warnings_;
  io::UrdfShapes shapes_;
  std::vector<io::UrdfLink> links_;
  std::vector<io::UrdfJoint> joints_;
  std::vector<BodySpec> bodies_;
  std::vector<JointSpec> specs_;
  std::vector<std::pair<std::size_t, XmlElement>> mimics_;  // with the joint's index
};

void UrdfReader::read_link(const XmlElement& element) {
  const std::string name = element.owned_by("link").name("name");
  const XmlElement link = element.owned_by("link " + in_quotes(name));
  const XmlElement inertial = only(link, "inertial");
  BodySpec body{name, {}, shapes_.of_link(link), (inertial ? inertial : link).where()};
  body.tolerates_bad_inertia = !options_.strict;
  if (inertial) body.mass = read_inertial(inertial);
  if (name == "world" && !body.shapes.empty()) warnings_.push_back(link.message("shapes of the world are left out"));
  links_.push_back({name, link});
  bodies_.push_back(std::move(body));
}

MassProperties UrdfReader::read_inertial(const XmlElement& inertial) const {
  const XmlElement mass = inertial.required_child("mass"), inertia = inertial.required_child("inertia");
  MassProperties own;  // about the center of mass, in the axes of <origin>
  own.mass = mass.number("value");
  if (own.mass < 0.0) mass.fail("value", fmt::format("expected a mass that is not negative, found {}", own.mass));
  const auto moment = [&](const char* attribute) { return inertia.number(attribute); };
  own.inertia = {moment("ixx"), moment("iyy"), moment("izz"), moment("ixy"), moment("ixz"), moment("iyz")};
  for (const char* diagonal : {"ixx", "iyy", "izz"})
    if (const double value = moment(diagonal); value < 0.0 && options_.strict)
      inertia.fail(diagonal, fmt::format("expected a moment of inertia that is not negative, found {}", value));
  const Pose<double> origin = io::urdf_origin(inertial);
  return to_parent(own, origin.R, origin.p);
}

void UrdfReader::read_joint(const XmlElement& element) {
  JointSpec spec;
  spec.name = element.owned_by("joint").name("name");
  const XmlElement joint = element.owned_by("joint " + in_quotes(spec.name));
  spec.predecessor = joint.required_child("parent").name("link");
  spec.successor = joint.required_child("child").name("link");
  spec.at = io::urdf_origin(joint);
  spec.where = joint.where();
  spec.type = joint_type(joint, spec);
  joints_.push_back({spec.name, joint, spec.predecessor, spec.successor});
  specs_.push_back(std::move(spec));
}

Joint UrdfReader::joint_type(const XmlElement& joint, JointSpec& spec) {
  const std::string type = joint.text("type");
  // reduced robots keep axes, limits and mimics at joints that they have made fixed
  if (type == "fixed") return Fixed{};
  if (const XmlElement mimic = only(joint, "mimic")) {
    spec.mimic = Mimic{mimic.name("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)};
    mimics_.emplace_back(specs_.size(), mimic);
  }
  const DofProperties dof = read_dof(joint);
  if (type == "revolute" || type == "continuous" || type == "prismatic") {
    spec.dofs = {dof};
    const Vec3<double> axis = read_axis(joint);
    if (type == "prismatic") return Prismatic(axis);
    if (type == "continuous") {
      spec.dofs[0].lower = DofProperties{}.lower;
      spec.dofs[0].upper = DofProperties{}.upper;
    }
    return Revolute(axis);
  }
  for (const char* unused : {"limit", "dynamics"})
    if (const XmlElement found = joint.child(unused))
      warnings_.push_back(found.message(fmt::format("not used: a {} joint has more than one degree of freedom", type)));
  if (type == "floating") return Free{};
  if (type == "planar") {
    spec.at_successor.R = turn_z_to(read_axis(joint));
    spec.at = spec.at * spec.at_successor;
    return FreePlanar{};
  }
  const std::vector<std::string> types{"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
  joint.fail("type", fmt::format("expected revolute, continuous, prismatic, fixed, floating or planar, found {}{}",
                                 in_quotes(type), io::did_you_mean(type, types)));
}

Vec3<double> UrdfReader::read_axis(const XmlElement& joint) {
  const XmlElement element = only(joint, "axis");
  if (!element) return {1.0, 0.0, 0.0};
  const Vec3<double> axis = element.vec3("xyz", {1.0, 0.0, 0.0});
  const double length = norm(axis);
  if (!std::isfinite(length) || length < 1e-12)
    element.fail("xyz", fmt::format("expected a direction, found {}: axis has {} length",
                                    in_quotes(element.text("xyz")), length < 1.0 ? "zero" : "infinite"));
  return (1.0 / length) * axis;
}

DofProperties UrdfReader::read_dof(const XmlElement& joint) {
  DofProperties dof;
  if (const XmlElement limit = only(joint, "limit")) {
    dof.lower = limit.number("lower", 0.0);
    dof.upper = limit.number("upper", 0.0);
    dof.effort_limit = limit.number("effort", dof.effort_limit);
    dof.velocity_limit = limit.number("velocity", dof.velocity_limit);
  }
  if (const XmlElement dynamics = only(joint, "dynamics")) {
    dof.damping = dynamics.number("damping", 0.0);
    dof.friction = dynamics.number("friction", 0.0);
  }
  return dof;
}

void UrdfReader::attach_root(const io::UrdfLink& root) {
  const bool free = options_.base == UrdfOptions::Base::free;
  const io::UrdfLink* world = io::find_named(links_, "world");
  if (world != nullptr && world != &root)
    world->element.fail("expected the world to be the root link, found it inside");
  if (root.name == "world") {
    if (free) root.element.fail("expected a root link that can float, found the world");
    return;
  }
  JointSpec joint;
  joint.name = "root_joint";
  for (int n = 2; io::find_named(joints_, joint.name) != nullptr; ++n) joint.name = fmt::format("root_joint_{}", n);
  joint.successor = root.name;
  joint.where = root.element.where();
  if (free) joint.type = Free{};
  specs_.insert(specs_.begin(), std::move(joint));
}

/// A mimic must name a joint; one that has been made fixed leaves nothing to imitate. No joint may follow itself.
void UrdfReader::check_mimics() {
  std::map<std::string, std::size_t> index;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    index[specs_[i].name] = i;
    names.push_back(specs_[i].name);
  }
  for (const auto& [joint, element] : mimics_) {
    const std::string& source = specs_[joint].mimic->joint;
    const auto found = index.find(source);
    if (found == index.end()) {
      const std::string what =
          fmt::format("expected a joint of this robot, found {}{}", in_quotes(source), io::did_you_mean(source, names));
      if (options_.strict) element.fail("joint", what);
      warnings_.push_back(element.message(what + "; the joint moves on its own"));
      specs_[joint].mimic.reset();
      continue;
    }
    if (!std::holds_alternative<Fixed>(specs_[found->second].type.type)) continue;
    warnings_.push_back(element.message(fmt::format("not used: joint {} is fixed", in_quotes(source))));
    specs_[joint].mimic.reset();
  }
  for (const auto& [joint, element] : mimics_) {
    std::size_t at = joint, steps = 0;
    while (specs_[at].mimic && steps++ <= mimics_.size()) at = index[specs_[at].mimic->joint];
    if (specs_[at].mimic)
      element.fail("joint", "expected a joint that does not follow this one, found a cycle of mimics");
  }
}

/// Reads the text and hands the reader to `use` while the document lives.
template <class Use>
auto with_reader(std::string_view text, const std::string& name, const UrdfOptions& options, const Use& use) {
  const io::XmlDocument document(text, {"urdf", name});
  const XmlElement robot = document.root();
  if (robot.tag() != "robot") robot.fail(fmt::format("expected <robot> as the root element, found <{}>", robot.tag()));
  const bool is_named = options.strict || robot.has("name");
  const std::string robot_name = is_named ? robot.name("name") : std::filesystem::path(name).stem().string();
  UrdfReader reader(robot.owned_by("robot " + in_quotes(robot_name)), name, options);
  reader.read();
  if (!is_named) reader.warn(robot.message("the robot has no name: it is called after its file"));
  return use(reader, robot_name);
}

}  // namespace

Model parse_urdf(std::string_view text, const std::string& name, const UrdfOptions& options) {
  return with_reader(text, name, options, [](UrdfReader& reader, const std::string& robot_name) {
    ModelBuilder builder(robot_name);
    reader.add_to(builder, "", {});
    Model model = builder.build();
    reader.report_warnings();
    return model;
  });
}

Model load_urdf(const std::string& path, const UrdfOptions& options) {
  return parse_urdf(io::read_text_file("urdf", path, options.max_bytes), path, options);
}

std::vector<std::string> add_urdf(ModelBuilder& builder, const std::string& path, const std::string& prefix,
                                  const Pose<double>& at, const UrdfOptions& options) {
  const std::string text = io::read_text_file("urdf", path, options.max_bytes);
  return with_reader(text, path, options, [&](UrdfReader& reader, const std::string&) {
    reader.report_warnings();
    return reader.add_to(builder, prefix, at);
  });
}

}  // namespace cardan
