// General joints written in scene files, in every way the format offers, against the reference solutions.
#include "cardan/compile/internal/compiled_joints.hpp"
#include "cardan/io/scene.hpp"
#include "tests/support/golden_general_joints.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using nlohmann::json;

std::string body_text(const json& body, const std::string& name, const std::string& parent, const std::string& joint) {
  const MassProperties m = golden_body(body);
  const auto& I = m.inertia;
  return fmt::format(
      "[[body]]\nname = \"{}\"\nparent = \"{}\"\nmass = {}\ncom = [{}, {}, {}]\n"
      "inertia = [{}, {}, {}, {}, {}, {}]\n[body.joint]\n{}\n",
      name, parent, m.mass, m.com[0], m.com[1], m.com[2], I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2), joint);
}

Model one_body(const json& body, const std::string& joint) {
  return parse_scene("cardan = 1\n" + body_text(body, "child", "world", joint), "golden.toml").model;
}

std::string named_surface(const json& s) {
  if (s.at("type") == "sphere") return fmt::format("{{ sphere = {} }}", s.at("r").get<double>());
  return fmt::format("{{ torus = {{ major = {}, minor = {} }} }}", s.at("R").get<double>(), s.at("r").get<double>());
}

/// The same surface by its points; the library finds normal and tangent.
std::string text_surface(const json& s) {
  return fmt::format(
      "{{ coordinates = [\"u\", \"v\"], parameters = {{ R = {}, r = {} }}, let = {{ c = \"R + r*cos(v)\" }}, "
      "point = [\"c*cos(u)\", \"c*sin(u)\", \"r*sin(v)\"] }}",
      s.value("R", 0.0), s.at("r").get<double>());
}

std::string contact_joint(const json& joint, const std::function<std::string(const json&)>& surface) {
  const std::string spin = joint.at("ndof") == 5 ? "\"free\"" : fmt::format("{}", joint.at("psi0").get<double>());
  return fmt::format("type = \"surface\"\na = {}\nb = {}\nspin = {}", surface(joint.at("A")), surface(joint.at("B")),
                     spin);
}

std::string contact_expression(const json& joint) {
  const bool spins = joint.at("ndof") == 5;
  return fmt::format(
      "type = \"expression\"\ncoordinates = [\"u1\", \"v1\", \"u2\", \"v2\"{}]\nparameters = {{ psi0 = {} }}\n"
      "transform = \"{}\"",
      spins ? ", \"psi\"" : "", joint.value("psi0", 0.0), contact_text(joint, spins ? "psi" : "psi0"));
}

void check(const json& joint, const std::string& text, const std::string& name, GoldenErrors& errors) {
  const Model model = one_body(joint.at("body"), text), compiled = with_compiled_joints(model);
  for (const json& c : joint.at("cases")) {
    errors.check_kinematics(model.joint(1), c, name);
    errors.check_kinematics(compiled.joint(1), c, name + ", compiled");
    errors.check_dynamics(model, c, name);
  }
}

TEST(SceneGolden, SurfacesOnSurfaces) {
  const auto data = shared_json(kGeneralJoints);
  if (!data) GTEST_SKIP() << missing_data(kGeneralJoints);
  GoldenErrors named("scene, named surfaces"), points("scene, surfaces by their points"), text("scene, transforms");
  for (const char* name : {"sphere_sphere", "sphere_torus", "torus_torus", "torus_torus_5dof"}) {
    const json& joint = data->at("joints").at(name);
    check(joint, contact_joint(joint, named_surface), name, named);
    check(joint, contact_joint(joint, text_surface), name, points);
    check(joint, contact_expression(joint), name, text);
  }
}

double binomial(std::size_t n, std::size_t k) {
  double out = 1.0;
  for (std::size_t i = 0; i < k; ++i) out = out * static_cast<double>(n - i) / static_cast<double>(i + 1);
  return out;
}
std::string bernstein(std::size_t n, std::size_t i, const char* s) {
  return fmt::format("{0}*{1}^{2}*(1 - {1})^{3}", binomial(n, i), s, i, n - i);
}

/// One coordinate of a Bezier curve as a sum of Bernstein polynomials.
std::string bezier_text(const json& points, std::size_t k) {
  std::string sum = "0";
  for (std::size_t i = 0; i < points.size(); ++i)
    sum += fmt::format(" + {}*{}", points[i][k].get<double>(), bernstein(points.size() - 1, i, "s"));
  return sum;
}
std::string patch_text(const json& points, std::size_t k) {
  std::string sum = "0";
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points[i].size(); ++j)
      sum += fmt::format(" + {}*{}*{}", points[i][j][k].get<double>(), bernstein(points.size() - 1, i, "u"),
                         bernstein(points[i].size() - 1, j, "v"));
  return sum;
}

TEST(SceneGolden, BezierCurve) {
  const auto data = shared_json(kGeneralJoints);
  if (!data) GTEST_SKIP() << missing_data(kGeneralJoints);
  GoldenErrors named("scene, Bezier curve"), text("scene, curve by its points");
  for (const char* name : {"bezier_curve_1dof", "bezier_curve_2dof"}) {
    const json& joint = data->at("joints").at(name);
    const json& points = joint.at("control_points");
    const std::string roll = joint.at("ndof") == 2 ? "roll = \"free\"" : "";
    check(joint, fmt::format("type = \"on_curve\"\ncurve = {{ bezier = {} }}\n{}", points.dump(), roll), name, named);
    check(joint,
          fmt::format("type = \"on_curve\"\ncurve = {{ coordinate = \"s\", point = [\"{}\", \"{}\", \"{}\"] }}\n{}",
                      bezier_text(points, 0), bezier_text(points, 1), bezier_text(points, 2), roll),
          name, text);
  }
}

TEST(SceneGolden, BezierSurface) {
  const auto data = shared_json(kGeneralJoints);
  if (!data) GTEST_SKIP() << missing_data(kGeneralJoints);
  GoldenErrors named("scene, Bezier surface"), text("scene, surface by its points");
  const std::string name = "bezier_surface_2dof";
  const json& joint = data->at("joints").at(name);
  const json& points = joint.at("control_points");
  check(joint, fmt::format("type = \"on_surface\"\nsurface = {{ bezier = {} }}", points.dump()), name, named);
  check(joint,
        fmt::format("type = \"on_surface\"\nsurface = {{ coordinates = [\"u\", \"v\"], "
                    "point = [\"{}\", \"{}\", \"{}\"] }}",
                    patch_text(points, 0), patch_text(points, 1), patch_text(points, 2)),
        name, text);
}

TEST(SceneGolden, TwoLinkedRings) {
  const auto data = shared_json(kGeneralJoints);
  if (!data) GTEST_SKIP() << missing_data(kGeneralJoints);
  const json& chain = data->at("joints").at("torus_chain_2");
  json ring = chain.at("torus");
  ring["type"] = "torus";
  const json pair{{"ndof", 4}, {"A", ring}, {"B", ring}, {"psi0", chain.at("psi0")}};
  const std::string hook =
      fmt::format("type = \"expression\"\ncoordinates = [\"u\", \"v\"]\ntransform = \"rotx(pi) * inv({})\"",
                  surface_frame_text(ring, "u", "v"));
  const Model model = parse_scene("cardan = 1\n" + body_text(chain.at("body"), "a", "world", hook) +
                                      body_text(chain.at("body"), "b", "a", contact_joint(pair, named_surface)),
                                  "golden.toml")
                          .model;
  GoldenErrors errors("scene, two linked rings");
  for (const json& c : chain.at("cases")) errors.check_dynamics(model, c, "torus_chain_2");
}

}  // namespace
}  // namespace cardan::test
