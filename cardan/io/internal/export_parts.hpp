// What writers of robot formats share: numbers as texts, meshes by file and scale, and what no such format can say.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/io/internal/robot_tree.hpp"

#include <tinyxml2.h>

#include <span>
#include <string>
#include <vector>

namespace cardan::io {

/// The shortest digits that read back as the same numbers, a space between them.
std::string number_text(std::span<const double> numbers);
std::string number_text(const Vec3<double>& v);

tinyxml2::XMLElement& add_element(tinyxml2::XMLNode& parent, const char* tag);
void set(tinyxml2::XMLElement& element, const char* attribute, const std::string& text);
void set(tinyxml2::XMLElement& element, const char* attribute, double number);
void set(tinyxml2::XMLElement& element, const char* attribute, const Vec3<double>& v);
std::string text_of(const tinyxml2::XMLDocument& document);

/// True unless mass and inertia are all zero.
bool has_mass(const MassProperties& mass);

/// Red, green and blue of "#rrggbb", and 1 for opaque; empty where there is no color.
std::string rgba_of(const std::string& color);

/// A mesh as a file that others can read.
struct MeshReference {
  std::string file;  // as it is named from the folder of the file that is written
  Vec3<double> scale{1.0, 1.0, 1.0};
};
/// Finds by what the file's own coordinates were multiplied. Throws std::runtime_error, one line, where that cannot be
/// known.
MeshReference mesh_reference(const Mesh& mesh, const std::string& written_path);

/// Lists what acts in a scene beside its tree, a line each.
std::vector<std::string> beside_the_tree(const Scene& scene);
/// "stiffness of joints "a", "b"", where one of the plain joints has any.
std::string joints_with(const RobotTree& tree, const char* what, bool (*has)(const DofProperties& dof));

}  // namespace cardan::io
