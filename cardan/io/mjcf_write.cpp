// MuJoCo has the joints of a body inside it, several one after another, and refuses moving bodies without mass: links
// that only carry the next joint are joined with what they carry.
#include "cardan/io/export.hpp"
#include "cardan/io/internal/export_parts.hpp"
#include "cardan/io/internal/text.hpp"
#include "cardan/math/so3.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>

namespace cardan {

namespace {

using io::RobotJoint;
using io::RobotLink;
using tinyxml2::XMLElement;
using Factor = RobotJoint::Kind;

/// Gives the joints of links that have no mass, no shapes and nothing but one link on them to that one.
void join_carriers(io::RobotTree& tree) {
  std::vector<RobotLink>& links = tree.links;
  std::map<std::string, int> children;
  for (const io::RobotLoop& loop : tree.loops)
    for (const std::string* link : {&loop.a, &loop.b}) children[*link] += 2;  // it has to stay
  std::map<std::string, RobotLink*> named;
  for (RobotLink& link : links) {
    ++children[link.parent];
    named[link.name] = &link;
  }
  const auto is_carrier = [&](const RobotLink& link) {
    return !link.joints.empty() && !io::has_mass(link.mass) && link.shapes.empty() && children[link.name] == 1;
  };
  for (RobotLink& link : links) {  // parents first, so that a carrier has all joints before it
    const auto found = named.find(link.parent);
    if (link.joints.empty() || found == named.end() || !is_carrier(*found->second)) continue;
    RobotLink* const parent = found->second;
    std::vector<RobotJoint> joints = parent->joints;
    for (RobotJoint& joint : joints) {
      joint.axis = transpose_apply(link.at.R, joint.axis);
      joint.anchor = inverse(link.at) * joint.anchor;
    }
    joints.insert(joints.end(), link.joints.begin(), link.joints.end());
    link.joints = std::move(joints);
    link.at = parent->at * link.at;
    link.parent = parent->parent;
    parent->joints.clear();
    parent->name.clear();
  }
  std::erase_if(links, [](const RobotLink& link) { return link.name.empty(); });
}

class MjcfWriter {
 public:
  MjcfWriter(const Scene& scene, const std::string& path)
      : scene_(scene),
        path_(path),
        tree_(io::robot_tree(scene.model)),
        root_(io::add_element(document_, "mujoco")),
        compiler_(io::add_element(root_, "compiler")),
        option_(io::add_element(root_, "option")),
        assets_(io::add_element(root_, "asset")),
        world_(io::add_element(root_, "worldbody")) {}

  Exported write() {
    io::set(root_, "model", scene_.model.name().empty() ? std::string("model") : scene_.model.name());
    io::set(compiler_, "angle", std::string("radian"));
    io::set(compiler_, "inertiafromgeom", std::string("false"));
    io::set(option_, "gravity", scene_.model.gravity());
    join_carriers(tree_);
    bodies_[tree_.world] = &world_;
    XMLElement* base = &world_;
    if (tree_.world != "world") {
      base = &io::add_element(world_, "body");
      io::set(*base, "name", tree_.world);
    }
    add_shapes(*base, tree_.world, tree_.world_shapes);
    for (const RobotLink& link : tree_.links) write_body(link);
    write_equalities();
    if (assets_.NoChildren()) root_.DeleteChild(&assets_);
    Exported out{io::text_of(document_), std::move(tree_.left_out)};
    out.left_out.insert(out.left_out.end(), left_out_.begin(), left_out_.end());
    for (const auto& [what, has] :
         {std::pair<const char*, bool (*)(const DofProperties&)>(
              "velocity limits", [](const DofProperties& d) { return std::isfinite(d.velocity_limit); }),
          {"restitution", [](const DofProperties& d) { return d.restitution != 0.0; }}})
      if (std::string line = io::joints_with(tree_, what, has); !line.empty()) out.left_out.push_back(std::move(line));
    for (std::string& line : io::beside_the_tree(scene_)) out.left_out.push_back(std::move(line));
    return out;
  }

 private:
  static void place(XMLElement& element, const Pose<double>& at) {
    const Quaternion<double> q = quaternion_from_matrix(at.R);
    io::set(element, "pos", at.p);
    io::set(element, "quat", io::number_text(std::array{q[0], q[1], q[2], q[3]}));
  }

  void write_body(const RobotLink& link) {
    XMLElement& body = io::add_element(*bodies_.at(link.parent), "body");
    bodies_[link.name] = &body;
    io::set(body, "name", link.name);
    place(body, link.at);
    for (const RobotJoint& joint : link.joints) write_joint(body, link, joint);
    if (io::has_mass(link.mass)) {
      XMLElement& inertial = io::add_element(body, "inertial");
      io::set(inertial, "pos", link.mass.com);
      io::set(inertial, "mass", link.mass.mass);
      const Vector<double, 6>& moments = link.mass.inertia.e;
      io::set(inertial, "fullinertia",
              io::number_text(std::array{moments[0], moments[1], moments[2], moments[3], moments[4], moments[5]}));
    }
    add_shapes(body, link.name, link.shapes);
  }

  void write_joint(XMLElement& body, const RobotLink& link, const RobotJoint& joint) {
    XMLElement& out = io::add_element(body, joint.kind == Factor::free ? "freejoint" : "joint");
    io::set(out, "name", joint.name);
    if (joint.kind == Factor::free) return write_free(link, joint);
    io::set(out, "type",
            std::string(joint.kind == Factor::hinge   ? "hinge"
                        : joint.kind == Factor::slide ? "slide"
                                                      : "ball"));
    if (joint.kind != Factor::slide) io::set(out, "pos", joint.anchor);
    if (!joint.is_plain()) return;
    io::set(out, "axis", joint.axis);
    const DofProperties& dof = joint.dof;
    const auto set_if = [&](const char* attribute, double value) {
      if (value != 0.0) io::set(out, attribute, value);
    };
    set_if("armature", dof.armature);
    set_if("damping", dof.damping);
    set_if("frictionloss", dof.friction);
    set_if("stiffness", dof.stiffness);
    if (dof.stiffness != 0.0) set_if("springref", dof.rest);
    if (std::isfinite(dof.lower) || std::isfinite(dof.upper)) {
      constexpr double kBeyond = 1e9;  // a bound that is not there; a range has both
      io::set(out, "range",
              io::number_text(std::array{std::isfinite(dof.lower) ? dof.lower : -kBeyond,
                                         std::isfinite(dof.upper) ? dof.upper : kBeyond}));
    }
    if (std::isfinite(dof.effort_limit))
      io::set(out, "actuatorfrcrange", io::number_text(std::array{-dof.effort_limit, dof.effort_limit}));
  }

  /// A free joint of MuJoCo has the pose in the world as its coordinates.
  void write_free(const RobotLink& link, const RobotJoint& joint) {
    if (link.parent != tree_.world || link.joints.size() > 1)
      throw ModelError(
          fmt::format("joint {}: expected a free joint in the world alone, as MuJoCo has it, found it on {}",
                      io::in_quotes(joint.name), io::in_quotes(link.parent)));
    const Quaternion<double> turn = quaternion_from_matrix(link.at.R);
    if (norm(link.at.p) != 0.0 || turn[1] != 0.0 || turn[2] != 0.0 || turn[3] != 0.0)
      left_out_.push_back(
          fmt::format("the place of joint {}: its coordinates become those in the world", io::in_quotes(joint.name)));
  }

  void write_equalities() {
    if (tree_.mimics.empty() && tree_.loops.empty()) return;
    XMLElement& equality = io::add_element(root_, "equality");
    for (const io::RobotMimic& mimic : tree_.mimics) {
      XMLElement& joint = io::add_element(equality, "joint");
      io::set(joint, "joint1", mimic.joint);
      io::set(joint, "joint2", mimic.source);
      io::set(joint, "polycoef", io::number_text(std::array{mimic.offset, mimic.multiplier, 0.0, 0.0, 0.0}));
    }
    for (const io::RobotLoop& loop : tree_.loops) {
      XMLElement& element = io::add_element(equality, loop.welds ? "weld" : "connect");
      io::set(element, "name", loop.name);
      io::set(element, "site1", add_site(loop.name + ".a", loop.a, loop.at_a));
      io::set(element, "site2", add_site(loop.name + ".b", loop.b, loop.at_b));
    }
  }

  const std::string& add_site(const std::string& name, const std::string& link, const Pose<double>& at) {
    XMLElement& site = io::add_element(*bodies_.at(link), "site");
    io::set(site, "name", name);
    place(site, at);
    return name;
  }

  void add_shapes(XMLElement& body, const std::string& name, const std::vector<ShapeInstance>& shapes) {
    for (const ShapeInstance& shape : shapes) {
      XMLElement& geom = io::add_element(body, "geom");
      if (const std::string why = set_geometry(geom, shape.shape); !why.empty()) {
        left_out_.push_back(fmt::format("a shape of body {}: {}", io::in_quotes(name), why));
        body.DeleteChild(&geom);
        continue;
      }
      place(geom, shape.at);
      if (const std::string rgba = io::rgba_of(shape.color); !rgba.empty()) io::set(geom, "rgba", rgba);
      if (shape.collide) continue;
      for (const char* kind : {"contype", "conaffinity"}) io::set(geom, kind, 0.0);
    }
  }

  /// Says what cannot be written; empty if it was.
  std::string set_geometry(XMLElement& geom, const Shape& shape) {
    const auto sized = [&](const char* type, std::span<const double> size) {
      io::set(geom, "type", std::string(type));
      io::set(geom, "size", io::number_text(size));
    };
    if (const auto* box = std::get_if<Box>(&shape)) {
      sized("box", std::array{0.5 * box->x, 0.5 * box->y, 0.5 * box->z});
    } else if (const auto* sphere = std::get_if<Sphere>(&shape)) {
      sized("sphere", std::array{sphere->radius});
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      sized("cylinder", std::array{cylinder->radius, 0.5 * cylinder->length});
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      sized("capsule", std::array{capsule->radius, 0.5 * capsule->length});
    } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
      sized("ellipsoid", std::array{ellipsoid->x, ellipsoid->y, ellipsoid->z});
    } else if (const auto* mesh = std::get_if<Mesh>(&shape)) {
      return set_mesh(geom, *mesh);
    } else {
      return "a torus";
    }
    return {};
  }

  std::string set_mesh(XMLElement& geom, const Mesh& mesh) {
    const std::string ending = std::filesystem::path(mesh.path).extension().string();
    if (ending != ".obj" && ending != ".stl" && ending != ".STL")
      return fmt::format("mesh {}: MuJoCo reads .obj and .stl", io::in_quotes(mesh.path));
    io::MeshReference reference;
    try {
      reference = io::mesh_reference(mesh, path_);
    } catch (const std::runtime_error& problem) {
      return problem.what();
    }
    const std::string scale = io::number_text(reference.scale), key = reference.file + " " + scale;
    const auto [name, is_new] = meshes_.try_emplace(key, fmt::format("mesh_{}", meshes_.size()));
    if (is_new) {
      XMLElement& asset = io::add_element(assets_, "mesh");
      io::set(asset, "name", name->second);
      io::set(asset, "file", reference.file);
      io::set(asset, "scale", scale);
    }
    io::set(geom, "type", std::string("mesh"));
    io::set(geom, "mesh", name->second);
    return {};
  }

  const Scene& scene_;
  const std::string& path_;
  io::RobotTree tree_;
  std::vector<std::string> left_out_;
  tinyxml2::XMLDocument document_;
  XMLElement &root_, &compiler_, &option_, &assets_, &world_;
  std::map<std::string, XMLElement*> bodies_;
  std::map<std::string, std::string> meshes_;  // names of assets by file and scale
};

}  // namespace

Exported to_mjcf(const Scene& scene, const std::string& path) { return MjcfWriter(scene, path).write(); }

}  // namespace cardan
