#include "cardan/collision/internal/pair_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cardan {

namespace {

bool names_bodies(const ContactRule& rule) { return !rule.a.empty() || !rule.b.empty(); }

/// A table that speaks of a pair.
struct PairTable {
  const ContactCoefficients* coefficients = nullptr;  // null: there is none
  const std::string* where = nullptr;
};
/// The rule that names the pair, the ground, and the rule for all: what the first does not give, the next does.
using PairTables = std::array<PairTable, 3>;

PairTables tables_of(const ContactScene& scene, int shape_a, int shape_b) {
  PairTables out;
  const auto all = std::find_if_not(scene.rules().rules.rbegin(), scene.rules().rules.rend(), names_bodies);
  if (const ContactRule* const rule = scene.rule(shape_a, shape_b); rule != nullptr && names_bodies(*rule))
    out[0] = {&rule->coefficients, &rule->where};
  if (scene.rules().ground && shape_b == static_cast<int>(scene.shapes().size()) - 1)
    out[1] = {&scene.rules().ground->coefficients, &scene.rules().ground_where};
  if (all != scene.rules().rules.rend()) out[2] = {&all->coefficients, &all->where};
  return out;
}

/// Finds the first table that gives a coefficient; null if none does.
template <class T>
const PairTable* find_given(const PairTables& tables, std::optional<T> ContactCoefficients::*what) {
  for (const PairTable& table : tables)
    if (table.coefficients != nullptr && table.coefficients->*what) return &table;
  return nullptr;
}

/// True if a shape's body or its group has this name.
bool has_name(const ContactScene& scene, int shape, const std::string& name) {
  return scene.owner(shape) == name || scene.shapes()[static_cast<std::size_t>(shape)].group == name;
}

}  // namespace

PairLaw pair_law(const ContactScene& scene, int shape_a, int shape_b) {
  const PairTables tables = tables_of(scene, shape_a, shape_b);
  const auto take = [&](auto what, auto& out) {
    const PairTable* const given = find_given(tables, what);
    if (given != nullptr) out = *(given->coefficients->*what);
    return given != nullptr;
  };
  const SurfaceMaterial &a = scene.shapes()[static_cast<std::size_t>(shape_a)].material,
                        &b = scene.shapes()[static_cast<std::size_t>(shape_b)].material;
  PairLaw out;
  if (!take(&ContactCoefficients::friction, out.friction)) {
    if (a.friction && b.friction)
      out.friction = std::sqrt(*a.friction * *b.friction);
    else if (a.friction || b.friction)
      out.friction = std::sqrt(a.friction.value_or(out.friction) * b.friction.value_or(out.friction));
  }
  if (!take(&ContactCoefficients::restitution, out.restitution))
    out.restitution = std::max(a.restitution.value_or(0.0), b.restitution.value_or(0.0));
  take(&ContactCoefficients::stiffness, out.stiffness);
  take(&ContactCoefficients::damping, out.damping);
  take(&ContactCoefficients::rolling, out.rolling);
  take(&ContactCoefficients::torsional, out.torsional);
  out.is_area = a.is_area || b.is_area;
  // the surface that moves is that of the rule's a, or the ground's
  if (const PairTable* const given = find_given(tables, &ContactCoefficients::surface_velocity)) {
    const bool of_b = given == &tables[0] ? has_name(scene, shape_b, scene.rule(shape_a, shape_b)->a)
                                          : tables[1].coefficients != nullptr;
    out.surface_velocity = (of_b ? -1.0 : 1.0) * *given->coefficients->surface_velocity;
  }
  for (const PairTable& table : tables)
    if (table.coefficients != nullptr && !table.coefficients->law.empty()) {
      const std::string& law = table.coefficients->law;
      out.law = law == "poisson"      ? Restitution::poisson
                : law == "sequential" ? Restitution::sequential
                                      : Restitution::newton;
      break;
    }
  return out;
}

const PairLaw& PairLaws::of(const ContactScene& scene, int shape_a, int shape_b) {
  const std::uint64_t key = (static_cast<std::uint64_t>(shape_a) << 32) | static_cast<std::uint32_t>(shape_b);
  const auto found = laws_.find(key);
  if (found != laws_.end()) return found->second;
  return laws_.emplace(key, pair_law(scene, shape_a, shape_b)).first->second;
}

void check_damping(const ContactScene& scene) {
  const auto is_lone = [](const ContactCoefficients& c) { return c.damping.value_or(0.0) > 0.0 && !c.stiffness; };
  if (!scene.rules().any(is_lone)) return;
  const int n = static_cast<int>(scene.shapes().size());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      if (!scene.may_touch(i, j)) continue;
      const PairTables tables = tables_of(scene, i, j);
      const PairTable* const damped = find_given(tables, &ContactCoefficients::damping);
      if (damped == nullptr || !(*damped->coefficients->damping > 0.0)) continue;
      if (find_given(tables, &ContactCoefficients::stiffness) != nullptr) continue;
      throw ModelError(fmt::format(
          "{}: damping: expected a stiffness for every pair that it damps, found none for bodies \"{}\" and \"{}\"",
          damped->where->empty() ? "contact" : *damped->where, scene.owner(i), scene.owner(j)));
    }
}

}  // namespace cardan
