#include "tests/support/redmax_scenes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>

namespace cardan::test {

namespace {

using nlohmann::json;

std::string number_text(double x) { return fmt::format("{:.17g}", x); }
std::string list_text(const json& values) {
  std::vector<std::string> out;
  for (const auto& value : values) out.push_back(number_text(value.get<double>()));
  return fmt::format("[{}]", fmt::join(out, ", "));
}

/// { xyz, rpy } of a 4 x 4 matrix.
std::string pose_text(const json& E) {
  const auto R = [&](std::size_t i, std::size_t j) { return E[i][j].get<double>(); };
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  const double roll = std::atan2(R(2, 1), R(2, 2)), yaw = std::atan2(R(1, 0), R(0, 0));
  return fmt::format("{{ xyz = [{}, {}, {}], rpy = [{}, {}, {}] }}", number_text(R(0, 3)), number_text(R(1, 3)),
                     number_text(R(2, 3)), number_text(roll), number_text(pitch), number_text(yaw));
}

/// The keys of a joint's type, separated by newlines or commas.
std::string joint_type(const json& joint, const char* separator) {
  const std::string type = joint.at("type");
  const auto with_axis = [&](const char* name) {
    return fmt::format("type = \"{}\"{}axis = {}", name, separator, list_text(joint.at("axis")));
  };
  if (type == "revolute") return with_axis("revolute");
  if (type == "prismatic") return with_axis("prismatic");
  if (type == "fixed") return "type = \"fixed\"";
  if (type == "universal_xy") return "type = \"universal\"";
  if (type == "planar_xy") return "type = \"planar\"";
  if (type == "free2d_xy_then_rotz") return "type = \"free_planar\"";
  if (type == "spherical_expmap") return "type = \"spherical_exponential\"";
  const auto composite = [&](const std::vector<std::string>& parts) {
    return fmt::format("type = \"composite\"{}joints = [{{ {} }}]", separator, fmt::join(parts, " }, { "));
  };
  if (type == "free3d_translation_then_expmap")
    return composite({"type = \"translational\"", "type = \"spherical_exponential\""});
  if (type == "composite") {
    std::vector<std::string> parts;
    for (const auto& part : joint.at("parts")) parts.push_back(joint_type(part, ", "));
    return composite(parts);
  }
  if (type == "spline_curve_cyclic_cubic") {
    std::vector<std::string> frames;
    for (const auto& frame : joint.at("control_frames")) frames.push_back(pose_text(frame));
    return fmt::format("type = \"spline_curve\"{}closed = true{}frames = [{}]", separator, separator,
                       fmt::join(frames, ", "));
  }
  if (type == "spline_surface_bicubic_4x4") {
    // the reference's first index goes with the second coordinate
    std::string controls;
    for (std::size_t i = 0; i < 4; ++i) {
      controls += i == 0 ? "[" : ", [";
      for (std::size_t j = 0; j < 4; ++j)
        controls += (j == 0 ? "" : ", ") + list_text(joint.at("control_coordinates_4x4x6")[j][i]);
      controls += "]";
    }
    return fmt::format("type = \"spline_surface\"{}controls = [{}]", separator, controls);
  }
  throw std::invalid_argument("redmax: no joint for " + type);
}

/// bearing = { radius, length, mu } of a joint or a loop with contact points inside, else nothing.
std::string bearing_text(const json& scene, const json& data, const char* radius, const char* length) {
  if (!data.contains(radius)) return "";
  return fmt::format("bearing = {{ radius = {}, {}mu = {} }}\n", number_text(data.at(radius)),
                     data.contains(length) ? fmt::format("length = {}, ", number_text(data.at(length))) : "",
                     number_text(scene.at("friction").at("mu_internal")));
}

std::string body_text(const json& scene, const json& joint, RedmaxFriction friction) {
  const json& data = scene.at("bodies")[joint.at("body").get<std::size_t>()];
  const auto& E = data.at("E_joint_body");
  const auto R = [&](std::size_t i, std::size_t j) { return E[i][j].get<double>(); };
  const auto inertia = [&](std::size_t i, std::size_t j) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) sum += R(i, k) * data.at("inertia_diag")[k].get<double>() * R(j, k);
    return number_text(sum);
  };
  std::string out = fmt::format(
      "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = {}\ncom = [{}, {}, {}]\n"
      "inertia = [{}, {}, {}, {}, {}, {}]\n[body.joint]\n{}\nat = {}\n",
      redmax_body(joint.at("index")), redmax_body(joint.at("parent")), number_text(data.at("mass")),
      number_text(R(0, 3)), number_text(R(1, 3)), number_text(R(2, 3)), inertia(0, 0), inertia(1, 1), inertia(2, 2),
      inertia(0, 1), inertia(0, 2), inertia(1, 2), joint_type(joint, "\n"), pose_text(joint.at("E_parentjoint_joint")));
  if (joint.at("dof_indices").empty()) return out;
  out += fmt::format("q = {}\nv = {}\n", list_text(joint.at("q0")), list_text(joint.at("qdot0")));
  const auto repeated = [&](const std::string& value) {
    return fmt::format("[{}]", fmt::join(std::vector<std::string>(joint.at("dof_indices").size(), value), ", "));
  };
  if (joint.at("stiffness") != 0.0)
    out += fmt::format("stiffness = {}\nrest = {}\n", repeated(number_text(joint.at("stiffness"))),
                       list_text(joint.at("q0")));
  if (joint.at("damping") != 0.0) out += fmt::format("damping = {}\n", repeated(number_text(joint.at("damping"))));
  for (const auto& data : scene.value("constraints", json::array()))
    if (data.at("type") == "joint_limit" && data.at("joint") == joint.at("index"))
      out += fmt::format("limits = [[{}, {}]]\n", number_text(data.at("lower")), number_text(data.at("upper")));
  if (friction == RedmaxFriction::in_joints) out += bearing_text(scene, joint, "contact_radius", "contact_height");
  return out;
}

/// A point of a body, given in its principal frame, in that of its joint.
std::string point_text(const json& scene, const json& index, const json& x) {
  const auto& E = scene.at("bodies")[index.get<std::size_t>()].at("E_joint_body");
  std::vector<std::string> out;
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = E[i][3].get<double>();
    for (std::size_t k = 0; k < 3; ++k) sum += E[i][k].get<double>() * x[k].get<double>();
    out.push_back(number_text(sum));
  }
  return fmt::format("{{ xyz = [{}] }}", fmt::join(out, ", "));
}

/// A loop with contact points, which are fixed in the principal axes of its first body.
std::string rubbing_loop_text(const json& scene, const json& data) {
  json frame = scene.at("bodies")[data.at("bodyA").get<std::size_t>()].at("E_joint_body");
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      frame[i][3] = frame[i][3].get<double>() + frame[i][k].get<double>() * data.at("xA")[k].get<double>();
  return fmt::format(
      "[[loop]]\na = \"{}\"\nb = \"{}\"\nat_a = {}\nat_b = {}\ntype = \"composite\"\n"
      "joints = [{{ type = \"prismatic\", axis = {} }}, {{ type = \"spherical\" }}]\n{}",
      redmax_body(data.at("bodyA")), redmax_body(data.at("bodyB")), pose_text(frame),
      point_text(scene, data.at("bodyB"), data.at("xB")), list_text(data.at("axis_bodyA_joint")),
      bearing_text(scene, data, "radius", "height"));
}

/// The sphere of a body that may touch the floor.
std::string shape_text(const json& scene, const json& joint) {
  for (const auto& data : scene.value("constraints", json::array()))
    if (data.at("type") == "floor_sphere_unilateral" && data.at("body") == joint.at("body"))
      return fmt::format("[[body.shape]]\nsphere = {}\n", number_text(data.at("sphere_radius")));
  return "";
}

std::string floor_text(const json& scene, const json& data) {
  return fmt::format("[ground]\nheight = {}\nfriction = {}\n", number_text(data.at("E_floor")[2][3]),
                     number_text(scene.at("friction").at("mu_external")));
}

std::string constraint_text(const json& scene, const json& data, RedmaxFriction friction) {
  const std::string type = data.at("type");
  if (type == "attach_mass_spring_ends") return "";  // in chain_text
  if (type == "joint_limit") return "";              // in body_text
  if (type == "floor_sphere_unilateral") return floor_text(scene, data);
  if (type == "loop_closure_point_2rows" && friction == RedmaxFriction::in_joints)
    return rubbing_loop_text(scene, data);
  if (type == "loop_closure_point_2rows")  // the points meet but along the hinge's axis, fixed on the first body
    return fmt::format(
        "[[loop]]\na = \"{}\"\nb = \"{}\"\nat_a = {}\nat_b = {}\ntype = \"composite\"\n"
        "joints = [{{ type = \"prismatic\", axis = {} }}, {{ type = \"spherical\" }}]\n",
        redmax_body(data.at("bodyA")), redmax_body(data.at("bodyB")),
        point_text(scene, data.at("bodyA"), data.at("xA")), point_text(scene, data.at("bodyB"), data.at("xB")),
        list_text(data.at("axis_bodyA_joint")));
  if (type == "angle_ratio")
    return fmt::format("[[coupling]]\njoint = \"{}\"\nequals = \"{}*{}\"\n", redmax_body(data.at("jointB")),
                       number_text(data.at("factor")), redmax_body(data.at("jointA")));
  return fmt::format(
      "[[motion]]\njoint = \"{}\"\nposition = \"if(t < 7, b/(1 + exp(-14*(t/7 - 0.5))), b)\"\n"
      "parameters = {{ b = 4.71238898038469 }}\n",
      redmax_body(data.at("joint")));
}

/// { body, at } of a point of a body, -1 being the world.
std::string end_text(const json& scene, const json& index, const json& x) {
  if (index == -1) return fmt::format("{{ body = \"world\", at = {} }}", list_text(x));
  const std::string pose = point_text(scene, index, x);  // { xyz = [...] }
  return fmt::format("{{ body = \"{}\", at = {}", redmax_body(index), pose.substr(pose.find('[')));
}

/// Springs, constant forces and the damping of bodies, which acts at their centers of mass.
std::string force_text(const json& scene) {
  std::string out;
  for (const json& body : scene.at("bodies")) {
    const double d = body.value("viscous_damping", 0.0);
    if (d == 0.0) continue;
    const std::string name = fmt::format("center_{}", body.at("index").get<int>());
    out += fmt::format(
        "[[body]]\nname = \"{0}\"\nparent = \"{1}\"\n[body.joint]\ntype = \"fixed\"\nat = {2}\n[[force]]\n"
        "type = \"damping\"\nbody = \"{0}\"\ncoefficients = [{3}, {3}, {3}, {3}, {3}, {3}]\n",
        name, redmax_body(body.at("index")), pose_text(body.at("E_joint_body")), number_text(d));
  }
  for (const char* key : {"springs", "forces"}) {
    if (!scene.contains(key)) continue;
    for (const json& spring : scene.at(key)) {
      const std::string type = spring.at("type");
      const double k = spring.at("stiffness"), d = spring.value("damping", 0.0);
      if (type == "constant_world_force_at_point") {
        const std::string end = end_text(scene, spring.at("body"), spring.at("x"));
        const json& a = spring.at("direction_world");
        out += fmt::format("[[force]]\ntype = \"point\"\nbody = \"{}\"\nat = {}\nforce = [{}, {}, {}]\n",
                           redmax_body(spring.at("body")),
                           end.substr(end.find("at = ") + 5, end.find(']') - end.find("at = ") - 4),
                           number_text(k * a[0].get<double>()), number_text(k * a[1].get<double>()),
                           number_text(k * a[2].get<double>()));
        continue;
      }
      const bool zero = type == "point_point_zero_rest_length";
      const double rest = zero ? 0.0 : spring.at("rest_length").get<double>(), unit = zero ? 1.0 : rest;
      out += fmt::format("[[force]]\ntype = \"spring\"\npoints = [{}, {}]\nstiffness = {}\ndamping = {}\nrest = {}\n",
                         end_text(scene, spring.at("body1"), spring.at("x1")),
                         end_text(scene, spring.at("body2"), spring.at("x2")), number_text(k / unit),
                         number_text(d / unit), number_text(rest));
    }
  }
  return out;
}

/// Chains of mass points whose ends are tied to bodies by loops, as the reference does.
std::string chain_text(const json& scene) {
  std::string out;
  if (!scene.contains("mass_springs")) return out;
  for (std::size_t c = 0; c < scene.at("mass_springs").size(); ++c) {
    const json& chain = scene.at("mass_springs")[c];
    const int nodes = chain.at("nodes");
    const auto node = [&](int k) { return redmax_node(static_cast<int>(c), k); };
    for (int k = 0; k < nodes; ++k)
      out += fmt::format("[[body]]\nname = \"{}\"\nmass = {}\n[body.joint]\ntype = \"translational\"\nq = {}\n",
                         node(k), number_text(chain.at("node_mass")),
                         list_text(chain.at("node_positions_initial")[static_cast<std::size_t>(k)]));
    for (int k = 1; k < nodes; ++k) {
      const double L = chain.at("rest_lengths")[static_cast<std::size_t>(k - 1)], K = chain.at("stiffness");
      out += fmt::format(
          "[[force]]\ntype = \"spring\"\npoints = [{{ body = \"{}\" }}, {{ body = \"{}\" }}]\nstiffness = {}\nrest = "
          "{}\n",
          node(k - 1), node(k), number_text(K / (L * L)), number_text(L));
    }
    for (const int side : {0, 1}) {
      const json& body = chain.at(side == 0 ? "body0" : "body1");
      const json& r = chain.at(side == 0 ? "r0" : "r1");
      // rows in the axes of a, which do not turn: as the reference stabilizes them
      out += fmt::format("[[loop]]\ntype = \"spherical\"\na = \"{}\"\nb = \"{}\"\nat_b = {}\n",
                         node(side == 0 ? 0 : nodes - 1), redmax_body(body),
                         body == -1 ? fmt::format("{{ xyz = {} }}", list_text(r)) : point_text(scene, body, r));
    }
  }
  return out;
}

/// Torques that change at 3 and 6 s.
std::string torques(const json& scene) {
  if (!scene.contains("driven") || !scene.at("driven").contains("joint_torques")) return "";
  std::string out;
  for (const auto& joint : scene.at("joints")) {
    const auto tau = [&](std::size_t interval) {
      return number_text(scene.at("driven").at("joint_torques")[interval].at(
          "tau_by_joint_index")[joint.at("index").get<std::size_t>()]);
    };
    out += fmt::format("[[force]]\ntype = \"joint\"\njoint = \"{}\"\nforce = \"if(t < 3, {}, if(t < 6, {}, {}))\"\n",
                       redmax_body(joint.at("index")), tau(0), tau(1), tau(2));
  }
  return out;
}

}  // namespace

std::string redmax_node(int chain, int k) { return fmt::format("node_{}_{}", chain, k); }

std::string redmax_scene_file(const json& scene, const std::string& simulation, RedmaxFriction friction) {
  std::string out = fmt::format("cardan = 1\nname = \"redmax {}\"\ngravity = {}\n", scene.at("id").get<int>(),
                                list_text(scene.at("gravity")));
  for (const auto& joint : scene.at("joints")) out += body_text(scene, joint, friction) + shape_text(scene, joint);
  if (scene.contains("constraints"))
    for (const auto& data : scene.at("constraints")) out += constraint_text(scene, data, friction);
  return out + chain_text(scene) + force_text(scene) + torques(scene) + "[simulation]\n" + simulation;
}

}  // namespace cardan::test
