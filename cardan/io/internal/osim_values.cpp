#include "cardan/io/internal/osim_values.hpp"

#include "cardan/math/so3.hpp"
#include "cardan/symbolic/parse.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

namespace cardan::io {

std::vector<XmlElement> osim_objects(const XmlElement& owner, const char* set) {
  const XmlElement list = owner.child(set);
  if (!list) return {};
  const XmlElement objects = list.child("objects");
  std::vector<XmlElement> out;
  for (const XmlElement& object : objects ? objects.children() : list.children())
    if (objects || (object.tag() != "groups" && object.tag() != "objects")) out.push_back(object);
  return out;
}

std::string osim_name(const XmlElement& element, const std::string& otherwise) {
  return element.has("name") && !words(element.text("name")).empty() ? element.name("name") : otherwise;
}

bool osim_truth(const XmlElement& element, const char* tag, bool otherwise) {
  const XmlElement child = element.child(tag);
  return child && !child.content().empty() ? truth_in(element, tag, otherwise) : otherwise;
}

std::vector<double> osim_numbers(const XmlElement& element) {
  return element.content_numbers(words(element.content()).size());
}

std::vector<std::string> osim_names(const XmlElement& element, const char* tag) {
  const XmlElement child = element.child(tag);
  std::vector<std::string> out;
  if (!child) return out;
  const std::string text = child.content();
  if (!text.empty()) static_cast<void>(child.content_name());  // refuses what cannot be one
  for (const std::string_view word : words(text))
    if (word != "Unassigned") out.emplace_back(word);
  return out;
}

std::string osim_socket(const XmlElement& element, const std::string& socket, const char* old_tag) {
  std::string out = text_in(element, ("socket_" + socket).c_str());
  if (const XmlElement connectors = element.child("connectors"); out.empty() && connectors)
    for (const XmlElement& connector : connectors.children())
      if (const std::string name = osim_name(connector); name == socket || (old_tag != nullptr && name == old_tag))
        out = text_in(connector, "connectee_name");
  if (out.empty() && old_tag != nullptr) out = text_in(element, old_tag);
  return out;
}

Pose<double> osim_pose(const Vec3<double>& translation, const Vec3<double>& angles) {
  Mat3<double> R = Mat3<double>::identity();
  for (int i = 0; i < 3; ++i) {
    Vec3<double> axis;
    axis[i] = 1.0;
    const double half = 0.5 * angles[i], s = std::sin(half);
    R = R * quaternion_to_matrix(Quaternion<double>{std::cos(half), s * axis[0], s * axis[1], s * axis[2]});
  }
  return {R, translation};
}

std::string osim_last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string osim_word(const std::string& name, std::set<std::string>& taken) {
  constexpr std::size_t longest = 100;
  std::string out;
  for (const char c : name.substr(0, longest)) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out.insert(out.begin(), '_');
  while (!name_problem(out).empty() || out == "t" || out == "v" || !taken.insert(out).second) out += "_";
  return out;
}

}  // namespace cardan::io
