#include "cardan/io/sdf.hpp"

#include "cardan/io/internal/sdf_tree.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// <gravity> of the world; up to version 1.5 it stood in <physics>.
Vec3<double> gravity_of(const io::XmlElement& world) {
  const Vec3<double> earth{0.0, 0.0, -9.81};
  if (!world) return earth;
  const io::XmlElement physics = world.child("physics");
  return io::vec3_in(world, "gravity", physics ? io::vec3_in(physics, "gravity", earth) : earth);
}

}  // namespace

SceneSpec parse_sdf(std::string_view text, const std::string& name) {
  io::SdfFiles files(text, name);
  io::LeftOut left_out;
  std::vector<std::string> warnings;
  io::SdfModels models(files, left_out);
  models.read();
  const Vec3<double> gravity = gravity_of(models.world());
  io::TomlNode scene = io::toml_table({{"cardan", io::toml_number(1.0)},
                                       {"name", io::toml_text(models.name())},
                                       {"gravity", io::toml_vector(gravity)}});
  io::SdfShapes shapes(models, files, left_out, warnings);
  const io::SdfJoints reader(models, left_out);
  std::vector<io::SdfJoint> joints;
  for (const io::SdfPart& joint : models.joints()) joints.push_back(reader.read(joint));
  io::SdfTree tree(models, shapes, joints, left_out, scene);
  tree.write(gravity);
  reader.add_couplings(joints, scene);
  const bool may_touch = std::any_of(models.links().begin(), models.links().end(), [](const io::SdfPart& link) {
    return !link.element.children("collision").empty();
  });
  const io::XmlElement root = files.main().root;
  if (may_touch) warnings.push_back(root.message("contact is not read: nothing touches"));
  if (!left_out.empty()) warnings.push_back(root.message(left_out.message()));
  return {name, std::move(scene), std::move(warnings)};
}

SceneSpec load_sdf(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{64} << 20;
  return parse_sdf(io::read_text_file("sdf", path, max_bytes), path);
}

}  // namespace cardan
