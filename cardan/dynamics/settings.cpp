#include "cardan/dynamics/settings.hpp"

#include "cardan/text/internal/nearest_name.hpp"

#include <algorithm>
#include <stdexcept>

namespace cardan {

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"recursive", "reduced", "redmax", "maximal"};
  return names;
}

Formulation formulation(const std::string& name) {
  const auto& names = formulation_names();
  if (const auto found = std::find(names.begin(), names.end(), name); found != names.end())
    return static_cast<Formulation>(found - names.begin());
  const std::string near = nearest_name(name, names);
  throw std::invalid_argument(
      "unknown formulation \"" + name + "\"" +
      (near.empty() ? ": expected recursive, reduced, redmax or maximal" : ": did you mean \"" + near + "\"?"));
}

const std::vector<std::string>& implicit_forces_names() {
  static const std::vector<std::string> names{"exact", "definite", "none"};
  return names;
}

ImplicitForces implicit_forces(const std::string& name) {
  const auto& names = implicit_forces_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw std::invalid_argument("unknown implicit forces \"" + name + "\": expected exact, definite or none");
  return static_cast<ImplicitForces>(1 + (found - names.begin()));
}

const std::vector<std::string>& contact_solver_names() {
  static const std::vector<std::string> names{"exact", "staggered_projections", "pyramid",
                                              "bilateral_staggered_projections"};
  return names;
}

const std::vector<std::string>& stabilization_names() {
  static const std::vector<std::string> names{"projection", "baumgarte"};
  return names;
}

}  // namespace cardan
