#include "cardan/io/internal/mjcf_shapes.hpp"

#include "cardan/model/internal/mesh_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cardan::io {

namespace {

/// I = R diag R'.
Sym3<double> turned(const Sym3<double>& inertia, const Mat3<double>& R) {
  return to_parent({1.0, {}, inertia}, R, {}).inertia;
}

}  // namespace

MassProperties MjcfShapes::explicit_mass(const XmlElement& own) const {
  const MjcfElement inertial(own, {});
  MassProperties out;
  out.mass = own.number("mass");
  const Pose<double> pose = compiler_.pose(inertial);
  out.com = pose.p;
  Sym3<double> I;
  if (const auto full = inertial.numbers("fullinertia", 6, 6); !full.empty()) {
    I = {full[0], full[1], full[2], full[3], full[4], full[5]};
  } else if (const auto diagonal = inertial.numbers("diaginertia", 3, 3); !diagonal.empty()) {
    I = {diagonal[0], diagonal[1], diagonal[2], 0.0, 0.0, 0.0};
  } else {
    own.fail("expected the attribute diaginertia or fullinertia, found neither");
  }
  out.inertia = turned(I, pose.R);
  return out;
}

std::optional<Shape> MjcfShapes::shape_of(const MjcfElement& geom, Pose<double>& pose) const {
  const std::string type =
      geom.has("type")
          ? geom.one_of("type", {"sphere", "plane", "hfield", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"})
      : geom.has("mesh") ? "mesh"
                         : "sphere";
  if (type == "plane" || type == "hfield" || type == "mesh" || type == "sdf") return std::nullopt;
  std::vector<double> size = geom.numbers("size", 0, 3);
  const auto require = [&](std::size_t n) {
    if (size.size() < n)
      geom.own().fail("size", fmt::format("expected {} numbers of a {}, found {}", n, type, size.size()));
    for (std::size_t i = 0; i < n; ++i)
      if (!(size[i] > 0.0)) geom.own().fail("size", fmt::format("expected positive numbers, found {}", size[i]));
  };
  if (const auto ends = geom.numbers("fromto", 6, 6); !ends.empty() && type != "sphere") {
    const Vec3<double> a{ends[0], ends[1], ends[2]}, b{ends[3], ends[4], ends[5]};
    if (!(norm(a - b) > 1e-14)) geom.own().fail("fromto", "expected two points, found one");
    pose = {rotation_of_z(a - b), 0.5 * (a + b)};
    const double half = 0.5 * norm(a - b);
    require(1);
    if (type == "box" || type == "ellipsoid") {
      const double second = size.size() > 1 && size[1] > 0.0 ? size[1] : size[0];
      size = {size[0], second, half};
    } else {
      size = {size[0], half};
    }
  }
  if (type == "sphere") return require(1), Shape(Sphere{size[0]});
  if (type == "capsule") return require(2), Shape(Capsule{size[0], 2.0 * size[1]});
  if (type == "cylinder") return require(2), Shape(Cylinder{size[0], 2.0 * size[1]});
  if (type == "ellipsoid") return require(3), Shape(Ellipsoid{size[0], size[1], size[2]});
  return require(3), Shape(Box{2.0 * size[0], 2.0 * size[1], 2.0 * size[2]});
}

Shape MjcfShapes::mesh_of(const MjcfElement& geom, const std::string& body) const {
  const std::string wanted = geom.text("mesh", "");
  for (const XmlElement& own : document_.section("asset")) {
    if (own.tag() != "mesh") continue;
    const MjcfElement asset = document_.with_defaults(own, "");
    const std::string file = own.has("file") ? own.name("file") : "";
    if ((own.has("name") ? own.name("name") : std::filesystem::path(file).stem().string()) != wanted) continue;
    if (file.empty())
      geom.own().fail("mesh", fmt::format("body {}: the inertia of a mesh without file is not available yet in this "
                                          "version",
                                          in_quotes(body)));
    try {
      const auto path = std::filesystem::path(document_.folder()) / compiler_.mesh_folder / file;
      Mesh mesh = read_mesh(path.string());
      const Vec3<double> scale = asset.vec3("scale", {1.0, 1.0, 1.0});
      for (Vec3<double>& x : mesh.vertices)
        for (int c = 0; c < 3; ++c) x[c] *= scale[c];
      if (scale[0] * scale[1] * scale[2] < 0.0)  // mirrored: outside stays outside
        for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
      validate(mesh);
      return mesh;
    } catch (const std::runtime_error& problem) {
      geom.own().fail("mesh", fmt::format("body {} has no <inertial>: {}", in_quotes(body), problem.what()));
    }
  }
  geom.own().fail("mesh", "expected a mesh of <asset>, found " + in_quotes(wanted));
}

}  // namespace cardan::io
