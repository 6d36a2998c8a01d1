#include "apps/left_out_of_c.hpp"

#include "cardan/forces/joint_spring.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace cardan::command {

namespace {

/// Adds "limits of joints "a", "b" and 3 more" if a joint has it.
void add_joints(const Model& model, const char* what, const std::function<bool(int body)>& has,
                std::vector<std::string>& out) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::string> named;
  std::size_t count = 0;
  for (int body = 1; body <= model.bodies(); ++body)
    if (has(body) && ++count <= kMostNamed) named.push_back(io::in_quotes(model.joint_name(body)));
  if (count == 0) return;
  out.push_back(fmt::format("{} of joint{} {}{}", what, count == 1 ? "" : "s", fmt::join(named, ", "),
                            count > kMostNamed ? fmt::format(" and {} more", count - kMostNamed) : ""));
}

}  // namespace

std::vector<std::string> left_out_of_c(const Scene& scene, bool has_acceleration) {
  const Model& model = scene.model;
  std::vector<std::string> out;
  const auto any_dof = [&](const std::function<bool(const DofProperties&)>& has) {
    return [&model, has](int body) {
      const Link& link = model.link(body);
      for (int i = link.v; i < link.v + link.nv; ++i)
        if (has(model.dof(i))) return true;
      return false;
    };
  };
  if (!has_acceleration)
    add_joints(
        model, "stiffness and damping",
        [&](int body) { return !model.joint(body).is_flat() && JointSpring::has_any(model, body); }, out);
  add_joints(model, "dry friction", any_dof([](const DofProperties& dof) { return dof.friction > 0.0; }), out);
  add_joints(model, "limits",
             any_dof([](const DofProperties& dof) { return std::isfinite(dof.lower) || std::isfinite(dof.upper); }),
             out);
  const auto count = [&](std::size_t n, const char* what) {
    if (n > 0) out.push_back(fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"));
  };
  if (!has_acceleration) {
    count(model.loops().size(), "loop");
    count(model.couplings().size(), "coupling");
    count(scene.constraints.size(), "prescribed motion");
    count(scene.forces.size(), "force");
  }
  count(scene.bearings.size(), "bearing");
  if (!scene.contact.acting_where().empty()) out.push_back("contact");
  return out;
}

}  // namespace cardan::command
