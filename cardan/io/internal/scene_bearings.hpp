// Bearings of joints: bearing = { radius, length, mu, kind } in [body.joint].
#pragma once

#include "cardan/dynamics/bearing.hpp"
#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model.hpp"

namespace cardan::io {

/// The bearings of all bodies and loops of a scene; the model's first loops are those of the scene, in their order.
std::vector<Bearing> read_bearings(const Model& model, const std::vector<TomlValue>& bodies,
                                   const std::vector<TomlValue>& loops);

}  // namespace cardan::io
