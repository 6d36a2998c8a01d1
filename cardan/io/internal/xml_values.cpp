#include "cardan/io/internal/xml_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace cardan::io {

namespace {

std::vector<std::string> list_of(const char* names) {
  const std::vector<std::string_view> list = words(names);
  return {list.begin(), list.end()};
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

std::string text_in(const XmlElement& element, const char* tag, const std::string& otherwise) {
  const XmlElement child = element.child(tag);
  return child && !child.content().empty() ? child.content_name() : otherwise;
}

double number_in(const XmlElement& element, const char* tag, double otherwise) {
  const XmlElement child = element.child(tag);
  return child ? child.content_number() : otherwise;
}

double limit_in(const XmlElement& element, const char* tag, double otherwise) {
  const XmlElement child = element.child(tag);
  if (!child) return otherwise;
  const std::string text = child.content();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const char* word : {"inf", "+inf", "infinity", "Inf", "Infinity", "INF"})
    if (text == word) return infinity;
  for (const char* word : {"-inf", "-infinity", "-Inf", "-Infinity", "-INF"})
    if (text == word) return -infinity;
  return child.content_number();
}

Vec3<double> vec3_in(const XmlElement& element, const char* tag, const Vec3<double>& otherwise) {
  const XmlElement child = element.child(tag);
  if (!child) return otherwise;
  const std::vector<double> v = child.content_numbers(3);
  return {v[0], v[1], v[2]};
}

bool truth_in(const XmlElement& element, const char* tag, bool otherwise) {
  const XmlElement child = element.child(tag);
  if (!child) return otherwise;
  const std::string text = child.content();
  if (text == "1" || text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "0" || text == "false" || text == "False" || text == "FALSE") return false;
  child.fail("expected true or false, found " + in_quotes(text));
}

std::string LeftOut::message() const { return fmt::format("not read: {}", fmt::join(names_, ", ")); }

void check_children(const XmlElement& element, const char* read, const char* others, LeftOut& left_out) {
  const std::vector<std::string> fine = list_of(read), known = list_of(others);
  for (const XmlElement& child : element.children()) {
    const std::string tag = child.tag();
    if (contains(fine, tag)) continue;
    const std::string near = contains(known, tag) ? std::string() : did_you_mean(tag, fine);
    if (!near.empty()) child.fail(fmt::format("unknown element {}{}", in_quotes(tag), near));
    left_out.add(printable(tag));
  }
}

void check_attributes(const XmlElement& element, const char* known, LeftOut& left_out) {
  const std::vector<std::string> fine = list_of(known);
  for (const std::string& name : element.attributes()) {
    if (contains(fine, name)) continue;
    const std::string near = did_you_mean(name, fine);
    if (!near.empty()) element.fail(fmt::format("unknown attribute {}{}", in_quotes(name), near));
    if (!name.starts_with("xmlns")) left_out.add(printable(name));
  }
}

}  // namespace cardan::io
