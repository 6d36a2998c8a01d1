// Writes what `cardan info --accuracy` found, in words and as JSON.
#include "apps/accuracy.hpp"
#include "cardan/dynamics/records.hpp"
#include "cardan/view/snapshot.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace cardan::command {

namespace {

using Json = nlohmann::ordered_json;

/// Below this, constraint rows are nearly singular: digits of forces are lost that one sees.
constexpr double kNearlySingular = 1e-3;

std::string count(int n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

/// Names a velocity as columns of runs do.
std::string name_of(const Model& model, int velocity) {
  return trajectory_columns(model)[static_cast<std::size_t>(1 + model.nq() + velocity)];
}

std::vector<std::string> names_of(const Model& model, const std::vector<int>& velocities) {
  std::vector<std::string> out;
  for (const int v : velocities) out.push_back(name_of(model, v));
  return out;
}

/// Names the unit of the velocity's own entry in the mass matrix.
const char* inertia_unit(const Model& model, int velocity) {
  const int body = model.body_of_dof(velocity);
  const auto place = static_cast<std::size_t>(velocity - model.link(body).v);
  const std::string unit = view::coordinate_units(model.joint(body), true)[place];
  return unit == "rad/s" ? " kg m2" : unit == "m/s" ? " kg" : "";
}

void add_spectrum(const Model& model, const InertiaSpectrum& s, std::vector<std::string>& out) {
  const std::string unit = s.unit.empty() ? "" : " " + s.unit;
  if (std::isinf(s.condition))
    out.push_back("the mass matrix is singular within rounding: accelerations mean nothing here");
  else
    out.push_back(fmt::format("expect about {} of 16 digits of accelerations: the mass matrix has condition {:.4g}",
                              digits_left(s.condition), s.condition));
  out.push_back(fmt::format("  largest effective inertia {:.4g}{} (mostly {}), smallest {:.4g}{} (mostly {})",
                            s.largest.inertia, unit, fmt::join(names_of(model, s.largest.velocities), ", "),
                            s.smallest.inertia, unit, fmt::join(names_of(model, s.smallest.velocities), ", ")));
  if (s.length)
    out.push_back(fmt::format(
        "  rad and m mix: {:.4g} m/s count as 1 rad/s, so that both carry the same inertia on average", *s.length));
  if (s.without_unit > 0)
    out.push_back(fmt::format("  {} without a unit, scaled to {}", count(s.without_unit, "velocity", "velocities"),
                              s.unit.empty() ? "carry the same inertia" : "carry the average inertia of the others"));
}

void add_causes_in_matrix(const Model& model, const InertiaSpectrum& s, std::vector<std::string>& out) {
  if (std::isinf(s.condition)) return;
  if (s.condition_by_coupling < 0.5 * s.condition)
    out.push_back(
        fmt::format("inertias: unequal ones make a part of it; each velocity scaled by its own inertia leaves "
                    "{:.4g}, which is coupling of joints",
                    s.condition_by_coupling));
  if (s.held > s.free) {
    const char* unit = inertia_unit(model, s.weakest);
    out.push_back(
        fmt::format("coupling: strongest at {}, whose inertia is {:.4g}{} with the joints beyond it held, "
                    "{:.4g}{} with them free",
                    name_of(model, s.weakest), s.held, unit, s.free, unit));
  }
}

void add_causes_in_tree(const Model& model, const Accuracy& a, std::vector<std::string>& out) {
  const int depth = model.depth(a.deepest);
  std::string line = fmt::format("depth: \"{}\" is {} from the world, among {} in {}", model.body_name(a.deepest),
                                 count(depth, "joint", "joints"), count(model.bodies(), "body", "bodies"),
                                 count(a.ends, "branch", "branches"));
  if (depth > 1)
    line += fmt::format("; a straight chain of {} equal links has condition {:.4g}", depth, 4.0 * std::pow(depth, 4));
  out.push_back(line);
  if (a.masses)
    out.push_back(fmt::format("masses: \"{}\" carries \"{}\" of {:.4g} times its mass",
                              model.body_name(a.masses->light), model.body_name(a.masses->heavy), a.masses->ratio));
  if (a.massless > 0)
    out.push_back(fmt::format("masses: {} without any", count(a.massless, "moving body", "moving bodies")));
}

std::string round_trip_line(const RoundTrip& r) {
  const std::string where = fmt::format("of {} states here and within 0.1 rad or m", r.states);
  if (!std::isfinite(r.accelerations) || !std::isfinite(r.forces))
    return fmt::format("measured: some {} have no accelerations", where);
  return fmt::format(
      "measured: accelerations come back from the forces that they take to {:.2g}, forces from the accelerations that "
      "they give to {:.2g} (relative, the worst {})",
      r.accelerations, r.forces, where);
}

std::string clearance_line(const Clearance& c) {
  std::string out = fmt::format(
      "constraints: {} is nearest to repeating itself or others: clearance {:.3g} (0 is singular, 1 is best)",
      c.constraint, c.value);
  if (c.value < kNearlySingular)
    out += fmt::format(", nearly singular: its forces lose about {:.0f} digits", std::min(16.0, -std::log10(c.value)));
  return out;
}

Json spectrum_json(const Model& model, const InertiaSpectrum& s) {
  const auto inertia = [&](const EffectiveInertia& e) {
    return Json{{"inertia", e.inertia}, {"velocities", names_of(model, e.velocities)}};
  };
  Json out{{"condition", s.condition},  // JSON has no infinity: null where H is singular
           {"digits", digits_left(s.condition)},
           {"condition_by_coupling", s.condition_by_coupling},
           {"unit", s.unit}};
  if (s.length) out["length"] = *s.length;
  out["largest"] = inertia(s.largest);
  out["smallest"] = inertia(s.smallest);
  out["coupling"] = {{"velocity", name_of(model, s.weakest)}, {"held", s.held}, {"free", s.free}};
  return out;
}

}  // namespace

std::vector<std::string> accuracy_lines(const Model& model, const Accuracy& a) {
  if (model.nv() == 0) return {"nothing moves"};
  std::vector<std::string> out;
  if (a.spectrum)
    add_spectrum(model, *a.spectrum, out);
  else if (a.timed > 0)
    out.push_back(fmt::format("condition and measurement are left out: joint \"{}\" has the time as a coordinate",
                              model.joint_name(a.timed)));
  else if (model.nv() > kMostCheckedVelocities)
    out.push_back(
        fmt::format("condition and effective inertias are left out above {} velocities", kMostCheckedVelocities));
  else
    out.push_back("the mass matrix is not defined here");
  if (a.round_trip) out.push_back(round_trip_line(*a.round_trip));
  add_causes_in_tree(model, a, out);
  if (a.spectrum) add_causes_in_matrix(model, *a.spectrum, out);
  if (a.clearance) out.push_back(clearance_line(*a.clearance));
  if (!model.loops().empty()) out.push_back("all but the clearance is of the tree, its loops open");
  return out;
}

Json accuracy_json(const Model& model, const Accuracy& a) {
  if (model.nv() == 0) return Json::object();
  Json out = a.spectrum ? spectrum_json(model, *a.spectrum) : Json::object();
  if (const auto& r = a.round_trip)
    out["measured"] = {{"states", r->states}, {"accelerations", r->accelerations}, {"forces", r->forces}};
  out["depth"] = model.depth(a.deepest);
  out["deepest"] = model.body_name(a.deepest);
  out["branches"] = a.ends;
  out["massless"] = a.massless;
  if (a.masses)
    out["masses"] = {{"light", model.body_name(a.masses->light)},
                     {"heavy", model.body_name(a.masses->heavy)},
                     {"ratio", a.masses->ratio}};
  if (a.clearance) out["clearance"] = {{"value", a.clearance->value}, {"constraint", a.clearance->constraint}};
  return out;
}

}  // namespace cardan::command
