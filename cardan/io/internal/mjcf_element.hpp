// Elements of MJCF files with the defaults of their classes: an attribute that an element does not have is looked for
// in its class, then in that class's parents.
#pragma once

#include "cardan/io/internal/xml.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace cardan::io {

/// An element and where its attributes come from, its own first.
class MjcfElement {
 public:
  MjcfElement(const XmlElement& own, std::vector<XmlElement> defaults) : own_(own), defaults_(std::move(defaults)) {}

  const XmlElement& own() const { return own_; }
  bool has(const char* attribute) const { return static_cast<bool>(holder(attribute)); }
  std::string text(const char* attribute, const std::string& otherwise) const;
  double number(const char* attribute, double otherwise) const;
  /// As many numbers as there are; `most` at most, `least` at least.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const;
  Vec3<double> vec3(const char* attribute, const Vec3<double>& otherwise) const;
  /// One of these words, or the first where the attribute is not given.
  std::string one_of(const char* attribute, const std::vector<std::string>& words) const;
  /// "true" or "false".
  bool truth(const char* attribute, bool otherwise) const;

 private:
  XmlElement holder(const char* attribute) const;
  XmlElement own_;
  std::vector<XmlElement> defaults_;
};

/// A file with everything that it includes, and its default classes.
class MjcfDocument {
 public:
  /// Throws ModelError.
  MjcfDocument(std::string_view text, const std::string& path);

  const XmlElement& root() const { return root_; }
  /// The child elements, with those of included files in place of <include>.
  std::vector<XmlElement> children(const XmlElement& element);
  std::vector<XmlElement> children(const XmlElement& element, const std::string& tag);
  /// The children of all sections of that name: <worldbody>, <actuator>, ...; a file may have several.
  std::vector<XmlElement> section(const std::string& tag);
  /// The element with its defaults; `class_name`: that of the body around it, where it has none itself.
  MjcfElement with_defaults(const XmlElement& element, const std::string& class_name, const std::string& tag = {});
  const std::string& folder() const { return folder_; }

 private:
  struct Class {
    std::string parent;
    std::map<std::string, XmlElement> elements;  // by tag
  };
  void read_defaults(const XmlElement& element, const std::string& parent, bool is_root);

  std::string folder_;
  std::vector<std::unique_ptr<XmlDocument>> documents_;
  std::map<std::string, XmlElement> included_;  // by path, for files that are included again
  int depth_ = 0;
  XmlElement root_;
  std::map<std::string, Class> classes_;
  std::string main_ = "main";
};

}  // namespace cardan::io
