#include "cardan/io/internal/scene_bearings.hpp"
#include "cardan/io/internal/scene_keys.hpp"

#include <fmt/format.h>

namespace cardan::io {

namespace {

Bearing read_bearing(const TomlValue& table, const Joint& joint) {
  allow_keys(table, "bearing");
  Bearing out;
  const auto number = [&](const char* key, double& value) {
    if (const TomlValue given = table.find(key)) value = given.positive();
  };
  const TomlValue mu = table.required("mu");
  out.mu = mu.number();
  if (!(out.mu >= 0.0)) mu.fail(fmt::format("expected a number not below 0, found {}", out.mu));
  const TomlValue radii = table.find("radii");
  if (radii) {
    out.radii = radii.numbers(static_cast<std::size_t>(joint.nv()));
    for (const double radius : out.radii)
      if (!(radius >= 0.0)) radii.fail(fmt::format("expected numbers not below 0, found {}", radius));
  } else {
    out.radius = table.required("radius").positive();
  }
  number("radius", out.radius);
  number("length", out.length);
  out.half_width = out.radius;
  number("half_width", out.half_width);
  if (const TomlValue kind = table.find("kind")) out.fitted = kind.one_of(choices("bearing", "kind")) == "fitted";
  if (const TomlValue collar = table.find("collar"))
    out.disc_collar = collar.one_of(choices("bearing", "collar")) == "disc";
  return out;
}

}  // namespace

std::vector<Bearing> read_bearings(const Model& model, const std::vector<TomlValue>& bodies,
                                   const std::vector<TomlValue>& loops) {
  std::vector<Bearing> out;
  for (const TomlValue& body : bodies) {
    const TomlValue joint = body.required("joint"), bearing = joint.find("bearing");
    if (!bearing) continue;
    const TomlValue name = joint.find("name") ? joint.find("name") : body.required("name");
    const TomlValue table = bearing.named(fmt::format("joint {} bearing", in_quotes(name.text())));
    const int index = model.find_joint(name.text());
    if (index < 0 || model.link(index).nv == 0) table.fail("expected a joint that moves, found a fixed one");
    out.push_back(read_bearing(table, model.joint(index)));
    out.back().body = index;
  }
  for (std::size_t i = 0; i < loops.size() && i < model.loops().size(); ++i) {
    const TomlValue bearing = loops[i].find("bearing");
    if (!bearing) continue;
    const LoopJoint& loop = model.loops()[i];
    out.push_back(read_bearing(bearing.named(fmt::format("loop {} bearing", in_quotes(loop.name))), loop.type));
    out.back().loop = static_cast<int>(i);
  }
  return out;
}

}  // namespace cardan::io
