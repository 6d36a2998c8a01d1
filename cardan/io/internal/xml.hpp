// XML for the readers of robot files: elements that know where they stand, so that every complaint names the file, the
// line and the thing concerned: urdf: arm.urdf:31: joint "elbow": axis xyz: expected 3 numbers, found 2.
#pragma once

#include "cardan/io/internal/text.hpp"
#include "cardan/math/vector.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace cardan::io {

/// An element of an XmlDocument, which must outlive it; false if there is none.
class XmlElement {
 public:
  XmlElement() = default;
  XmlElement(const tinyxml2::XMLElement* element, const Source* source, std::string owner);

  explicit operator bool() const { return element_ != nullptr; }
  std::string tag() const;
  int line() const;
  /// "urdf: arm.urdf:31".
  std::string where() const;

  /// The first child element of that tag, or none.
  XmlElement child(const char* tag) const;
  XmlElement required_child(const char* tag) const;
  /// All child elements, of one tag if it is given.
  std::vector<XmlElement> children(const char* tag = nullptr) const;
  /// Returns the element, whose messages and those of its children name `owner`, such as: joint "elbow".
  XmlElement owned_by(std::string owner) const { return {element_, source_, std::move(owner)}; }

  /// The text between the tags, without the white space around it; empty if there is none.
  std::string content() const;
  /// That text as numbers; complains unless there are `count`.
  std::vector<double> content_numbers(std::size_t count) const;
  double content_number() const { return content_numbers(1)[0]; }
  /// That text as a name: not empty, not endless, without control characters.
  std::string content_name() const;

  /// Lists the names of the attributes.
  std::vector<std::string> attributes() const;
  bool has(const char* attribute) const;
  std::string text(const char* attribute) const;
  /// A text that can stand in a message: not empty, not endless, without control characters.
  std::string name(const char* attribute) const;
  double number(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  std::vector<double> numbers(const char* attribute, std::size_t count) const;
  Vec3<double> vec3(const char* attribute) const;
  Vec3<double> vec3(const char* attribute, const Vec3<double>& otherwise) const;

  /// Throws ModelError: where, whose, this element's tag, then what is wrong: "expected ..., found ...".
  [[noreturn]] void fail(const std::string& what) const;
  /// Complains of an attribute; null: of the element itself.
  [[noreturn]] void fail(const char* attribute, const std::string& what) const;
  /// The text of such a message, for a warning.
  std::string message(const std::string& what) const;

 private:
  std::string subject(const char* attribute) const;
  std::string checked_name(const char* attribute, const std::string& value) const;
  std::vector<double> parsed_numbers(const char* attribute, const std::string& value, std::size_t count) const;

  const tinyxml2::XMLElement* element_ = nullptr;
  const Source* source_ = nullptr;
  std::string owner_;
};

class XmlDocument {
 public:
  /// Throws ModelError if the text is not one well-formed element.
  XmlDocument(std::string_view text, Source source);
  ~XmlDocument();
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  XmlElement root() const;

 private:
  Source source_;
  std::unique_ptr<tinyxml2::XMLDocument> document_;
};

}  // namespace cardan::io
