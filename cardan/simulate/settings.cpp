#include "cardan/simulate/settings.hpp"

#include "cardan/text/nearest_name.hpp"

#include <algorithm>
#include <stdexcept>

namespace cardan {

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"recursive", "reduced", "redmax", "maximal"};
  return names;
}

Formulation formulation(const std::string& name) {
  if (name == "recursive") return Formulation::recursive;
  if (name == "reduced") return Formulation::reduced;
  const auto& names = formulation_names();
  if (std::find(names.begin(), names.end(), name) != names.end())
    throw std::invalid_argument("formulation \"" + name + "\" is not available yet: expected recursive or reduced");
  const std::string near = nearest_name(name, names);
  throw std::invalid_argument("unknown formulation \"" + name + "\"" +
                              (near.empty() ? ": expected recursive or reduced" : ": did you mean \"" + near + "\"?"));
}

const std::vector<std::string>& stabilization_names() {
  static const std::vector<std::string> names{"projection", "baumgarte"};
  return names;
}

}  // namespace cardan
