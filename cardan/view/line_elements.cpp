#include "cardan/view/line_elements.hpp"

#include "cardan/forces/line_force.hpp"

namespace cardan::view {

std::vector<LineElement> line_elements(const System& system) {
  std::vector<LineElement> out;
  for (std::size_t i = 0; i < system.forces().size(); ++i) {
    const auto line = std::dynamic_pointer_cast<const LineForce>(system.forces()[i]);
    if (!line) continue;
    LineElement element;
    element.name = line->label();
    element.kind = line->kind();
    for (const PathPoint& point : line->path().points()) element.points.push_back({point.body, point.at});
    if (line->path().bends()) element.path = &line->path();
    // the page draws coils between two points only
    const bool is_coil = element.kind == "spring" && !element.path && element.points.size() == 2;
    if (!is_coil && element.kind != "muscle") element.kind = "cable";
    const int first = system.first_states()[i], states = system.first_states()[i + 1] - first;
    element.tension = [line, first, states](const Instant& at) {
      const bool has_states = at.z.size() >= first + states;
      return line->tension(at.of_element(has_states ? first : 0, has_states ? states : 0));
    };
    out.push_back(std::move(element));
  }
  return out;
}

}  // namespace cardan::view
