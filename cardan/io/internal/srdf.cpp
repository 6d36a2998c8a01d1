#include "cardan/io/internal/srdf.hpp"

#include "cardan/io/internal/xml.hpp"

#include <algorithm>

namespace cardan {

BodyPairs parse_disabled_pairs(std::string_view text, const std::string& name, const std::vector<std::string>& bodies,
                               const std::string& prefix) {
  const io::XmlDocument document(text, {"srdf", io::printable(name)});
  const io::XmlElement robot = document.root();
  if (robot.tag() != "robot") robot.fail("expected a <robot>, found <" + io::printable(robot.tag()) + ">");
  const auto link = [&](const io::XmlElement& element, const char* attribute) {
    const std::string wanted = element.name(attribute);
    if (std::find(bodies.begin(), bodies.end(), prefix + wanted) == bodies.end()) {
      std::vector<std::string> known;
      for (const std::string& body : bodies) known.push_back(body.substr(prefix.size()));
      element.fail(attribute,
                   "expected a link of the robot, found " + io::in_quotes(wanted) + io::did_you_mean(wanted, known));
    }
    return prefix + wanted;
  };
  BodyPairs out;
  for (const io::XmlElement& element : robot.children("disable_collisions"))
    out.emplace_back(link(element, "link1"), link(element, "link2"));
  return out;
}

BodyPairs load_disabled_pairs(const std::string& path, const std::vector<std::string>& bodies,
                              const std::string& prefix) {
  constexpr std::size_t max_bytes = std::size_t{16} << 20;
  return parse_disabled_pairs(io::read_text_file("srdf", path, max_bytes), path, bodies, prefix);
}

}  // namespace cardan
