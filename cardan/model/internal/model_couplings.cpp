#include "cardan/model/internal/model_assembly.hpp"
#include "cardan/text/internal/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

using detail::fail;

/// A URDF mimic: multiplier * source + offset.
CouplingSpec as_coupling(const ModelData& model, const JointSpec& joint) {
  const Mimic& mimic = *joint.mimic;
  for (const std::string& name : {joint.name, mimic.joint})
    if (const int body = model.find_joint(name); body >= 0 && model.links[body].nv != 1)
      fail(joint.where, fmt::format("joint \"{}\": mimic needs joints with 1 degree of freedom, \"{}\" has {}",
                                    joint.name, name, model.links[body].nv));
  if (!std::isfinite(mimic.multiplier) || !std::isfinite(mimic.offset))
    fail(joint.where, fmt::format("joint \"{}\": multiplier and offset of mimic must be finite", joint.name));
  std::string text = mimic.multiplier == 1.0 ? mimic.joint : fmt::format("{:g}*{}", mimic.multiplier, mimic.joint);
  if (mimic.offset != 0.0) text += fmt::format(" {} {:g}", mimic.offset < 0.0 ? "-" : "+", std::abs(mimic.offset));
  return {joint.name,
          {mimic.joint},
          [mimic](std::span<const Expr> x) { return Expr(mimic.multiplier) * x[0] + Expr(mimic.offset); },
          text,
          joint.where};
}

/// "wrist.1" -> "wrist" and 1; where there is no number, -1.
std::pair<std::string, int> split_coordinate(const std::string& name) {
  const auto dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 != name.size() || name[dot + 1] < '0' || name[dot + 1] > '5')
    return {name, -1};
  return {name.substr(0, dot), name[dot + 1] - '0'};
}

/// The coordinate that a coupling names.
Coupling::CoordinateRef place_of(const ModelData& model, const CouplingSpec& spec, const std::string& name) {
  const std::string whose = fmt::format("coupling of \"{}\"", spec.joint);
  int body = model.find_joint(name), k = -1;
  if (body < 0) {
    const auto [joint, number] = split_coordinate(name);
    if (number >= 0) body = model.find_joint(joint);
    k = number;
  }
  if (body < 0) {
    std::vector<std::string> known;
    for (int i = 1; i <= model.bodies(); ++i) known.push_back(model.joint_names[i]);
    const std::string near = nearest_name(name, known);
    fail(spec.where, fmt::format("{}: unknown joint \"{}\"{}", whose, name,
                                 near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near)));
  }
  const Link& link = model.links[body];
  if (link.nq != link.nv)
    fail(spec.where, fmt::format("{}: \"{}\" has coordinates whose rates are not its velocities", whose, name));
  if (k < 0 && link.nv != 1)
    fail(spec.where, fmt::format("{}: \"{}\" has {} coordinates, write which, \"{}.0\"", whose, name, link.nv, name));
  if (k >= link.nv) fail(spec.where, fmt::format("{}: \"{}\" has only {} coordinates", whose, name, link.nv));
  return {body, std::max(k, 0)};
}

}  // namespace

void ModelAssembly::add_couplings() {
  for (const JointSpec& joint : joints_)
    if (joint.mimic) add_coupling(as_coupling(out_, joint));
  for (const CouplingSpec& spec : in_.couplings_) add_coupling(spec);
}

void ModelAssembly::add_coupling(const CouplingSpec& spec) {
  const std::string whose = fmt::format("coupling of \"{}\"", spec.joint);
  const Coupling::CoordinateRef dependent = place_of(out_, spec, spec.joint);
  const auto velocity = [this](const Coupling::CoordinateRef& place) { return out_.links[place.body].v + place.k; };
  std::vector<Coupling::CoordinateRef> sources;
  for (const std::string& name : spec.sources) sources.push_back(place_of(out_, spec, name));
  for (const Coupling& other : out_.couplings)
    if (velocity(other.dependent) == velocity(dependent)) fail(spec.where, whose + ": it already follows another");

  // a coordinate may follow one that follows others, never itself
  std::vector<bool> reached(static_cast<std::size_t>(out_.nv));
  const auto reaches = [&](const auto& self, const Coupling::CoordinateRef& from) -> bool {
    if (velocity(from) == velocity(dependent)) return true;
    const auto index = static_cast<std::size_t>(velocity(from));
    if (reached[index]) return false;
    reached[index] = true;
    for (const Coupling& other : out_.couplings)
      if (velocity(other.dependent) == velocity(from))
        for (const Coupling::CoordinateRef& next : other.sources)
          if (self(self, next)) return true;
    return false;
  };
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (reaches(reaches, sources[i]))
      fail(spec.where, fmt::format("{}: follows itself through \"{}\"", whose, spec.sources[i]));

  try {
    out_.couplings.push_back({dependent, sources, CouplingFunction(static_cast<int>(sources.size()), spec.f),
                              fmt::format("{} = {}", spec.joint, spec.text)});
  } catch (const GraphTooLarge& problem) {
    fail(spec.where, whose + ": " + problem.what());
  }
}

}  // namespace cardan
