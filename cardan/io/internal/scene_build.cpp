#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

TomlNode body_table(const std::string& name, const std::string& parent, TomlNode joint, const MassProperties& mass,
                    std::vector<TomlNode> shapes) {
  TomlNode body =
      toml_table({{"name", toml_text(name)}, {"parent", toml_text(parent)}, {"mass", toml_number(mass.mass)}});
  if (mass.mass > 0.0) {
    const Sym3<double>& I = mass.inertia;
    put(body, "com", toml_vector(mass.com));
    put(body, "inertia", toml_numbers(std::array{I.e[0], I.e[1], I.e[2], I.e[3], I.e[4], I.e[5]}));
  } else {
    put(body, "inertia", toml_numbers(std::array{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
  }
  put(body, "joint", std::move(joint));
  if (!shapes.empty()) put(body, "shape", toml_list(std::move(shapes)));
  return body;
}

TomlNode shape_table(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return toml_table({{"box", toml_vector({box->x, box->y, box->z})}});
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return toml_table({{"sphere", toml_number(sphere->radius)}});
  if (const auto* e = std::get_if<Ellipsoid>(&shape))
    return toml_table({{"ellipsoid", toml_vector({e->x, e->y, e->z})}});
  const auto round = [](double radius, double length) {
    return toml_table({{"radius", toml_number(radius)}, {"length", toml_number(length)}});
  };
  if (const auto* c = std::get_if<Cylinder>(&shape)) return toml_table({{"cylinder", round(c->radius, c->length)}});
  const auto& capsule = std::get<Capsule>(shape);
  return toml_table({{"capsule", round(capsule.radius, capsule.length)}});
}

bool is_identity(const Mat3<double>& R) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (R(i, j) != (i == j ? 1.0 : 0.0)) return false;
  return true;
}

bool is_origin(const Vec3<double>& p) { return p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0; }

std::string color_text(std::span<const double> rgb) {
  std::string out = "#";
  for (std::size_t i = 0; i < 3; ++i)
    out += fmt::format("{:02x}", static_cast<int>(std::lround(255.0 * std::clamp(rgb[i], 0.0, 1.0))));
  return out;
}

std::string written(double x) { return x < 0.0 ? fmt::format("({:.17g})", x) : fmt::format("{:.17g}", x); }

TomlNode against_weight(const std::string& body, const MassProperties& mass, double part, const Vec3<double>& gravity) {
  return toml_table({{"type", toml_text("point")},
                     {"body", toml_text(body)},
                     {"at", toml_vector(mass.com)},
                     {"force", toml_vector((-part * mass.mass) * gravity)}});
}

}  // namespace cardan::io
