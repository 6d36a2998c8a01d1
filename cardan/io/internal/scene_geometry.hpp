// Poses, curves and surfaces of scene files.
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/joints/curve.hpp"
#include "cardan/joints/surface.hpp"

namespace cardan::io {

/// { xyz = [...], rpy = [...] }, both zero where not given; quat = [w, x, y, z] in place of rpy.
Pose<double> read_pose(const TomlValue& value);
/// The pose under `at`, or none.
Pose<double> read_place(const TomlValue& table);
/// A vector that has a length.
Vec3<double> read_direction(const TomlValue& value);
/// "free" or an angle.
Spin read_spin(const TomlValue& value);

/// The texts of a curve or surface are read when the joint is made; the document must live until then.
Curve read_curve(const TomlValue& value);
Surface read_surface(const TomlValue& value);

}  // namespace cardan::io
