// Lists what a scene has and the C that `cardan compile` writes has not.
#pragma once

#include "cardan/dynamics/scene.hpp"

#include <string>
#include <vector>

namespace cardan::command {

/// Lists it, a line each: "limits of joint "elbow"", "2 loops". Empty where the code is the whole scene.
std::vector<std::string> left_out_of_c(const Scene& scene, bool has_acceleration);

}  // namespace cardan::command
