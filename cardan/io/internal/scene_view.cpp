#include "cardan/io/internal/scene_view.hpp"

#include "cardan/io/internal/scene_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

int read_followed(const Model& model, const TomlValue& name) {
  const int frame = model.find_frame(name.name());
  std::vector<std::string> known;
  for (int body = 1; body <= model.bodies(); ++body) known.push_back(model.body_name(body));
  if (frame < 0)
    name.fail(fmt::format("expected a body of this scene, found {}{}", in_quotes(name.name()),
                          did_you_mean(name.name(), known)));
  const int body = model.frame(frame).body;
  if (body == 0) name.fail(fmt::format("expected a body that moves, found {}, which does not", in_quotes(name.name())));
  return body;
}

/// What plots may be asked for: records, joints, and what every run has.
std::vector<std::string> names_of_plots(const Scene& scene) {
  std::vector<std::string> out;
  for (const RecordedColumns& record : scene.records.layout()) out.push_back(record.name);
  for (int body = 1; body <= scene.model.bodies(); ++body) out.push_back(scene.model.joint_name(body));
  out.insert(out.end(), {"energy", "tensions"});
  return out;
}

}  // namespace

SceneView read_view(const Scene& scene, const TomlValue& table) {
  SceneView out;
  if (!table) return out;
  const TomlValue view = table.named("view");
  allow_keys(view, "view");
  if (const TomlValue from = view.find("from")) {
    out.from = from.vec3();
    if (norm(*out.from) == 0.0) from.fail("expected a direction, found zero");
  }
  if (const TomlValue follow = view.find("follow")) out.follow = read_followed(scene.model, follow);
  if (const TomlValue plots = view.find("plots")) {
    const std::vector<std::string> known = names_of_plots(scene);
    for (const TomlValue& plot : plots.items()) {
      const std::string& name = plot.name();
      if (std::find(known.begin(), known.end(), name) == known.end())
        plot.fail(fmt::format("expected a record or joint of this scene, energy or tensions, found {}{}",
                              in_quotes(name), did_you_mean(name, known)));
      out.plots.push_back(name);
    }
  }
  if (const TomlValue hide = view.find("hide"))
    for (const TomlValue& layer : hide.items()) out.hide.push_back(layer.one_of(choices("view", "hide")));
  if (const TomlValue description = view.find("description")) out.description = description.name();
  return out;
}

}  // namespace cardan::io
