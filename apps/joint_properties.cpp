#include "apps/joint_properties.hpp"

#include "apps/table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cardan::command {

namespace {

struct Property {
  const char* heading;
  double DofProperties::*value;
  bool is_given(const DofProperties& dof) const { return dof.*value != 0.0 && std::isfinite(dof.*value); }
};
constexpr Property kProperties[]{{"friction [N, N m]", &DofProperties::friction},
                                 {"damping [N s/m, N m s/rad]", &DofProperties::damping},
                                 {"armature [kg, kg m2]", &DofProperties::armature},
                                 {"stiffness [N/m, N m/rad]", &DofProperties::stiffness},
                                 {"effort limit [N, N m]", &DofProperties::effort_limit},
                                 {"velocity limit [m/s, rad/s]", &DofProperties::velocity_limit}};

/// One number where all velocities of the joint have the same, else one for each; "-" where none has any.
std::string entry_of(const Model& model, int body, const Property& property) {
  const Link& link = model.link(body);
  std::string all;
  bool differ = false, any = false;
  for (int k = 0; k < link.nv; ++k) {
    const DofProperties& dof = model.dof(link.v + k);
    differ |= dof.*property.value != model.dof(link.v).*property.value;
    any |= property.is_given(dof);
    all += fmt::format("{}{:.6g}", k == 0 ? "" : ", ", dof.*property.value);
  }
  if (!any) return "-";
  return differ ? all : fmt::format("{:.6g}", model.dof(link.v).*property.value);
}

}  // namespace

std::string joint_properties(const Model& model) {
  std::vector<Property> given;
  std::vector<std::string> headings{"joint"};
  for (const Property& property : kProperties)
    for (int v = 0; v < model.nv(); ++v)
      if (property.is_given(model.dof(v))) {
        given.push_back(property);
        headings.emplace_back(property.heading);
        break;
      }
  if (given.empty()) return {};
  Table table(std::move(headings));
  for (int body = 1; body <= model.bodies(); ++body) {
    std::vector<std::string> row{model.joint_name(body)};
    bool any = false;
    for (const Property& property : given) {
      row.push_back(entry_of(model, body, property));
      any |= row.back() != "-";
    }
    if (any) table.add(std::move(row));
  }
  return "\n" + table.text(2);
}

}  // namespace cardan::command
