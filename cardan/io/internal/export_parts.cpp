#include "cardan/io/internal/export_parts.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/model/internal/mesh_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace cardan::io {

namespace {

constexpr double kSameScale = 1e-9;  // relative: vertices may have been stored with fewer digits

/// "inputs "a", "b"" for the names of several, or nothing.
template <class Items, class Name>
void list_names(std::vector<std::string>& out, const char* what, const Items& items, const Name& name) {
  if (items.empty()) return;
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(name(item));
  out.push_back(fmt::format("{} {}", what, fmt::join(names, ", ")));
}

}  // namespace

std::string number_text(std::span<const double> numbers) {
  std::vector<double> all(numbers.begin(), numbers.end());
  for (double& x : all) x += 0.0;  // no negative zeros
  return fmt::format("{}", fmt::join(all, " "));
}
std::string number_text(const Vec3<double>& v) { return number_text(std::array{v[0], v[1], v[2]}); }

tinyxml2::XMLElement& add_element(tinyxml2::XMLNode& parent, const char* tag) {
  tinyxml2::XMLElement* const out = parent.GetDocument()->NewElement(tag);
  parent.InsertEndChild(out);
  return *out;
}

void set(tinyxml2::XMLElement& element, const char* attribute, const std::string& text) {
  element.SetAttribute(attribute, text.c_str());
}
void set(tinyxml2::XMLElement& element, const char* attribute, double number) {
  set(element, attribute, number_text(std::array{number}));
}
void set(tinyxml2::XMLElement& element, const char* attribute, const Vec3<double>& v) {
  set(element, attribute, number_text(v));
}

std::string text_of(const tinyxml2::XMLDocument& document) {
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

bool has_mass(const MassProperties& mass) {
  for (int k = 0; k < 6; ++k)
    if (mass.inertia.e[k] != 0.0) return true;
  return mass.mass != 0.0;
}

std::string rgba_of(const std::string& color) {
  if (color.size() != 7 || color[0] != '#') return {};
  std::array<double, 4> out{0.0, 0.0, 0.0, 1.0};
  for (std::size_t k = 0; k < 3; ++k) {
    int level = 0;
    const char* const digits = color.data() + 1 + 2 * k;
    if (std::from_chars(digits, digits + 2, level, 16).ptr != digits + 2) return {};
    out[k] = level / 255.0;
  }
  return number_text(out);
}

MeshReference mesh_reference(const Mesh& mesh, const std::string& written_path) {
  namespace fs = std::filesystem;
  if (mesh.path.empty()) throw std::runtime_error("a mesh without a file");
  if (mesh.vertices.empty()) throw std::runtime_error(fmt::format("mesh {}: it was not read", in_quotes(mesh.path)));
  const Mesh own = read_mesh(mesh.path);
  MeshReference out;
  bool fits = own.vertices.size() == mesh.vertices.size();
  for (int k = 0; k < 3 && fits; ++k) {
    std::size_t far = 0;
    for (std::size_t i = 1; i < own.vertices.size(); ++i)
      if (std::abs(own.vertices[i][k]) > std::abs(own.vertices[far][k])) far = i;
    if (own.vertices[far][k] != 0.0) out.scale[k] = mesh.vertices[far][k] / own.vertices[far][k];
    for (std::size_t i = 0; i < own.vertices.size(); ++i)
      fits = fits && std::abs(out.scale[k] * own.vertices[i][k] - mesh.vertices[i][k]) <=
                         kSameScale * std::abs(mesh.vertices[far][k]);
  }
  if (!fits) throw std::runtime_error(fmt::format("mesh {}: it is not its file, scaled", in_quotes(mesh.path)));
  std::error_code error;
  const fs::path file = fs::absolute(mesh.path, error).lexically_normal();
  const fs::path folder = fs::absolute(written_path, error).lexically_normal().parent_path();
  out.file = file.lexically_relative(folder).generic_string();
  return out;
}

std::vector<std::string> beside_the_tree(const Scene& scene) {
  std::vector<std::string> out;
  const auto of_element = [](const auto& element) { return element->name(); };
  list_names(out, "forces:", scene.forces, of_element);
  list_names(out, "constraints:", scene.constraints, of_element);
  list_names(out, "inputs:", scene.inputs, [](const Input& input) { return in_quotes(input.name); });
  list_names(out, "bearings of", scene.bearings, [&](const Bearing& bearing) {
    return bearing.loop >= 0 ? std::string("a loop") : "joint " + in_quotes(scene.model.joint_name(bearing.body));
  });
  if (scene.contact.ground) out.emplace_back("the ground");
  if (!scene.contact.rules.empty()) out.emplace_back("rules of contact");
  const bool rests = std::all_of(scene.initial.v.begin(), scene.initial.v.end(), [](double v) { return v == 0.0; });
  if (scene.initial.q != scene.model.neutral() || !rests) out.emplace_back("the initial state");
  return out;
}

std::string joints_with(const RobotTree& tree, const char* what, bool (*has)(const DofProperties& dof)) {
  std::vector<std::string> names;
  for (const RobotLink& link : tree.links)
    for (const RobotJoint& joint : link.joints)
      if (joint.is_plain() && has(joint.dof)) names.push_back(in_quotes(joint.name));
  return names.empty() ? "" : fmt::format("{} of joints {}", what, fmt::join(names, ", "));
}

}  // namespace cardan::io
