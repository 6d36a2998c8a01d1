#include "cardan/io/internal/scene_formulas.hpp"

#include "cardan/io/internal/scene_joints.hpp"
#include "cardan/io/internal/scene_parameters.hpp"

namespace cardan {

namespace {

JointFormula read_formula(const io::TomlValue& body, const io::TomlValue& joint, const Symbols& scene) {
  const io::TomlValue own = joint.find("name"), parameters = joint.find("parameters"), let = joint.find("let");
  JointFormula out;
  out.joint = (own ? own : body.required("name")).text();
  for (const io::TomlValue& coordinate : joint.required("coordinates").items())
    out.coordinates.push_back(coordinate.text());
  if (io::depends_on_time(joint)) out.coordinates.emplace_back("t");
  if (parameters)
    for (const std::string& key : parameters.keys()) out.parameters.emplace_back(key, parameters.find(key).number());
  if (let)
    for (const std::string& key : let.keys()) out.let.push_back({key, let.find(key).text()});
  out.transform = joint.required("transform").text();
  out.scene = scene;
  return out;
}

}  // namespace

SceneTexts scene_texts(const SceneSpec& spec) {
  const io::Source source{"scene", io::printable(spec.name())};
  const io::TomlNode& root = spec.root();
  const io::TomlValue plain(root, source, ""), parameters = plain.find("parameters");
  const io::SceneNames names = io::read_names(root, source);
  SceneTexts out;
  for (const auto& [parameter, value] : names.parameters) {
    const io::TomlValue entry = parameters.find(parameter);
    out.parameters.push_back({parameter, value, entry.is_text() ? entry.text() : std::string()});
  }
  const io::Source with_names{source.format, source.file, &names};
  const io::TomlValue bodies = io::TomlValue(root, with_names, "").find("body");
  if (!bodies) return out;
  for (const io::TomlValue& body : bodies.items())
    if (const io::TomlValue joint = body.find("joint"); joint && joint.required("type").text() == "expression")
      out.formulas.push_back(read_formula(body, joint, names.symbols));
  return out;
}

}  // namespace cardan
