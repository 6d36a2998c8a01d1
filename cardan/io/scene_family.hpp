// Scenes that follow from some of their numbers, as gradients and optimization vary them.
#pragma once

#include "cardan/gradient/run_gradient.hpp"
#include "cardan/io/scene_spec.hpp"

#include <functional>

namespace cardan {

/// What is the same in all scenes of a family.
struct FamilyOptions {
  std::vector<std::string> set{};
  std::function<void(Settings&)> adjust{};  // how they are run, where that is not as they say
};

/// Makes the family of a scene by names of its numbers: parameters, paths such as body.rod.mass, input.NAME (what the
/// input is where nobody writes it), initial.q.JOINT and initial.v.JOINT. Throws ModelError where there is no such
/// name, and where it stands for no number.
SceneFamily scene_family(SceneSpec spec, const std::vector<std::string>& names, const FamilyOptions& options);

/// Sets such a number in the scene itself. Throws ModelError likewise.
void set_number(SceneSpec& spec, const std::string& name, double value);

}  // namespace cardan
