#include "cardan/io/load.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/io/mjcf.hpp"
#include "cardan/io/urdf.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cardan {

namespace {

bool is_mjcf(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".xml" || ending == ".mjcf";
}

}  // namespace

bool is_scene(const std::string& path) { return std::filesystem::path(path).extension() == ".toml" || is_mjcf(path); }

SceneSpec load_spec(const std::string& path) {
  if (!is_scene(path))
    throw ModelError(fmt::format("{}: expected a file that ends in .toml (scene) or .xml (MuJoCo), found another",
                                 io::printable(path)));
  return is_mjcf(path) ? load_mjcf(path) : SceneSpec::load(path);
}

Scene load(const std::string& path, const LoadOptions& options) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const auto fail = [&](const std::string& what) {
    throw ModelError(fmt::format("{}: {}", io::printable(path), what));
  };
  if (is_scene(path)) {
    if (options.free_base) fail("expected a robot file for a free base, found a scene, which says itself what floats");
    SceneSpec spec = load_spec(path);
    for (const std::string& change : options.set) spec.set(change);
    if (!options.inputs.empty()) spec.lead_inputs(options.inputs);
    return spec.bind();
  }
  if (ending == ".sdf" || ending == ".osim")
    fail(fmt::format("files that end in {} are not available yet in this version: expected .toml, .urdf or .xml",
                     ending));
  std::error_code error;
  if (ending != ".urdf" && std::filesystem::is_regular_file(path, error))
    fail(fmt::format("expected a file that ends in .toml (scene), .urdf (robot) or .xml (MuJoCo), found {}",
                     ending.empty() ? "no ending" : io::in_quotes(ending)));
  if (!options.inputs.empty()) fail("expected a scene for --input, found a robot, which has no inputs");
  if (!options.set.empty()) fail("expected a scene for --set, found a robot, which has no parameters");
  UrdfOptions robot;
  robot.base = options.free_base ? UrdfOptions::Base::free : UrdfOptions::Base::fixed;
  robot.read_meshes = options.read_meshes;
  robot.strict = options.strict;
  std::vector<std::string> warnings;
  robot.warnings = &warnings;
  const Model model = load_urdf(path, robot);
  Scene scene = scene_of(model);
  scene.warnings = std::move(warnings);
  return scene;
}

}  // namespace cardan
