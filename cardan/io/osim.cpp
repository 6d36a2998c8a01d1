#include "cardan/io/osim.hpp"

#include "cardan/io/internal/osim_constraints.hpp"
#include "cardan/io/internal/osim_forces.hpp"
#include "cardan/io/internal/osim_tree.hpp"

#include <fmt/format.h>

namespace cardan {

namespace {

constexpr int kOldestVersion = 20000;

/// The <Model> of a document whose version can be read.
io::XmlElement model_of(const io::XmlElement& root) {
  if (root.tag() != "OpenSimDocument")
    root.fail(fmt::format("expected an OpenSim file, <OpenSimDocument>, found <{}>", io::printable(root.tag())));
  const double version = root.number("Version");
  if (version < kOldestVersion)
    root.fail("Version", fmt::format("expected a version from {} on, found {:g}: save the model with a newer OpenSim",
                                     kOldestVersion, version));
  io::LeftOut nothing;
  io::check_children(root, "Model", "", nothing);
  const io::XmlElement model = root.child("Model");
  if (!model) root.fail("expected a <Model>, found none");
  return model;
}

void check_sets(const io::XmlElement& model, io::LeftOut& left_out) {
  io::check_children(model,
                     "BodySet JointSet ConstraintSet ForceSet Ground ground gravity credits publications length_units "
                     "force_units ComponentSet components ControllerSet MarkerSet ContactGeometrySet ProbeSet FrameSet "
                     "assembly_accuracy ModelVisualPreferences defaults VisibleObject AnalysisSet SimbodyEngine",
                     "", left_out);
  for (const char* set : {"ControllerSet", "ContactGeometrySet", "ProbeSet", "AnalysisSet"})
    for (const io::XmlElement& object : io::osim_objects(model, set))
      if (object.tag() != "defaults") left_out.add(io::printable(object.tag()));
  for (const char* set : {"ComponentSet", "components"})
    for (const io::XmlElement& object : io::osim_objects(model, set))
      if (const std::string tag = object.tag();
          tag != "PhysicalOffsetFrame" && tag != "Body" && !tag.ends_with("Joint") && !io::is_osim_force(tag))
        left_out.add(io::printable(tag));
}

}  // namespace

SceneSpec parse_osim(std::string_view text, const std::string& name) {
  const io::XmlDocument document(text, {"osim", name});
  const io::XmlElement model = model_of(document.root());
  io::LeftOut left_out;
  check_sets(model, left_out);
  io::TomlNode scene =
      io::toml_table({{"cardan", io::toml_number(1.0)},
                      {"name", io::toml_text(io::osim_name(model, "OpenSim model"))},
                      {"gravity", io::toml_vector(io::vec3_in(model, "gravity", {0.0, -9.80665, 0.0}))}});
  const io::OsimFrames frames(model);
  io::OsimJoints joints(model, frames, left_out);
  io::OsimTree::turn_from_ground(joints.joints());
  io::OsimFunctions functions(scene, joints.words());
  joints.write_types(functions);
  io::OsimTree tree(frames, joints, left_out, scene);
  tree.write();
  tree.write_markers(model);
  io::OsimConstraints(frames, joints, functions, left_out, scene).write(model);
  io::OsimForces(model, frames, joints, functions, left_out, scene).write(model);
  std::vector<std::string> warnings;
  if (!left_out.empty()) warnings.push_back(document.root().message(left_out.message()));
  return {name, std::move(scene), std::move(warnings)};
}

SceneSpec load_osim(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{64} << 20;
  return parse_osim(io::read_text_file("osim", path, max_bytes), path);
}

}  // namespace cardan
