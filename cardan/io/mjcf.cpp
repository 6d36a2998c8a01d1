#include "cardan/io/mjcf.hpp"

#include "cardan/io/internal/mjcf_elements.hpp"

namespace cardan {

namespace {

using io::MjcfElement;
using io::XmlElement;

struct Options {
  io::MjcfBodies::Surroundings around;
  double step = 0.002;  // s, MuJoCo's own
  bool touches = true;
};

Options read_options(io::MjcfDocument& document) {
  Options out;
  for (const XmlElement& own : document.children(document.root(), "option")) {
    const MjcfElement option(own, {});
    out.around.gravity = option.vec3("gravity", out.around.gravity);
    out.around.wind = option.vec3("wind", out.around.wind);
    out.around.density = option.number("density", out.around.density);
    out.around.viscosity = option.number("viscosity", out.around.viscosity);
    out.step = option.number("timestep", out.step);
    for (const XmlElement& flag : document.children(own, "flag")) {
      const auto is_off = [&](const char* what) { return flag.has(what) && flag.text(what) == "disable"; };
      if (is_off("gravity")) out.around.gravity = {};
      if (is_off("contact")) out.touches = false;
    }
  }
  return out;
}

}  // namespace

SceneSpec parse_mjcf(std::string_view text, const std::string& name) {
  io::MjcfDocument document(text, name);
  const io::MjcfCompiler compiler(document);
  std::vector<std::string> warnings;
  const Options options = read_options(document);
  const XmlElement& root = document.root();
  io::TomlNode scene = io::toml_table({{"cardan", io::toml_number(1.0)},
                                       {"name", io::toml_text(root.has("model") ? root.name("model") : "MuJoCo model")},
                                       {"gravity", io::toml_vector(options.around.gravity)},
                                       {"simulation", io::toml_table({{"step", io::toml_number(options.step)}})}});
  io::MjcfBodies bodies(document, compiler, warnings);
  bodies.read(scene, options.around);
  io::MjcfElements elements(document, compiler, bodies, scene, warnings);
  elements.read_equalities();
  elements.read_tendons();
  elements.read_actuators();
  if (bodies.may_touch() && options.touches) warnings.push_back(root.message("contact is not read: nothing touches"));
  if (!document.section("deformable").empty()) warnings.push_back(root.message("<deformable> is not read"));
  return {name, std::move(scene), std::move(warnings)};
}

SceneSpec load_mjcf(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{64} << 20;
  return parse_mjcf(io::read_text_file("mjcf", path, max_bytes), path);
}

}  // namespace cardan
