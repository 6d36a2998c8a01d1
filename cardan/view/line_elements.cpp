#include "cardan/view/line_elements.hpp"

#include "cardan/forces/spring.hpp"

namespace cardan::view {

std::vector<LineElement> line_elements(const System& system) {
  std::vector<LineElement> out;
  for (const auto& force : system.forces())
    if (const auto spring = std::dynamic_pointer_cast<const ForceOf<Spring>>(force)) {
      const Spring& element = spring->element();
      out.push_back({element.label,
                     "spring",
                     {{element.a.body, element.a.at}, {element.b.body, element.b.at}},
                     [spring](const Instant& at) { return spring->element().tension(at); }});
    }
  return out;
}

}  // namespace cardan::view
