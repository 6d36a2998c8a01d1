// Bearings of joints: bearing = { radius, length, mu, kind } in [body.joint].
#pragma once

#include "cardan/contact/bearing.hpp"
#include "cardan/io/toml.hpp"
#include "cardan/model/model.hpp"

namespace cardan::io {

/// The bearings of all bodies of a scene.
std::vector<Bearing> read_bearings(const Model& model, const std::vector<TomlValue>& bodies);

}  // namespace cardan::io
