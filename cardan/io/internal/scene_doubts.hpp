// Numbers of a scene file that are allowed and probably not meant: degrees for radians, quaternions as (x, y, z, w).
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model.hpp"

#include <span>

namespace cardan::io {

/// Says what is doubtful about coordinates of a joint of this type; empty where nothing is.
std::string doubt_of_coordinates(std::string_view joint_type, std::span<const double> q);

/// Lists doubts about the initial coordinates and the orientations of a scene, a line each with its place in the file.
/// Only plain numbers are doubted, not texts, which have their unit or come from elsewhere.
std::vector<std::string> doubtful_numbers(const TomlValue& scene, const Model& model);

}  // namespace cardan::io
