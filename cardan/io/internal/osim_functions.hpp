// Functions of OpenSim as texts of a scene, splines as its tables.
#pragma once

#include "cardan/io/internal/osim_values.hpp"
#include "cardan/io/internal/toml_build.hpp"

namespace cardan::io {

class OsimFunctions {
 public:
  /// Tables are added to the scene under names that no coordinate has: `taken`.
  OsimFunctions(TomlNode& scene, std::set<std::string> taken) : scene_(scene), taken_(std::move(taken)) {}

  /// Finds the function in an element: a child of <tag>, or one that is called so. False if there is none.
  static XmlElement find(const XmlElement& owner, const char* tag);
  /// Writes a function of these arguments; `title` is what a table of it is called.
  std::string text(const XmlElement& function, const std::vector<std::string>& arguments, const std::string& title);

 private:
  std::string spline(const XmlElement& function, const std::string& argument, const std::string& title,
                     const char* method);
  std::string linear(const XmlElement& function, const std::vector<std::string>& arguments) const;
  std::string polynomial(const XmlElement& function, const std::string& argument) const;

  TomlNode& scene_;
  std::set<std::string> taken_;
  int depth_ = 0;
};

}  // namespace cardan::io
