#include "cardan/io/load.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/io/mjcf.hpp"
#include "cardan/io/osim.hpp"
#include "cardan/io/sdf.hpp"
#include "cardan/io/urdf.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cardan {

namespace {

/// A format that is read as a scene.
struct SceneFormat {
  const char* ending;
  SceneSpec (*parse)(std::string_view text, const std::string& name);
  SceneSpec (*load)(const std::string& path);
};
constexpr SceneFormat kSceneFormats[]{{".toml", SceneSpec::parse, SceneSpec::load},
                                      {".xml", parse_mjcf, load_mjcf},
                                      {".mjcf", parse_mjcf, load_mjcf},
                                      {".sdf", parse_sdf, load_sdf},
                                      {".world", parse_sdf, load_sdf},
                                      {".osim", parse_osim, load_osim}};

const SceneFormat* scene_format(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  for (const SceneFormat& format : kSceneFormats)
    if (ending == format.ending) return &format;
  return nullptr;
}

const SceneFormat& require_format(const std::string& path) {
  const SceneFormat* format = scene_format(path);
  if (format == nullptr)
    throw ModelError(
        fmt::format("{}: expected a file that ends in .toml (scene), .xml (MuJoCo), .sdf (Gazebo) or .osim (OpenSim), "
                    "found another",
                    io::printable(path)));
  return *format;
}

}  // namespace

bool is_scene(const std::string& path) { return scene_format(path) != nullptr; }
SceneSpec load_spec(const std::string& path) { return require_format(path).load(path); }
SceneSpec parse_spec(std::string_view text, const std::string& path) { return require_format(path).parse(text, path); }

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
  std::error_code error;
  if (ending != ".urdf" && std::filesystem::is_regular_file(path, error))
    fail(fmt::format(
        "expected a file that ends in .toml (scene), .urdf (robot), .xml (MuJoCo), .sdf (Gazebo) or .osim (OpenSim), "
        "found {}",
        ending.empty() ? "no ending" : io::in_quotes(ending)));
  if (!options.inputs.empty()) fail("expected a scene for --input, found a robot, which has no inputs");
  if (!options.set.empty())
    fail(
        "expected a scene for --set, found a robot, which has no parameters; a scene with [[robot]] changes it by "
        "name");
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
