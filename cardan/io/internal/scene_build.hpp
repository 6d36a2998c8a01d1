// Tables of scenes that readers of other formats have in common: bodies, shapes, places.
#pragma once

#include "cardan/io/internal/toml_build.hpp"
#include "cardan/model/mass_properties.hpp"
#include "cardan/model/shape.hpp"

namespace cardan::io {

/// [[body]] with mass and inertia as they are, on a joint.
TomlNode body_table(const std::string& name, const std::string& parent, TomlNode joint, const MassProperties& mass,
                    std::vector<TomlNode> shapes = {});
/// [[body.shape]] of a primitive shape.
TomlNode shape_table(const Shape& shape);
/// True if it turns nothing, exactly.
bool is_identity(const Mat3<double>& R);
bool is_origin(const Vec3<double>& p);
/// "#rrggbb" of red, green, blue from 0 to 1.
std::string color_text(std::span<const double> rgb);
/// The number as a factor in a text: negative ones in brackets.
std::string written(double x);
/// [[force]] at the center of mass that holds `part` of the body's weight.
TomlNode against_weight(const std::string& body, const MassProperties& mass, double part, const Vec3<double>& gravity);

}  // namespace cardan::io
