// Values that stand in child elements, <mass>1.5</mass>, as SDF and OpenSim write them.
#pragma once

#include "cardan/io/internal/xml.hpp"

#include <set>

namespace cardan::io {

/// The text of a child, or `otherwise` where there is no such child or it is empty.
std::string text_in(const XmlElement& element, const char* tag, const std::string& otherwise = {});
double number_in(const XmlElement& element, const char* tag, double otherwise);
/// A number that may be infinite: inf, -inf, infinity.
double limit_in(const XmlElement& element, const char* tag, double otherwise);
Vec3<double> vec3_in(const XmlElement& element, const char* tag, const Vec3<double>& otherwise);
/// true, false, 1 or 0.
bool truth_in(const XmlElement& element, const char* tag, bool otherwise);

/// What a reader leaves out, told in one line.
class LeftOut {
 public:
  void add(const std::string& name) { names_.insert(name); }
  bool empty() const { return names_.empty(); }
  /// "not read: plugin, sensor".
  std::string message() const;

 private:
  std::set<std::string> names_;
};

/// Looks at the children of an element: those that are `read` are fine, those of `others` are left out with a word. Any
/// other is refused where it is nearly one of these, as a misspelled one, and left out where it is not.
void check_children(const XmlElement& element, const char* read, const char* others, LeftOut& left_out);
/// Refuses attributes that are nearly one of `known`; leaves out others.
void check_attributes(const XmlElement& element, const char* known, LeftOut& left_out);

}  // namespace cardan::io
