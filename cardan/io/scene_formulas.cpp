#include "cardan/io/scene_formulas.hpp"

#include "cardan/io/scene_parameters.hpp"

namespace cardan {

std::vector<JointFormula> scene_formulas(std::string_view text, const std::string& name) {
  const io::Source source{"scene", io::printable(name)};
  const io::TomlNode root = io::parse_toml(text, source);
  const io::TomlValue plain(root, source, "");
  const io::SceneNames names = io::read_names(plain.find("parameters"), plain.find("tables"));
  const io::Source with_names{source.format, source.file, &names};
  const io::TomlValue bodies = io::TomlValue(root, with_names, "").find("body");
  std::vector<JointFormula> out;
  if (!bodies) return out;
  for (const io::TomlValue& body : bodies.items()) {
    const io::TomlValue joint = body.find("joint");
    if (!joint || joint.required("type").text() != "expression") continue;
    const io::TomlValue own = joint.find("name"), parameters = joint.find("parameters"), let = joint.find("let");
    JointFormula formula;
    formula.joint = (own ? own : body.required("name")).text();
    for (const io::TomlValue& coordinate : joint.required("coordinates").items())
      formula.coordinates.push_back(coordinate.text());
    if (parameters)
      for (const std::string& key : parameters.keys())
        formula.parameters.emplace_back(key, parameters.find(key).number());
    if (let)
      for (const std::string& key : let.keys()) formula.let.push_back({key, let.find(key).text()});
    formula.transform = joint.required("transform").text();
    out.push_back(std::move(formula));
  }
  return out;
}

}  // namespace cardan
