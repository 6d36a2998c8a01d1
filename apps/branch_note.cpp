#include "apps/branch_note.hpp"

#include "cardan/simulate/simulate.hpp"

#include <cmath>

namespace cardan::command {

namespace {

double roughness(const std::vector<double>& values) {
  double out = 0.0;
  for (std::size_t i = 1; i + 1 < values.size(); ++i) out += std::abs(values[i - 1] - 2.0 * values[i] + values[i + 1]);
  return out;
}

}  // namespace

bool passes_zero(const std::vector<double>& values, std::size_t last) {
  const double as_they_are = roughness(values);
  for (std::size_t from = 1; from <= last; ++from) {
    std::vector<double> turned = values;
    for (std::size_t i = from; i < turned.size(); ++i) turned[i] = -turned[i];
    if (roughness(turned) < 0.5 * as_they_are) return true;
  }
  return false;
}

std::string branch_note(const Scene& run, const std::vector<double>& as_given, const SceneOnTheWay& scene_at) {
  constexpr std::size_t kPieces = 8;
  const std::string where = "in the scene as given";
  if (run.model.loops().empty() || as_given.size() != run.initial.q.size()) return {};
  if (std::string told = on_another_branch(run, as_given, where); !told.empty()) return told;
  std::vector<double> margins;
  try {
    // one scene beyond the run tells a zero just before it
    for (std::size_t i = 0; i <= kPieces + 1; ++i)
      margins.push_back(i == kPieces ? singular_margin(run)
                                     : singular_margin(scene_at(static_cast<double>(i) / kPieces)));
  } catch (const std::runtime_error&) {  // a scene in between, or beyond, may make no sense
    if (margins.size() <= kPieces) return {};
  }
  if (!passes_zero(margins, kPieces)) return {};
  return "loops may be closed on another branch than " + where + ": branches meet between the two";
}

}  // namespace cardan::command
